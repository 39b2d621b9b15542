//===- SharedMemoryBudget.h - What a launch gives a block, and may give
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_TRANSFORMS_SHAREDMEMORYBUDGET_H
#define COOP_TRANSFORMS_SHAREDMEMORYBUDGET_H

#include "coop/Analysis/ScratchLiveness.h"
#include "coop/Transforms/UserSharedMemory.h"

#include <string>

namespace mlir::coop {

/// A kernel's arena as it is declared.
struct ArenaShape {
  /// Bytes, those included that keep what lies behind aligned.
  int64_t size;
  int64_t alignment;
  bool dynamic;
};

/// How much shared memory a block may have.
struct SharedMemoryLimit {
  /// Of static memory alone, and of static and dynamic memory together.
  int64_t staticBytes;
  int64_t bytes;
  /// Whose limit it is, for messages: " on sm_90", or empty.
  std::string target;
};

/// All shared memory of a launch, in bytes.
struct SharedMemoryBudget {
  ArenaShape arena;
  int64_t scratch;
  int64_t userStatic;
  /// What the program's own launch asks for.
  int64_t launchDynamic;
  /// What the launch takes for all of it, with what alignment costs.
  int64_t needed;

  int64_t getPadding() const {
    return needed - scratch - userStatic - launchDynamic;
  }
};

/// Decide whether the arena is static or dynamic (S7), and count everything.
SharedMemoryBudget makeBudget(FunctionOpInterface kernel,
                              const ScratchPlan &plan,
                              const UserSharedMemory &user,
                              int64_t launchDynamicBytes,
                              const SharedMemoryLimit &limit);

/// Emits an error that says who needs the bytes, and fails, where the launch
/// would take more than the limit.
LogicalResult checkBudget(FunctionOpInterface kernel,
                          const SharedMemoryBudget &budget,
                          const SharedMemoryLimit &limit,
                          const ScratchLiveness &liveness);

} // namespace mlir::coop

#endif // COOP_TRANSFORMS_SHAREDMEMORYBUDGET_H
