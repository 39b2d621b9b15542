//===- UniformitySolver.h - The fixed point behind the uniformity analysis
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_UNIFORMITYSOLVER_H
#define COOP_ANALYSIS_UNIFORMITYSOLVER_H

#include "coop/Analysis/Uniformity.h"
#include "coop/Analysis/UniformityOps.h"

#include "llvm/ADT/DenseSet.h"

namespace mlir::coop {

class UniformityAnalysis::Solver {
public:
  Solver(FunctionOpInterface function, Operation *symbolScope,
         bool argumentsMayAlias);

  void run();
  Agreement agreementAt(Value value, Operation *user) const;
  Agreement agreement(Value value) const;
  Execution execution(Operation *op) const;
  std::optional<Race> findRace(Operation *read) const;
  Agreement decision(Operation *terminator) const;
  SmallVector<Reason> explain(Value value, Operation *user) const;
  const BlockShape &getShape() const { return transfer.getShape(); }

private:
  class Explanation;

  // The fixed point over values and partings.
  void solve();
  void start();
  void visit(Operation *op);
  void visitResults(Operation *op);
  void visitEdges(Operation *terminator);
  void visitDecision(Operation *terminator);
  void setValue(Value value, ThreadValue now);
  /// Ask for a visit; operations that are not followed, in blocks that nothing
  /// reaches or in nested regions, are never visited.
  void mark(Operation *op) {
    if (numbers.contains(op->getBlock()))
      dirty.insert(op);
  }

  // Values.
  ThreadValue valueOf(OpResult result, const OpKind &kind);
  Agreement agreementOfOperands(Operation *op) const;
  Agreement vote(Operation *op, const OpKind &kind) const;
  Agreement shuffle(Operation *op, const OpKind &kind) const;
  Agreement read(OpResult result) const;
  Agreement readPrivate(Operation *read, Value root) const;
  bool mayMeetInBlock(Operation *read, const Race &race) const;
  bool part(Operation *a, Operation *b, Width width) const;
  bool keepsToGroups(Operation *read, Operation *write, int64_t group) const;
  bool keepsApart(const Lanes &to, const LaneSet *writers, const Lanes &from,
                  const LaneSet *readers, int64_t group) const;
  Agreement call(OpResult result) const;
  Agreement write(Operation *op) const;
  Agreement agreementAt(Value value, Block *block) const;

  // Partings.
  struct Branch {
    Parting parting;
    Agreement decision;
  };
  Branch &branchAt(Block *block);
  void applyParting(const Branch &branch);
  Agreement decisionFor(const Branch &branch, Block *block) const;
  Execution executionOf(Block *block) const;

  // The threads that may reach a block.
  bool findActiveLanes();
  std::optional<LaneSet> lanesAlong(Block *block, unsigned successor) const;
  const LaneSet *activeIn(Block *block) const;
  bool isDead(Block *block) const;

  Region &region;
  Operation *symbolScope;
  Transfer transfer;
  BlockNumbers numbers;
  PostDominanceInfo postDominance;
  MemoryUses memory;
  bool kernel;

  llvm::DenseMap<Value, ThreadValue> values;
  llvm::DenseMap<Value, Agreement> agreements;
  /// What partings take from the agreement on block arguments.
  llvm::DenseMap<Value, Agreement> limits;
  /// The branches where threads part that did most of it.
  llvm::DenseMap<Value, Block *> limitedBy;
  llvm::DenseMap<Value, SmallVector<Block *, 2>> leavesFrom;
  llvm::DenseMap<Block *, std::unique_ptr<Branch>> branches;
  /// How widely blocks are executed together, at worst.
  llvm::DenseMap<Block *, Agreement> togetherness;
  llvm::DenseSet<Operation *> dirty;
  SmallVector<LaneSet> active;
};

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNIFORMITYSOLVER_H
