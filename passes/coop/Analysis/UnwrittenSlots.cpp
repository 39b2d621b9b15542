//===- UnwrittenSlots.cpp - Reads of payload slots that nothing has written
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UnwrittenSlots.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::coop;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

namespace {
/// Which slots are constant and which blocks are dead, and what comes first.
class Facts {
public:
  explicit Facts(FunctionOpInterface function) : dominance(function) {
    solver.load<dataflow::DeadCodeAnalysis>();
    solver.load<dataflow::SparseConstantPropagation>();
    isSolved = succeeded(solver.initializeAndRun(function));
  }

  /// Whether there are any facts.
  explicit operator bool() const { return isSolved; }
  bool isDead(Operation *op);
  std::optional<int64_t> getConstant(Value value);
  bool dominates(Operation *earlier, Operation *later) {
    return dominance.properlyDominates(earlier, later);
  }
  bool mayPrecedeFirst(Operation *write, Operation *read, Region *region);

private:
  DataFlowSolver solver;
  DominanceInfo dominance;
  bool isSolved;
};
} // namespace

bool Facts::isDead(Operation *op) {
  auto *state = solver.lookupState<dataflow::Executable>(
      solver.getProgramPointBefore(op->getBlock()));
  return state && !state->isLive();
}

std::optional<int64_t> Facts::getConstant(Value value) {
  auto *state =
      solver.lookupState<dataflow::Lattice<dataflow::ConstantValue>>(value);
  if (!state || state->getValue().isUninitialized())
    return std::nullopt;
  auto constant =
      dyn_cast_if_present<IntegerAttr>(state->getValue().getConstantValue());
  return constant ? std::optional(constant.getInt()) : std::nullopt;
}

/// Whether `write` may have been executed when `read` is for the first time.
/// Both are in `region` or below it.
bool Facts::mayPrecedeFirst(Operation *write, Operation *read, Region *region) {
  if (isDead(write) || dominates(read, write))
    return false;
  Operation *from = region->findAncestorOpInRegion(*write);
  Operation *to = region->findAncestorOpInRegion(*read);
  if (from == to)
    return true; // in one loop, say
  if (from->getBlock() == to->getBlock() && from->isBeforeInBlock(to))
    return true;
  return from->getBlock()->isReachable(to->getBlock());
}

//===----------------------------------------------------------------------===//
// The accesses of a payload
//===----------------------------------------------------------------------===//

namespace {
class Payload {
public:
  /// With its loads in program order.
  Payload(memref::AllocaOp payload, ArrayRef<memref::LoadOp> loads,
          Facts &facts)
      : payload(payload), loads(loads), facts(facts),
        size(payload.getType().getDimSize(0)) {}

  /// False if something else than loads and stores of slots gets hold of it.
  bool collectWrites();
  SmallVector<UnwrittenRead> findUnwritten();

private:
  std::optional<int64_t> getSlot(ValueRange indices);
  bool isUnwritten(const UnwrittenRead &read);

  memref::AllocaOp payload;
  ArrayRef<memref::LoadOp> loads;
  Facts &facts;
  int64_t size;
  /// Those of each constant slot, and, last, those of any.
  SmallVector<SmallVector<Operation *>> writes;
};
} // namespace

/// The slot that an access is of; one outside the payload is not known.
std::optional<int64_t> Payload::getSlot(ValueRange indices) {
  std::optional<int64_t> slot = facts.getConstant(indices.front());
  return slot && *slot >= 0 && *slot < size ? slot : std::nullopt;
}

bool Payload::collectWrites() {
  writes.resize(size + 1);
  for (Operation *user : payload->getUsers()) {
    auto store = dyn_cast<memref::StoreOp>(user);
    if (store && store.getValue() != payload.getResult())
      writes[getSlot(store.getIndices()).value_or(size)].push_back(store);
    else if (!isa<memref::LoadOp, memref::DimOp>(user))
      return false;
  }
  return true;
}

bool Payload::isUnwritten(const UnwrittenRead &read) {
  auto mayBeWritten = [&](ArrayRef<Operation *> some) {
    return llvm::any_of(some, [&](Operation *write) {
      return facts.mayPrecedeFirst(write, read.load,
                                   payload->getParentRegion());
    });
  };
  if (read.slot)
    return !mayBeWritten(writes[*read.slot]) && !mayBeWritten(writes[size]);
  return llvm::none_of(writes, mayBeWritten);
}

SmallVector<UnwrittenRead> Payload::findUnwritten() {
  SmallVector<UnwrittenRead> found;
  for (memref::LoadOp load : loads) {
    UnwrittenRead read{load, getSlot(load.getIndices())};
    if (!facts.isDead(load) && isUnwritten(read))
      found.push_back(read);
  }
  auto isRepeated = [&](const UnwrittenRead &read) {
    return llvm::any_of(found, [&](const UnwrittenRead &other) {
      return other.slot == read.slot && facts.dominates(other.load, read.load);
    });
  };
  SmallVector<UnwrittenRead> first;
  llvm::copy_if(found, std::back_inserter(first), std::not_fn(isRepeated));
  return first;
}

//===----------------------------------------------------------------------===//
// Operations that take a part of a payload
//===----------------------------------------------------------------------===//

/// The vector that a slot is an element of, or that its parts are, such as
/// those of a complex number; null when it is used in other ways, too.
static vector::FromElementsOp getTile(memref::LoadOp load) {
  vector::FromElementsOp tile;
  for (Operation *user : load->getUsers()) {
    bool isPart = user->getNumOperands() == 1 && isMemoryEffectFree(user);
    if (!isa<vector::FromElementsOp>(user) && isPart && user->hasOneUse())
      user = *user->user_begin();
    auto next = dyn_cast<vector::FromElementsOp>(user);
    if (!next || (tile && tile != next))
      return {};
    tile = next;
  }
  return tile;
}

/// The operation that takes a whole payload, `load` being one of its slots, but
/// may make no use of it; else null.
static Operation *getPartialUser(memref::LoadOp load) {
  vector::FromElementsOp tile = getTile(load);
  if (!tile || !tile->hasOneUse())
    return nullptr;
  auto user = dyn_cast<WrappedOpInterface>(*tile->user_begin());
  return user && user.isPartial() ? user.getOperation() : nullptr;
}

/// Leave out the slots whose values lie outside a valid prefix, for all that is
/// known. If no slot was written then those inside aren't either.
static void dropUnusedSlots(SmallVectorImpl<UnwrittenRead> &reads,
                            int64_t size) {
  DenseMap<Operation *, int64_t> slotsOf;
  for (const UnwrittenRead &read : reads)
    ++slotsOf[getPartialUser(read.load)];
  llvm::erase_if(reads, [&](const UnwrittenRead &read) {
    Operation *user = getPartialUser(read.load);
    return user && slotsOf[user] < size;
  });
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// The payload whose slot `load` reads, null if it is none.
static memref::AllocaOp getPayload(memref::LoadOp load) {
  auto alloca = load.getMemRef().getDefiningOp<memref::AllocaOp>();
  if (!alloca || !alloca->hasAttr(kPayloadAttrName))
    return {};
  MemRefType type = alloca.getType();
  return type.hasStaticShape() && type.getRank() == 1 ? alloca : nullptr;
}

SmallVector<PayloadReads>
mlir::coop::findUnwrittenReads(FunctionOpInterface function) {
  llvm::MapVector<memref::AllocaOp, SmallVector<memref::LoadOp>> loadsOf;
  function->walk([&](memref::LoadOp load) {
    if (memref::AllocaOp payload = getPayload(load))
      loadsOf[payload].push_back(load);
  });
  SmallVector<PayloadReads> result;
  if (loadsOf.empty())
    return result;
  Facts facts(function);
  for (auto &[alloca, loads] : loadsOf) {
    Payload payload(alloca, loads, facts);
    if (!facts || !payload.collectWrites())
      continue;
    SmallVector<UnwrittenRead> reads = payload.findUnwritten();
    dropUnusedSlots(reads, alloca.getType().getDimSize(0));
    if (!reads.empty())
      result.push_back({alloca, std::move(reads)});
  }
  return result;
}
