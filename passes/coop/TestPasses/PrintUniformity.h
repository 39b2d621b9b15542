//===- PrintUniformity.h - Show what the uniformity analysis finds
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_TESTPASSES_PRINTUNIFORMITY_H
#define COOP_TESTPASSES_PRINTUNIFORMITY_H

namespace mlir::coop {

/// Register `-coop-test-print-uniformity`, which prints each function as the
/// analysis sees it. Results are marked `agree`, blocks, at their ends,
/// `together`: the width by ids, and the width by data where that is narrower.
void registerPrintUniformityPass();

} // namespace mlir::coop

#endif // COOP_TESTPASSES_PRINTUNIFORMITY_H
