//===- Uniformity.h - Which threads agree on values and on control flow
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_UNIFORMITY_H
#define COOP_ANALYSIS_UNIFORMITY_H

#include "coop/Analysis/UniformityControl.h"
#include "coop/Analysis/UniformityMemory.h"
#include "coop/Analysis/UniformityTransfer.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::coop {

/// How widely threads come together to a place in the program.
struct Execution {
  Agreement agreement;
  /// The branches, or operations with regions, that narrowed it; null if none.
  Operation *idBranch = nullptr;
  Operation *dataBranch = nullptr;
  /// Whether any thread gets there.
  bool reached = true;
};

/// For each value of a function the widest aligned group of threads that see
/// the same value, and for each block the widest group that executes it
/// together. Errs towards narrower groups. Meant for functions that
/// `normalizeForUniformity` gives: regions nested in operations are unknown.
///
/// Values are followed as bits known of each thread and agreement on the rest
/// (`Transfer`); where threads part and meet comes from post-dominance
/// (`Parting`). The two feed each other until nothing changes.
class UniformityAnalysis {
public:
  /// `symbolScope` is where calls find their callees; may be null.
  UniformityAnalysis(FunctionOpInterface function, Operation *symbolScope);
  ~UniformityAnalysis();

  /// Agreement on a value where it is defined.
  Agreement getAgreement(Value value) const;
  /// Agreement on a value where `user` uses it.
  Agreement getAgreement(Value value, Operation *user) const;
  Execution getExecution(Operation *op) const;
  const BlockShape &getShape() const;

private:
  class Solver;
  std::unique_ptr<Solver> solver;
};

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNIFORMITY_H
