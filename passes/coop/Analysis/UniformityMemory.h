//===- UniformityMemory.h - Who writes what the threads read
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_UNIFORMITYMEMORY_H
#define COOP_ANALYSIS_UNIFORMITYMEMORY_H

#include "coop/Analysis/UniformityControl.h"
#include "mlir/IR/Operation.h"

namespace mlir::coop {

/// The writes that a read may see, by the object in memory that both name.
class MemoryUses {
public:
  MemoryUses(Region &region, const BlockNumbers &numbers);

  /// The stores into an object of this thread alone. nullopt when others than
  /// loads and stores use it, so that its contents are not known.
  std::optional<ArrayRef<Operation *>> getPrivateStores(Value root) const;
  /// Whether an address that is neither an argument nor a global may belong to
  /// memory of this thread alone.
  bool mayBePrivate(Value root) const;
  /// The writes to the object from which a way without any synchronization
  /// leads to the read.
  ArrayRef<Operation *> getRacingWrites(Operation *read) const;
  /// The reads for which one of the two names the write.
  ArrayRef<Operation *> getReadsOf(Operation *write) const;

private:
  void collect(Region &region);
  void findRaces(Value root, const BlockNumbers &numbers);
  bool isKnown(Value address) const;

  using Ops = SmallVector<Operation *>;
  llvm::DenseMap<Value, Ops> reads, writes;
  llvm::DenseMap<Operation *, Ops> racingWrites, readsOf;
  llvm::DenseMap<Value, bool> known;
  bool privateEscapes = false;
};

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNIFORMITYMEMORY_H
