//===- Uniformity.cpp - Which threads agree on values and on control flow
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/Uniformity.h"
#include "coop/Analysis/UniformityOps.h"
#include "coop/IR/Coop.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::coop;

class UniformityAnalysis::Solver {
public:
  Solver(FunctionOpInterface function, Operation *symbolScope);

  void run();
  Agreement agreementAt(Value value, Operation *user) const;
  Agreement agreement(Value value) const;
  Execution execution(Operation *op) const;
  const BlockShape &getShape() const { return transfer.getShape(); }

private:
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
  llvm::DenseMap<Value, SmallVector<Block *, 2>> leavesFrom;
  llvm::DenseMap<Block *, std::unique_ptr<Branch>> branches;
  /// How widely blocks are executed together, at worst.
  llvm::DenseMap<Block *, Agreement> togetherness;
  llvm::DenseSet<Operation *> dirty;
  SmallVector<LaneSet> active;
};

static BlockShape shapeOf(FunctionOpInterface function) {
  DenseI32ArrayAttr dims =
      getKnownBlockDims(&function.getFunctionBody().front().front());
  return dims && dims.size() <= 3 ? BlockShape(dims.asArrayRef())
                                  : BlockShape();
}

UniformityAnalysis::Solver::Solver(FunctionOpInterface function,
                                   Operation *symbolScope)
    : region(function.getFunctionBody()), symbolScope(symbolScope),
      transfer(shapeOf(function)), numbers(region), postDominance(function),
      memory(region, numbers), kernel(isKernel(function)) {}

//===----------------------------------------------------------------------===//
// The fixed point
//===----------------------------------------------------------------------===//

void UniformityAnalysis::Solver::run() {
  solve();
  // Knowing which threads reach a place may show that those agree there.
  if (findActiveLanes())
    solve();
}

void UniformityAnalysis::Solver::start() {
  values.clear();
  agreements.clear();
  limits.clear();
  leavesFrom.clear();
  togetherness.clear();
  for (auto &[block, branch] : branches)
    branch->decision = {};
  for (BlockArgument arg : region.getArguments()) {
    Agreement known =
        kernel ? Agreement() : Agreement::onData(Width::Thread, arg);
    setValue(arg, transfer.opaque(arg.getType(), known));
  }
  for (Block *block : numbers.blocks())
    if (!isDead(block))
      for (Operation &op : *block)
        mark(&op);
}

void UniformityAnalysis::Solver::solve() {
  start();
  while (!dirty.empty())
    for (Block *block : numbers.blocks())
      for (Operation &op : *block)
        if (dirty.erase(&op))
          visit(&op);
}

void UniformityAnalysis::Solver::visit(Operation *op) {
  // An operand without a value comes from a place that no thread has reached
  // so far.
  for (Value operand : op->getOperands())
    if (!values.contains(operand) && !op->hasTrait<OpTrait::IsTerminator>())
      return;
  visitResults(op);
  for (Operation *reader : memory.getReadsOf(op))
    mark(reader);
  if (op->getNumSuccessors()) {
    visitEdges(op);
    visitDecision(op);
  }
}

void UniformityAnalysis::Solver::visitResults(Operation *op) {
  if (!op->getNumResults())
    return;
  OpKind kind = classify(op, getShape());
  for (OpResult result : op->getResults())
    setValue(result, valueOf(result, kind));
}

void UniformityAnalysis::Solver::setValue(Value value, ThreadValue now) {
  auto [it, inserted] = values.try_emplace(value, now);
  if (!inserted) {
    // Only ever from more to less.
    now.rest.meet(it->second.rest);
    if (!(now.lanes == it->second.lanes))
      now = transfer.merge(now, it->second);
  }
  if (auto limit = limits.find(value);
      limit != limits.end() && !now.lanes.isExact())
    now.rest.meet(limit->second);
  if (!inserted && now == it->second)
    return;
  it->second = now;
  Block *block = value.getParentBlock();
  agreements[value] = transfer.agreement(now, activeIn(block));
  for (Operation *user : value.getUsers())
    mark(user);
}

void UniformityAnalysis::Solver::visitEdges(Operation *terminator) {
  Block *block = terminator->getBlock();
  for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
    Block *successor = terminator->getSuccessor(i);
    if (std::optional<LaneSet> lanes = lanesAlong(block, i);
        lanes && lanes->none())
      continue;
    for (BlockArgument arg : successor->getArguments()) {
      Value incoming = getIncoming(block, i, arg.getArgNumber());
      ThreadValue now =
          transfer.opaque(arg.getType(), Agreement::onData(Width::Thread, arg));
      if (incoming) {
        auto it = values.find(incoming);
        if (it == values.end())
          continue;
        now = it->second;
        if (!now.lanes.isExact())
          now.rest.meet(agreementAt(incoming, block));
      }
      if (auto before = values.find(arg); before != values.end())
        now = transfer.merge(before->second, now);
      setValue(arg, now);
    }
  }
}

void UniformityAnalysis::Solver::visitDecision(Operation *terminator) {
  if (terminator->getNumSuccessors() < 2)
    return;
  Block *block = terminator->getBlock();
  Agreement decision;
  for (Value operand : getDecisionOperands(terminator))
    if (values.contains(operand))
      decision.meet(agreementAt(operand, block));
  if (decision.isWidest())
    return;
  Branch &branch = branchAt(block);
  Agreement before = branch.decision;
  branch.decision.meet(decision);
  if (!branch.decision.sameWidths(before))
    applyParting(branch);
}

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

ThreadValue UniformityAnalysis::Solver::valueOf(OpResult result,
                                                const OpKind &kind) {
  Operation *op = result.getOwner();
  switch (kind.kind) {
  case OpKind::ThreadId:
    return transfer.threadId(result, kind);
  case OpKind::Function:
    break;
  case OpKind::Shared:
    return transfer.opaque(result.getType(),
                           Agreement::onIds(kind.width, result));
  case OpKind::Vote:
    return transfer.opaque(result.getType(), vote(op, kind));
  case OpKind::Shuffle:
    return transfer.opaque(result.getType(), shuffle(op, kind));
  case OpKind::Read:
    return transfer.opaque(result.getType(), read(result));
  case OpKind::Call:
    return transfer.opaque(result.getType(), call(result));
  case OpKind::Opaque:
    return transfer.opaque(result.getType(),
                           Agreement::onData(Width::Thread, result));
  }
  SmallVector<ThreadValue> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(values.find(operand)->second);
    if (!operands.back().lanes.isExact() && leavesFrom.contains(operand))
      operands.back().rest.meet(agreementAt(operand, op->getBlock()));
  }
  return transfer.apply(result, operands);
}

Agreement UniformityAnalysis::Solver::agreementOfOperands(Operation *op) const {
  Agreement whole;
  for (Value operand : op->getOperands())
    whole.meet(agreementAt(operand, op->getBlock()));
  return whole;
}

Agreement UniformityAnalysis::Solver::vote(Operation *op,
                                           const OpKind &kind) const {
  Agreement result = agreementOfOperands(op);
  Width width = kind.width;
  if (kind.mask)
    width = std::min(width, transfer.membersOf(values.find(kind.mask)->second));
  // Which lanes voted is not known, so neither is what the others got.
  if (width == Width::Thread && result.width() < Width::Warp)
    return result.unproven(op->getResult(0));
  result.widenTo(getShape().normalize(width));
  return result;
}

Agreement UniformityAnalysis::Solver::shuffle(Operation *op,
                                              const OpKind &kind) const {
  Agreement result = agreementOfOperands(op);
  if (kind.lane) {
    Width width = kind.width;
    if (kind.mask)
      width =
          std::min(width, transfer.membersOf(values.find(kind.mask)->second));
    width = std::min(width, agreementAt(kind.lane, op->getBlock()).width());
    if (width > Width::Thread) {
      result.widenTo(getShape().normalize(width));
      return result;
    }
  }
  // The values of other groups of the warp come in.
  for (Width *width : {&result.byId, &result.byData})
    if (*width < Width::Warp)
      *width = Width::Thread;
  return result;
}

/// How widely threads agree on what, where and whether a write writes. One that
/// no thread has reached so far counts when it is reached.
Agreement UniformityAnalysis::Solver::write(Operation *op) const {
  for (Value operand : op->getOperands())
    if (!values.contains(operand))
      return {};
  return agreementOfOperands(op) & togetherness.lookup(op->getBlock());
}

Agreement UniformityAnalysis::Solver::readPrivate(Operation *read,
                                                  Value root) const {
  auto stores = memory.getPrivateStores(root);
  if (!stores)
    return Agreement::onData(Width::Thread, read->getResult(0));
  Agreement result = agreementOfOperands(read);
  for (Operation *store : *stores)
    result.meet(write(store));
  return result;
}

Agreement UniformityAnalysis::Solver::read(OpResult result) const {
  Operation *op = result.getOwner();
  if (Value address = getLoadedAddress(op)) {
    Value root = getMemoryRoot(address);
    if (isPrivateMemory(root))
      return readPrivate(op, root);
    if (memory.mayBePrivate(root))
      return Agreement::onData(Width::Thread, result);
  }
  Agreement address = agreementOfOperands(op);
  for (Operation *racing : memory.getRacingWrites(op))
    if (write(racing).width() < Width::Block)
      return Agreement::onData(Width::Thread, result);
  return address.isWidest() ? address : address.unproven(result);
}

Agreement UniformityAnalysis::Solver::call(OpResult result) const {
  auto call = cast<CallOpInterface>(result.getOwner());
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  Operation *callee =
      symbol && symbolScope
          ? SymbolTable::lookupNearestSymbolFrom(symbolScope, symbol)
          : nullptr;
  if (!dependsOnArgumentsOnly(callee))
    return Agreement::onData(Width::Thread, result);
  return agreementOfOperands(call);
}

//===----------------------------------------------------------------------===//
// Partings
//===----------------------------------------------------------------------===//

auto UniformityAnalysis::Solver::branchAt(Block *block) -> Branch & {
  std::unique_ptr<Branch> &branch = branches[block];
  if (!branch) {
    branch = std::make_unique<Branch>();
    branch->parting = analyzeParting(block, numbers, postDominance);
  }
  return *branch;
}

void UniformityAnalysis::Solver::applyParting(const Branch &branch) {
  const Parting &parting = branch.parting;
  auto limit = [&](Value value) {
    limits[value].meet(branch.decision);
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

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

UniformityAnalysis::UniformityAnalysis(FunctionOpInterface function,
                                       Operation *symbolScope)
    : solver(std::make_unique<Solver>(function, symbolScope)) {
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

const BlockShape &UniformityAnalysis::getShape() const {
  return solver->getShape();
}
