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

//===----------------------------------------------------------------------===//
// Partings
//===----------------------------------------------------------------------===//

namespace {
class PartingAnalysis {
public:
  PartingAnalysis(Block *branch, const BlockNumbers &numbers,
                  PostDominanceInfo &postDominance,
                  llvm::function_ref<bool(Operation *)> isConstantRead)
      : numbers(numbers), isConstantRead(isConstantRead) {
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
  llvm::function_ref<bool(Operation *)> isConstantRead;
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
  if (op->getNumRegions() || !(isMemoryEffectFree(op) || isConstantRead(op)))
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
      Value incoming =
          getIncoming(*it, it.getSuccessorIndex(), argument.getArgNumber());
      if (incoming && !isRecomputed(incoming, kMaxDepth))
        continue;
      result.leavingArguments.push_back(argument);
      break;
    }
  }
}

//===----------------------------------------------------------------------===//
// What joins bring together
//===----------------------------------------------------------------------===//

namespace {
/// Compares values as the threads that have parted see them.
class ValueComparison {
public:
  ValueComparison(const Parting &parting, const BlockNumbers &numbers)
      : parting(parting), numbers(numbers) {}

  /// What the parting's edges pass for an argument if it is one value for all
  /// of them, else null.
  Value getPassed(BlockArgument argument, unsigned depth) const;

private:
  Value resolve(Value value, unsigned depth) const;
  bool same(Value lhs, Value rhs, unsigned depth) const;
  bool sameOps(Operation *lhs, Operation *rhs, unsigned depth) const;
  bool isInside(Block *block) const {
    return block == parting.branch ||
           (numbers.contains(block) && parting.between.test(numbers[block]));
  }

  const Parting &parting;
  const BlockNumbers &numbers;
};
} // namespace

Value ValueComparison::getPassed(BlockArgument argument, unsigned depth) const {
  Block *block = argument.getOwner();
  Value passed;
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    if (!isInside(*it))
      continue;
    Value incoming =
        getIncoming(*it, it.getSuccessorIndex(), argument.getArgNumber());
    if (!incoming || (passed && !same(passed, incoming, depth)))
      return {};
    passed = incoming;
  }
  return passed;
}

/// Follow an argument of a block on the way back to what was passed for it.
Value ValueComparison::resolve(Value value, unsigned depth) const {
  auto argument = dyn_cast<BlockArgument>(value);
  bool onTheWay = argument && argument.getOwner() != parting.branch &&
                  numbers.contains(argument.getOwner()) &&
                  parting.between.test(numbers[argument.getOwner()]);
  if (!onTheWay || !depth)
    return value;
  Value passed = getPassed(argument, depth - 1);
  return passed && passed != value ? resolve(passed, depth - 1) : value;
}

bool ValueComparison::sameOps(Operation *lhs, Operation *rhs,
                              unsigned depth) const {
  bool alike = lhs->getName() == rhs->getName() &&
               lhs->getAttrDictionary() == rhs->getAttrDictionary() &&
               lhs->getNumOperands() == rhs->getNumOperands() &&
               lhs->getResultTypes() == rhs->getResultTypes() &&
               !lhs->getNumRegions() && isMemoryEffectFree(lhs);
  return alike &&
         llvm::all_of(llvm::zip(lhs->getOperands(), rhs->getOperands()),
                      [&](auto pair) {
                        auto [l, r] = pair;
                        return same(l, r, depth);
                      });
}

bool ValueComparison::same(Value lhs, Value rhs, unsigned depth) const {
  if (lhs == rhs)
    return true;
  if (!depth)
    return false;
  lhs = resolve(lhs, depth - 1);
  rhs = resolve(rhs, depth - 1);
  if (lhs == rhs)
    return true;
  auto l = dyn_cast<OpResult>(lhs), r = dyn_cast<OpResult>(rhs);
  return l && r && l.getResultNumber() == r.getResultNumber() &&
         sameOps(l.getOwner(), r.getOwner(), depth - 1);
}

bool mlir::coop::bringsSameValue(const Parting &parting, BlockArgument argument,
                                 const BlockNumbers &numbers) {
  return bool(ValueComparison(parting, numbers).getPassed(argument, kMaxDepth));
}

Parting mlir::coop::analyzeParting(
    Block *branch, const BlockNumbers &numbers,
    PostDominanceInfo &postDominance,
    llvm::function_ref<bool(Operation *)> isConstantRead) {
  return PartingAnalysis(branch, numbers, postDominance, isConstantRead).run();
}
