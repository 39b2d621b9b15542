//===- UniformityRanges.h - Constants that follow from the ranges of ids
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_UNIFORMITYRANGES_H
#define COOP_ANALYSIS_UNIFORMITYRANGES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::coop {

/// Replace the values of which MLIR's integer ranges leave only one, such as
/// `cuda.grid(1) >= 0`. Ids and extents lie in the limits of CUDA and of the
/// block's shape, where this is known.
void foldKnownRanges(FunctionOpInterface function);

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNIFORMITYRANGES_H
