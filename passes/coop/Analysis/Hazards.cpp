//===- Hazards.cpp - Which accesses of scratch no barrier separates
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/Hazards.h"
#include "coop/Analysis/ScratchPlan.h"

using namespace mlir;
using namespace mlir::coop;

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

bool ScratchUse::hasSameSlices(const ScratchUse &other) const {
  // Equal bytes for a lane are equal bytes for a warp.
  return !isBlock() && !other.isBlock() && groupBytes != 0 &&
         groupBytes << other.scope == other.groupBytes << scope;
}

std::optional<ScratchUse> mlir::coop::getScratchUse(CooperativeOpInterface op) {
  ScratchLayoutAttr layout = op.getScratchLayout();
  GroupType group = op.getGroup().getType();
  if (!layout)
    return std::nullopt;
  ScratchUse use{op, getSyncLevel(group), layout.getSize(),
                 layout.getAlignment(), 1};
  if (use.isBlock())
    return use;
  std::optional<int64_t> blockSize = getKnownBlockSize(op);
  if (!blockSize)
    return std::nullopt;
  use.count = group.getCount(*blockSize);
  return use;
}

SyncLevel mlir::coop::getNeededLevel(const ScratchUse &first,
                                     const ScratchUse &second,
                                     bool sameOffset) {
  if (sameOffset && first.hasSameSlices(second))
    return std::max(first.scope, second.scope);
  return kBlockLevel;
}

//===----------------------------------------------------------------------===//
// Planned scratch
//===----------------------------------------------------------------------===//

static bool hasScratch(Operation *op) {
  auto cooperative = dyn_cast<CooperativeOpInterface>(op);
  return cooperative && cooperative.getScratchSlice();
}

PlannedScratch::PlannedScratch(FunctionOpInterface function,
                               const UniformityQuery &isUniform)
    : flow(buildSyncFlow(function, hasScratch, isUniform)) {
  for (unsigned node : flow.graph.accesses) {
    auto op = cast<CooperativeOpInterface>(flow.ops[node]);
    slices.push_back(op.getScratchSlice().getDefiningOp<ScratchSliceOp>());
    SyncLevel scope = getSyncLevel(op.getGroup().getType());
    uses.push_back(getScratchUse(op).value_or(ScratchUse{op, scope}));
  }
}

SyncLevel PlannedScratch::getNeed(unsigned first, unsigned second) const {
  ScratchSliceOp a = slices[first], b = slices[second];
  if (!a || !b)
    return kBlockLevel;
  if (a.getArenaAttr() != b.getArenaAttr() ||
      !haveCommonByte(a.getOffset(), a.getSize(), b.getOffset(), b.getSize()))
    return kThreadLevel;
  return getNeededLevel(uses[first], uses[second],
                        a.getOffset() == b.getOffset());
}

bool PlannedScratch::isUserSynced(unsigned first, unsigned second) const {
  return llvm::all_of(ArrayRef{first, second}, [&](unsigned i) {
    return slices[i] && slices[i]->hasAttr(kUserSyncAttrName);
  });
}

std::string mlir::coop::describeLevel(SyncLevel level) {
  if (level == kBlockLevel)
    return "block";
  return level == kWarpLevel ? "warp" : std::to_string(1 << level) + " lanes";
}

std::string mlir::coop::describeOp(Operation *op) {
  std::string name = ("'" + op->getName().getStringRef() + "'").str();
  if (auto loc = op->getLoc()->findInstanceOf<FileLineColLoc>())
    name += " of line " + std::to_string(loc.getLine());
  return name;
}

std::string mlir::coop::describeHazard(const PlannedScratch &scratch,
                                       const Hazard &hazard) {
  CooperativeOpInterface earlier = scratch.getOp(hazard.earlier);
  std::string who =
      hazard.earlier == hazard.later ? "its previous run" : describeOp(earlier);
  // Behind its own barrier an operation only reads what it has exchanged.
  bool onlyReads =
      getBarrierLevel(earlier) >= getSyncLevel(earlier.getGroup().getType());
  return describeOp(scratch.getOp(hazard.later)) + " writes scratch that " +
         who + " may still " + (onlyReads ? "read" : "use");
}
