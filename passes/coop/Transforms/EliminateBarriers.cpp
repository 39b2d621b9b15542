//===- EliminateBarriers.cpp - Remove barriers that order nothing
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/Hazards.h"
#include "coop/Analysis/MemoryAccess.h"
#include "coop/Transforms/Kernels.h"
#include "coop/Transforms/Passes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::coop {
#define GEN_PASS_DEF_ELIMINATEBARRIERSPASS
#include "coop/Transforms/Passes.h.inc"
} // namespace mlir::coop

using namespace mlir;
using namespace mlir::coop;

/// Whether `op` only waits.
static bool isPlainBarrier(Operation *op) {
  auto cooperative = dyn_cast<CooperativeOpInterface>(op);
  return getBarrierLevel(op) != kThreadLevel &&
         !(cooperative && cooperative.usesScratch());
}

/// Whether the compiler put the barrier there, and says why.
static bool isOwnBarrier(Operation *op) {
  auto barrier = dyn_cast<BarrierOp>(op);
  return barrier && barrier.getReason();
}

namespace {
/// The barriers of a function, and the accesses around them.
class Eliminator {
public:
  Eliminator(FunctionOpInterface function, bool keepUserBarriers);

  /// Barriers that may go, those of deep loops first.
  SmallVector<unsigned> getCandidates() const;
  /// Whether the other barriers order all that this one does. A pair that it
  /// orders comes to it, and leaves it, on ways without other barriers.
  bool isRedundant(unsigned node) const;
  void erase(unsigned node);

private:
  bool isCandidate(unsigned node) const;
  SmallVector<unsigned> collect(unsigned node, bool back) const;
  bool conflict(unsigned earlier, unsigned later) const;

  SyncFlow flow;
  SmallVector<SmallVector<MemoryAccess>> accesses;
  bool keepUserBarriers;
  /// Before and after a kernel, no thread of the block runs.
  bool isKernel;
};
} // namespace

static bool isAccess(Operation *op) {
  return !isPlainBarrier(op) && !getSharedAccesses(op).empty();
}

Eliminator::Eliminator(FunctionOpInterface function, bool keepUserBarriers)
    : flow(buildSyncFlow(function, isAccess,
                         [](Operation *, GroupType) { return false; })),
      keepUserBarriers(keepUserBarriers), isKernel(isKernelEntry(function)) {
  for (unsigned node : flow.graph.accesses)
    accesses.push_back(getSharedAccesses(flow.ops[node]));
}

/// A warp's barrier of the program may order what the lanes exchange by means
/// that no access shows.
bool Eliminator::isCandidate(unsigned node) const {
  Operation *op = flow.ops[node];
  const SyncNode &at = flow.graph.nodes[node];
  if (at.barrier == kThreadLevel || at.access != kNoAccess)
    return false;
  return isOwnBarrier(op) || (!keepUserBarriers && at.barrier == kBlockLevel);
}

SmallVector<unsigned> Eliminator::getCandidates() const {
  SmallVector<unsigned> candidates;
  llvm::copy_if(flow.graph.getOrder(), std::back_inserter(candidates),
                [&](unsigned node) { return isCandidate(node); });
  llvm::stable_sort(candidates, [&](unsigned a, unsigned b) {
    return flow.graph.nodes[a].depth > flow.graph.nodes[b].depth;
  });
  return candidates;
}

static constexpr unsigned kOutside = ~0u;

/// The accesses next to a barrier; kOutside for those of callers.
SmallVector<unsigned> Eliminator::collect(unsigned node, bool back) const {
  SmallVector<unsigned> found;
  const SyncGraph &graph = flow.graph;
  auto visit = [&](unsigned at) {
    if (graph.nodes[at].access != kNoAccess)
      found.push_back(graph.nodes[at].access);
    bool isEnd = back ? at == 0 : graph.nodes[at].succs.empty();
    if (isEnd && !isKernel)
      found.push_back(kOutside);
    return true;
  };
  SyncLevel level = graph.nodes[node].barrier;
  if (!back)
    graph.walkUnsynced(node, level, {}, visit);
  else if (node == 0 && !isKernel)
    found.push_back(kOutside);
  else
    graph.walkUnsyncedBack(node, level, {}, visit);
  return found;
}

bool Eliminator::conflict(unsigned earlier, unsigned later) const {
  if (earlier == kOutside || later == kOutside)
    return true;
  return mayConflict(accesses[earlier], accesses[later]);
}

bool Eliminator::isRedundant(unsigned node) const {
  SmallVector<unsigned> after = collect(node, /*back=*/false);
  return llvm::none_of(collect(node, /*back=*/true), [&](unsigned earlier) {
    return llvm::any_of(
        after, [&](unsigned later) { return conflict(earlier, later); });
  });
}

void Eliminator::erase(unsigned node) {
  flow.ops[node]->erase();
  flow.ops[node] = nullptr;
  flow.graph.nodes[node].barrier = kThreadLevel;
}

namespace {
struct EliminateBarriers
    : public coop::impl::EliminateBarriersPassBase<EliminateBarriers> {
  using EliminateBarriersPassBase::EliminateBarriersPassBase;

  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    if (function.isExternal())
      return;
    Eliminator eliminator(function, keepUserBarriers);
    for (unsigned node : eliminator.getCandidates())
      if (eliminator.isRedundant(node))
        eliminator.erase(node);
  }
};
} // namespace
