//===- LowerToCUB.cpp - Operations become calls of wrappers
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/IR/Coop.h"
#include "coop/Target/WantedWrappers.h"
#include "coop/Transforms/LaneMask.h"
#include "coop/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

namespace mlir::coop {
#define GEN_PASS_DEF_LOWERTOCUBPASS
#include "coop/Transforms/Passes.h.inc"
} // namespace mlir::coop

using namespace mlir;
using namespace mlir::coop;

static constexpr unsigned kSharedAddressSpace =
    static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
static constexpr unsigned kPayloadAlignment = 16;

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

static LLVM::LLVMPointerType pointerType(OpBuilder &b, unsigned space = 0) {
  return LLVM::LLVMPointerType::get(b.getContext(), space);
}

/// `index` times `bytes`, as an i64.
static Value byteOffset(OpBuilder &b, Location loc, Value index,
                        int64_t bytes) {
  Value wide = arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
  Value factor = arith::ConstantIntOp::create(b, loc, bytes, 64);
  return arith::MulIOp::create(b, loc, wide, factor);
}

/// A pointer to item `offset` of `memory`.
static Value tilePointer(OpBuilder &b, Location loc,
                         TypedValue<MemRefType> memory, Value offset,
                         int64_t itemBytes) {
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memory);
  Value bits = arith::IndexCastOp::create(b, loc, b.getI64Type(), address);
  Value base = LLVM::IntToPtrOp::create(b, loc, pointerType(b), bits);
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, memory);
  // The view's own offset counts the memory's elements, which may be bytes.
  Type element = memory.getType().getElementType();
  int64_t elementBytes = element.isInteger(8) ? 1 : itemBytes;
  Value start = byteOffset(b, loc, metadata.getOffset(), elementBytes);
  Value bytes = arith::AddIOp::create(b, loc, start,
                                      byteOffset(b, loc, offset, itemBytes));
  return LLVM::GEPOp::create(b, loc, pointerType(b), b.getI8Type(), base,
                             ValueRange{bytes});
}

/// A generic pointer to the first byte of a slice.
static Value scratchPointer(OpBuilder &b, Location loc, ScratchSliceOp slice) {
  Value arena = LLVM::AddressOfOp::create(
      b, loc, pointerType(b, kSharedAddressSpace), slice.getArena());
  Value start = LLVM::GEPOp::create(
      b, loc, arena.getType(), b.getI8Type(), arena,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(slice.getOffset())});
  return LLVM::AddrSpaceCastOp::create(b, loc, pointerType(b), start);
}

//===----------------------------------------------------------------------===//
// Payloads
//===----------------------------------------------------------------------===//

/// The bits of a scalar of 16 bits, in a form that NVVM does not take for a
/// half: below sm_100 its optimizer merges halves that several ways store, even
/// where they are stored as integers, and then fails to compile the kernel.
static Value hideHalf(OpBuilder &b, Location loc, Value scalar) {
  Type type = scalar.getType();
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() != 16 ||
      matchPattern(scalar, m_Constant()))
    return scalar;
  if (!type.isInteger())
    scalar = arith::BitcastOp::create(b, loc, b.getI16Type(), scalar);
  return LLVM::InlineAsmOp::create(
             b, loc, scalar.getType(), scalar, "mov.b16 $0, $1;", "=h,h",
             /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
      ->getResult(0);
}

namespace {
/// The memory that calls pass payloads in, at a function's start. A call's
/// slots hold something only around the call, so calls share them. That is more
/// than thrift: where NVVM makes one of the same calls on two ways, slots of
/// their own would be chosen between at run time, and stay in local memory.
class SlotPool {
public:
  /// A slot that this call does not use yet.
  Value take(OpBuilder &b, Location loc, Block &entry, Type array) {
    auto &[slots, used] = pools[{&entry, array}];
    if (used == slots.size())
      slots.push_back(allocate(b, loc, entry, array));
    return slots[used++];
  }
  /// Begin another call.
  void reset() {
    for (auto &pool : llvm::make_second_range(pools))
      pool.second = 0;
  }

private:
  static Value allocate(OpBuilder &b, Location loc, Block &entry, Type array) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&entry);
    Value one = LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(1));
    return LLVM::AllocaOp::create(b, loc, pointerType(b), array, one,
                                  kPayloadAlignment);
  }
  llvm::DenseMap<std::pair<Block *, Type>,
                 std::pair<SmallVector<Value>, size_t>>
      pools;
};

/// A payload or an item in memory, where a wrapper reads or writes it.
struct PayloadSlot {
  Value pointer;
  Type element;
  int64_t elements;

  static PayloadSlot create(OpBuilder &b, Location loc, Type type, Block &entry,
                            SlotPool &pool) {
    auto vector = dyn_cast<VectorType>(type);
    Type element = getElementTypeOrSelf(type);
    int64_t elements = vector ? vector.getNumElements() : 1;
    auto array = LLVM::LLVMArrayType::get(element, elements);
    return {pool.take(b, loc, entry, array), element, elements};
  }

  Value getElementPointer(OpBuilder &b, Location loc, int64_t i) const {
    return LLVM::GEPOp::create(b, loc, pointer.getType(), element, pointer,
                               ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
  }

  void store(OpBuilder &b, Location loc, Value value) const {
    bool isVector = isa<VectorType>(value.getType());
    for (int64_t i = 0; i < elements; ++i) {
      Value part = isVector ? b.createOrFold<vector::ExtractOp>(loc, value, i)
                            : hideHalf(b, loc, value);
      LLVM::StoreOp::create(b, loc, part, getElementPointer(b, loc, i));
    }
  }

  Value load(OpBuilder &b, Location loc, VectorType type) const {
    SmallVector<Value> parts;
    for (int64_t i = 0; i < elements; ++i)
      parts.push_back(
          LLVM::LoadOp::create(b, loc, element, getElementPointer(b, loc, i)));
    return vector::FromElementsOp::create(b, loc, type, parts);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The declaration of `wrapper`, made before `user` when it is not there yet.
static LLVM::LLVMFuncOp declareWrapper(Operation *user, WrapperAttr wrapper,
                                       TypeRange arguments) {
  auto module = user->getParentOfType<gpu::GPUModuleOp>();
  std::string name = wrapper.getSymbolName();
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder b(user);
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), llvm::to_vector(arguments));
  // In a debug build the module's location has the kernel's subprogram, which
  // a declaration must not share.
  auto function = LLVM::LLVMFuncOp::create(b, b.getUnknownLoc(), name, type);
  function.setConvergent(true);
  function->setAttr(kWrapperAttrName, wrapper);
  return function;
}

/// Replace an operation by the call of its wrapper.
static LogicalResult lowerToCall(WrappedOpInterface op, SlotPool &pool) {
  DenseI32ArrayAttr block = getKnownBlockDims(op);
  if (!block)
    return op.emitOpError("needs the extents of its block; put "
                          "'gpu.known_block_size' on the function");
  auto open = dyn_cast<OpenAlgorithmOpInterface>(op.getOperation());
  if (open && open.isAlgorithmOpen())
    return op.emitOpError("leaves its algorithm open; run "
                          "-coop-select-algorithms first");
  auto cooperative = cast<CooperativeOpInterface>(op.getOperation());
  auto function = op->getParentOfType<FunctionOpInterface>();
  Block &entry = function.getFunctionBody().front();
  OpBuilder b(op);
  Location loc = op.getLoc();

  pool.reset();
  SmallVector<Value> arguments;
  if (cooperative.usesScratch()) {
    Value scratch = cooperative.getScratchSlice();
    auto slice = scratch ? scratch.getDefiningOp<ScratchSliceOp>() : nullptr;
    if (!slice)
      return op.emitOpError(
          "has no scratch; run -coop-plan-shared-memory first");
    arguments.push_back(scratchPointer(b, loc, slice));
  }
  WrapperAttr wrapper = op.getWrapper(block);
  arguments.push_back(tilePointer(b, loc, op.getTileMemory(),
                                  op.getTileOffset(),
                                  wrapper.getItem().getSize()));
  for (Value scalar : op.getScalarArguments()) {
    if (scalar.getType().isIndex())
      scalar = arith::IndexCastOp::create(b, loc, b.getI64Type(), scalar);
    arguments.push_back(scalar);
  }
  for (Value input : op.getItemInputs()) {
    PayloadSlot slot =
        PayloadSlot::create(b, loc, input.getType(), entry, pool);
    slot.store(b, loc, input);
    arguments.push_back(slot.pointer);
  }
  SmallVector<PayloadSlot> outputs;
  for (OpResult result : op->getResults()) {
    auto type = cast<VectorType>(result.getType());
    outputs.push_back(PayloadSlot::create(b, loc, type, entry, pool));
    arguments.push_back(outputs.back().pointer);
  }

  LLVM::LLVMFuncOp callee =
      declareWrapper(function, wrapper, ValueRange(arguments).getTypes());
  auto call = LLVM::CallOp::create(b, loc, callee, arguments);
  call.setConvergent(true);
  for (auto [result, slot] : llvm::zip_equal(op->getResults(), outputs))
    result.replaceAllUsesWith(
        slot.load(b, loc, cast<VectorType>(result.getType())));
  op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Barriers and arenas
//===----------------------------------------------------------------------===//

static void lowerBarrier(BarrierOp barrier) {
  OpBuilder b(barrier);
  GroupType group = barrier.getGroup().getType();
  if (group.isBlock())
    gpu::BarrierOp::create(b, barrier.getLoc());
  else if (group.getWidth() > 1)
    NVVM::SyncWarpOp::create(
        b, barrier.getLoc(),
        createLaneMask(b, barrier.getLoc(), group.getWidth()));
  barrier.erase();
}

/// Static arenas are internal bytes; the dynamic one is external and empty.
static void lowerArena(ArenaOp arena) {
  OpBuilder b(arena);
  uint64_t bytes = arena.getDynamic() ? 0 : arena.getSize();
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes);
  auto linkage =
      arena.getDynamic() ? LLVM::Linkage::External : LLVM::Linkage::Internal;
  LLVM::GlobalOp::create(b, arena.getLoc(), type, /*isConstant=*/false, linkage,
                         arena.getSymName(), Attribute(), arena.getAlignment(),
                         kSharedAddressSpace);
  arena.erase();
}

/// What the program states has served its purpose.
static void eraseAssumption(AssumeUniformOp op) {
  op.replaceAllUsesWith(op.getValue());
  op.erase();
}

namespace {
struct LowerToCUB : public coop::impl::LowerToCUBPassBase<LowerToCUB> {
  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    SlotPool pool;
    WalkResult calls = module.walk([&](WrappedOpInterface op) {
      return WalkResult(lowerToCall(op, pool));
    });
    if (calls.wasInterrupted())
      return signalPassFailure();
    module.walk(lowerBarrier);
    for (auto arena : llvm::make_early_inc_range(module.getOps<ArenaOp>()))
      lowerArena(arena);
    module.walk(eraseAssumption);
    eraseUnused(module);
  }

  /// Slices, groups and descriptors mean nothing any more.
  void eraseUnused(gpu::GPUModuleOp module) {
    module.walk([](Operation *op) {
      if (isa<ScratchSliceOp, GroupOp, TempStorageOp>(op) && op->use_empty())
        op->erase();
    });
  }
};
} // namespace
