//===- PlanSharedMemory.cpp - Each operation's slice of its kernel's arena
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/ExecutionUniformity.h"
#include "coop/Analysis/ScratchLiveness.h"
#include "coop/Transforms/DynamicSharedMemory.h"
#include "coop/Transforms/Kernels.h"
#include "coop/Transforms/Passes.h"
#include "coop/Transforms/PlanReport.h"
#include "coop/Transforms/SharedMemoryBudget.h"
#include "coop/Transforms/SharedMemoryLimits.h"
#include "coop/Transforms/UserSharedMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace mlir::coop {
#define GEN_PASS_DEF_PLANSHAREDMEMORYPASS
#include "coop/Transforms/Passes.h.inc"
} // namespace mlir::coop

using namespace mlir;
using namespace mlir::coop;

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Before each use, make its slice.
static void insertSlices(const ScratchLiveness &liveness,
                         const ScratchPlan &plan, ArenaOp arena) {
  auto space = gpu::AddressSpaceAttr::get(arena.getContext(),
                                          gpu::AddressSpace::Workgroup);
  for (auto [storage, start] : llvm::zip(liveness.getStorages(), plan.offsets))
    for (auto [i, offset] : llvm::zip(storage.uses, storage.useOffsets)) {
      ScratchUse use = liveness.getUses()[i];
      OpBuilder builder(use.op);
      auto type = MemRefType::get({use.getSize()}, builder.getI8Type(),
                                  MemRefLayoutAttrInterface(), space);
      auto slice = ScratchSliceOp::create(builder, use.op->getLoc(), type,
                                          arena.getSymName(), start + offset,
                                          use.getSize());
      if (storage.isUserSynced())
        slice->setAttr(kUserSyncAttrName, builder.getUnitAttr());
      use.op.setScratchSlice(slice);
    }
}

static bool isDescriptor(Value value) {
  return isa<TempStorageType>(value.getType());
}

/// Whether descriptors are only handed on, by branches and selections.
static bool onlyHandsDescriptorsOn(FunctionOpInterface function) {
  return !function
              ->walk([](Operation *op) {
                bool handsOn =
                    isa<BranchOpInterface, SelectLikeOpInterface>(op) ||
                    llvm::none_of(op->getOperands(), isDescriptor);
                return WalkResult(success(handsOn));
              })
              .wasInterrupted();
}

/// Remove what handed descriptors on; slices have taken their place.
static void eraseDescriptors(FunctionOpInterface function) {
  function->walk([](CooperativeOpInterface op) {
    if (op.getStorageDescriptor())
      op.dropStorageDescriptor();
  });
  if (!onlyHandsDescriptorsOn(function))
    return;
  function->walk([](BranchOpInterface branch) {
    for (auto [i, block] : llvm::enumerate(branch->getSuccessors()))
      for (BlockArgument argument : llvm::reverse(block->getArguments()))
        if (isDescriptor(argument))
          branch.getSuccessorOperands(i).erase(argument.getArgNumber());
  });
  function->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isa<SelectLikeOpInterface>(op) && isDescriptor(op->getResult(0)))
      op->erase();
  });
  function->walk([](Block *block) {
    if (!block->isEntryBlock())
      block->eraseArguments(isDescriptor);
  });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static LogicalResult refuseNonKernel(FunctionOpInterface function,
                                     const ScratchLiveness &liveness) {
  ScratchUse use = liveness.getUses().front();
  InFlightDiagnostic error = use.op.emitOpError("uses scratch in '")
                             << function.getName()
                             << "', which is no kernel; inline the function";
  error.attachNote(function->getLoc()) << "the function is here";
  return error;
}

namespace {
struct PlanSharedMemory
    : public coop::impl::PlanSharedMemoryPassBase<PlanSharedMemory> {
  using PlanSharedMemoryPassBase::PlanSharedMemoryPassBase;

  void runOnOperation() override {
    // Neither blocks change nor what branches depend on.
    markAnalysesPreserved<ExecutionUniformity>();
    SmallVector<FunctionOpInterface> functions(
        getOperation().getOps<FunctionOpInterface>());
    for (FunctionOpInterface function : functions)
      if (!function.isExternal() && failed(plan(function)))
        signalPassFailure();
  }

private:
  LogicalResult plan(FunctionOpInterface function);
  SharedMemoryLimit getLimit() const;
  ArenaOp makeArena(FunctionOpInterface function, const ArenaShape &shape);
};
} // namespace

SharedMemoryLimit PlanSharedMemory::getLimit() const {
  if (std::optional<int64_t> optIn = getOptInSharedMemory(target))
    return {maxStaticBytes, *optIn, " on " + target};
  return {maxStaticBytes, maxDynamicBytes, ""};
}

ArenaOp PlanSharedMemory::makeArena(FunctionOpInterface function,
                                    const ArenaShape &shape) {
  OpBuilder builder(function);
  std::string name = (function.getName() + "_scratch").str();
  auto arena = ArenaOp::create(builder, function->getLoc(), name, shape.size,
                               shape.alignment, shape.dynamic);
  SymbolTable(getOperation()).insert(arena, Block::iterator(function));
  return arena;
}

LogicalResult PlanSharedMemory::plan(FunctionOpInterface function) {
  auto &uniformity = getChildAnalysis<ExecutionUniformity>(function);
  auto liveness = ScratchLiveness::compute(function, uniformity.getQuery());
  if (failed(liveness))
    return failure();
  if (liveness->getUses().empty()) {
    eraseDescriptors(function);
    return success();
  }
  if (!isKernelEntry(function))
    return refuseNonKernel(function, *liveness);
  ScratchPlan plan = planScratch(liveness->getProblem());
  UserSharedMemory user = findUserSharedMemory(function);
  SharedMemoryLimit limit = getLimit();
  SharedMemoryBudget budget =
      makeBudget(function, plan, user, launchDynamicBytes, limit);
  if (failed(checkBudget(function, budget, limit, *liveness)))
    return failure();
  ArenaOp arena = makeArena(function, budget.arena);
  arena->setDiscardableAttr(
      kPlanAttrName,
      makePlanReport(&getContext(), *liveness, plan, user, budget, limit));
  placeBehindArena(user.dynamic, function, arena);
  insertSlices(*liveness, plan, arena);
  eraseDescriptors(function);
  return success();
}
