//===- Uniformity.cpp - Which threads agree on values and on control flow
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/Uniformity.h"
#include "coop/Analysis/UniformitySolver.h"

using namespace mlir;
using namespace mlir::coop;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Agreement UniformityAnalysis::Solver::agreement(Value value) const {
  if (auto it = agreements.find(value); it != agreements.end())
    return it->second;
  return Agreement::onData(Width::Thread, value);
}

Agreement UniformityAnalysis::Solver::agreementAt(Value value,
                                                  Block *block) const {
  auto it = values.find(value);
  if (it == values.end())
    return Agreement::onData(Width::Thread, value);
  const ThreadValue &known = it->second;
  bool sameThreads = block == value.getParentBlock() || active.empty() ||
                     !known.lanes.known || known.lanes.isSplat();
  Agreement result = sameThreads ? agreement(value)
                                 : transfer.agreement(known, activeIn(block));
  auto leaves = leavesFrom.find(value);
  if (leaves == leavesFrom.end() || known.lanes.isExact())
    return result;
  for (Block *from : leaves->second) {
    const Branch &branch = *branches.find(from)->second;
    if (!branch.parting.between.test(numbers[block]))
      result.meet(branch.decision);
  }
  return result;
}

Agreement UniformityAnalysis::Solver::agreementAt(Value value,
                                                  Operation *user) const {
  Block *block = region.findAncestorBlockInRegion(*user->getBlock());
  return block && numbers.contains(block) ? agreementAt(value, block)
                                          : agreement(value);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Agreement on the way at a branch, in the groups of which a thread gets to
/// `block`: what other groups do is no concern of it.
Agreement UniformityAnalysis::Solver::decisionFor(const Branch &branch,
                                                  Block *block) const {
  Block *from = branch.parting.branch;
  Agreement result;
  for (Value operand : getDecisionOperands(from->getTerminator())) {
    auto it = values.find(operand);
    if (active.empty() || it == values.end() || !it->second.lanes.isExact())
      return branch.decision;
    result.meet(
        transfer.agreement(it->second, activeIn(from), activeIn(block)));
  }
  return result;
}

Execution UniformityAnalysis::Solver::executionOf(Block *block) const {
  Execution result;
  for (Block *from : numbers.blocks()) {
    auto it = branches.find(from);
    if (it == branches.end() ||
        !it->second->parting.between.test(numbers[block]))
      continue;
    Agreement before = result.agreement;
    result.agreement.meet(decisionFor(*it->second, block));
    if (result.agreement.byId != before.byId)
      result.idBranch = from->getTerminator();
    if (result.agreement.byData != before.byData)
      result.dataBranch = from->getTerminator();
  }
  return result;
}

/// Agreement on the way that threads take at the end of a block.
Agreement UniformityAnalysis::Solver::decision(Operation *terminator) const {
  auto it = branches.find(terminator->getBlock());
  return it == branches.end() ? Agreement() : it->second->decision;
}

Execution UniformityAnalysis::Solver::execution(Operation *op) const {
  Block *block = region.findAncestorBlockInRegion(*op->getBlock());
  if (!block || !numbers.contains(block) || isDead(block)) {
    Execution none;
    none.reached = false;
    return none;
  }
  Execution result = executionOf(block);
  if (op->getBlock() == block)
    return result;
  // Nothing is known of what the operation does with its regions.
  Operation *owner = region.findAncestorOpInRegion(*op);
  Agreement unknown;
  unknown.byData = Width::Thread;
  result.agreement.meet(unknown);
  result.dataBranch = owner;
  return result;
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

UniformityAnalysis::UniformityAnalysis(FunctionOpInterface function,
                                       Operation *symbolScope,
                                       bool argumentsMayAlias)
    : solver(
          std::make_unique<Solver>(function, symbolScope, argumentsMayAlias)) {
  solver->run();
}

UniformityAnalysis::~UniformityAnalysis() = default;

Agreement UniformityAnalysis::getAgreement(Value value) const {
  return solver->agreement(value);
}

Agreement UniformityAnalysis::getAgreement(Value value, Operation *user) const {
  return solver->agreementAt(value, user);
}

Execution UniformityAnalysis::getExecution(Operation *op) const {
  return solver->execution(op);
}

Agreement UniformityAnalysis::getDecision(Operation *terminator) const {
  return solver->decision(terminator);
}

SmallVector<Reason> UniformityAnalysis::explain(Value value,
                                                Operation *user) const {
  return solver->explain(value, user);
}

std::optional<Race> UniformityAnalysis::getRace(Operation *read) const {
  return solver->findRace(read);
}

const BlockShape &UniformityAnalysis::getShape() const {
  return solver->getShape();
}
