//===- UniformityArith.h - Integer arithmetic on the bits known of each thread
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_UNIFORMITYARITH_H
#define COOP_ANALYSIS_UNIFORMITYARITH_H

#include "coop/Analysis/UniformityTransfer.h"

namespace mlir::coop {

/// Evaluate an operation whose operands are known in every thread. Unknown for
/// operations that can't be evaluated, and when one thread has no value. An
/// operation that only its own folder can evaluate takes one from `folds`, and
/// is unknown when none is left: folding makes attributes, which is slow.
Lanes evaluate(OpResult result, ArrayRef<ThreadValue> operands,
               unsigned &folds);

/// The value of a constant; unknown for other operations.
Lanes getConstantLanes(Value value);

/// Apply what is known of bits to operands that are known in part; nullopt for
/// operations of which nothing special is known.
std::optional<ThreadValue> applyToBits(const Transfer &transfer,
                                       OpResult result,
                                       ArrayRef<ThreadValue> operands);

/// The number of lanes of which the operands tell one by one, 1 for splats.
int64_t countLanes(ArrayRef<ThreadValue> operands);

/// The number of bits that lanes can hold of a type, 0 for others. Floats are
/// held as their bits.
unsigned getLaneBits(Type type);

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNIFORMITYARITH_H
