//===- UniformityMergeTests.cpp - One block for a test that stands twice
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformityMergeTests.h"
#include "coop/Analysis/UniformityOps.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::coop;

namespace {

/// The end of two blocks that decide alike: what both compute, and what they
/// compute it from.
class RepeatedTest {
public:
  RepeatedTest(Block *first, Block *second) : first(first), second(second) {}

  /// Whether the blocks end in the same decision between the same successors.
  bool match();
  /// Put the decision into a block of its own, to which both branch.
  Block *merge();

private:
  bool matchValues(Value lhs, Value rhs);
  bool matchOps(Operation *lhs, Operation *rhs);
  bool mayMove(Operation *op) const;

  Block *first, *second;
  /// Operations of `first` that move, with their twins, operands first.
  llvm::MapVector<Operation *, Operation *> twins;
  /// Values of the blocks that the decision takes as parameters.
  llvm::MapVector<Value, Value> parameters;
};

} // namespace

/// Whether nothing after the operation in its block could notice a move to the
/// block's end.
bool RepeatedTest::mayMove(Operation *op) const {
  if (op->getNumRegions())
    return false;
  if (isMemoryEffectFree(op))
    return true;
  OpKind::Kind kind = classify(op, BlockShape()).kind;
  if (kind != OpKind::Read && !isRepeatableVote(op))
    return false;
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
    if (!isMemoryEffectFree(next) &&
        classify(next, BlockShape()).kind != OpKind::Read)
      return false;
  return true;
}

bool RepeatedTest::matchOps(Operation *lhs, Operation *rhs) {
  if (auto it = twins.find(lhs); it != twins.end())
    return it->second == rhs;
  bool alike = lhs->getBlock() == first && rhs->getBlock() == second &&
               lhs->getName() == rhs->getName() &&
               lhs->getNumOperands() == rhs->getNumOperands() &&
               lhs->getResultTypes() == rhs->getResultTypes() &&
               lhs->getAttrDictionary() == rhs->getAttrDictionary();
  if (!alike || !mayMove(lhs) || !mayMove(rhs))
    return false;
  for (auto [l, r] : llvm::zip(lhs->getOperands(), rhs->getOperands()))
    if (!matchValues(l, r))
      return false;
  twins.insert({lhs, rhs});
  return true;
}

/// Match two values; those that are computed differently become a parameter.
bool RepeatedTest::matchValues(Value lhs, Value rhs) {
  if (lhs.getType() != rhs.getType())
    return false;
  bool own = lhs.getParentBlock() == first || rhs.getParentBlock() == second;
  if (lhs == rhs && !own)
    return true;
  Operation *l = lhs.getDefiningOp(), *r = rhs.getDefiningOp();
  bool sameResult = l && r &&
                    cast<OpResult>(lhs).getResultNumber() ==
                        cast<OpResult>(rhs).getResultNumber();
  if (sameResult && matchOps(l, r))
    return true;
  auto [it, inserted] = parameters.insert({lhs, rhs});
  return it->second == rhs;
}

bool RepeatedTest::match() {
  Operation *lhs = first->getTerminator(), *rhs = second->getTerminator();
  bool alike = isa<BranchOpInterface>(lhs) &&
               lhs->getName() == rhs->getName() &&
               lhs->getNumOperands() == rhs->getNumOperands() &&
               llvm::equal(lhs->getSuccessors(), rhs->getSuccessors()) &&
               lhs->getAttrDictionary() == rhs->getAttrDictionary();
  if (!alike)
    return false;
  for (auto [l, r] : llvm::zip(lhs->getOperands(), rhs->getOperands()))
    if (!matchValues(l, r))
      return false;
  return true;
}

static void branchTo(Block *from, Block *to, ValueRange arguments) {
  Operation *end = from->getTerminator();
  OpBuilder builder(end);
  cf::BranchOp::create(builder, end->getLoc(), to, arguments);
  end->erase();
}

Block *RepeatedTest::merge() {
  auto *test = new Block();
  first->getParent()->getBlocks().insertAfter(first->getIterator(), test);
  IRMapping mapping;
  SmallVector<Value> fromFirst, fromSecond;
  for (auto [lhs, rhs] : parameters) {
    mapping.map(lhs, test->addArgument(lhs.getType(), lhs.getLoc()));
    fromFirst.push_back(lhs);
    fromSecond.push_back(rhs);
  }
  OpBuilder builder = OpBuilder::atBlockEnd(test);
  for (Operation &op : *first)
    if (twins.contains(&op))
      builder.clone(op, mapping);
  builder.clone(*first->getTerminator(), mapping);
  branchTo(first, test, fromFirst);
  branchTo(second, test, fromSecond);
  for (auto [lhs, rhs] : llvm::reverse(twins))
    for (Operation *op : {lhs, rhs})
      if (op->use_empty())
        op->erase();
  return test;
}

//===----------------------------------------------------------------------===//
// Blocks that only pass on
//===----------------------------------------------------------------------===//

static void eraseUnusedOps(Block *block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block))) {
    if (op.use_empty() && isMemoryEffectFree(&op) &&
        !op.hasTrait<OpTrait::IsTerminator>())
      op.erase();
  }
}

/// Move what others still use, and what may be computed earlier, to the end of
/// the only predecessor.
static void hoistOps(Block *block) {
  Block *predecessor = block->getSinglePredecessor();
  if (!predecessor || predecessor == block)
    return;
  for (Operation &op :
       llvm::make_early_inc_range(block->without_terminator())) {
    bool movable =
        isPure(&op) || classify(&op, BlockShape()).kind == OpKind::Read;
    bool ready = llvm::none_of(op.getOperands(), [&](Value operand) {
      return operand.getParentBlock() == block;
    });
    if (!movable || !ready || op.getNumRegions())
      return;
    op.moveBefore(predecessor->getTerminator());
  }
}

/// Send the predecessors of a block that only branches on to its successor.
static bool skipBlock(Block *block) {
  auto branch = dyn_cast<cf::BranchOp>(block->front());
  if (!branch || block->isEntryBlock() || branch.getDest() == block)
    return false;
  // Its arguments must be of use nowhere else.
  for (BlockArgument arg : block->getArguments())
    for (Operation *user : arg.getUsers())
      if (user != branch)
        return false;
  SmallVector<std::pair<BranchOpInterface, unsigned>> edges;
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    auto from = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    if (!from || from.getSuccessorOperands(it.getSuccessorIndex())
                     .getProducedOperandCount())
      return false;
    edges.push_back({from, it.getSuccessorIndex()});
  }
  for (auto [from, index] : edges) {
    SuccessorOperands passed = from.getSuccessorOperands(index);
    IRMapping mapping;
    for (BlockArgument arg : block->getArguments())
      mapping.map(arg, passed[arg.getArgNumber()]);
    SmallVector<Value> forwarded;
    for (Value value : branch.getDestOperands())
      forwarded.push_back(mapping.lookupOrDefault(value));
    passed.getMutableForwardedOperands().assign(forwarded);
    from->setSuccessor(branch.getDest(), index);
  }
  block->erase();
  return true;
}

//===----------------------------------------------------------------------===//
// The whole region
//===----------------------------------------------------------------------===//

/// The first two blocks that decide alike, merged; the blocks that may be
/// skipped now are so.
static bool mergeOne(Region &region) {
  llvm::DenseMap<std::pair<Block *, Block *>, SmallVector<Block *>> seen;
  for (Block &block : region) {
    if (block.empty() || block.getNumSuccessors() < 2)
      continue;
    auto &alike = seen[{block.getSuccessor(0), block.getSuccessor(1)}];
    for (Block *other : alike) {
      RepeatedTest repeated(other, &block);
      if (!repeated.match())
        continue;
      repeated.merge();
      for (Block *side : {other, &block}) {
        eraseUnusedOps(side);
        hoistOps(side);
        skipBlock(side);
      }
      return true;
    }
    alike.push_back(&block);
  }
  return false;
}

/// Two blocks that only return the same values are one.
static void mergeReturns(Region &region) {
  SmallVector<Block *> returns;
  for (Block &block : llvm::make_early_inc_range(region)) {
    if (block.empty() || block.isEntryBlock() || block.getNumArguments() ||
        block.getNumSuccessors() || &block.front() != &block.back())
      continue;
    Block **same = llvm::find_if(returns, [&](Block *other) {
      return OperationEquivalence::isEquivalentTo(
          &other->front(), &block.front(),
          OperationEquivalence::IgnoreLocations);
    });
    if (same == returns.end()) {
      returns.push_back(&block);
      continue;
    }
    block.replaceAllUsesWith(*same);
    block.erase();
  }
}

void mlir::coop::mergeRepeatedTests(Region &region) {
  mergeReturns(region);
  while (mergeOne(region))
    ;
}
