//===- PlanSharedMemory.cpp - stub
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "coop/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
namespace mlir::coop {
#define GEN_PASS_DEF_PLANSHAREDMEMORYPASS
#include "coop/Transforms/Passes.h.inc"
}
namespace { struct P : mlir::coop::impl::PlanSharedMemoryPassBase<P> { void runOnOperation() override {} }; }
