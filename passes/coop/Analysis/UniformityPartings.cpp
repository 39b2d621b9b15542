//===- UniformityPartings.cpp - What partings of threads do to values and places
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformitySolver.h"

using namespace mlir;
using namespace mlir::coop;

//===----------------------------------------------------------------------===//
// Partings
//===----------------------------------------------------------------------===//

auto UniformityAnalysis::Solver::branchAt(Block *block) -> Branch & {
  std::unique_ptr<Branch> &branch = branches[block];
  if (!branch) {
    branch = std::make_unique<Branch>();
    branch->parting =
        analyzeParting(block, numbers, postDominance, [&](Operation *op) {
          return memory.readsConstantMemory(op);
        });
  }
  return *branch;
}

void UniformityAnalysis::Solver::applyParting(const Branch &branch) {
  const Parting &parting = branch.parting;
  auto limit = [&](Value value) {
    Agreement &known = limits[value];
    Agreement before = known;
    known.meet(branch.decision);
    if (!known.sameWidths(before))
      limitedBy[value] = parting.branch;
    if (auto it = values.find(value); it != values.end())
      setValue(value, ThreadValue(it->second));
  };
  for (Block *join : parting.joins)
    for (BlockArgument arg : join->getArguments())
      if (!bringsSameValue(parting, arg, numbers))
        limit(arg);
  for (Value argument : parting.leavingArguments)
    limit(argument);
  for (Value value : parting.leaving) {
    auto &from = leavesFrom[value];
    if (!llvm::is_contained(from, parting.branch))
      from.push_back(parting.branch);
    for (Operation *user : value.getUsers())
      mark(user);
  }
  for (unsigned number : parting.between.set_bits()) {
    Agreement &together = togetherness[numbers[number]];
    Agreement before = together;
    together.meet(branch.decision);
    if (!together.sameWidths(before))
      for (Operation &op : *numbers[number])
        if (!memory.getReadsOf(&op).empty())
          mark(&op);
  }
}

/// Agreement on the way at a branch, in the groups of which a thread gets to
/// `block`: what other groups do is no concern of it.
//===----------------------------------------------------------------------===//
// The threads that may reach a block
//===----------------------------------------------------------------------===//

const LaneSet *UniformityAnalysis::Solver::activeIn(Block *block) const {
  if (active.empty() || !numbers.contains(block))
    return nullptr;
  return &active[numbers[block]];
}

bool UniformityAnalysis::Solver::isDead(Block *block) const {
  const LaneSet *lanes = activeIn(block);
  return lanes && lanes->none();
}

/// The threads that take an edge; nullopt when nothing is known.
std::optional<LaneSet>
UniformityAnalysis::Solver::lanesAlong(Block *block, unsigned successor) const {
  const LaneSet *lanes = activeIn(block);
  if (!lanes)
    return std::nullopt;
  LaneSet along = *lanes;
  Operation *terminator = block->getTerminator();
  SmallVector<Value> decisions = getDecisionOperands(terminator);
  if (decisions.size() != 1 || terminator->getNumSuccessors() != 2)
    return along;
  auto it = values.find(decisions.front());
  if (it == values.end() || it->second.lanes.bits != 1 ||
      !it->second.lanes.isExact())
    return along;
  for (unsigned rank : lanes->set_bits())
    if ((it->second.lanes.at(rank) != 0) != (successor == 0))
      along.reset(rank);
  return along;
}

/// Follow the threads along the edges that they take. Returns whether any
/// place is not reached by all.
bool UniformityAnalysis::Solver::findActiveLanes() {
  if (!getShape().size())
    return false;
  active.assign(numbers.size(), LaneSet(getShape().size()));
  active[0].set();
  bool changed = true;
  while (changed) {
    changed = false;
    for (Block *block : numbers.blocks())
      for (unsigned i = 0; i < block->getNumSuccessors(); ++i) {
        LaneSet along = *lanesAlong(block, i);
        LaneSet &there = active[numbers[block->getSuccessor(i)]];
        along.reset(there);
        changed |= along.any();
        there |= along;
      }
  }
  return !llvm::all_of(active,
                       [](const LaneSet &lanes) { return lanes.all(); });
}
