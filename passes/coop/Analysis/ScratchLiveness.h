//===- ScratchLiveness.h - Storages of a function, and which live at a time
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_SCRATCHLIVENESS_H
#define COOP_ANALYSIS_SCRATCHLIVENESS_H

#include "coop/Analysis/Hazards.h"
#include "coop/Analysis/ScratchPlan.h"

#include "llvm/ADT/BitVector.h"

namespace mlir::coop {

/// Bytes that are planned as one: the scratch of one operation, or that of all
/// operations that name the same descriptor.
struct ScratchStorage {
  /// What the program says of it; empty for an operation without descriptor.
  /// Several, which agree, where control flow merges them (S9).
  SmallVector<TempStorageOp> constructors;
  /// Accesses of the graph.
  SmallVector<unsigned> uses;
  /// Where each use starts, from the storage's start.
  SmallVector<int64_t> useOffsets;
  /// Bytes that the uses need, and those to reserve.
  int64_t neededSize = 0, size = 0;
  int64_t alignment = 1;

  bool isUserSynced() const;
  bool isExclusive() const;
  /// Whether a barrier may be put so that its bytes serve others too.
  bool mayCostBarriers() const { return !isUserSynced() && !isExclusive(); }
  int64_t getCapacity() const;
};

/// The constructors that may have made a descriptor: through block arguments,
/// region results and selections. Failure if it comes from elsewhere.
FailureOr<SmallVector<TempStorageOp>> findConstructors(Value descriptor);

/// The scratch of a function before planning. Scratch holds something only
/// while its operation runs. Two uses are live at a time if a thread may be in
/// one while another thread is in the other, and no barrier of the program, nor
/// one at a use whose own group is wide enough, comes between.
class ScratchLiveness {
public:
  /// Emits errors and fails where a layout, a block's size or a descriptor is
  /// not as it must be.
  static FailureOr<ScratchLiveness> compute(FunctionOpInterface function,
                                            const UniformityQuery &isUniform);

  ArrayRef<ScratchUse> getUses() const { return uses; }
  ArrayRef<ScratchStorage> getStorages() const { return storages; }
  /// The problem whose items are the storages.
  PlanProblem getProblem() const;
  /// For each use the last one, in the order of the text, that some threads may
  /// be in while others are still in it, up to where another use takes its
  /// bytes; its own number if there is none.
  SmallVector<unsigned> findLiveEnds(const ScratchPlan &plan) const;

private:
  ScratchLiveness() = default;
  LogicalResult collectUses();
  LogicalResult collectStorages();
  void findWays();
  void layOut(ScratchStorage &storage);
  LogicalResult checkCapacity(const ScratchStorage &storage) const;

  bool isUnsynced(unsigned a, unsigned b, SyncLevel level) const;
  bool mayShare(unsigned a, unsigned b, bool sameOffset,
                bool mayCostBarriers) const;
  int64_t getBarrierCost(unsigned a, unsigned b, bool sameOffset) const;
  void relate(PlanProblem &problem, unsigned i, unsigned j) const;

  SyncFlow flow;
  SmallVector<ScratchUse> uses;
  SmallVector<ScratchStorage> storages;
  /// For each level and access, the accesses after it without barrier between.
  SmallVector<SmallVector<llvm::BitVector>> ways;
  /// For each access, those that other warps may be in meanwhile.
  SmallVector<llvm::BitVector> concurrent;
};

} // namespace mlir::coop

#endif // COOP_ANALYSIS_SCRATCHLIVENESS_H
