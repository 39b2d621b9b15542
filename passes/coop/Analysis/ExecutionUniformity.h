//===- ExecutionUniformity.h - Which groups come to a place together
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_EXECUTIONUNIFORMITY_H
#define COOP_ANALYSIS_EXECUTIONUNIFORMITY_H

#include "coop/Analysis/SyncFlow.h"
#include "coop/Analysis/Uniformity.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::coop {

/// The blocks of a function to which groups are proven to come together, by the
/// structure (`getStructuralUniformity`) or by the analysis of participation.
/// What only data decides is not proven.
///
/// For the analysis manager of passes, which then depend on the dialects arith
/// and cf. Nothing is computed before the first question. It stays valid as
/// long as blocks, branches and what these depend on stay.
class ExecutionUniformity {
public:
  explicit ExecutionUniformity(Operation *function);

  /// The answers; valid as long as the analysis is.
  UniformityQuery getQuery();

private:
  bool isUniform(Operation *op, GroupType group);
  void analyze();

  FunctionOpInterface function;
  UniformityQuery byStructure;
  /// Of each block, the widest group that executes it together.
  std::optional<llvm::DenseMap<Block *, Width>> widths;
  BlockShape shape;
};

} // namespace mlir::coop

#endif // COOP_ANALYSIS_EXECUTIONUNIFORMITY_H
