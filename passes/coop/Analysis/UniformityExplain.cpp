//===- UniformityExplain.cpp - Why threads don't agree on a value
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformitySolver.h"

using namespace mlir;
using namespace mlir::coop;

/// Longer chains end where they are.
static constexpr unsigned kMaxSteps = 32;

StringRef Reason::describe() const {
  switch (kind) {
  case Kind::Id:
    return "the thread's id is read here";
  case Kind::Unknown:
    return "each thread may get another value here";
  case Kind::Raced:
    return "the value is loaded here while other threads may write it";
  case Kind::Loaded:
    return "the value is loaded here from an address that differs";
  case Kind::Computed:
    return "the value is computed here from one that differs";
  case Kind::Passed:
    return "a value that differs is passed on here";
  case Kind::Chosen:
    return "which value it is depends on the way that threads take here";
  case Kind::Left:
    return "threads leave the loop here one after the other, each with its "
           "last value";
  }
  llvm_unreachable("unknown kind of reason");
}

namespace {
/// Where to look next, and what was found on the way.
struct Step {
  std::optional<Reason> reason;
  Value next;
  /// Where `next` is used.
  Operation *user = nullptr;
};
} // namespace

/// Follows the difference of one kind, by ids or by data, from value to value.
class UniformityAnalysis::Solver::Explanation {
public:
  Explanation(const Solver &solver, bool byId) : solver(solver), byId(byId) {}

  SmallVector<Reason> run(Value value, Operation *user);

private:
  Step stepFrom(Value value, Operation *user);
  Step stepFromResult(OpResult result);
  Step stepFromArgument(BlockArgument argument);
  Step stepToBranch(Reason::Kind kind, Block *branch);
  Step stepToOperand(Reason::Kind kind, Operation *op);
  bool differs(Value value, Operation *user) const {
    Agreement agreement = solver.agreementAt(value, user);
    return (byId ? agreement.byId : agreement.byData) < Width::Grid;
  }

  const Solver &solver;
  bool byId;
  llvm::DenseSet<Value> seen;
};

SmallVector<Reason>
UniformityAnalysis::Solver::Explanation::run(Value value, Operation *user) {
  SmallVector<Reason> reasons;
  for (unsigned i = 0; i < kMaxSteps && value; ++i) {
    seen.insert(value);
    Step step = stepFrom(value, user);
    if (step.reason)
      reasons.push_back(*step.reason);
    value = step.next;
    user = step.user;
  }
  return reasons;
}

Step UniformityAnalysis::Solver::Explanation::stepFrom(Value value,
                                                       Operation *user) {
  // Where it is made, all threads may agree on it.
  Agreement made = solver.agreement(value);
  auto leaves = solver.leavesFrom.find(value);
  if ((byId ? made.byId : made.byData) == Width::Grid &&
      leaves != solver.leavesFrom.end())
    return stepToBranch(Reason::Kind::Left, leaves->second.front());
  if (auto argument = dyn_cast<BlockArgument>(value))
    return stepFromArgument(argument);
  return stepFromResult(cast<OpResult>(value));
}

Step UniformityAnalysis::Solver::Explanation::stepFromResult(OpResult result) {
  Operation *op = result.getOwner();
  using Kind = Reason::Kind;
  switch (classify(op, solver.getShape()).kind) {
  case OpKind::ThreadId:
  case OpKind::Shared:
    return {Reason{Kind::Id, op->getLoc()}, {}};
  case OpKind::Read:
    if (std::optional<Race> race = solver.findRace(op))
      return {Reason{Kind::Raced, op->getLoc()}, {}};
    // An address that differs by ids gives a difference of data.
    byId = llvm::any_of(op->getOperands(), [&](Value operand) {
      return solver.agreementAt(operand, op).byId < Width::Grid;
    });
    return stepToOperand(Kind::Loaded, op);
  case OpKind::Opaque:
  case OpKind::Call:
    return {Reason{Kind::Unknown, op->getLoc()}, {}};
  case OpKind::Function:
  case OpKind::Vote:
  case OpKind::Shuffle:
    break;
  }
  return stepToOperand(Kind::Computed, op);
}

Step UniformityAnalysis::Solver::Explanation::stepToOperand(Reason::Kind kind,
                                                            Operation *op) {
  for (Value operand : op->getOperands())
    if (!seen.contains(operand) && differs(operand, op))
      return {Reason{kind, op->getLoc()}, operand, op};
  return {Reason{Reason::Kind::Unknown, op->getLoc()}, {}};
}

Step UniformityAnalysis::Solver::Explanation::stepFromArgument(
    BlockArgument argument) {
  Block *block = argument.getOwner();
  if (block->isEntryBlock())
    return {Reason{Reason::Kind::Unknown, argument.getLoc()}, {}};
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    if (!solver.numbers.contains(*it) || solver.isDead(*it))
      continue;
    Value incoming =
        getIncoming(*it, it.getSuccessorIndex(), argument.getArgNumber());
    Operation *end = (*it)->getTerminator();
    if (incoming && !seen.contains(incoming) && differs(incoming, end))
      return {Reason{Reason::Kind::Passed, end->getLoc()}, incoming, end};
  }
  auto branch = solver.limitedBy.find(argument);
  if (branch == solver.limitedBy.end())
    return {};
  return stepToBranch(Reason::Kind::Chosen, branch->second);
}

Step UniformityAnalysis::Solver::Explanation::stepToBranch(Reason::Kind kind,
                                                           Block *branch) {
  Operation *end = branch->getTerminator();
  for (Value operand : getDecisionOperands(end))
    if (!seen.contains(operand) && differs(operand, end))
      return {Reason{kind, end->getLoc()}, operand, end};
  return {Reason{kind, end->getLoc()}, {}};
}

SmallVector<Reason> UniformityAnalysis::Solver::explain(Value value,
                                                        Operation *user) const {
  Agreement agreement = agreementAt(value, user);
  if (agreement.isWidest())
    return {};
  // What is proven comes first.
  return Explanation(*this, agreement.byId <= agreement.byData)
      .run(value, user);
}
