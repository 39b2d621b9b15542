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

/// A step on the way from a value on which threads don't agree back to where
/// the difference comes from.
struct Reason {
  enum class Kind : uint8_t {
    /// A thread's id is read.
    Id,
    /// Something of which nothing is known gives the value.
    Unknown,
    /// It is loaded, and other threads may write the memory meanwhile.
    Raced,
    /// It is loaded from addresses that differ.
    Loaded,
    /// It is computed from a value that differs.
    Computed,
    /// Threads bring different values to a place where they meet.
    Passed,
    /// They bring the value of the way that they took at a branch.
    Chosen,
    /// They leave a loop one after the other, by a branch.
    Left
  };
  Kind kind;
  Location loc;

  /// What happens there, as messages say it.
  StringRef describe() const;
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
  /// `symbolScope` is where calls find their callees; may be null. Whether two
  /// arguments may point to the same memory is for the caller to say.
  UniformityAnalysis(FunctionOpInterface function, Operation *symbolScope,
                     bool argumentsMayAlias = true);
  ~UniformityAnalysis();

  /// Agreement on a value where it is defined.
  Agreement getAgreement(Value value) const;
  /// Agreement on a value where `user` uses it.
  Agreement getAgreement(Value value, Operation *user) const;
  Execution getExecution(Operation *op) const;
  /// Agreement on the way that threads take at a terminator that is reached.
  Agreement getDecision(Operation *terminator) const;
  /// A write that threads may make while others make this read, so that they
  /// may not find the same.
  std::optional<Race> getRace(Operation *read) const;
  /// Why threads don't agree on a value where `user` uses it, step by step back
  /// to an id or to data. Empty if all threads of the grid agree.
  SmallVector<Reason> explain(Value value, Operation *user) const;
  const BlockShape &getShape() const;

private:
  class Solver;
  std::unique_ptr<Solver> solver;
};

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNIFORMITY_H
