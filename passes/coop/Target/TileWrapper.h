//===- TileWrapper.h - CUDA C++ of load and store wrappers
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_TARGET_TILEWRAPPER_H
#define COOP_TARGET_TILEWRAPPER_H

#include "coop/IR/Coop.h"

namespace mlir::coop {

/// The source of one wrapper that moves a tile. It is made of CUB's access
/// functions and exchanges rather than of BlockLoad and BlockStore, whose
/// guarded store passes the number of valid items through shared memory, with a
/// block barrier and bytes of its own.
class TileWrapper {
public:
  explicit TileWrapper(WrapperAttr wrapper) : wrapper(wrapper) {}

  /// Whether the vector helper of this direction is called.
  bool usesVectors() const;
  bool isLoad() const { return wrapper.getCollective() == "load"; }
  /// The alias of the exchange, if any, and the function.
  void print(raw_ostream &os) const;
  std::string getLayoutProbe() const;

private:
  std::string getTypeName() const { return wrapper.getSymbolName() + "_type"; }
  bool isWarp() const { return !wrapper.getGroup().isBlock(); }
  int64_t getGroupSize() const;
  int64_t getTileItems() const { return getGroupSize() * wrapper.getItems(); }
  int64_t getVectorBytes() const;
  std::string getAccess() const;
  std::string getExchangeType() const;
  std::string getExchangeMethod() const;

  void printSignature(raw_ostream &os) const;
  void printRank(raw_ostream &os) const;
  void printAccess(raw_ostream &os) const;
  void printVectorAccess(raw_ostream &os) const;
  void printDirectAccess(raw_ostream &os, StringRef indent) const;
  void printExchange(raw_ostream &os) const;

  WrapperAttr wrapper;
};

} // namespace mlir::coop

#endif // COOP_TARGET_TILEWRAPPER_H
