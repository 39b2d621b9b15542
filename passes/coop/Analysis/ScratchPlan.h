//===- ScratchPlan.h - Offsets of storages in an arena, as arithmetic
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No IR is known here: sizes, alignments and pairwise relations give offsets.
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_SCRATCHPLAN_H
#define COOP_ANALYSIS_SCRATCHPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::coop {

/// How two items of an arena may lie to each other.
enum class PlanRelation : uint8_t {
  /// Any way.
  Any,
  /// At the same offset, or without a common byte.
  SameOffset,
  /// Without a common byte: both are live at a time.
  Disjoint,
};

/// What a common byte of two items costs in barriers.
struct PlanCost {
  /// Where they start at different offsets, and at the same one.
  int64_t anyOffset = 0, sameOffset = 0;
};

struct PlanItem {
  int64_t size;
  /// A power of two.
  int64_t alignment;
};

/// Items, and what is asked of each pair of them.
class PlanProblem {
public:
  explicit PlanProblem(llvm::ArrayRef<PlanItem> items);

  unsigned size() const { return items.size(); }
  const PlanItem &operator[](unsigned i) const { return items[i]; }

  /// Ask for `relation` between two items.
  void relate(unsigned i, unsigned j, PlanRelation relation,
              PlanCost cost = {});
  PlanRelation relation(unsigned i, unsigned j) const {
    return relations[i * size() + j];
  }
  /// What `i` at `offset` and `j` at `other` cost together.
  int64_t cost(unsigned i, int64_t offset, unsigned j, int64_t other) const;

  /// Whether `i` at `offset` and `j` at `other` satisfy their relation.
  bool isAllowed(unsigned i, int64_t offset, unsigned j, int64_t other) const;

private:
  llvm::SmallVector<PlanItem> items;
  llvm::SmallVector<PlanRelation> relations;
  llvm::SmallVector<PlanCost> costs;
};

struct ScratchPlan {
  /// One for each item.
  llvm::SmallVector<int64_t> offsets;
  /// Bytes and alignment of the arena.
  int64_t size = 0;
  int64_t alignment = 1;
  /// The largest sum of items that are live at a time: no plan is smaller.
  int64_t lowerBound = 0;
  /// Whether no plan is smaller than this one. False: not known.
  bool isOptimal = false;
};

/// Find offsets with as few bytes as possible; among those, ones whose common
/// bytes cost few barriers. The result satisfies all relations. It is optimal
/// if the items are few or the lower bound is reached.
ScratchPlan planScratch(const PlanProblem &problem);

/// Whether [begin, begin + size) and [other, other + otherSize) have a common
/// byte.
inline bool haveCommonByte(int64_t begin, int64_t size, int64_t other,
                           int64_t otherSize) {
  return begin < other + otherSize && other < begin + size;
}

} // namespace mlir::coop

#endif // COOP_ANALYSIS_SCRATCHPLAN_H
