//===- BarrierPlacement.cpp - Few barriers that separate all hazards
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/BarrierPlacement.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <optional>
#include <utility>

using namespace mlir::coop;
using llvm::ArrayRef;
using llvm::BitVector;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

/// Steps over nodes that the exact search may take.
static constexpr int64_t kSearchWork = 20000000;

SmallVector<Hazard> mlir::coop::findHazards(const SyncGraph &graph,
                                            SyncNeed need,
                                            ArrayRef<SyncLevel> added) {
  SmallVector<Hazard> hazards;
  for (unsigned earlier = 0; earlier < graph.getNumAccesses(); ++earlier)
    for (SyncLevel level = kThreadLevel + 1; level <= kBlockLevel; ++level)
      graph.walkUnsynced(
          graph.accesses[earlier], level, added, [&](unsigned node) {
            int later = graph.nodes[node].access;
            if (later != kNoAccess && need(earlier, later) == level)
              hazards.push_back({earlier, static_cast<unsigned>(later), level});
            return true;
          });
  return hazards;
}

//===----------------------------------------------------------------------===//
// One level
//===----------------------------------------------------------------------===//

namespace {
/// The hazards of one level, and the places where its barriers may stand.
class LevelProblem {
public:
  LevelProblem(const SyncGraph &graph, SyncLevel level,
               SmallVector<Hazard> hazards, const BarrierSet &added)
      : graph(graph), level(level), hazards(std::move(hazards)), added(added),
        useful(graph.nodes.size()) {}

  bool isUniform(unsigned node) const {
    return graph.nodes[node].uniform >= level;
  }
  int64_t getCost(unsigned node) const {
    return int64_t(1) << (3 * std::min(graph.nodes[node].depth, 16u));
  }
  /// The places on a hazard's way where a barrier may stand, late ones first.
  SmallVector<unsigned> getPlaces(const Hazard &hazard, ArrayRef<unsigned> way);
  /// A way of `hazard` without barrier; empty if there is none.
  SmallVector<unsigned> findWay(const Hazard &hazard,
                                ArrayRef<SyncLevel> barriers) const {
    return graph.findUnsyncedWay(graph.accesses[hazard.earlier],
                                 graph.accesses[hazard.later], level, barriers);
  }

  const SyncGraph &graph;
  SyncLevel level;
  SmallVector<Hazard> hazards;
  const BarrierSet &added;

private:
  bool isUseful(unsigned node);
  bool computeUseful(unsigned node) const;
  BitVector findTargets(unsigned node) const;

  SmallVector<std::optional<bool>> useful;
};
} // namespace

/// The accesses that a barrier before `node` would protect.
BitVector LevelProblem::findTargets(unsigned node) const {
  BitVector sources(graph.getNumAccesses()), targets(graph.getNumAccesses());
  graph.walkUnsyncedBack(node, level, added, [&](unsigned source) {
    if (graph.nodes[source].access != kNoAccess)
      sources.set(graph.nodes[source].access);
    return true;
  });
  for (const Hazard &hazard : hazards)
    if (sources.test(hazard.earlier))
      targets.set(hazard.later);
  return targets;
}

/// Whether every way from the start of `node` leads to a protected access.
bool LevelProblem::computeUseful(unsigned node) const {
  BitVector targets = findTargets(node);
  BitVector seen(graph.nodes.size());
  SmallVector<unsigned> pending{node};
  seen.set(node);
  while (!pending.empty()) {
    const SyncNode &at = graph.nodes[pending.pop_back_val()];
    if (at.access != kNoAccess && targets.test(at.access))
      continue;
    if (at.barrier >= level || at.succs.empty())
      return false;
    for (unsigned succ : at.succs) {
      if (added[succ] >= level)
        return false;
      if (!seen.test(succ)) {
        seen.set(succ);
        pending.push_back(succ);
      }
    }
  }
  return true;
}

bool LevelProblem::isUseful(unsigned node) {
  if (!useful[node])
    useful[node] = computeUseful(node);
  return *useful[node];
}

SmallVector<unsigned> LevelProblem::getPlaces(const Hazard &hazard,
                                              ArrayRef<unsigned> way) {
  bool anyUniform = !isUniform(graph.accesses[hazard.later]);
  SmallVector<unsigned> places;
  for (unsigned node : llvm::reverse(way))
    if (isUniform(node) && (anyUniform || isUseful(node)))
      places.push_back(node);
  return places;
}

//===----------------------------------------------------------------------===//
// As late as possible
//===----------------------------------------------------------------------===//

/// The hazards, those with an early `later` access first.
static void sortByLater(const SyncGraph &graph,
                        SmallVectorImpl<Hazard> &hazards) {
  SmallVector<unsigned> rank(graph.nodes.size(), graph.nodes.size());
  for (auto [i, node] : llvm::enumerate(graph.getOrder()))
    rank[node] = i;
  llvm::stable_sort(hazards, [&](const Hazard &a, const Hazard &b) {
    return rank[graph.accesses[a.later]] < rank[graph.accesses[b.later]];
  });
}

/// Put a barrier on every way that has none, at the last permitted place.
/// In code without branches this is the least number.
static BarrierSet placeLate(LevelProblem &problem) {
  BarrierSet barriers = problem.added;
  for (const Hazard &hazard : problem.hazards)
    while (true) {
      SmallVector<unsigned> way = problem.findWay(hazard, barriers);
      SmallVector<unsigned> places = problem.getPlaces(hazard, way);
      if (places.empty())
        break;
      barriers[places.front()] = problem.level;
    }
  return barriers;
}

//===----------------------------------------------------------------------===//
// Exact search
//===----------------------------------------------------------------------===//

static int64_t getCost(const LevelProblem &problem,
                       const BarrierSet &barriers) {
  int64_t cost = 0;
  for (unsigned node = 0; node < barriers.size(); ++node)
    if (barriers[node] != problem.added[node])
      cost += problem.getCost(node);
  return cost;
}

/// What ways without a common place cost at least: each needs its own barrier.
static int64_t getLowerBound(LevelProblem &problem) {
  int64_t bound = 0;
  BarrierSet taken = problem.added;
  for (const Hazard &hazard : problem.hazards) {
    SmallVector<unsigned> way = problem.findWay(hazard, taken);
    SmallVector<unsigned> places = problem.getPlaces(hazard, way);
    if (places.empty())
      continue;
    int64_t cheapest = problem.getCost(places.front());
    for (unsigned node : places) {
      cheapest = std::min(cheapest, problem.getCost(node));
      taken[node] = problem.level;
    }
    bound += cheapest;
  }
  return bound;
}

namespace {
/// Takes a way without barrier and tries each of its places: one of them is in
/// every solution.
class BarrierSearch {
public:
  BarrierSearch(LevelProblem &problem, BarrierSet &best, int64_t goal)
      : problem(problem), best(best), current(problem.added), goal(goal),
        bestCost(getCost(problem, best)), refused(best.size()),
        stepsLeft(kSearchWork / (problem.hazards.size() * best.size() + 1)) {}

  /// True if `best` has now the lowest cost; false if the work ran out.
  bool run() {
    extend(0);
    return bestCost <= goal || stepsLeft > 0;
  }

private:
  void extend(int64_t cost);
  std::optional<SmallVector<unsigned>> findOpenPlaces();

  LevelProblem &problem;
  BarrierSet &best;
  BarrierSet current;
  int64_t goal;
  int64_t bestCost;
  BitVector refused;
  int64_t stepsLeft;
};
} // namespace

/// The nodes that run whenever `node` has run, and only then.
static SmallVector<unsigned> getFollowers(const SyncGraph &graph,
                                          unsigned node) {
  SmallVector<unsigned> followers;
  while (graph.nodes[node].succs.size() == 1) {
    node = graph.nodes[node].succs.front();
    if (graph.nodes[node].preds.size() != 1)
      break;
    followers.push_back(node);
  }
  return followers;
}

/// The places of a way that no barrier cuts, those first that run only where
/// the earlier access has; nullopt if there is none.
std::optional<SmallVector<unsigned>> BarrierSearch::findOpenPlaces() {
  for (const Hazard &hazard : problem.hazards) {
    SmallVector<unsigned> way = problem.findWay(hazard, current);
    SmallVector<unsigned> places = problem.getPlaces(hazard, way);
    if (places.empty())
      continue;
    SmallVector<unsigned> followers =
        getFollowers(problem.graph, problem.graph.accesses[hazard.earlier]);
    std::stable_partition(places.begin(), places.end(), [&](unsigned node) {
      return llvm::is_contained(followers, node);
    });
    return places;
  }
  return std::nullopt;
}

void BarrierSearch::extend(int64_t cost) {
  if (bestCost <= goal || stepsLeft <= 0)
    return;
  --stepsLeft;
  std::optional<SmallVector<unsigned>> places = findOpenPlaces();
  if (!places) {
    best = current;
    bestCost = cost;
    return;
  }
  SmallVector<unsigned> tried;
  for (unsigned node : *places) {
    int64_t newCost = cost + problem.getCost(node);
    if (refused.test(node) || newCost >= bestCost)
      continue;
    SyncLevel before = std::exchange(current[node], problem.level);
    extend(newCost);
    current[node] = before;
    // Sets with this place have been seen.
    refused.set(node);
    tried.push_back(node);
  }
  for (unsigned node : tried)
    refused.reset(node);
}

/// Remove barriers that the others make needless.
static void dropRedundant(LevelProblem &problem, BarrierSet &barriers) {
  auto isOpen = [&](const Hazard &hazard) {
    SmallVector<unsigned> way = problem.findWay(hazard, barriers);
    return !problem.getPlaces(hazard, way).empty();
  };
  for (unsigned node = 0; node < barriers.size(); ++node) {
    if (barriers[node] == problem.added[node])
      continue;
    SyncLevel level = std::exchange(barriers[node], problem.added[node]);
    if (llvm::any_of(problem.hazards, isOpen))
      barriers[node] = level;
  }
}

//===----------------------------------------------------------------------===//
// All levels
//===----------------------------------------------------------------------===//

/// The wide barriers come first: they separate the hazards of the lower levels
/// on their way.
BarrierPlacement mlir::coop::placeBarriers(const SyncGraph &graph,
                                           SyncNeed need) {
  BarrierPlacement placement;
  placement.barriers.assign(graph.nodes.size(), kThreadLevel);
  for (SyncLevel level = kBlockLevel; level > kThreadLevel; --level) {
    SmallVector<Hazard> hazards = findHazards(graph, need, placement.barriers);
    llvm::erase_if(hazards, [&](const Hazard &h) { return h.level != level; });
    if (hazards.empty())
      continue;
    sortByLater(graph, hazards);
    BarrierSet added = placement.barriers;
    LevelProblem problem(graph, level, std::move(hazards), added);
    placement.barriers = placeLate(problem);
    placement.isOptimal &=
        BarrierSearch(problem, placement.barriers, getLowerBound(problem))
            .run();
    dropRedundant(problem, placement.barriers);
  }
  return placement;
}

Hazard mlir::coop::explainBarrier(const SyncGraph &graph, SyncNeed need,
                                  const BarrierPlacement &placement,
                                  unsigned node) {
  SyncLevel level = placement.barriers[node];
  BarrierSet others = placement.barriers;
  others[node] = kThreadLevel;
  SmallVector<unsigned> sources;
  graph.walkUnsyncedBack(node, level, others, [&](unsigned source) {
    if (graph.nodes[source].access != kNoAccess)
      sources.push_back(graph.nodes[source].access);
    return true;
  });
  std::optional<Hazard> found;
  auto explain = [&](unsigned later) {
    if (found || graph.nodes[later].access == kNoAccess)
      return !found;
    unsigned access = graph.nodes[later].access;
    for (unsigned earlier : sources)
      if (!found && need(earlier, access) == level)
        found = Hazard{earlier, access, level};
    return !found;
  };
  if (explain(node) && graph.nodes[node].barrier < level)
    graph.walkUnsynced(node, level, others, explain);
  assert(found && "a barrier without hazard");
  return *found;
}
