//===- UniformityControl.cpp - Where threads that part meet again
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformityControl.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace mlir::coop;

/// Computations up to this depth are compared.
static constexpr unsigned kMaxDepth = 6;

BlockNumbers::BlockNumbers(Region &region) {
  llvm::ReversePostOrderTraversal<Region *> traversal(&region);
  for (Block *block : traversal) {
    numbers[block] = order.size();
    order.push_back(block);
  }
}

SmallVector<Value> mlir::coop::getDecisionOperands(Operation *terminator) {
  auto branch = dyn_cast<BranchOpInterface>(terminator);
  if (!branch)
    return llvm::to_vector(terminator->getOperands());
  llvm::BitVector forwarded(terminator->getNumOperands());
  for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
    OperandRange range = branch.getSuccessorOperands(i).getForwardedOperands();
    if (!range.empty())
      forwarded.set(range.getBeginOperandIndex(),
                    range.getBeginOperandIndex() + range.size());
  }
  SmallVector<Value> decisions;
  for (OpOperand &operand : terminator->getOpOperands())
    if (!forwarded.test(operand.getOperandNumber()))
      decisions.push_back(operand.get());
  return decisions;
}

Value mlir::coop::getIncoming(Block *predecessor, unsigned successor,
                              unsigned argument) {
  auto branch = dyn_cast<BranchOpInterface>(predecessor->getTerminator());
  if (!branch)
    return {};
  return branch.getSuccessorOperands(successor)[argument];
}

static bool sameComputation(Value lhs, Value rhs, unsigned depth) {
  if (lhs == rhs)
    return true;
  Operation *l = lhs.getDefiningOp(), *r = rhs.getDefiningOp();
  if (!depth || !l || !r || l->getName() != r->getName() ||
      l->getAttrDictionary() != r->getAttrDictionary() ||
      l->getNumOperands() != r->getNumOperands() || l->getNumRegions() ||
      lhs.getType() != rhs.getType() || !isMemoryEffectFree(l) ||
      cast<OpResult>(lhs).getResultNumber() !=
          cast<OpResult>(rhs).getResultNumber())
    return false;
  return llvm::all_of(llvm::zip(l->getOperands(), r->getOperands()),
                      [&](auto pair) {
                        return sameComputation(std::get<0>(pair),
                                               std::get<1>(pair), depth - 1);
                      });
}

bool mlir::coop::isSameComputation(Value lhs, Value rhs) {
  return sameComputation(lhs, rhs, kMaxDepth);
}

//===----------------------------------------------------------------------===//
// Partings
//===----------------------------------------------------------------------===//

namespace {
class PartingAnalysis {
public:
  PartingAnalysis(Block *branch, const BlockNumbers &numbers,
                  PostDominanceInfo &postDominance)
      : numbers(numbers) {
    result.branch = branch;
    result.meeting = findMeeting(postDominance);
    result.between.resize(numbers.size());
  }

  Parting run() {
    findBetween();
    findJoins();
    // Only what is passed again can be left behind by some threads.
    if (isBetween(result.branch))
      findLeaving();
    return std::move(result);
  }

private:
  bool isBetween(Block *block) const {
    return result.between.test(numbers[block]);
  }
  Block *findMeeting(PostDominanceInfo &postDominance) const;
  void findBetween();
  void findJoins();
  void findLeaving();
  bool isRecomputed(Value value, unsigned depth) const;
  void findLeavingArguments();

  const BlockNumbers &numbers;
  Parting result;
};
} // namespace

Block *PartingAnalysis::findMeeting(PostDominanceInfo &postDominance) const {
  auto *node = postDominance.getNode(result.branch);
  auto *parent = node ? node->getIDom() : nullptr;
  return parent ? parent->getBlock() : nullptr;
}

void PartingAnalysis::findBetween() {
  SmallVector<Block *> worklist(result.branch->getSuccessors());
  while (!worklist.empty()) {
    Block *block = worklist.pop_back_val();
    if (block == result.meeting || isBetween(block))
      continue;
    result.between.set(numbers[block]);
    llvm::append_range(worklist, block->getSuccessors());
  }
}

void PartingAnalysis::findJoins() {
  auto addIfJoin = [&](Block *block) {
    unsigned sides = 0;
    for (Block *predecessor : block->getPredecessors())
      sides += predecessor == result.branch ||
               (numbers.contains(predecessor) && isBetween(predecessor));
    if (sides > 1)
      result.joins.push_back(block);
  };
  for (unsigned number : result.between.set_bits())
    addIfJoin(numbers[number]);
  if (result.meeting)
    addIfJoin(result.meeting);
}

/// Whether the value of one pass may differ from that of another.
bool PartingAnalysis::isRecomputed(Value value, unsigned depth) const {
  Block *block = value.getParentBlock();
  if (!numbers.contains(block) || !isBetween(block))
    return false;
  Operation *op = value.getDefiningOp();
  if (!op || !depth)
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  bool reads = effects && effects.onlyHasEffect<MemoryEffects::Read>();
  if (op->getNumRegions() || !(reads || isMemoryEffectFree(op)))
    return true;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isRecomputed(operand, depth - 1);
  });
}

void PartingAnalysis::findLeaving() {
  auto addIfLeaving = [&](Value value) {
    bool usedOutside = llvm::any_of(value.getUsers(), [&](Operation *user) {
      Block *block = result.branch->getParent()->findAncestorBlockInRegion(
          *user->getBlock());
      return block && numbers.contains(block) && !isBetween(block);
    });
    if (usedOutside && isRecomputed(value, kMaxDepth))
      result.leaving.push_back(value);
  };
  for (unsigned number : result.between.set_bits()) {
    Block *block = numbers[number];
    llvm::for_each(block->getArguments(), addIfLeaving);
    for (Operation &op : *block)
      llvm::for_each(op.getResults(), addIfLeaving);
  }
  findLeavingArguments();
}

void PartingAnalysis::findLeavingArguments() {
  Block *meeting = result.meeting;
  if (!meeting)
    return;
  for (BlockArgument argument : meeting->getArguments()) {
    for (auto it = meeting->pred_begin(); it != meeting->pred_end(); ++it) {
      if (!numbers.contains(*it) || !isBetween(*it))
        continue;
      Value incoming = getIncoming(*it, it.getSuccessorIndex(),
                                   argument.getArgNumber());
      if (incoming && !isRecomputed(incoming, kMaxDepth))
        continue;
      result.leavingArguments.push_back(argument);
      break;
    }
  }
}

Parting mlir::coop::analyzeParting(Block *branch, const BlockNumbers &numbers,
                                   PostDominanceInfo &postDominance) {
  return PartingAnalysis(branch, numbers, postDominance).run();
}
