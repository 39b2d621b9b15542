//===- PrintScratch.cpp - What the scratch analyses find, for tests
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/ExecutionUniformity.h"
#include "coop/Analysis/ScratchLiveness.h"
#include "coop/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::coop {
#define GEN_PASS_DEF_TESTPRINTPLANPASS
#define GEN_PASS_DEF_TESTPRINTHAZARDSPASS
#include "coop/Transforms/Passes.h.inc"
} // namespace mlir::coop

using namespace mlir;
using namespace mlir::coop;

/// The storage's first byte, the one after its last, and who uses it.
static void printStorage(const ScratchLiveness &liveness,
                         const ScratchStorage &storage, int64_t offset) {
  llvm::outs() << "  [" << offset << ", " << offset + storage.size << ")";
  for (auto [i, start] : llvm::zip(storage.uses, storage.useOffsets)) {
    ScratchUse use = liveness.getUses()[i];
    llvm::outs() << (start ? " +" + std::to_string(start) : "") << " "
                 << describeOp(use.op);
  }
  llvm::outs() << "\n";
}

static void printPlan(StringRef name, const ScratchLiveness &liveness) {
  ScratchPlan plan = planScratch(liveness.getProblem());
  int64_t sum = 0;
  for (const ScratchUse &use : liveness.getUses())
    sum += use.getSize();
  llvm::outs() << "@" << name << ": " << plan.size << " bytes align "
               << plan.alignment << ", live at most " << plan.lowerBound
               << ", sum " << sum << " of " << liveness.getUses().size()
               << (plan.isOptimal ? " uses, optimal\n" : " uses\n");
  for (auto [storage, offset] : llvm::zip(liveness.getStorages(), plan.offsets))
    printStorage(liveness, storage, offset);
}

static void printHazards(StringRef name, const PlannedScratch &scratch) {
  const SyncGraph &graph = scratch.getFlow().graph;
  auto need = [&](unsigned earlier, unsigned later) {
    return scratch.getNeed(earlier, later);
  };
  SmallVector<Hazard> hazards = findHazards(graph, need);
  BarrierPlacement placement = placeBarriers(graph, need);
  llvm::outs() << "@" << name << ": " << hazards.size() << " hazards, "
               << llvm::count_if(placement.barriers,
                                 [](SyncLevel l) { return l != kThreadLevel; })
               << " barriers" << (placement.isOptimal ? ", optimal\n" : "\n");
  for (const Hazard &hazard : hazards)
    llvm::outs() << "  " << describeLevel(hazard.level) << ": "
                 << describeHazard(scratch, hazard) << "\n";
}

namespace {
struct TestPrintPlan : public coop::impl::TestPrintPlanPassBase<TestPrintPlan> {
  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    markAllAnalysesPreserved();
    if (function.isExternal())
      return;
    auto liveness = ScratchLiveness::compute(
        function, getAnalysis<ExecutionUniformity>().getQuery());
    if (failed(liveness))
      return signalPassFailure();
    printPlan(function.getName(), *liveness);
  }
};

struct TestPrintHazards
    : public coop::impl::TestPrintHazardsPassBase<TestPrintHazards> {
  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    markAllAnalysesPreserved();
    if (function.isExternal())
      return;
    printHazards(function.getName(),
                 PlannedScratch(function,
                                getAnalysis<ExecutionUniformity>().getQuery()));
  }
};
} // namespace
