//===- UniformityMergeTests.h - One block for a test that stands twice
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_UNIFORMITYMERGETESTS_H
#define COOP_ANALYSIS_UNIFORMITYMERGETESTS_H

#include "mlir/IR/Region.h"

namespace mlir::coop {

/// Let blocks that end in the same decision between the same successors share
/// the block that decides:
///
///     ^a:                                  ^a:
///       %c = cmpi slt, %i, %n                br ^test(%i)
///       cond_br %c, ^body(%i), ^end        ^b:
///     ^b:                           =>       br ^test(%j)
///       %d = cmpi slt, %j, %n              ^test(%k):
///       cond_br %d, ^body(%j), ^end          %c = cmpi slt, %k, %n
///                                            cond_br %c, ^body(%k), ^end
///
/// Operations that a merged decision used are left behind for others.
void mergeRepeatedTests(Region &region);

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNIFORMITYMERGETESTS_H
