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
///
/// In registers an item consists of the widest words that its size allows. In
/// memory it may lie at a smaller alignment than these have: then the words are
/// used where the address turns out to suit them, and else the narrower ones
/// that the item's alignment promises.
class TileWrapper {
public:
  explicit TileWrapper(WrapperAttr wrapper) : wrapper(wrapper) {}

  /// Whether an item is more than one word anywhere.
  bool usesItems() const;
  /// Whether an access depends on the address.
  bool testsAlignment() const;
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
  bool isAligned() const;
  std::string getType() const;
  std::string getMemoryType() const;
  std::string getAccess() const;
  std::string getExchangeType() const;
  std::string getExchangeMethod() const;

  void printSignature(raw_ostream &os) const;
  void printRank(raw_ostream &os) const;
  std::string getVectorAccess() const;
  std::string getWideAccess() const;
  std::string getNarrowAccess() const;
  std::string getAccessCall(StringRef memory, StringRef payload,
                            StringRef oobDefault) const;
  void printAccess(raw_ostream &os) const;
  void printExchange(raw_ostream &os) const;

  WrapperAttr wrapper;
};

} // namespace mlir::coop

#endif // COOP_TARGET_TILEWRAPPER_H
