//===- SyncGraph.cpp - Barriers, scratch accesses and the ways between them
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/SyncGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <deque>

using namespace mlir::coop;
using llvm::ArrayRef;
using llvm::BitVector;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

unsigned SyncGraph::addNode() {
  nodes.emplace_back();
  return nodes.size() - 1;
}

void SyncGraph::addEdge(unsigned from, unsigned to) {
  if (llvm::is_contained(nodes[from].succs, to))
    return;
  nodes[from].succs.push_back(to);
  nodes[to].preds.push_back(from);
}

//===----------------------------------------------------------------------===//
// Loops and order
//===----------------------------------------------------------------------===//

/// The nodes of `within` that `start` reaches, in post-order.
static void postOrder(const SyncGraph &graph, unsigned start, BitVector &within,
                      SmallVectorImpl<unsigned> &order) {
  SmallVector<std::pair<unsigned, unsigned>> stack;
  auto enter = [&](unsigned node) {
    within.reset(node);
    stack.emplace_back(node, 0);
  };
  if (within.test(start))
    enter(start);
  while (!stack.empty()) {
    auto &[node, next] = stack.back();
    ArrayRef<unsigned> succs = graph.nodes[node].succs;
    if (next == succs.size()) {
      order.push_back(node);
      stack.pop_back();
    } else if (unsigned succ = succs[next++]; within.test(succ)) {
      enter(succ);
    }
  }
}

SmallVector<unsigned> SyncGraph::getOrder() const {
  SmallVector<unsigned> order;
  BitVector within(nodes.size(), true);
  if (!nodes.empty())
    postOrder(*this, 0, within, order);
  std::reverse(order.begin(), order.end());
  return order;
}

/// The strongly connected parts of `subset` (Kosaraju).
static SmallVector<SmallVector<unsigned>>
findComponents(const SyncGraph &graph, ArrayRef<unsigned> subset) {
  BitVector within(graph.nodes.size());
  for (unsigned node : subset)
    within.set(node);
  BitVector unseen = within;
  SmallVector<unsigned> order;
  for (unsigned node : subset)
    postOrder(graph, node, unseen, order);
  SmallVector<SmallVector<unsigned>> components;
  for (unsigned root : llvm::reverse(order)) {
    if (!within.test(root))
      continue;
    SmallVector<unsigned> &component = components.emplace_back(1, root);
    within.reset(root);
    for (unsigned i = 0; i < component.size(); ++i)
      for (unsigned pred : graph.nodes[component[i]].preds)
        if (within.test(pred)) {
          within.reset(pred);
          component.push_back(pred);
        }
  }
  return components;
}

void SyncGraph::findLoops() {
  SmallVector<unsigned> rank(nodes.size(), nodes.size());
  for (auto [i, node] : llvm::enumerate(getOrder()))
    rank[node] = i;
  SmallVector<SmallVector<unsigned>> pending{
      llvm::to_vector(llvm::seq<unsigned>(nodes.size()))};
  while (!pending.empty()) {
    for (SmallVector<unsigned> &loop :
         findComponents(*this, pending.pop_back_val())) {
      if (loop.size() == 1 &&
          !llvm::is_contained(nodes[loop[0]].succs, loop[0]))
        continue;
      for (unsigned node : loop)
        ++nodes[node].depth;
      // Without its header, a loop falls apart into the loops that it holds.
      llvm::erase(loop, *llvm::min_element(loop, [&](unsigned a, unsigned b) {
                    return rank[a] < rank[b];
                  }));
      pending.push_back(std::move(loop));
    }
  }
}

//===----------------------------------------------------------------------===//
// Ways without barrier
//===----------------------------------------------------------------------===//

static bool hasBarrier(ArrayRef<SyncLevel> added, unsigned node,
                       SyncLevel level) {
  return !added.empty() && added[node] >= level;
}

void SyncGraph::walkUnsynced(unsigned node, SyncLevel level,
                             ArrayRef<SyncLevel> added,
                             llvm::function_ref<bool(unsigned)> visit) const {
  BitVector seen(nodes.size());
  SmallVector<unsigned> pending{node};
  while (!pending.empty())
    for (unsigned succ : nodes[pending.pop_back_val()].succs) {
      if (seen.test(succ) || hasBarrier(added, succ, level))
        continue;
      seen.set(succ);
      if (visit(succ) && nodes[succ].barrier < level)
        pending.push_back(succ);
    }
}

SmallVector<BitVector> SyncGraph::findConcurrent(SyncLevel level) const {
  SmallVector<BitVector> concurrent(getNumAccesses(),
                                    BitVector(getNumAccesses()));
  for (unsigned start = 0; start < nodes.size(); ++start) {
    if (start != 0 && nodes[start].barrier < level)
      continue;
    BitVector reached(getNumAccesses());
    auto reach = [&](unsigned node) {
      if (nodes[node].access != kNoAccess)
        reached.set(nodes[node].access);
      return true;
    };
    if (start == 0)
      reach(start);
    walkUnsynced(start, level, /*added=*/{}, reach);
    for (unsigned access : reached.set_bits())
      concurrent[access] |= reached;
  }
  return concurrent;
}

void SyncGraph::walkUnsyncedBack(
    unsigned node, SyncLevel level, ArrayRef<SyncLevel> added,
    llvm::function_ref<bool(unsigned)> visit) const {
  BitVector seen(nodes.size());
  SmallVector<unsigned> pending{node};
  while (!pending.empty()) {
    unsigned at = pending.pop_back_val();
    if (hasBarrier(added, at, level))
      continue;
    for (unsigned pred : nodes[at].preds) {
      if (seen.test(pred))
        continue;
      seen.set(pred);
      if (visit(pred) && nodes[pred].barrier < level)
        pending.push_back(pred);
    }
  }
}

SmallVector<unsigned>
SyncGraph::findUnsyncedWay(unsigned from, unsigned to, SyncLevel level,
                           ArrayRef<SyncLevel> added) const {
  constexpr unsigned unseen = ~0u;
  SmallVector<unsigned> cameFrom(nodes.size(), unseen);
  std::deque<unsigned> pending{from};
  while (!pending.empty() && cameFrom[to] == unseen) {
    unsigned node = pending.front();
    pending.pop_front();
    for (unsigned succ : nodes[node].succs) {
      if (cameFrom[succ] != unseen || hasBarrier(added, succ, level))
        continue;
      cameFrom[succ] = node;
      if (nodes[succ].barrier < level)
        pending.push_back(succ);
    }
  }
  SmallVector<unsigned> way;
  if (cameFrom[to] == unseen)
    return way;
  unsigned node = to;
  do
    way.push_back(node);
  while ((node = cameFrom[node]) != from);
  std::reverse(way.begin(), way.end());
  return way;
}
