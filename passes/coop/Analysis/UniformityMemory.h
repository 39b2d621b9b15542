//===- UniformityMemory.h - Who writes what the threads read
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_UNIFORMITYMEMORY_H
#define COOP_ANALYSIS_UNIFORMITYMEMORY_H

#include "coop/Analysis/UniformityRaces.h"

namespace mlir::coop {

/// The writes that a read may see.
///
/// What a kernel writes to global memory, threads of other blocks may write at
/// any time. Shared memory is quiet between barriers of the block if no access
/// on the ways between them writes it.
class MemoryUses {
public:
  MemoryUses(Region &region, Operation *symbolScope, bool argumentsMayAlias);

  /// The stores into an object of this thread alone. nullopt when others than
  /// loads and stores use it, so that its contents are not known.
  std::optional<ArrayRef<Operation *>> getPrivateStores(Value root) const;
  /// Whether an address that is neither an argument nor a global may belong to
  /// memory of this thread alone.
  bool mayBePrivate(Value root) const;
  /// The writes that threads may make while others make the read.
  ArrayRef<Race> getRaces(Operation *read) const;
  /// The reads that a write, or a store to private memory, bears on.
  ArrayRef<Operation *> getReadsOf(Operation *write) const;
  /// Whether nothing in the function writes what the operation reads.
  bool readsConstantMemory(Operation *op) const;

private:
  struct Access {
    Operation *op;
    Place place;
  };
  void collect(Region &region, Operation *symbolScope);
  void findRaces(Region &region);
  bool isKnown(Value address) const;

  bool argumentsMayAlias;
  SmallVector<Access> reads, writes;
  llvm::DenseMap<Value, SmallVector<Operation *>> privateStores;
  llvm::DenseMap<Operation *, SmallVector<Race>> races;
  llvm::DenseMap<Operation *, SmallVector<Operation *>> readsOf;
  llvm::DenseMap<Value, bool> known;
  bool privateEscapes = false;
};

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNIFORMITYMEMORY_H
