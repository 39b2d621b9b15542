//===- ScratchLiveness.cpp - Storages of a function, and which live at a time
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/ScratchLiveness.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::coop;
using llvm::BitVector;

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// Whether `op` is still to be planned.
static bool needsScratch(Operation *op) {
  auto cooperative = dyn_cast<CooperativeOpInterface>(op);
  return cooperative && cooperative.usesScratch() &&
         !cooperative.getScratchSlice();
}

static LogicalResult reportUnknownUse(CooperativeOpInterface op) {
  DenseI32ArrayAttr block = getKnownBlockDims(op);
  if (!block)
    return op.emitOpError("uses scratch in a block of unknown size; set "
                          "known_block_size on the function");
  InFlightDiagnostic error = op.emitOpError("has no scratch layout");
  if (auto wrapped = dyn_cast<WrappedOpInterface>(op.getOperation()))
    error << "; the layout of its wrapper '"
          << wrapped.getWrapper(block).getSymbolName()
          << "' is attached once the wrappers are compiled, before "
             "coop-plan-shared-memory";
  return error;
}

LogicalResult ScratchLiveness::collectUses() {
  LogicalResult result = success();
  for (unsigned node : flow.graph.accesses) {
    auto op = cast<CooperativeOpInterface>(flow.ops[node]);
    if (std::optional<ScratchUse> use = getScratchUse(op))
      uses.push_back(*use);
    else
      result = reportUnknownUse(op);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Storages
//===----------------------------------------------------------------------===//

bool ScratchStorage::isUserSynced() const {
  if (constructors.empty())
    return false;
  TempStorageOp constructor = constructors.front();
  return !constructor.getAutoSync();
}

bool ScratchStorage::isExclusive() const {
  if (constructors.empty())
    return false;
  TempStorageOp constructor = constructors.front();
  return constructor.getSharing() == Sharing::Exclusive;
}

int64_t ScratchStorage::getCapacity() const {
  if (constructors.empty())
    return 0;
  TempStorageOp constructor = constructors.front();
  return constructor.getSizeInBytes().value_or(0);
}

static bool agree(TempStorageOp a, TempStorageOp b) {
  return a.getSizeInBytes() == b.getSizeInBytes() &&
         a.getAlignment() == b.getAlignment() &&
         a.getAutoSync() == b.getAutoSync() && a.getSharing() == b.getSharing();
}

/// S9: the constructors of a use's descriptor, which must agree.
static FailureOr<SmallVector<TempStorageOp>>
findAgreeingConstructors(CooperativeOpInterface op) {
  auto constructors = findConstructors(op.getStorageDescriptor());
  if (failed(constructors))
    return op.emitOpError(
        "uses a descriptor that is not made in this function");
  for (TempStorageOp other : ArrayRef(*constructors).drop_front()) {
    if (agree(constructors->front(), other))
      continue;
    InFlightDiagnostic error = op.emitOpError(
        "uses one of several descriptors, which differ; make one "
        "descriptor, or give all the same properties");
    error.attachNote(constructors->front().getLoc()) << "one is made here";
    error.attachNote(other.getLoc()) << "another one is made here";
    return error;
  }
  return constructors;
}

/// The storage with these constructors; a new one if there is none yet.
static ScratchStorage &getStorage(SmallVectorImpl<ScratchStorage> &storages,
                                  ArrayRef<TempStorageOp> constructors) {
  for (ScratchStorage &storage : storages)
    if (storage.constructors.size() == constructors.size() &&
        std::is_permutation(constructors.begin(), constructors.end(),
                            storage.constructors.begin()))
      return storage;
  storages.emplace_back().constructors.assign(constructors.begin(),
                                              constructors.end());
  return storages.back();
}

LogicalResult ScratchLiveness::collectStorages() {
  LogicalResult result = success();
  for (auto [i, use] : llvm::enumerate(uses)) {
    if (!use.op.getStorageDescriptor()) {
      storages.emplace_back().uses.push_back(i);
      continue;
    }
    auto constructors = findAgreeingConstructors(use.op);
    if (succeeded(constructors))
      getStorage(storages, *constructors).uses.push_back(i);
    else
      result = failure();
  }
  return result;
}

/// The plan of the uses within their storage. A shared one puts all at its
/// start, but for warps' uses of different sizes: a warp would get at bytes of
/// another one, which the barrier of a warp can't prevent (S5, S10).
void ScratchLiveness::layOut(ScratchStorage &storage) {
  int64_t alignment = 1;
  for (TempStorageOp constructor : storage.constructors)
    alignment = constructor.getAlignment().value_or(1);
  SmallVector<PlanItem> items;
  for (unsigned i : storage.uses)
    items.push_back(
        {uses[i].getSize(), std::max(alignment, uses[i].alignment)});
  PlanProblem problem(items);
  for (auto [i, a] : llvm::enumerate(storage.uses))
    for (auto [j, b] : llvm::enumerate(ArrayRef(storage.uses).take_front(i)))
      if (storage.isExclusive() || !mayShare(a, b, /*sameOffset=*/true,
                                             /*mayCostBarriers=*/true))
        problem.relate(i, j, PlanRelation::Disjoint);
  ScratchPlan plan = planScratch(problem);
  storage.useOffsets = plan.offsets;
  storage.neededSize = storage.size = plan.size;
  storage.alignment = plan.alignment;
}

/// S1: what the program reserves is enough, and is reserved.
LogicalResult
ScratchLiveness::checkCapacity(const ScratchStorage &storage) const {
  int64_t capacity = storage.getCapacity();
  if (capacity == 0 || capacity >= storage.neededSize)
    return success();
  TempStorageOp constructor = storage.constructors.front();
  InFlightDiagnostic error = constructor.emitOpError("has ")
                             << capacity << " bytes, but its uses need "
                             << storage.neededSize;
  for (auto [i, offset] : llvm::zip(storage.uses, storage.useOffsets)) {
    int64_t end = offset + uses[i].getSize();
    if (storage.isExclusive() || end > capacity)
      error.attachNote(uses[i].op->getLoc())
          << "this use needs " << uses[i].getSize() << " bytes";
  }
  return error;
}

FailureOr<ScratchLiveness>
ScratchLiveness::compute(FunctionOpInterface function,
                         const UniformityQuery &isUniform) {
  ScratchLiveness result;
  result.flow = buildSyncFlow(function, needsScratch, isUniform);
  if (failed(result.collectUses()) || failed(result.collectStorages()))
    return failure();
  result.findWays();
  for (ScratchStorage &storage : result.storages) {
    result.layOut(storage);
    if (failed(result.checkCapacity(storage)))
      return failure();
    storage.size = std::max(storage.size, storage.getCapacity());
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Which live at a time
//===----------------------------------------------------------------------===//

void ScratchLiveness::findWays() {
  const SyncGraph &graph = flow.graph;
  ways.resize(kBlockLevel + 1);
  for (SyncLevel level = kThreadLevel + 1; level <= kBlockLevel; ++level)
    for (unsigned start : graph.accesses) {
      BitVector &reached = ways[level].emplace_back(graph.getNumAccesses());
      graph.walkUnsynced(start, level, /*added=*/{}, [&](unsigned node) {
        if (graph.nodes[node].access != kNoAccess)
          reached.set(graph.nodes[node].access);
        return true;
      });
    }
  concurrent = graph.findConcurrent(kBlockLevel);
}

bool ScratchLiveness::isUnsynced(unsigned a, unsigned b,
                                 SyncLevel level) const {
  return level != kThreadLevel &&
         (ways[level][a].test(b) || ways[level][b].test(a));
}

/// Whether two uses may have a common byte: no barrier is needed, or it can
/// stand at the one whose whole level comes together there.
bool ScratchLiveness::mayShare(unsigned a, unsigned b, bool sameOffset,
                               bool mayCostBarriers) const {
  SyncLevel level = getNeededLevel(uses[a], uses[b], sameOffset);
  if (std::max(uses[a].scope, uses[b].scope) < level)
    return !concurrent[a].test(b);
  return mayCostBarriers || !isUnsynced(a, b, level);
}

/// What the barrier that a common byte of two uses brings costs: one of the
/// block stops more threads than one of a warp.
int64_t ScratchLiveness::getBarrierCost(unsigned a, unsigned b,
                                        bool sameOffset) const {
  SyncLevel level = getNeededLevel(uses[a], uses[b], sameOffset);
  if (!isUnsynced(a, b, level))
    return 0;
  return level == kBlockLevel ? 4 : 1;
}

void ScratchLiveness::relate(PlanProblem &problem, unsigned i,
                             unsigned j) const {
  const ScratchStorage &first = storages[i], &second = storages[j];
  bool mayCost = first.mayCostBarriers() && second.mayCostBarriers();
  bool anyOffset = true, sameOffset = true;
  PlanCost cost;
  for (auto [a, offsetA] : llvm::zip(first.uses, first.useOffsets))
    for (auto [b, offsetB] : llvm::zip(second.uses, second.useOffsets)) {
      bool any = mayShare(a, b, /*sameOffset=*/false, mayCost);
      anyOffset &= any;
      sameOffset &= offsetA == offsetB
                        ? mayShare(a, b, /*sameOffset=*/true, mayCost)
                        : any;
      cost.anyOffset += getBarrierCost(a, b, /*sameOffset=*/false);
      cost.sameOffset += getBarrierCost(a, b, offsetA == offsetB);
    }
  problem.relate(i, j,
                 anyOffset    ? PlanRelation::Any
                 : sameOffset ? PlanRelation::SameOffset
                              : PlanRelation::Disjoint,
                 cost);
}

PlanProblem ScratchLiveness::getProblem() const {
  SmallVector<PlanItem> items;
  for (const ScratchStorage &storage : storages)
    items.push_back({storage.size, storage.alignment});
  PlanProblem problem(items);
  for (unsigned i = 0; i < storages.size(); ++i)
    for (unsigned j = 0; j < i; ++j)
      relate(problem, i, j);
  return problem;
}

SmallVector<unsigned>
ScratchLiveness::findLiveEnds(const ScratchPlan &plan) const {
  SmallVector<unsigned> storageOf(uses.size());
  SmallVector<int64_t> offsets(uses.size());
  for (auto [i, storage] : llvm::enumerate(storages))
    for (auto [use, offset] : llvm::zip(storage.uses, storage.useOffsets)) {
      storageOf[use] = i;
      offsets[use] = plan.offsets[i] + offset;
    }
  auto mayCost = [&](unsigned use) {
    return storages[storageOf[use]].mayCostBarriers();
  };
  auto ends = llvm::to_vector(llvm::seq<unsigned>(uses.size()));
  for (unsigned a = 0; a < uses.size(); ++a)
    for (unsigned b = a + 1; b < uses.size(); ++b) {
      if (haveCommonByte(offsets[a], uses[a].getSize(), offsets[b],
                         uses[b].getSize()))
        break;
      if (!mayShare(a, b, /*sameOffset=*/false, mayCost(a) && mayCost(b)))
        ends[a] = b;
    }
  return ends;
}
