//===- SyncFlow.h - The sync graph of a function
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_SYNCFLOW_H
#define COOP_ANALYSIS_SYNCFLOW_H

#include "coop/Analysis/SyncGraph.h"
#include "coop/IR/Coop.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <functional>
#include <memory>

namespace mlir::coop {

/// Whether all threads of each group of this type come to the operation
/// together and equally often. False: not known.
using UniformityQuery = std::function<bool(Operation *, GroupType)>;

/// What the structure alone tells: together come all to the blocks of the
/// body, outside of loops, that every way from the entry to an exit takes.
/// Errs towards false.
UniformityQuery getStructuralUniformity(FunctionOpInterface function);

/// The level of a group's barrier.
SyncLevel getSyncLevel(GroupType group);
/// The group of a level; not for kThreadLevel.
GroupType getSyncGroup(MLIRContext *context, SyncLevel level);

/// What meets at `op`: operations of the interface that are group barriers,
/// `gpu.barrier`, NVVM's barriers of all threads or all lanes. kThreadLevel for
/// everything else.
SyncLevel getBarrierLevel(Operation *op);

/// The sync graph of a function, and what its nodes are.
struct SyncFlow {
  SyncGraph graph;
  /// The operation of each node. A barrier before the node stands before it;
  /// null: nothing can be put there.
  SmallVector<Operation *> ops;
};

/// Make the graph. Its accesses are the operations for which `isAccess` holds,
/// in the order of the text. By the contract (P1, P2) a cooperative operation
/// is reached by its whole group, so its block is uniform for it; of other
/// blocks `isUniform` is asked. Control flow that has no interface may run a
/// region any number of times.
SyncFlow buildSyncFlow(FunctionOpInterface function,
                       llvm::function_ref<bool(Operation *)> isAccess,
                       const UniformityQuery &isUniform);

} // namespace mlir::coop

#endif // COOP_ANALYSIS_SYNCFLOW_H
