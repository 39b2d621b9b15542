//===- Hazards.h - Which accesses of scratch no barrier separates
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_HAZARDS_H
#define COOP_ANALYSIS_HAZARDS_H

#include "coop/Analysis/BarrierPlacement.h"
#include "coop/Analysis/SyncFlow.h"

namespace mlir::coop {

/// The scratch of all groups of one operation: `count` times `groupBytes`.
struct ScratchUse {
  CooperativeOpInterface op;
  /// The group that executes the operation together.
  SyncLevel scope = kThreadLevel;
  /// The threads that exchange through a part of one group's scratch, and what
  /// decides where the parts lie (see ScratchParts).
  SyncLevel exchange = kThreadLevel;
  Attribute partsKey;
  int64_t groupBytes = 0;
  int64_t alignment = 1;
  /// Groups of the block.
  int64_t count = 1;

  int64_t getSize() const { return groupBytes * count; }
  bool isBlock() const { return scope == kBlockLevel; }
  /// Whether threads meet only their own bytes in both, if both start at one:
  /// the parts of both, or several of one for each of the other, coincide.
  bool hasSameParts(const ScratchUse &other) const;
};

/// The use of `op`, nullopt where its layout or its block's size is unknown.
std::optional<ScratchUse> getScratchUse(CooperativeOpInterface op);

/// The barrier that must separate two uses with a common byte; kThreadLevel
/// if none must. `sameOffset`: both start at the same byte.
SyncLevel getNeededLevel(const ScratchUse &first, const ScratchUse &second,
                         bool sameOffset);

/// The planned scratch of a function: its uses, where they lie, and the ways
/// between them.
class PlannedScratch {
public:
  PlannedScratch(FunctionOpInterface function,
                 const UniformityQuery &isUniform);

  const SyncFlow &getFlow() const { return flow; }
  CooperativeOpInterface getOp(unsigned access) const {
    return uses[access].op;
  }
  /// The slice, null if the operation's scratch is none.
  ScratchSliceOp getSlice(unsigned access) const { return slices[access]; }
  /// The barrier that must separate two accesses. Scratch that is no slice may
  /// be any bytes.
  SyncLevel getNeed(unsigned first, unsigned second) const;
  /// Whether both belong to groups that are smaller than the block.
  bool areSiblings(unsigned first, unsigned second) const {
    return !uses[first].isBlock() && !uses[second].isBlock();
  }
  /// Whether the program, and not the compiler, orders the two (S4).
  bool isUserSynced(unsigned first, unsigned second) const;

private:
  SyncFlow flow;
  SmallVector<ScratchUse> uses;
  SmallVector<ScratchSliceOp> slices;
};

/// The operation's name and, where it is known, its line.
std::string describeOp(Operation *op);
/// block, warp or "8 lanes".
std::string describeLevel(SyncLevel level);
/// The hazard in a few words, with both operations and their lines.
std::string describeHazard(const PlannedScratch &scratch, const Hazard &hazard);

/// Marks a slice of a descriptor without auto_sync.
inline constexpr StringLiteral kUserSyncAttrName = "coop.user_sync";

} // namespace mlir::coop

#endif // COOP_ANALYSIS_HAZARDS_H
