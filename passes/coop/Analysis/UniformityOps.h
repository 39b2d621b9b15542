//===- UniformityOps.h - What is known of the operations of each dialect
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_UNIFORMITYOPS_H
#define COOP_ANALYSIS_UNIFORMITYOPS_H

#include "coop/Analysis/UniformityLanes.h"

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <functional>

namespace mlir::coop {

/// What the results of an operation depend on.
struct OpKind {
  enum Kind {
    /// Nothing but the values of the operands.
    Function,
    /// The thread's place in the block: `idOf` tells the value.
    ThreadId,
    /// Something that all threads of a group of `width` share.
    Shared,
    /// The operands of all threads of a group of `width`, in which all get the
    /// same results. With `mask`, of the lanes that it names.
    Vote,
    /// The operands of another thread of the warp; where `lane` is the same in
    /// all threads of a group of `width`, of the same one for all of them.
    Shuffle,
    /// Memory at an address that the operands tell.
    Read,
    /// The arguments, by way of the function that is called.
    Call,
    /// Anything: an atomic, a clock, an operation that is not known.
    Opaque
  };
  Kind kind = Opaque;
  Width width = Width::Grid;
  Value mask;
  Value lane;
  std::function<uint64_t(int64_t)> idOf;

  OpKind(Kind kind = Opaque, Width width = Width::Grid, Value mask = {},
         Value lane = {})
      : kind(kind), width(width), mask(mask), lane(lane) {}
};

/// Classify an operation for a block of this shape.
OpKind classify(Operation *op, const BlockShape &shape);

/// Whether all threads of the block must execute the operation together, for
/// barriers of the target that are no cooperative operation.
bool isBlockBarrier(Operation *op);

/// Whether the operation orders the accesses of threads of a block or a warp.
bool isSynchronization(Operation *op);

/// The groups whose threads an operation makes wait for each other, so that
/// their accesses before it come before those after it; nullopt if it doesn't.
std::optional<Width> getBarrierWidth(Operation *op);

/// Whether an operation may stand twice in the code for what is one place in
/// the program: a vote in the condition of a loop.
bool isRepeatableVote(Operation *op);

/// Whether `value` is memory of this thread alone, made in the function.
bool isPrivateMemory(Value value);

/// The object that an address belongs to, through views and address arithmetic.
Value getMemoryRoot(Value address);

/// The memory that a load reads or a store writes; null for others.
Value getLoadedAddress(Operation *op);
Value getStoredAddress(Operation *op);
Value getStoredValue(Operation *op);

/// Whether an operation only tells where memory begins or ceases to live.
bool isLifetimeMarker(Operation *op);

/// Whether all threads of a launch enter the function together.
bool isKernel(FunctionOpInterface function);

/// Whether the arguments of all threads that call the function decide its
/// results.
bool dependsOnArgumentsOnly(Operation *callee);

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNIFORMITYOPS_H
