//===- Passes.h - The passes' constructors and registration
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_TRANSFORMS_PASSES_H
#define COOP_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
namespace arith {
class ArithDialect;
} // namespace arith
namespace cf {
class ControlFlowDialect;
} // namespace cf
namespace coop {
class CoopDialect;
} // namespace coop
namespace gpu {
class GPUModuleOp;
} // namespace gpu
namespace LLVM {
class LLVMDialect;
} // namespace LLVM
namespace memref {
class MemRefDialect;
} // namespace memref
namespace NVVM {
class NVVMDialect;
} // namespace NVVM
namespace vector {
class VectorDialect;
} // namespace vector
} // namespace mlir

namespace mlir::coop {
/// What becomes of a call whose participation is not proven.
enum class Participation { Off, Warn, Strict };

#define GEN_PASS_DECL
#include "coop/Transforms/Passes.h.inc"
} // namespace mlir::coop

#endif // COOP_TRANSFORMS_PASSES_H
