//===- UniformityRanges.cpp - Constants that follow from the ranges of ids
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformityRanges.h"
#include "coop/IR/Coop.h"

#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::coop;

//===----------------------------------------------------------------------===//
// The limits of ids
//===----------------------------------------------------------------------===//

// CUDA C++ Programming Guide, Compute Capabilities, the same for all of them.
static constexpr int64_t kMaxBlock[] = {1024, 1024, 64};
static constexpr int64_t kMaxGrid[] = {0x7fffffff, 0xffff, 0xffff};
/// Of a grid along an axis: `cuda.grid` counts them in 32 bits, and with more
/// of them programs can't tell their threads apart.
static constexpr int64_t kMaxThreads = 0x7fffffff;

namespace {
/// The numbers that an id or an extent may be, both ends included.
struct Bounds {
  int64_t lowest, highest;
};

class Limits {
public:
  explicit Limits(FunctionOpInterface function) {
    DenseI32ArrayAttr dims =
        getKnownBlockDims(&function.getFunctionBody().front().front());
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (!dims || dims.size() > 3)
        block[axis] = {1, kMaxBlock[axis]};
      else if (axis < dims.size())
        block[axis] = {dims[axis], dims[axis]};
    }
  }

  Bounds blockDim(unsigned axis) const { return block[axis]; }
  Bounds threadId(unsigned axis) const { return {0, block[axis].highest - 1}; }
  Bounds gridDim(unsigned axis) const {
    return {1, std::min(kMaxGrid[axis], kMaxThreads / block[axis].lowest)};
  }
  Bounds blockId(unsigned axis) const { return {0, gridDim(axis).highest - 1}; }

private:
  Bounds block[3] = {{1, 1}, {1, 1}, {1, 1}};
};
} // namespace

namespace {
/// Tells ids their limits, by attributes that are there as long as this is.
class BoundIds {
public:
  explicit BoundIds(FunctionOpInterface function) : limits(function) {
    function->walk([&](Operation *op) { bind(op); });
  }
  ~BoundIds() {
    for (auto [op, name] : bound)
      op->removeAttr(name);
  }

private:
  void bind(Operation *op);
  template <typename OpTy>
  void bindIndex(OpTy op, Bounds (Limits::*extent)(unsigned) const);
  template <typename OpTy> void bindRegister(OpTy op, Bounds bounds);

  Limits limits;
  SmallVector<std::pair<Operation *, StringAttr>> bound;
};
} // namespace

/// `upper_bound` is the most that the extent may be, also of an id's axis.
template <typename OpTy>
void BoundIds::bindIndex(OpTy op, Bounds (Limits::*extent)(unsigned) const) {
  if (op.getUpperBoundAttr())
    return;
  Bounds bounds = (limits.*extent)(static_cast<unsigned>(op.getDimension()));
  op.setUpperBoundAttr(Builder(op).getIndexAttr(bounds.highest));
  bound.push_back({op, op.getUpperBoundAttrName()});
}

template <typename OpTy> void BoundIds::bindRegister(OpTy op, Bounds bounds) {
  if (op.getRangeAttr())
    return;
  unsigned bits = op.getType().getIntOrFloatBitWidth();
  op.setRangeAttr(
      LLVM::ConstantRangeAttr::get(op.getContext(), APInt(bits, bounds.lowest),
                                   APInt(bits, bounds.highest + 1)));
  bound.push_back({op, op.getRangeAttrName()});
}

void BoundIds::bind(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<gpu::ThreadIdOp, gpu::BlockDimOp>(
          [&](auto id) { bindIndex(id, &Limits::blockDim); })
      .Case<gpu::BlockIdOp, gpu::GridDimOp>(
          [&](auto id) { bindIndex(id, &Limits::gridDim); })
      .Case([&](NVVM::ThreadIdXOp id) { bindRegister(id, limits.threadId(0)); })
      .Case([&](NVVM::ThreadIdYOp id) { bindRegister(id, limits.threadId(1)); })
      .Case([&](NVVM::ThreadIdZOp id) { bindRegister(id, limits.threadId(2)); })
      .Case([&](NVVM::BlockDimXOp id) { bindRegister(id, limits.blockDim(0)); })
      .Case([&](NVVM::BlockDimYOp id) { bindRegister(id, limits.blockDim(1)); })
      .Case([&](NVVM::BlockDimZOp id) { bindRegister(id, limits.blockDim(2)); })
      .Case([&](NVVM::BlockIdXOp id) { bindRegister(id, limits.blockId(0)); })
      .Case([&](NVVM::BlockIdYOp id) { bindRegister(id, limits.blockId(1)); })
      .Case([&](NVVM::BlockIdZOp id) { bindRegister(id, limits.blockId(2)); })
      .Case([&](NVVM::GridDimXOp id) { bindRegister(id, limits.gridDim(0)); })
      .Case([&](NVVM::GridDimYOp id) { bindRegister(id, limits.gridDim(1)); })
      .Case([&](NVVM::GridDimZOp id) { bindRegister(id, limits.gridDim(2)); })
      .Case([&](NVVM::LaneIdOp id) {
        bindRegister(id, {0, GroupType::kWarpWidth - 1});
      });
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The one number that the solver leaves for a value.
static std::optional<APInt> getOnlyNumber(DataFlowSolver &solver, Value value) {
  auto *state = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  if (!state || state->getValue().isUninitialized())
    return std::nullopt;
  return state->getValue().getValue().getConstantValue();
}

static void replaceByConstant(DataFlowSolver &solver, Value value) {
  Operation *op = value.getDefiningOp();
  if (value.use_empty() || !value.getType().isIntOrIndex() ||
      (op && op->hasTrait<OpTrait::ConstantLike>()))
    return;
  std::optional<APInt> number = getOnlyNumber(solver, value);
  if (!number)
    return;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  Value constant = arith::ConstantOp::create(
      builder, value.getLoc(),
      builder.getIntegerAttr(value.getType(), *number));
  value.replaceAllUsesWith(constant);
}

void mlir::coop::foldKnownRanges(FunctionOpInterface function) {
  BoundIds bound(function);
  DataFlowSolver solver;
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<dataflow::IntegerRangeAnalysis>();
  // Without ranges, all that follows from them stays unknown.
  if (failed(solver.initializeAndRun(function)))
    return;
  SmallVector<Value> values;
  for (Block &block : function.getFunctionBody()) {
    llvm::append_range(values, block.getArguments());
    for (Operation &op : block)
      llvm::append_range(values, op.getResults());
  }
  for (Value value : values)
    replaceByConstant(solver, value);
}
