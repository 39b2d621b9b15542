//===- UniformityNormalize.h - A function in the form that analyses want
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_UNIFORMITYNORMALIZE_H
#define COOP_ANALYSIS_UNIFORMITYNORMALIZE_H

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::coop {

/// Copy a function into the form in which threads that meet in the program
/// meet in the control flow. The copy does what the function does, operation
/// by operation at the same locations, and is for analysis only:
///   - structured control flow is lowered to branches;
///   - a condition that compilers repeat, such as the test of a `while` loop
///     before the loop and at its end, is one block again;
///   - a remainder spelt to take the divisor's sign is one operation;
///   - branches to where the kernel ends by a trap are gone.
/// Passes that call it depend on the dialects arith and cf.
OwningOpRef<FunctionOpInterface>
normalizeForUniformity(FunctionOpInterface function);

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNIFORMITYNORMALIZE_H
