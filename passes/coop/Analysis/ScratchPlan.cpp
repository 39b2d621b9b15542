//===- ScratchPlan.cpp - Offsets of storages in an arena, as arithmetic
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/ScratchPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace mlir::coop;
using llvm::SmallVector;

/// Steps over pairs of items that a search may take before it settles for what
/// it has.
static constexpr int64_t kSearchWork = 20000000;
/// Beyond this number of items, offsets are not tuned for fewer barriers.
static constexpr unsigned kTunedItems = 256;
static constexpr int64_t kUnplaced = -1;

PlanProblem::PlanProblem(llvm::ArrayRef<PlanItem> items)
    : items(items), relations(items.size() * items.size(), PlanRelation::Any),
      costs(items.size() * items.size()) {}

void PlanProblem::relate(unsigned i, unsigned j, PlanRelation relation,
                         PlanCost cost) {
  relations[i * size() + j] = relations[j * size() + i] = relation;
  costs[i * size() + j] = costs[j * size() + i] = cost;
}

int64_t PlanProblem::cost(unsigned i, int64_t offset, unsigned j,
                          int64_t other) const {
  if (!haveCommonByte(offset, items[i].size, other, items[j].size))
    return 0;
  const PlanCost &cost = costs[i * size() + j];
  return offset == other ? cost.sameOffset : cost.anyOffset;
}

bool PlanProblem::isAllowed(unsigned i, int64_t offset, unsigned j,
                            int64_t other) const {
  switch (relation(i, j)) {
  case PlanRelation::Any:
    return true;
  case PlanRelation::SameOffset:
    if (offset == other)
      return true;
    break;
  case PlanRelation::Disjoint:
    break;
  }
  return !haveCommonByte(offset, items[i].size, other, items[j].size);
}

//===----------------------------------------------------------------------===//
// Lower bound: the heaviest set of items that are all live at a time
//===----------------------------------------------------------------------===//

namespace {
class HeaviestClique {
public:
  explicit HeaviestClique(const PlanProblem &problem)
      : problem(problem), stepsLeft(kSearchWork / problem.size()) {}

  int64_t find() {
    extend(llvm::to_vector(llvm::seq<unsigned>(problem.size())), 0);
    return heaviest;
  }

private:
  void extend(SmallVector<unsigned> candidates, int64_t weight) {
    heaviest = std::max(heaviest, weight);
    int64_t rest = 0;
    for (unsigned i : candidates)
      rest += problem[i].size;
    while (!candidates.empty() && weight + rest > heaviest && stepsLeft-- > 0) {
      unsigned i = candidates.pop_back_val();
      rest -= problem[i].size;
      SmallVector<unsigned> common;
      llvm::copy_if(candidates, std::back_inserter(common), [&](unsigned j) {
        return problem.relation(i, j) == PlanRelation::Disjoint;
      });
      extend(std::move(common), weight + problem[i].size);
    }
  }

  const PlanProblem &problem;
  int64_t heaviest = 0;
  int64_t stepsLeft;
};
} // namespace

//===----------------------------------------------------------------------===//
// Placing items at the lowest offset that the placed ones leave
//===----------------------------------------------------------------------===//

namespace {
class Placement {
public:
  explicit Placement(const PlanProblem &problem)
      : problem(problem), offsets(problem.size(), kUnplaced) {}

  bool isPlaced(unsigned i) const { return offsets[i] != kUnplaced; }
  bool fits(unsigned i, int64_t offset) const {
    return llvm::all_of(llvm::seq<unsigned>(problem.size()), [&](unsigned j) {
      return j == i || !isPlaced(j) ||
             problem.isAllowed(i, offset, j, offsets[j]);
    });
  }

  /// Multiples of `alignment` at which `i` touches another item or the start of
  /// the arena.
  SmallVector<int64_t> candidates(unsigned i, int64_t alignment) const {
    SmallVector<int64_t> result{0};
    for (unsigned j = 0; j < problem.size(); ++j)
      if (j != i && isPlaced(j))
        for (int64_t edge : {offsets[j], offsets[j] + problem[j].size})
          result.push_back(llvm::alignTo(edge, alignment));
    llvm::sort(result);
    result.erase(llvm::unique(result), result.end());
    return result;
  }
  SmallVector<int64_t> candidates(unsigned i) const {
    return candidates(i, problem[i].alignment);
  }

  /// The end of the highest item always fits, so there is a lowest offset.
  int64_t lowest(unsigned i) const {
    return *llvm::find_if(candidates(i),
                          [&](int64_t offset) { return fits(i, offset); });
  }

  int64_t getSize() const {
    int64_t size = 0;
    for (unsigned i = 0; i < problem.size(); ++i)
      if (isPlaced(i))
        size = std::max(size, offsets[i] + problem[i].size);
    return size;
  }

  const PlanProblem &problem;
  SmallVector<int64_t> offsets;
};

using Order = SmallVector<unsigned>;
} // namespace

static Placement placeInOrder(const PlanProblem &problem, const Order &order) {
  Placement placement(problem);
  for (unsigned i : order)
    placement.offsets[i] = placement.lowest(i);
  return placement;
}

/// The bytes of items that are live with `i`.
static int64_t liveWith(const PlanProblem &problem, unsigned i) {
  int64_t bytes = 0;
  for (unsigned j = 0; j < problem.size(); ++j)
    if (j != i && problem.relation(i, j) == PlanRelation::Disjoint)
      bytes += problem[j].size;
  return bytes;
}

/// Orders that are good as a rule: large first, most contended first, strict
/// alignment first.
static SmallVector<Order> goodOrders(const PlanProblem &problem) {
  Order order = llvm::to_vector(llvm::seq<unsigned>(problem.size()));
  auto sortedBy = [&](auto key) {
    Order sorted = order;
    llvm::stable_sort(sorted,
                      [&](unsigned i, unsigned j) { return key(i) > key(j); });
    return sorted;
  };
  auto size = [&](unsigned i) { return problem[i].size; };
  auto load = [&](unsigned i) { return size(i) + liveWith(problem, i); };
  auto strict = [&](unsigned i) {
    return std::pair(problem[i].alignment, problem[i].size);
  };
  return {sortedBy(size), sortedBy(load), sortedBy(strict)};
}

static Placement placeWell(const PlanProblem &problem) {
  std::optional<Placement> best;
  for (const Order &order : goodOrders(problem)) {
    Placement placement = placeInOrder(problem, order);
    if (!best || placement.getSize() < best->getSize())
      best.emplace(std::move(placement));
  }
  return std::move(*best);
}

//===----------------------------------------------------------------------===//
// Exact search
//===----------------------------------------------------------------------===//

namespace {
/// Tries all orders, and for each item all offsets that a best plan may need.
///
/// Take the items of a best plan from low to high, those that start together
/// because they must (PlanRelation::SameOffset) as one, and move each down as
/// far as those before it allow: no item gets higher, so the plan stays a best
/// one. Then an item that stands alone lies at its lowest offset. Items that
/// start together lie at a multiple of the strictest of their alignments, which
/// need not be the lowest offset for each of them.
class OrderSearch {
public:
  OrderSearch(Placement &best, int64_t goal)
      : best(best), current(best.problem), goal(goal), bestSize(best.getSize()),
        stepsLeft(kSearchWork /
                  (current.problem.size() * current.problem.size())) {}

  /// True if `best` has now the fewest bytes; false if steps ran out.
  bool run() {
    extend(0, 0);
    return bestSize <= goal || stepsLeft > 0;
  }

private:
  SmallVector<int64_t> getOffsets(unsigned i) const {
    const PlanProblem &problem = current.problem;
    SmallVector<int64_t> offsets{current.lowest(i)};
    for (unsigned j = 0; j < problem.size(); ++j)
      if (problem.relation(i, j) == PlanRelation::SameOffset)
        llvm::append_range(
            offsets, current.candidates(i, std::max(problem[i].alignment,
                                                    problem[j].alignment)));
    llvm::sort(offsets);
    offsets.erase(llvm::unique(offsets), offsets.end());
    llvm::erase_if(offsets,
                   [&](int64_t offset) { return !current.fits(i, offset); });
    return offsets;
  }

  void extend(unsigned placed, int64_t size) {
    if (placed == current.problem.size()) {
      bestSize = size;
      best.offsets = current.offsets;
      return;
    }
    for (unsigned i = 0; i < current.problem.size(); ++i)
      if (!current.isPlaced(i))
        for (int64_t offset : getOffsets(i)) {
          if (bestSize <= goal || --stepsLeft <= 0)
            return;
          int64_t end = std::max(size, offset + current.problem[i].size);
          if (end >= bestSize)
            break;
          current.offsets[i] = offset;
          extend(placed + 1, end);
          current.offsets[i] = kUnplaced;
        }
  }

  Placement &best;
  Placement current;
  int64_t goal;
  int64_t bestSize;
  int64_t stepsLeft;
};
} // namespace

//===----------------------------------------------------------------------===//
// Fewer barriers in the same bytes
//===----------------------------------------------------------------------===//

static int64_t costAt(const Placement &placement, unsigned i, int64_t offset) {
  const PlanProblem &problem = placement.problem;
  int64_t cost = 0;
  for (unsigned j = 0; j < problem.size(); ++j)
    if (j != i)
      cost += problem.cost(i, offset, j, placement.offsets[j]);
  return cost;
}

/// Move item `i` to where its bytes bring fewer barriers. False if it stays.
static bool moveToCheaper(Placement &placement, unsigned i, int64_t size) {
  int64_t bestOffset = placement.offsets[i];
  int64_t bestCost = costAt(placement, i, bestOffset);
  for (int64_t offset : placement.candidates(i)) {
    if (offset + placement.problem[i].size > size || bestCost == 0)
      break;
    int64_t cost = costAt(placement, i, offset);
    if (cost < bestCost && placement.fits(i, offset))
      std::tie(bestCost, bestOffset) = std::pair(cost, offset);
  }
  bool moved = bestOffset != placement.offsets[i];
  placement.offsets[i] = bestOffset;
  return moved;
}

/// Each move lowers the total cost, so this ends.
static void spread(Placement &placement) {
  int64_t size = placement.getSize();
  bool moved = placement.problem.size() <= kTunedItems;
  while (moved) {
    moved = false;
    for (unsigned i = 0; i < placement.problem.size(); ++i)
      moved |= moveToCheaper(placement, i, size);
  }
}

ScratchPlan mlir::coop::planScratch(const PlanProblem &problem) {
  ScratchPlan plan;
  if (problem.size() == 0) {
    plan.isOptimal = true;
    return plan;
  }
  plan.lowerBound = HeaviestClique(problem).find();
  Placement placement = placeWell(problem);
  plan.isOptimal = OrderSearch(placement, plan.lowerBound).run();
  spread(placement);
  plan.offsets = placement.offsets;
  plan.size = placement.getSize();
  for (unsigned i = 0; i < problem.size(); ++i)
    plan.alignment = std::max(plan.alignment, problem[i].alignment);
  return plan;
}
