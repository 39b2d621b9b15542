//===- InsertBarriers.cpp - Barriers between conflicting uses of scratch
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/ExecutionUniformity.h"
#include "coop/Analysis/Hazards.h"
#include "coop/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::coop {
#define GEN_PASS_DEF_INSERTBARRIERSPASS
#include "coop/Transforms/Passes.h.inc"
} // namespace mlir::coop

using namespace mlir;
using namespace mlir::coop;

/// The level of the barrier that the compiler must see to; kThreadLevel where
/// the program does it.
static SyncLevel getOwnNeed(const PlannedScratch &scratch, unsigned earlier,
                            unsigned later) {
  return scratch.isUserSynced(earlier, later) ? kThreadLevel
                                              : scratch.getNeed(earlier, later);
}

/// S4: reuse that the program should have put a barrier before.
static void warnOfUserHazards(const PlannedScratch &scratch) {
  auto need = [&](unsigned earlier, unsigned later) {
    return scratch.isUserSynced(earlier, later)
               ? scratch.getNeed(earlier, later)
               : kThreadLevel;
  };
  for (const Hazard &hazard : findHazards(scratch.getFlow().graph, need)) {
    CooperativeOpInterface op = scratch.getOp(hazard.later);
    InFlightDiagnostic warning = emitWarning(op->getLoc())
                                 << describeHazard(scratch, hazard)
                                 << "; no barrier of the "
                                 << describeLevel(hazard.level)
                                 << " separates them: put one between, or use "
                                    "auto_sync";
    warning.attachNote(scratch.getOp(hazard.earlier)->getLoc())
        << "the earlier use is here";
  }
}

/// Puts a barrier before `op`.
static void insertBarrier(Operation *op, GroupType group, StringRef reason,
                          Location loc) {
  OpBuilder builder(op);
  Value value;
  if (auto cooperative = dyn_cast<CooperativeOpInterface>(op);
      cooperative && cooperative.getGroup().getType() == group)
    value = cooperative.getGroup();
  else
    value = GroupOp::create(builder, loc, group);
  BarrierOp::create(builder, loc, cast<TypedValue<GroupType>>(value),
                    builder.getStringAttr(reason));
}

static void insertBarriers(const PlannedScratch &scratch, SyncNeed need,
                           const BarrierPlacement &placement) {
  const SyncFlow &flow = scratch.getFlow();
  for (auto [node, level] : llvm::enumerate(placement.barriers)) {
    if (level == kThreadLevel)
      continue;
    Operation *op = flow.ops[node];
    Hazard hazard = explainBarrier(flow.graph, need, placement, node);
    insertBarrier(op, getSyncGroup(op->getContext(), level),
                  describeHazard(scratch, hazard),
                  scratch.getOp(hazard.later)->getLoc());
  }
}

static LogicalResult reportOpen(const PlannedScratch &scratch, unsigned earlier,
                                unsigned later) {
  CooperativeOpInterface op = scratch.getOp(later);
  InFlightDiagnostic error =
      op.emitOpError("shares scratch with another use, but nowhere between "
                     "them do all threads of the ")
      << describeLevel(scratch.getNeed(earlier, later))
      << " come together for a barrier";
  error.attachNote(scratch.getOp(earlier)->getLoc()) << "the other use is here";
  return error;
}

/// Hazards where no barrier may stand. Planning leaves none.
static LogicalResult reportOpenHazards(const PlannedScratch &scratch,
                                       SyncNeed need,
                                       const BarrierPlacement &placement) {
  LogicalResult result = success();
  for (const Hazard &hazard :
       findHazards(scratch.getFlow().graph, need, placement.barriers))
    result = reportOpen(scratch, hazard.earlier, hazard.later);
  return result;
}

/// Siblings that may be in two uses at a time. Planning leaves none.
static LogicalResult reportConcurrentSiblings(const PlannedScratch &scratch) {
  LogicalResult result = success();
  for (auto [later, others] :
       llvm::enumerate(scratch.getFlow().graph.findConcurrent(kBlockLevel)))
    for (unsigned earlier : others.set_bits())
      if (earlier < later && scratch.areSiblings(earlier, later) &&
          scratch.getNeed(earlier, later) == kBlockLevel)
        result = reportOpen(scratch, earlier, later);
  return result;
}

namespace {
struct InsertBarriers
    : public coop::impl::InsertBarriersPassBase<InsertBarriers> {
  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    // Barriers change no way through the function.
    markAnalysesPreserved<ExecutionUniformity>();
    if (function.isExternal())
      return;
    PlannedScratch scratch(function,
                           getAnalysis<ExecutionUniformity>().getQuery());
    if (failed(reportConcurrentSiblings(scratch)))
      return signalPassFailure();
    warnOfUserHazards(scratch);
    auto need = [&](unsigned earlier, unsigned later) {
      return getOwnNeed(scratch, earlier, later);
    };
    BarrierPlacement placement = placeBarriers(scratch.getFlow().graph, need);
    if (failed(reportOpenHazards(scratch, need, placement)))
      return signalPassFailure();
    insertBarriers(scratch, need, placement);
  }
};
} // namespace
