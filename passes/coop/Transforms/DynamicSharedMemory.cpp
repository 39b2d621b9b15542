//===- DynamicSharedMemory.cpp - The program's part of the launch's memory
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Transforms/DynamicSharedMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

#include <cassert>

using namespace mlir;
using namespace mlir::coop;

/// What gpu.dynamic_shared_memory promises.
static constexpr int64_t kDynamicAlignment = 16;

int64_t mlir::coop::getDynamicAlignment(FunctionOpInterface kernel) {
  int64_t alignment = kDynamicAlignment;
  kernel->walk([&](memref::AssumeAlignmentOp op) {
    auto type = cast<MemRefType>(op.getMemref().getType());
    if (isWorkgroupMemory(type) && !type.hasStaticShape())
      alignment = std::max<int64_t>(alignment, op.getAlignment());
  });
  return alignment;
}

/// The declaration of all memory of the launch: an external array of no size.
static memref::GlobalOp declareMemory(FunctionOpInterface kernel,
                                      MemRefType type, int64_t alignment) {
  OpBuilder builder(kernel);
  auto empty = MemRefType::get({0}, type.getElementType(), type.getLayout(),
                               type.getMemorySpace());
  auto global = memref::GlobalOp::create(
      builder, kernel->getLoc(), (kernel.getName() + "_dynamic").str(),
      /*sym_visibility=*/StringAttr(), empty, /*initial_value=*/Attribute(),
      /*constant=*/false, builder.getI64IntegerAttr(alignment));
  SymbolTable(kernel->getParentOp()).insert(global, Block::iterator(kernel));
  return global;
}

/// The bytes of the launch. Not an operation of the NVVM dialect: translators
/// to older LLVM IR don't know it.
static Value readDynamicSize(OpBuilder &b, Location loc) {
  Value size =
      LLVM::InlineAsmOp::create(
          b, loc, b.getI32Type(), /*operands=*/ValueRange(),
          "mov.u32 $0, %dynamic_smem_size;", "=r", /*has_side_effects=*/false,
          /*is_align_stack=*/false, LLVM::TailCallKind::None,
          /*asm_dialect=*/LLVM::AsmDialectAttr(), /*operand_attrs=*/ArrayAttr())
          ->getResult(0);
  return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), size);
}

static void replaceMemory(Operation *op, memref::GlobalOp global,
                          int64_t start) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value memory = memref::GetGlobalOp::create(b, loc, global.getType(),
                                             global.getSymName());
  Value offset = arith::ConstantIndexOp::create(b, loc, start);
  Value size = arith::SubIOp::create(b, loc, readDynamicSize(b, loc), offset);
  Value view = memref::ViewOp::create(b, loc, op->getResult(0).getType(),
                                      memory, offset, ValueRange{size});
  op->getResult(0).replaceAllUsesWith(view);
  op->erase();
}

void mlir::coop::placeBehindArena(ArrayRef<Operation *> ops,
                                  FunctionOpInterface kernel, ArenaOp arena) {
  if (ops.empty())
    return;
  int64_t alignment = getDynamicAlignment(kernel);
  int64_t start = 0;
  if (arena.getDynamic()) {
    alignment = arena.getAlignment();
    start = arena.getSize();
    assert(start % alignment == 0 && alignment >= getDynamicAlignment(kernel));
  }
  auto type = cast<MemRefType>(ops.front()->getResult(0).getType());
  memref::GlobalOp global = declareMemory(kernel, type, alignment);
  for (Operation *op : ops)
    replaceMemory(op, global, start);
}
