//===- CheckParticipation.cpp - stub
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "coop/Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
namespace mlir::coop {
#define GEN_PASS_DEF_CHECKPARTICIPATIONPASS
#include "coop/Transforms/Passes.h.inc"
}
namespace { struct P : mlir::coop::impl::CheckParticipationPassBase<P> { void runOnOperation() override {} }; }
