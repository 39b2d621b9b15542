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

bool ScratchUse::hasSameParts(const ScratchUse &other) const {
  if (exchange == kBlockLevel || other.exchange == kBlockLevel)
    return false;
  if (partsKey || other.partsKey)
    return partsKey == other.partsKey && exchange == other.exchange &&
           scope == other.scope &&
           (isBlock() || groupBytes == other.groupBytes);
  // Equal bytes for a lane are equal bytes for a warp.
  return groupBytes != 0 && groupBytes << other.scope == other.groupBytes
                                                             << scope;
}

static ScratchUse describeUse(CooperativeOpInterface op) {
  ScratchParts parts = op.getScratchParts();
  return {op, getSyncLevel(op.getGroup().getType()), getSyncLevel(parts.group),
          parts.key};
}

std::optional<ScratchUse> mlir::coop::getScratchUse(CooperativeOpInterface op) {
  ScratchLayoutAttr layout = op.getScratchLayout();
  if (!layout)
    return std::nullopt;
  ScratchUse use = describeUse(op);
  use.groupBytes = layout.getSize();
  use.alignment = layout.getAlignment();
  if (use.isBlock())
    return use;
  std::optional<int64_t> blockSize = getKnownBlockSize(op);
  if (!blockSize)
    return std::nullopt;
  use.count = op.getGroup().getType().getCount(*blockSize);
  return use;
}

SyncLevel mlir::coop::getNeededLevel(const ScratchUse &first,
                                     const ScratchUse &second,
                                     bool sameOffset) {
  if (sameOffset && first.hasSameParts(second))
    return std::max(first.exchange, second.exchange);
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
    uses.push_back(getScratchUse(op).value_or(describeUse(op)));
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
  // Behind its own barrier an operation only reads what those who met there
  // have exchanged; others may be before it.
  bool onlyReads = getBarrierLevel(earlier) >= hazard.level;
  return describeOp(scratch.getOp(hazard.later)) + " writes scratch that " +
         who + " may still " + (onlyReads ? "read" : "use");
}
