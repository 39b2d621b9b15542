//===- UniformityTransfer.h - How operations carry agreement to their results
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_UNIFORMITYTRANSFER_H
#define COOP_ANALYSIS_UNIFORMITYTRANSFER_H

#include "coop/Analysis/UniformityLanes.h"
#include "coop/Analysis/UniformityOps.h"

namespace mlir::coop {

/// What is known of a value: some bits of it in every thread, and how widely
/// threads agree on the other bits.
struct ThreadValue {
  Lanes lanes;
  Agreement rest;
  /// The thread id that the lanes come from.
  Value laneOrigin;

  bool operator==(const ThreadValue &other) const {
    return rest.sameWidths(other.rest) && lanes == other.lanes;
  }
};

/// Transfer functions for a block of one shape.
class Transfer {
public:
  explicit Transfer(BlockShape shape) : shape(shape) {}

  /// A value of which only the agreement is known.
  ThreadValue opaque(Type type, Agreement agreement) const;
  /// The value that a thread id has in each thread.
  ThreadValue threadId(Value id, const OpKind &kind) const;
  /// A result that is a function of the operands. The evaluation of lanes
  /// falls back to the agreement of the operands as a whole.
  ThreadValue apply(OpResult result, ArrayRef<ThreadValue> operands) const;
  /// A value that is one or the other; which one it is, is told by the caller.
  ThreadValue merge(const ThreadValue &lhs, const ThreadValue &rhs) const;
  /// How widely the `active` threads agree on the value; null for all. With
  /// `members`, only groups count of which a thread is one.
  Agreement agreement(const ThreadValue &value, const LaneSet *active = nullptr,
                      const LaneSet *members = nullptr) const;
  /// The widest group whose lanes all name, in a mask of the warp's lanes,
  /// their whole group.
  Width membersOf(const ThreadValue &mask) const;

  const BlockShape &getShape() const { return shape; }

private:
  /// Operations that may be evaluated by their own folders.
  static constexpr unsigned kMaxFolds = 64;

  BlockShape shape;
  mutable unsigned folds = kMaxFolds;
};

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNIFORMITYTRANSFER_H
