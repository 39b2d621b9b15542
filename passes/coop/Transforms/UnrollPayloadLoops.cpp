//===- UnrollPayloadLoops.cpp - Keep payloads in registers
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/LoopTurns.h"
#include "coop/Analysis/UnwrittenSlots.h"
#include "coop/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::coop {
#define GEN_PASS_DEF_UNROLLPAYLOADLOOPSPASS
#include "coop/Transforms/Passes.h.inc"
} // namespace mlir::coop

using namespace mlir;
using namespace mlir::coop;

//===----------------------------------------------------------------------===//
// Which loops
//===----------------------------------------------------------------------===//

/// The index of an access of a payload's slot, if it isn't constant; else null.
static Value getVariableIndex(Operation *op) {
  Value memory;
  ValueRange indices;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    memory = load.getMemRef();
    indices = load.getIndices();
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    memory = store.getMemRef();
    indices = store.getIndices();
  } else {
    return {};
  }
  auto payload = memory.getDefiningOp<memref::AllocaOp>();
  if (!payload || !payload->hasAttr(kPayloadAttrName) || indices.size() != 1 ||
      matchPattern(indices.front(), m_Constant()))
    return {};
  return indices.front();
}

/// What other values `value` is made from.
static SmallVector<Value> getSources(Value value) {
  if (Operation *op = value.getDefiningOp())
    return SmallVector<Value>(op->getOperands());
  auto argument = cast<BlockArgument>(value);
  SmallVector<Value> sources;
  for (Block *source : argument.getOwner()->getPredecessors()) {
    auto branch = dyn_cast<BranchOpInterface>(source->getTerminator());
    for (unsigned way = 0, e = branch ? branch->getNumSuccessors() : 0; way < e;
         ++way)
      if (branch->getSuccessor(way) == argument.getOwner())
        if (Value passed =
                branch.getSuccessorOperands(way)[argument.getArgNumber()])
          sources.push_back(passed);
  }
  return sources;
}

/// Whether `value` is made from what the loop's header gets anew in each turn.
static bool variesWith(const CFGLoop &loop, Value value) {
  SmallVector<Value> pending{value};
  llvm::SmallDenseSet<Value> seen;
  while (!pending.empty()) {
    Value one = pending.pop_back_val();
    if (!seen.insert(one).second || !loop.contains(one.getParentBlock()))
      continue;
    if (isa<BlockArgument>(one) && one.getParentBlock() == loop.getHeader())
      return true;
    llvm::append_range(pending, getSources(one));
  }
  return false;
}

static bool indexesPayload(const CFGLoop &loop) {
  return llvm::any_of(loop.getBlocks(), [&](Block *block) {
    return llvm::any_of(*block, [&](Operation &op) {
      Value index = getVariableIndex(&op);
      return index && variesWith(loop, index);
    });
  });
}

/// What is added to the function by unrolling. A call stands for its body.
static int64_t getCost(ArrayRef<LoopTurn> turns) {
  constexpr int64_t kCallCost = 64;
  int64_t cost = 0;
  for (const LoopTurn &turn : turns)
    for (Block *block : turn.blocks)
      for (Operation &op : *block)
        cost += isa<CallOpInterface>(op) ? kCallCost : 1;
  return cost;
}

/// Uses behind the loop of values that are made in it.
static SmallVector<OpOperand *> getUsesBehind(const CFGLoop &loop) {
  SmallVector<OpOperand *> uses;
  auto collect = [&](Value value) {
    for (OpOperand &use : value.getUses()) {
      Operation *user = loop.getHeader()->getParent()->findAncestorOpInRegion(
          *use.getOwner());
      if (!loop.contains(user->getBlock()))
        uses.push_back(&use);
    }
  };
  for (Block *block : loop.getBlocks()) {
    llvm::for_each(block->getArguments(), collect);
    for (Operation &op : *block)
      llvm::for_each(op.getResults(), collect);
  }
  return uses;
}

//===----------------------------------------------------------------------===//
// Unrolling
//===----------------------------------------------------------------------===//

namespace {
/// Puts a copy for each turn in the place of a loop.
class Unroller {
public:
  Unroller(const CFGLoop &loop, ArrayRef<LoopTurn> turns,
           ArrayRef<OpOperand *> usesBehind)
      : blocks(loop.getBlocks()), header(loop.getHeader()), turns(turns),
        usesBehind(usesBehind), builder(header->getParentOp()->getContext()) {}

  void run();

private:
  Block *addCopy(Block *block, IRMapping &mapping);
  void copyTurn(const LoopTurn &turn, Block *start, Block *next);
  void setConstants(const LoopTurn &turn, IRMapping &mapping);
  void copyTerminator(Operation *op, const LoopTurn &turn, IRMapping &mapping);
  void eraseLoop();

  SmallVector<Block *> blocks;
  Block *header;
  ArrayRef<LoopTurn> turns;
  ArrayRef<OpOperand *> usesBehind;
  OpBuilder builder;
};
} // namespace

Block *Unroller::addCopy(Block *block, IRMapping &mapping) {
  Block *copy = new Block;
  header->getParent()->getBlocks().insert(header->getIterator(), copy);
  for (BlockArgument argument : block->getArguments())
    mapping.map(argument,
                copy->addArgument(argument.getType(), argument.getLoc()));
  return copy;
}

void Unroller::run() {
  SmallVector<Block *> entries =
      llvm::filter_to_vector(header->getPredecessors(), [&](Block *source) {
        return !llvm::is_contained(blocks, source);
      });
  IRMapping unused;
  Block *start = addCopy(header, unused);
  for (Block *entry : entries)
    for (unsigned way = 0; way < entry->getNumSuccessors(); ++way)
      if (entry->getSuccessor(way) == header)
        entry->getTerminator()->setSuccessor(start, way);
  for (const LoopTurn &turn : turns) {
    Block *next = &turn == &turns.back() ? nullptr : addCopy(header, unused);
    copyTurn(turn, start, next);
    start = next;
  }
  eraseLoop();
}

/// Make the arguments of the header the constants that they are in a turn.
void Unroller::setConstants(const LoopTurn &turn, IRMapping &mapping) {
  for (auto [argument, value] :
       llvm::zip(header->getArguments(), turn.arguments))
    if (auto constant = dyn_cast_if_present<TypedAttr>(value);
        constant && constant.getType() == argument.getType())
      mapping.map(argument, arith::ConstantOp::create(
                                builder, argument.getLoc(), constant));
}

void Unroller::copyTerminator(Operation *op, const LoopTurn &turn,
                              IRMapping &mapping) {
  Block *target = turn.decided.lookup(op);
  if (!target) {
    builder.clone(*op, mapping);
    return;
  }
  auto branch = cast<BranchOpInterface>(op);
  unsigned way =
      llvm::find(op->getSuccessors(), target) - op->getSuccessors().begin();
  SmallVector<Value> passed;
  for (Value value : branch.getSuccessorOperands(way).getForwardedOperands())
    passed.push_back(mapping.lookupOrDefault(value));
  cf::BranchOp::create(builder, op->getLoc(), mapping.lookupOrDefault(target),
                       passed);
}

void Unroller::copyTurn(const LoopTurn &turn, Block *start, Block *next) {
  IRMapping mapping;
  for (auto [argument, copy] :
       llvm::zip(header->getArguments(), start->getArguments()))
    mapping.map(argument, copy);
  SmallVector<Block *> copies{start};
  for (Block *block : llvm::drop_begin(turn.blocks)) {
    copies.push_back(addCopy(block, mapping));
    mapping.map(block, copies.back());
  }
  if (next)
    mapping.map(header, next);
  builder.setInsertionPointToEnd(start);
  setConstants(turn, mapping);
  for (auto [block, copy] : llvm::zip(turn.blocks, copies)) {
    builder.setInsertionPointToEnd(copy);
    for (Operation &op : block->without_terminator())
      builder.clone(op, mapping);
    copyTerminator(block->getTerminator(), turn, mapping);
  }
  if (turn.exits)
    for (OpOperand *use : usesBehind)
      use->set(mapping.lookup(use->get()));
}

void Unroller::eraseLoop() {
  for (Block *block : blocks)
    block->dropAllReferences();
  for (Block *block : blocks)
    block->dropAllDefinedValueUses();
  for (Block *block : blocks)
    block->erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct UnrollPayloadLoopsPass
    : mlir::coop::impl::UnrollPayloadLoopsPassBase<UnrollPayloadLoopsPass> {
  using UnrollPayloadLoopsPassBase::UnrollPayloadLoopsPassBase;

  void runOnOperation() override {
    int64_t budget = maxOperations;
    for (Region &region : getOperation()->getRegions())
      while (!region.empty() && !region.hasOneBlock() &&
             unrollOne(region, budget))
        ;
  }

private:
  bool unrollOne(Region &region, int64_t &budget);
  bool unroll(const CFGLoop &loop, int64_t &budget);
};
} // namespace

/// Unroll the first loop that asks for it, outer ones first: inside, the bounds
/// of others may become constant.
bool UnrollPayloadLoopsPass::unrollOne(Region &region, int64_t &budget) {
  DominanceInfo dominance(getOperation());
  CFGLoopInfo loops(dominance.getDomTree(&region));
  return llvm::any_of(loops.getLoopsInPreorder(), [&](const CFGLoop *loop) {
    return indexesPayload(*loop) && unroll(*loop, budget);
  });
}

bool UnrollPayloadLoopsPass::unroll(const CFGLoop &loop, int64_t &budget) {
  std::optional<SmallVector<LoopTurn>> turns = findTurns(loop, maxTurns);
  if (!turns || getCost(*turns) > budget)
    return false;
  SmallVector<OpOperand *> usesBehind = getUsesBehind(loop);
  int64_t exits = 0;
  for (const LoopTurn &turn : *turns)
    exits += turn.exits;
  // With several ways out a value would have to be merged behind them.
  if (!usesBehind.empty() && exits != 1)
    return false;
  budget -= getCost(*turns);
  Unroller(loop, *turns, usesBehind).run();
  return true;
}
