//===- UniformitySolver.cpp - The fixed point over values
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformitySolver.h"
#include "coop/IR/Coop.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace mlir::coop;

static BlockShape shapeOf(FunctionOpInterface function) {
  DenseI32ArrayAttr dims =
      getKnownBlockDims(&function.getFunctionBody().front().front());
  return dims && dims.size() <= 3 ? BlockShape(dims.asArrayRef())
                                  : BlockShape();
}

UniformityAnalysis::Solver::Solver(FunctionOpInterface function,
                                   Operation *symbolScope,
                                   bool argumentsMayAlias)
    : region(function.getFunctionBody()), symbolScope(symbolScope),
      transfer(shapeOf(function)), numbers(region), postDominance(function),
      memory(region, symbolScope, argumentsMayAlias),
      kernel(isKernel(function)) {}

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
  limitedBy.clear();
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
  if (findRace(op))
    return Agreement::onData(Width::Thread, result);
  return address.isWidest() ? address : address.unproven(result);
}

/// A write that threads may make while others read, of what these read.
std::optional<Race>
UniformityAnalysis::Solver::findRace(Operation *read) const {
  for (const Race &race : memory.getRaces(read)) {
    bool reached = llvm::all_of(race.write->getOperands(), [&](Value operand) {
      return values.contains(operand);
    });
    if (reached && (race.acrossBlocks || mayMeetInBlock(read, race)))
      return race;
  }
  return std::nullopt;
}

/// Whether threads of one block may make the two accesses at the same time.
bool UniformityAnalysis::Solver::mayMeetInBlock(Operation *read,
                                                const Race &race) const {
  for (const Meeting &meeting : race.meetings) {
    Width width = getShape().normalize(meeting.width);
    bool meet =
        meeting.inSequence || (meeting.onWays && part(read, race.write, width));
    if (!meet && (width >= Width::Block ||
                  keepsToGroups(read, race.write, lanesOfWidth(width))))
      return false;
  }
  return true;
}

/// Whether threads of a group of `width` may part so that some get to one
/// operation, some to the other.
bool UniformityAnalysis::Solver::part(Operation *a, Operation *b,
                                      Width width) const {
  Block *first = region.findAncestorBlockInRegion(*a->getBlock());
  Block *second = region.findAncestorBlockInRegion(*b->getBlock());
  return llvm::any_of(branches, [&](const auto &entry) {
    const Branch &branch = *entry.second;
    return branch.decision.width() < width &&
           branch.parting.between.test(numbers[first]) &&
           branch.parting.between.test(numbers[second]);
  });
}

/// Whether groups of `group` lanes write only what no other group reads. Known
/// for indices that are known in each thread.
bool UniformityAnalysis::Solver::keepsToGroups(Operation *read,
                                               Operation *write,
                                               int64_t group) const {
  auto load = dyn_cast<memref::LoadOp>(read);
  auto store = dyn_cast<memref::StoreOp>(write);
  if (!load || !store || load.getMemRef() != store.getMemRef())
    return false;
  return llvm::any_of(
      llvm::zip(store.getIndices(), load.getIndices()), [&](auto indices) {
        auto [to, from] = indices;
        auto written = values.find(to), wanted = values.find(from);
        return written != values.end() && wanted != values.end() &&
               keepsApart(written->second.lanes, activeIn(write->getBlock()),
                          wanted->second.lanes, activeIn(read->getBlock()),
                          group);
      });
}

/// Whether threads of different groups of `group` lanes never have the same
/// number, of those that `from` and `to` tell.
bool UniformityAnalysis::Solver::keepsApart(const Lanes &to,
                                            const LaneSet *writers,
                                            const Lanes &from,
                                            const LaneSet *readers,
                                            int64_t group) const {
  if (!to.isExact() || !from.isExact())
    return false;
  llvm::DenseMap<uint64_t, int64_t> writer;
  for (int64_t rank = 0; rank < getShape().size(); ++rank) {
    if (writers && !writers->test(rank))
      continue;
    auto [it, first] = writer.try_emplace(to.at(rank), rank / group);
    if (!first && it->second != rank / group)
      return false;
  }
  for (int64_t rank = 0; rank < getShape().size(); ++rank) {
    if (readers && !readers->test(rank))
      continue;
    auto it = writer.find(from.at(rank));
    if (it != writer.end() && it->second != rank / group)
      return false;
  }
  return true;
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
