//===- PlanSharedMemory.cpp - Each operation's slice of its kernel's arena
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/ScratchLiveness.h"
#include "coop/Transforms/DynamicSharedMemory.h"
#include "coop/Transforms/Kernels.h"
#include "coop/Transforms/Passes.h"
#include "coop/Transforms/SharedMemoryLimits.h"
#include "coop/Transforms/UserSharedMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Support/MathExtras.h"

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
// Limits
//===----------------------------------------------------------------------===//

namespace {
/// What a kernel's block needs, and may have.
struct Budget {
  int64_t scratch;
  int64_t user;
  int64_t limit;
  std::string target;
  int64_t getNeeded() const { return scratch + user; }
};
} // namespace

static InFlightDiagnostic &noteLargest(InFlightDiagnostic &error,
                                       const ScratchLiveness &liveness) {
  const ScratchStorage &largest = *llvm::max_element(
      liveness.getStorages(),
      [](const auto &a, const auto &b) { return a.size < b.size; });
  ScratchUse use = liveness.getUses()[largest.uses.front()];
  bool described = !largest.constructors.empty();
  Location loc = use.op->getLoc();
  if (described) {
    TempStorageOp constructor = largest.constructors.front();
    loc = constructor.getLoc();
  }
  error.attachNote(loc) << "the largest storage, " << largest.size
                        << " bytes, belongs to this "
                        << (described ? "descriptor" : "call");
  return error;
}

static LogicalResult checkLimit(FunctionOpInterface kernel,
                                const Budget &budget,
                                const ScratchLiveness &liveness) {
  if (budget.getNeeded() <= budget.limit)
    return success();
  InFlightDiagnostic error = emitError(kernel->getLoc(), "kernel '")
                             << kernel.getName() << "' needs "
                             << budget.getNeeded()
                             << " bytes of shared memory; the limit"
                             << budget.target << " is " << budget.limit;
  noteLargest(error, liveness);
  if (budget.user)
    error.attachNote(kernel->getLoc())
        << budget.user << " of the bytes are the program's own shared memory";
  return error;
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
    SmallVector<FunctionOpInterface> functions(
        getOperation().getOps<FunctionOpInterface>());
    for (FunctionOpInterface function : functions)
      if (!function.isExternal() && failed(plan(function)))
        signalPassFailure();
  }

private:
  LogicalResult plan(FunctionOpInterface function);
  Budget getBudget(int64_t scratch, int64_t user);
  ArenaOp makeArena(FunctionOpInterface function, const ScratchPlan &plan);
};
} // namespace

Budget PlanSharedMemory::getBudget(int64_t scratch, int64_t user) {
  if (std::optional<int64_t> optIn = getOptInSharedMemory(target))
    return {scratch, user, *optIn, " on " + target};
  return {scratch, user, maxDynamicBytes, ""};
}

ArenaOp PlanSharedMemory::makeArena(FunctionOpInterface function,
                                    const ScratchPlan &plan) {
  OpBuilder builder(function);
  std::string name = (function.getName() + "_scratch").str();
  auto arena = ArenaOp::create(builder, function->getLoc(), name, plan.size,
                               plan.alignment, /*dynamic=*/false);
  SymbolTable(getOperation()).insert(arena, Block::iterator(function));
  return arena;
}

LogicalResult PlanSharedMemory::plan(FunctionOpInterface function) {
  auto liveness =
      ScratchLiveness::compute(function, getStructuralUniformity(function));
  if (failed(liveness))
    return failure();
  if (liveness->getUses().empty()) {
    eraseDescriptors(function);
    return success();
  }
  if (!isKernel(function))
    return refuseNonKernel(function, *liveness);
  ScratchPlan plan = planScratch(liveness->getProblem());
  UserSharedMemory user = findUserSharedMemory(function);
  Budget budget = getBudget(plan.size, user.staticBytes + launchDynamicBytes);
  if (failed(checkLimit(function, budget, *liveness)))
    return failure();
  ArenaOp arena = makeArena(function, plan);
  arena.setDynamic(plan.size + user.staticBytes > maxStaticBytes);
  placeBehindArena(user.dynamic, function, arena);
  insertSlices(*liveness, plan, arena);
  eraseDescriptors(function);
  return success();
}
