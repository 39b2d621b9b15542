//===- LoopTurns.cpp - The turns of a loop that constants decide
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/LoopTurns.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::coop;

//===----------------------------------------------------------------------===//
// Values in one turn
//===----------------------------------------------------------------------===//

namespace {
/// Evaluates values when the header's arguments have given values.
class Evaluator {
public:
  Evaluator(Block *header, ArrayRef<Attribute> arguments)
      : header(header), arguments(arguments) {}

  /// The constant that `value` is, or null.
  Attribute evaluate(Value value);

private:
  Attribute compute(Value value);
  Attribute computeArgument(BlockArgument argument);
  Attribute fold(OpResult result);

  Block *header;
  ArrayRef<Attribute> arguments;
  DenseMap<Value, Attribute> known;
};
} // namespace

Attribute Evaluator::evaluate(Value value) {
  // Null while it is being computed, for a value that depends on itself.
  auto [entry, isNew] = known.try_emplace(value, Attribute());
  if (!isNew)
    return entry->second;
  Attribute constant = compute(value);
  known[value] = constant;
  return constant;
}

Attribute Evaluator::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return computeArgument(argument);
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant;
  return fold(cast<OpResult>(value));
}

Attribute Evaluator::computeArgument(BlockArgument argument) {
  Block *block = argument.getOwner();
  if (block == header)
    return arguments[argument.getArgNumber()];
  Block *source = block->getSinglePredecessor();
  auto branch = source ? dyn_cast<BranchOpInterface>(source->getTerminator())
                       : BranchOpInterface();
  if (!branch || llvm::count(branch->getSuccessors(), block) != 1)
    return {};
  unsigned way = llvm::find(branch->getSuccessors(), block) -
                 branch->getSuccessors().begin();
  Value passed = branch.getSuccessorOperands(way)[argument.getArgNumber()];
  return passed ? evaluate(passed) : Attribute();
}

Attribute Evaluator::fold(OpResult result) {
  Operation *op = result.getOwner();
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(evaluate(operand));
    if (!operands.back())
      return {};
  }
  // A fold may also change the operation in place.
  SmallVector<Value> before(op->getOperands());
  DictionaryAttr attributes = op->getAttrDictionary();
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)))
    return {};
  if (results.empty()) {
    op->setOperands(before);
    op->setAttrs(attributes);
    return {};
  }
  OpFoldResult folded = results[result.getResultNumber()];
  if (auto value = dyn_cast<Value>(folded))
    return evaluate(value);
  return cast<Attribute>(folded);
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

/// Make `merged` what all values are that come to a place.
static void merge(SmallVectorImpl<Attribute> &merged, bool isFirst,
                  ArrayRef<Attribute> values) {
  for (auto [i, value] : llvm::enumerate(values))
    merged[i] = isFirst || merged[i] == value ? value : Attribute();
}

namespace {
class TurnFinder {
public:
  explicit TurnFinder(const CFGLoop &loop)
      : loop(loop), header(loop.getHeader()), next(header->getNumArguments()) {}

  /// Prepare the first turn.
  void enter();
  /// Find the next turn; whether there may be another behind it.
  bool find(LoopTurn &turn);

private:
  void visit(Block *block, Evaluator &evaluator, LoopTurn &turn,
             SmallPtrSetImpl<Block *> &seen);
  void takeArguments(BranchOpInterface branch, Evaluator &evaluator);

  const CFGLoop &loop;
  Block *header;
  SmallVector<Attribute> next;
  bool comesBack = false;
};
} // namespace

void TurnFinder::enter() {
  SmallVector<Attribute> nothing(header->getNumArguments());
  Evaluator evaluator(header, nothing);
  for (Block *source : header->getPredecessors())
    if (!loop.contains(source))
      takeArguments(dyn_cast<BranchOpInterface>(source->getTerminator()),
                    evaluator);
}

/// Note what a branch passes on to the header.
void TurnFinder::takeArguments(BranchOpInterface branch, Evaluator &evaluator) {
  for (unsigned way = 0, e = branch ? branch->getNumSuccessors() : 0; way < e;
       ++way) {
    if (branch->getSuccessor(way) != header)
      continue;
    SmallVector<Attribute> values;
    SuccessorOperands operands = branch.getSuccessorOperands(way);
    for (unsigned i = 0; i < operands.size(); ++i)
      values.push_back(operands[i] ? evaluator.evaluate(operands[i])
                                   : Attribute());
    merge(next, !comesBack, values);
    comesBack = true;
  }
}

/// Follow the ways out of a block; put it in front of what follows.
void TurnFinder::visit(Block *block, Evaluator &evaluator, LoopTurn &turn,
                       SmallPtrSetImpl<Block *> &seen) {
  if (!seen.insert(block).second)
    return;
  auto branch = dyn_cast<BranchOpInterface>(block->getTerminator());
  SmallVector<Block *> targets(block->getSuccessors());
  if (branch) {
    SmallVector<Attribute> operands;
    for (Value operand : branch->getOperands())
      operands.push_back(evaluator.evaluate(operand));
    if (Block *target = branch.getSuccessorForOperands(operands)) {
      targets.assign({target});
      turn.decided[branch] = target;
    }
  }
  for (Block *target : targets) {
    if (target == header)
      takeArguments(branch, evaluator);
    else if (loop.contains(target))
      visit(target, evaluator, turn, seen);
    else
      ++turn.exits;
  }
  turn.blocks.push_back(block);
}

bool TurnFinder::find(LoopTurn &turn) {
  turn.arguments = next;
  comesBack = false;
  Evaluator evaluator(header, turn.arguments);
  SmallPtrSet<Block *, 16> seen;
  visit(header, evaluator, turn, seen);
  std::reverse(turn.blocks.begin(), turn.blocks.end());
  return comesBack;
}

std::optional<SmallVector<LoopTurn>> mlir::coop::findTurns(const CFGLoop &loop,
                                                           int64_t maxTurns) {
  TurnFinder finder(loop);
  finder.enter();
  SmallVector<LoopTurn> turns;
  // A loop that is left at its head has one turn more that is not a whole one.
  while (int64_t(turns.size()) <= maxTurns)
    if (!finder.find(turns.emplace_back()))
      return turns;
  return std::nullopt;
}
