//===- Kernels.h - Which functions are kernels
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_TRANSFORMS_KERNELS_H
#define COOP_TRANSFORMS_KERNELS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::coop {

/// Whether a launch starts at the function. The word is a property in one
/// version of the gpu dialect and an attribute in another; `coop.kernel` is how
/// it crosses between them.
inline bool isKernelEntry(FunctionOpInterface function) {
  return function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
         function->hasAttr("coop.kernel") || function->hasAttr("kernel");
}

} // namespace mlir::coop

#endif // COOP_TRANSFORMS_KERNELS_H
