//===- CheckAssumptions.cpp - Check at run time what the program states
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/Uniformity.h"
#include "coop/Analysis/UniformityNormalize.h"
#include "coop/IR/Coop.h"
#include "coop/Transforms/CallSites.h"
#include "coop/Transforms/LaneMask.h"
#include "coop/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::coop {
#define GEN_PASS_DEF_CHECKASSUMPTIONSPASS
#include "coop/Transforms/Passes.h.inc"
} // namespace mlir::coop

using namespace mlir;
using namespace mlir::coop;

static constexpr StringLiteral kSlotName = "coop_stated_value";
static constexpr unsigned kWordBits = 32;
static constexpr unsigned kSlotBits = 64;

static GroupType getStatedGroup(AssumeUniformOp op) {
  return op.getUniformGroup();
}

//===----------------------------------------------------------------------===//
// What can be checked
//===----------------------------------------------------------------------===//

/// The number of bits to compare; 0 for types that are not compared.
static unsigned getComparedBits(Type type) {
  if (type.isIndex())
    return kSlotBits;
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  return bits <= kSlotBits ? bits : 0;
}

/// Why a statement can't be checked where it stands, empty if it can. The check
/// is a meeting of the group: without all of its threads it would hang.
static StringRef getObstacle(AssumeUniformOp op,
                             const UniformityAnalysis &analysis) {
  GroupType group = getStatedGroup(op);
  const BlockShape &shape = analysis.getShape();
  if (!getComparedBits(op.getValue().getType()))
    return "its value is neither an integer nor a float of up to 64 bits";
  if (!group.isBlock() && shape.size() % GroupType::kWarpWidth)
    return "the block has no whole warps";
  Execution execution = analysis.getExecution(op);
  Width needed = group.isBlock()
                     ? Width::Block
                     : shape.normalize(widthOfLanes(group.getWidth()));
  if (execution.reached && execution.agreement.width() < needed)
    return "it is not proven that all threads of the group get there";
  return "";
}

//===----------------------------------------------------------------------===//
// The checks
//===----------------------------------------------------------------------===//

namespace {
/// Emits the check of one statement before it.
class CheckBuilder {
public:
  explicit CheckBuilder(AssumeUniformOp op)
      : b(op), loc(op.getLoc()), op(op), group(getStatedGroup(op)) {}

  void run() {
    Value differs = group.isBlock() ? compareInBlock() : compareInWarp();
    if (differs)
      trapIf(differs);
  }

private:
  /// The value's bits as an integer of `width` bits.
  Value createBits(unsigned width);
  Value compareInBlock();
  Value compareInWarp();
  Value createIsFirstThread();
  memref::GlobalOp getSlot();
  void trapIf(Value condition);
  Value constant(int64_t value, unsigned bits) {
    return arith::ConstantIntOp::create(b, loc, value, bits);
  }

  OpBuilder b;
  Location loc;
  AssumeUniformOp op;
  GroupType group;
};
} // namespace

Value CheckBuilder::createBits(unsigned width) {
  Value value = op.getValue();
  Type target = b.getIntegerType(width);
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(b, loc, target, value);
  unsigned bits = value.getType().getIntOrFloatBitWidth();
  if (isa<FloatType>(value.getType()))
    value = arith::BitcastOp::create(b, loc, b.getIntegerType(bits), value);
  return bits == width ? value : arith::ExtUIOp::create(b, loc, target, value);
}

/// The shared memory through which the first thread tells its value.
memref::GlobalOp CheckBuilder::getSlot() {
  auto module = op->getParentOfType<gpu::GPUModuleOp>();
  if (auto slot = module.lookupSymbol<memref::GlobalOp>(kSlotName))
    return slot;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({1}, b.getIntegerType(kSlotBits),
                              MemRefLayoutAttrInterface(), space);
  return memref::GlobalOp::create(
      b, module.getLoc(), kSlotName, b.getStringAttr("private"), type,
      Attribute(), /*constant=*/false, b.getI64IntegerAttr(kSlotBits / 8));
}

Value CheckBuilder::createIsFirstThread() {
  Value any;
  for (gpu::Dimension axis :
       {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z}) {
    Value id = gpu::ThreadIdOp::create(b, loc, axis);
    any = any ? arith::OrIOp::create(b, loc, any, id).getResult() : id;
  }
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, any, zero);
}

/// The first thread publishes its value; the second barrier lets it be
/// overwritten.
Value CheckBuilder::compareInBlock() {
  Value bits = createBits(kSlotBits);
  memref::GlobalOp global = getSlot();
  Value slot = memref::GetGlobalOp::create(b, loc, global.getType(),
                                           global.getSymName());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value first = createIsFirstThread();
  Block *before = b.getBlock();
  Block *after = before->splitBlock(op);
  Block *publish = b.createBlock(after);
  b.setInsertionPointToEnd(before);
  cf::CondBranchOp::create(b, loc, first, publish, after);
  b.setInsertionPointToEnd(publish);
  memref::StoreOp::create(b, loc, bits, slot, zero);
  cf::BranchOp::create(b, loc, after);
  b.setInsertionPoint(op);
  gpu::BarrierOp::create(b, loc);
  Value published = memref::LoadOp::create(b, loc, slot, zero);
  gpu::BarrierOp::create(b, loc);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, published,
                               bits);
}

/// Each lane compares its value to that of the group's first, word by word.
/// Null for groups of one.
Value CheckBuilder::compareInWarp() {
  int64_t width = group.getWidth();
  if (width == 1)
    return {};
  Value mask = createLaneMask(b, loc, width);
  Value first = createFirstLane(b, loc, width);
  Value clamp = constant(GroupType::kWarpWidth - 1, kWordBits);
  bool isLong = getComparedBits(op.getValue().getType()) > kWordBits;
  Value bits = createBits(isLong ? kSlotBits : kWordBits);
  Value differs;
  for (unsigned low = 0; low < (isLong ? kSlotBits : kWordBits);
       low += kWordBits) {
    Value word = bits;
    if (isLong) {
      Value by = constant(low, kSlotBits);
      Value shifted = arith::ShRUIOp::create(b, loc, bits, by);
      word = arith::TruncIOp::create(b, loc, b.getI32Type(), shifted);
    }
    Value other = NVVM::ShflOp::create(
        b, loc, b.getI32Type(), mask, word, first, clamp, NVVM::ShflKind::idx,
        /*return_value_and_is_valid=*/UnitAttr());
    Value unlike =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, other, word);
    differs = differs
                  ? arith::OrIOp::create(b, loc, differs, unlike).getResult()
                  : unlike;
  }
  return differs;
}

/// By assembly: the front end's translation for chips before sm_100 knows no
/// intrinsic for it.
static void createTrap(OpBuilder &b, Location loc) {
  auto dialect =
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT);
  LLVM::InlineAsmOp::create(
      b, loc, /*resultTypes=*/TypeRange(), /*operands=*/ValueRange(),
      /*asm_string=*/"trap;", /*constraints=*/"", /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None, dialect,
      /*operand_attrs=*/ArrayAttr());
}

void CheckBuilder::trapIf(Value condition) {
  Block *before = b.getBlock();
  Block *after = before->splitBlock(op);
  Block *trap = b.createBlock(after);
  createTrap(b, loc);
  cf::BranchOp::create(b, loc, after);
  b.setInsertionPointToEnd(before);
  cf::CondBranchOp::create(b, loc, condition, trap, after);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The places of statements that can't be checked, each with its reason. By
/// place, since the analysis sees a copy in which statements may be merged.
static llvm::DenseMap<Location, StringRef>
findObstacles(FunctionOpInterface function) {
  OwningOpRef<FunctionOpInterface> copy = normalizeForUniformity(function);
  UniformityAnalysis analysis(*copy, function);
  llvm::DenseMap<Location, StringRef> obstacles;
  copy->walk([&](AssumeUniformOp op) {
    StringRef obstacle = getObstacle(op, analysis);
    if (!obstacle.empty())
      obstacles.try_emplace(op.getLoc(), obstacle);
  });
  return obstacles;
}

static void checkStatements(FunctionOpInterface function) {
  SmallVector<AssumeUniformOp> statements;
  function->walk([&](AssumeUniformOp op) { statements.push_back(op); });
  if (statements.empty())
    return;
  auto obstacles = findObstacles(function);
  for (AssumeUniformOp op : statements) {
    StringRef obstacle = obstacles.lookup(op.getLoc());
    if (op->getParentRegion() != &function.getFunctionBody())
      obstacle = "it stands in structured control flow";
    if (obstacle.empty()) {
      CheckBuilder(op).run();
      continue;
    }
    CallSiteDiagnostic warning(emitWarning(getOwnPlace(op.getLoc())));
    *warning << "the statement that threads agree is not checked at run time: "
             << obstacle;
    warning.noteCallers(op.getLoc());
  }
}

namespace {
struct CheckAssumptionsPass
    : mlir::coop::impl::CheckAssumptionsPassBase<CheckAssumptionsPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (!function.isExternal())
        checkStatements(function);
  }
};
} // namespace
