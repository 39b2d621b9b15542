//===- UniformityOps.cpp - What is known of the operations of each dialect
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformityOps.h"
#include "coop/IR/Coop.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::coop;

static constexpr int64_t kWarp = GroupType::kWarpWidth;

//===----------------------------------------------------------------------===//
// Ids
//===----------------------------------------------------------------------===//

static OpKind threadId(std::function<uint64_t(int64_t)> idOf) {
  OpKind kind{OpKind::ThreadId};
  kind.idOf = std::move(idOf);
  return kind;
}

static OpKind shared(Width width) { return {OpKind::Shared, width}; }

static OpKind axisId(const BlockShape &shape, unsigned axis) {
  return threadId([=](int64_t rank) { return shape.threadId(axis, rank); });
}

/// An extent of the block: the same number in all threads, known with the
/// shape.
static OpKind axisExtent(const BlockShape &shape, unsigned axis) {
  if (!shape.size())
    return shared(Width::Grid);
  return threadId([=](int64_t) { return shape.dim(axis); });
}

static OpKind laneMask(std::function<uint64_t(int64_t lane)> mask) {
  return threadId([=](int64_t rank) { return mask(rank % kWarp); });
}

static OpKind laneId() {
  return threadId([](int64_t rank) { return rank % kWarp; });
}

static OpKind warpId() {
  return threadId([](int64_t rank) { return rank / kWarp; });
}

static OpKind constantId(uint64_t value) {
  return threadId([=](int64_t) { return value; });
}

static OpKind warpCount(const BlockShape &shape) {
  return shape.size() ? constantId((shape.size() + kWarp - 1) / kWarp)
                      : shared(Width::Grid);
}

static unsigned axisOf(gpu::Dimension dimension) {
  return static_cast<unsigned>(dimension);
}

//===----------------------------------------------------------------------===//
// Votes and shuffles
//===----------------------------------------------------------------------===//

static OpKind vote(Width width, Value mask = {}) {
  return {OpKind::Vote, width, mask};
}

/// A warp reduction over clusters of lanes.
static OpKind subgroupReduce(gpu::SubgroupReduceOp op) {
  if (op.getClusterStride() != 1)
    return OpKind::Shuffle;
  std::optional<uint32_t> size = op.getClusterSize();
  return vote(size && *size < kWarp ? widthOfLanes(*size) : Width::Warp);
}

static bool isConstant(Value value, int64_t wanted) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) &&
         constant.getSExtValue() == wanted;
}

/// A shuffle whose lanes all read one lane is a vote if nothing else differs.
static OpKind nvvmShuffle(NVVM::ShflOp op) {
  bool wholeWarp = isConstant(op.getMaskAndClamp(), kWarp - 1);
  if (op.getKind() == NVVM::ShflKind::idx && wholeWarp)
    return {OpKind::Shuffle, Width::Warp, op.getThreadMask(), op.getOffset()};
  return OpKind::Shuffle;
}

static OpKind gpuShuffle(gpu::ShuffleOp op) {
  APInt width;
  if (op.getMode() != gpu::ShuffleMode::IDX ||
      !matchPattern(op.getWidth(), m_ConstantInt(&width)) ||
      !width.isPowerOf2() || width.ugt(kWarp))
    return OpKind::Shuffle;
  return {
      OpKind::Shuffle, widthOfLanes(width.getZExtValue()), {}, op.getOffset()};
}

static OpKind match(NVVM::MatchSyncOp op) {
  if (op.getKind() == NVVM::MatchSyncKind::any)
    return OpKind::Shuffle;
  return vote(Width::Warp, op.getThreadMask());
}

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

static std::optional<OpKind> classifyGPU(Operation *op,
                                         const BlockShape &shape) {
  return TypeSwitch<Operation *, std::optional<OpKind>>(op)
      .Case([&](gpu::ThreadIdOp id) {
        return axisId(shape, axisOf(id.getDimension()));
      })
      .Case([&](gpu::BlockDimOp id) {
        return axisExtent(shape, axisOf(id.getDimension()));
      })
      .Case([&](gpu::LaneIdOp) { return laneId(); })
      .Case([&](gpu::SubgroupIdOp) { return warpId(); })
      .Case([&](gpu::SubgroupSizeOp) { return constantId(kWarp); })
      .Case([&](gpu::NumSubgroupsOp) { return warpCount(shape); })
      .Case<gpu::BlockIdOp, gpu::ClusterIdOp, gpu::ClusterBlockIdOp>(
          [](Operation *) { return shared(Width::Block); })
      .Case<gpu::GridDimOp, gpu::ClusterDimOp, gpu::ClusterDimBlocksOp>(
          [](Operation *) { return shared(Width::Grid); })
      .Case([&](gpu::GlobalIdOp) { return OpKind{OpKind::ThreadId}; })
      .Case([&](gpu::DynamicSharedMemoryOp) { return shared(Width::Block); })
      .Case([](gpu::AllReduceOp) { return vote(Width::Block); })
      .Case([](gpu::SubgroupReduceOp reduce) { return subgroupReduce(reduce); })
      .Case([](gpu::ShuffleOp shuffle) { return gpuShuffle(shuffle); })
      .Case([](gpu::SubgroupBroadcastOp) { return vote(Width::Warp); })
      .Default(std::nullopt);
}

static std::optional<OpKind> classifyNVVMId(Operation *op,
                                            const BlockShape &shape) {
  return TypeSwitch<Operation *, std::optional<OpKind>>(op)
      .Case([&](NVVM::ThreadIdXOp) { return axisId(shape, 0); })
      .Case([&](NVVM::ThreadIdYOp) { return axisId(shape, 1); })
      .Case([&](NVVM::ThreadIdZOp) { return axisId(shape, 2); })
      .Case([&](NVVM::BlockDimXOp) { return axisExtent(shape, 0); })
      .Case([&](NVVM::BlockDimYOp) { return axisExtent(shape, 1); })
      .Case([&](NVVM::BlockDimZOp) { return axisExtent(shape, 2); })
      .Case([&](NVVM::LaneIdOp) { return laneId(); })
      .Case([&](NVVM::WarpIdOp) { return warpId(); })
      .Case([&](NVVM::WarpSizeOp) { return constantId(kWarp); })
      .Case([](NVVM::LaneMaskEqOp) {
        return laneMask([](int64_t lane) { return 1ull << lane; });
      })
      .Case([](NVVM::LaneMaskLtOp) {
        return laneMask([](int64_t lane) { return (1ull << lane) - 1; });
      })
      .Case([](NVVM::LaneMaskLeOp) {
        return laneMask([](int64_t lane) { return (2ull << lane) - 1; });
      })
      .Case([](NVVM::LaneMaskGtOp) {
        return laneMask([](int64_t lane) { return ~((2ull << lane) - 1); });
      })
      .Case([](NVVM::LaneMaskGeOp) {
        return laneMask([](int64_t lane) { return ~((1ull << lane) - 1); });
      })
      .Default(std::nullopt);
}

static std::optional<OpKind> classifyNVVM(Operation *op) {
  return TypeSwitch<Operation *, std::optional<OpKind>>(op)
      .Case<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp, NVVM::SmIdOp,
            NVVM::WarpDimOp, NVVM::ClusterIdXOp, NVVM::ClusterIdYOp,
            NVVM::ClusterIdZOp, NVVM::BlockInClusterIdXOp,
            NVVM::BlockInClusterIdYOp, NVVM::BlockInClusterIdZOp,
            NVVM::ClusterId>([](Operation *) { return shared(Width::Block); })
      .Case<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp,
            NVVM::ClusterDimXOp, NVVM::ClusterDimYOp, NVVM::ClusterDimZOp,
            NVVM::ClusterDimBlocksXOp, NVVM::ClusterDimBlocksYOp,
            NVVM::ClusterDimBlocksZOp, NVVM::ClusterDim, NVVM::SmDimOp,
            NVVM::GridIdOp, NVVM::TotalSmemSize, NVVM::DynamicSmemSize,
            NVVM::AggrSmemSize>([](Operation *) { return shared(Width::Grid); })
      .Case([](NVVM::VoteSyncOp op) { return vote(Width::Warp, op.getMask()); })
      .Case([](NVVM::ReduxOp op) {
        return vote(Width::Warp, op.getMaskAndClamp());
      })
      .Case([](NVVM::BarrierOp op) {
        return op.getNumberOfThreads() ? OpKind{OpKind::Opaque}
                                       : vote(Width::Block);
      })
      .Case([](NVVM::ShflOp op) { return nvvmShuffle(op); })
      .Case([](NVVM::MatchSyncOp op) { return match(op); })
      .Default(std::nullopt);
}

/// By what an operation says of its effects on memory.
static OpKind classifyByEffects(Operation *op) {
  if (op->getNumRegions() || isa<CooperativeOpInterface>(op))
    return OpKind::Opaque;
  if (isa<CallOpInterface>(op))
    return OpKind::Call;
  if (getLoadedAddress(op))
    return OpKind::Read;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  bool allocates = effects && effects.onlyHasEffect<MemoryEffects::Allocate>();
  if (isMemoryEffectFree(op) || allocates)
    return OpKind::Function;
  if (effects && effects.onlyHasEffect<MemoryEffects::Read>())
    return OpKind::Read;
  return OpKind::Opaque;
}

OpKind mlir::coop::classify(Operation *op, const BlockShape &shape) {
  if (auto known = classifyGPU(op, shape))
    return *known;
  if (auto known = classifyNVVMId(op, shape))
    return *known;
  if (auto known = classifyNVVM(op))
    return *known;
  if (auto agreed = dyn_cast<UniformResultOpInterface>(op))
    return {OpKind::Vote,
            agreed.getUniformGroup().isBlock()
                ? Width::Block
                : widthOfLanes(agreed.getUniformGroup().getWidth())};
  return classifyByEffects(op);
}

bool mlir::coop::isBlockBarrier(Operation *op) {
  if (auto barrier = dyn_cast<NVVM::BarrierOp>(op))
    return !barrier.getNumberOfThreads();
  return isa<gpu::BarrierOp, NVVM::Barrier0Op>(op);
}

bool mlir::coop::isSynchronization(Operation *op) {
  if (auto cooperative = dyn_cast<CooperativeOpInterface>(op))
    return cooperative.isGroupBarrier();
  return isBlockBarrier(op) || isa<NVVM::BarrierOp, NVVM::SyncWarpOp>(op);
}

std::optional<Width> mlir::coop::getBarrierWidth(Operation *op) {
  if (auto cooperative = dyn_cast<CooperativeOpInterface>(op)) {
    GroupType group = cooperative.getGroup().getType();
    if (!cooperative.isGroupBarrier())
      return std::nullopt;
    return group.isBlock() ? Width::Block : widthOfLanes(group.getWidth());
  }
  if (isBlockBarrier(op))
    return Width::Block;
  auto warp = dyn_cast<NVVM::SyncWarpOp>(op);
  // Which groups a part of a warp is made of is not known here.
  if (warp && isConstant(warp.getMask(), -1))
    return Width::Warp;
  return std::nullopt;
}

bool mlir::coop::isRepeatableVote(Operation *op) {
  return isa<NVVM::VoteSyncOp, NVVM::ReduxOp, NVVM::MatchSyncOp, NVVM::ShflOp,
             NVVM::BarrierOp>(op);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

bool mlir::coop::isPrivateMemory(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto alloca = dyn_cast_or_null<memref::AllocaOp>(op))
    return !isWorkgroupMemory(alloca.getType());
  return isa_and_nonnull<LLVM::AllocaOp>(op);
}

/// Whether an operation's results point into what its first operand points to.
static bool passesAddress(Operation *op) {
  if (isa<UnrealizedConversionCastOp>(op))
    return op->getNumOperands() == 1;
  return isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp,
             LLVM::ExtractValueOp, memref::CastOp, memref::MemorySpaceCastOp,
             memref::ExtractStridedMetadataOp>(op);
}

Value mlir::coop::getMemoryRoot(Value address) {
  while (Operation *op = address.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      address = view.getViewSource();
    else if (passesAddress(op))
      address = op->getOperand(0);
    else
      break;
  }
  return address;
}

Value mlir::coop::getLoadedAddress(Operation *op) {
  return TypeSwitch<Operation *, Value>(op)
      .Case([](memref::LoadOp load) { return load.getMemRef(); })
      .Case([](LLVM::LoadOp load) {
        return load.getVolatile_() ? Value() : load.getAddr();
      })
      .Default(Value());
}

Value mlir::coop::getStoredAddress(Operation *op) {
  return TypeSwitch<Operation *, Value>(op)
      .Case([](memref::StoreOp store) { return store.getMemRef(); })
      .Case([](LLVM::StoreOp store) { return store.getAddr(); })
      .Case([](memref::AtomicRMWOp rmw) { return rmw.getMemref(); })
      .Case([](LLVM::AtomicRMWOp rmw) { return rmw.getPtr(); })
      .Case([](LLVM::AtomicCmpXchgOp exchange) { return exchange.getPtr(); })
      .Default(Value());
}

Value mlir::coop::getStoredValue(Operation *op) {
  return TypeSwitch<Operation *, Value>(op)
      .Case([](memref::StoreOp store) { return store.getValueToStore(); })
      .Case([](LLVM::StoreOp store) { return store.getValue(); })
      .Default(Value());
}

bool mlir::coop::isLifetimeMarker(Operation *op) {
  return isa<memref::DeallocOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool mlir::coop::isKernel(FunctionOpInterface function) {
  if (auto func = dyn_cast<gpu::GPUFuncOp>(function.getOperation()))
    if (func.isKernel())
      return true;
  // `kernel` is spelt as an attribute of this dialect on its way between two
  // versions of MLIR; the block's shape is a fact of launches only.
  return function->hasAttr("coop.kernel") || function->hasAttr("nvvm.kernel") ||
         getKnownBlockDims(&function.getFunctionBody().front().front());
}

static bool isPlain(Operation *op) {
  if (isa<FunctionOpInterface>(op) || op->hasTrait<OpTrait::IsTerminator>())
    return true;
  if (Value stored = getStoredAddress(op))
    return isPrivateMemory(getMemoryRoot(stored)) && getStoredValue(op);
  if (Value loaded = getLoadedAddress(op))
    return isPrivateMemory(getMemoryRoot(loaded));
  OpKind::Kind kind = classify(op, BlockShape()).kind;
  return kind == OpKind::Function || kind == OpKind::Shared;
}

bool mlir::coop::dependsOnArgumentsOnly(Operation *callee) {
  auto function = dyn_cast_or_null<FunctionOpInterface>(callee);
  if (!function)
    return false;
  // The functions of CUDA's math library.
  if (function.isExternal())
    return function.getName().starts_with("__nv_");
  return !function
              ->walk([](Operation *op) {
                return isPlain(op) ? WalkResult::advance()
                                   : WalkResult::interrupt();
              })
              .wasInterrupted();
}
