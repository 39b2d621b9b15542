//===- Registration.cpp - The dialects and passes of the tools and the package
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/CAPI/Registration.h"
#include "coop/IR/Coop.h"
#include "coop/Pipelines/Pipelines.h"
#include "coop/TestPasses/PrintUniformity.h"
#include "coop/Transforms/Passes.h"

// Upstream dialects by their C handles: their C++ headers would cost this file
// a minute of parsing.
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Complex.h"
#include "mlir-c/Dialect/ControlFlow.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/GPU.h"
#include "mlir-c/Dialect/Index.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/Math.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/NVVM.h"
#include "mlir-c/Dialect/SCF.h"
#include "mlir-c/Dialect/UB.h"
#include "mlir-c/Dialect/Vector.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/MemRef/IR/MemRefMemorySlot.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::coop {
#define GEN_PASS_REGISTRATION
#include "coop/Transforms/Passes.h.inc"
} // namespace mlir::coop

using namespace mlir;

void mlir::coop::registerAllDialects(DialectRegistry &registry) {
  for (MlirDialectHandle handle :
       {mlirGetDialectHandle__arith__(), mlirGetDialectHandle__cf__(),
        mlirGetDialectHandle__complex__(), mlirGetDialectHandle__func__(),
        mlirGetDialectHandle__gpu__(), mlirGetDialectHandle__index__(),
        mlirGetDialectHandle__llvm__(), mlirGetDialectHandle__math__(),
        mlirGetDialectHandle__memref__(), mlirGetDialectHandle__nvvm__(),
        mlirGetDialectHandle__scf__(), mlirGetDialectHandle__ub__(),
        mlirGetDialectHandle__vector__()})
    mlirDialectHandleInsertDialect(handle, wrap(&registry));
  registry.insert<CoopDialect>();
  // Lets sroa take arrays apart.
  memref::registerMemorySlotExternalModels(registry);
}

void mlir::coop::registerAllPasses() {
  registerTransformsPasses();
  registerCoopPasses();
  registerPipelines();
  registerPrintUniformityPass();
}
