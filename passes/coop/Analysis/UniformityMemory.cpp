//===- UniformityMemory.cpp - Who writes what the threads read
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformityMemory.h"
#include "coop/Analysis/UniformityOps.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::coop;

MemoryUses::MemoryUses(Region &region, Operation *symbolScope,
                       bool argumentsMayAlias)
    : argumentsMayAlias(argumentsMayAlias) {
  collect(region, symbolScope);
  findRaces(region);
}

void MemoryUses::collect(Region &region, Operation *symbolScope) {
  llvm::DenseMap<Value, SmallVector<Operation *>> privateReads;
  region.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (isPrivateMemory(result) && !(known[result] = isKnown(result)))
        privateEscapes = true;
    if (Value address = getLoadedAddress(op))
      privateReads[getMemoryRoot(address)].push_back(op);
    if (classify(op, BlockShape()).kind == OpKind::Read)
      for (const Place &place : getReadPlaces(op))
        if (place.kind != Place::Kind::Private)
          reads.push_back({op, place});
    for (const Place &place : getWrittenPlaces(op, symbolScope)) {
      if (place.kind == Place::Kind::Private)
        privateStores[Value::getFromOpaquePointer(place.identity)].push_back(
            op);
      else
        writes.push_back({op, place});
    }
  });
  for (auto &[root, stores] : privateStores)
    for (Operation *store : stores)
      llvm::append_range(readsOf[store], privateReads.lookup(root));
}

/// Whether all uses of private memory are loads, stores and views of it.
bool MemoryUses::isKnown(Value address) const {
  return llvm::all_of(address.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (getLoadedAddress(user) == address || isLifetimeMarker(user))
      return true;
    if (getStoredAddress(user) == address)
      return getStoredValue(user) && getStoredValue(user) != address;
    if (user->getNumResults() == 1 &&
        getMemoryRoot(user->getResult(0)) == getMemoryRoot(address))
      return isKnown(user->getResult(0));
    return isMemoryEffectFree(user) && user->getNumRegions() == 0 &&
           llvm::none_of(user->getResultTypes(), [](Type type) {
             return isa<BaseMemRefType>(type) || !type.isIntOrIndexOrFloat();
           });
  });
}

void MemoryUses::findRaces(Region &region) {
  SmallVector<std::pair<Operation *, Operation *>> inBlock;
  SmallVector<Operation *> accesses;
  for (const Access &read : reads)
    for (const Access &write : writes) {
      if (!mayMeet(read.place, write.place, argumentsMayAlias))
        continue;
      if (!read.place.isWorkgroup) {
        races[read.op].push_back({write.op, /*acrossBlocks=*/true, {}});
        readsOf[write.op].push_back(read.op);
        continue;
      }
      inBlock.push_back({read.op, write.op});
      accesses.append({read.op, write.op});
    }
  if (inBlock.empty())
    return;
  Concurrency concurrency(region, accesses);
  for (auto [read, write] : inBlock) {
    auto meetings = concurrency.getMeetings(read, write);
    if (meetings.empty())
      continue;
    races[read].push_back({write, /*acrossBlocks=*/false, std::move(meetings)});
    readsOf[write].push_back(read);
  }
}

std::optional<ArrayRef<Operation *>>
MemoryUses::getPrivateStores(Value root) const {
  if (!known.lookup(root))
    return std::nullopt;
  auto it = privateStores.find(root);
  return it == privateStores.end() ? ArrayRef<Operation *>()
                                   : ArrayRef(it->second);
}

bool MemoryUses::mayBePrivate(Value root) const {
  auto argument = dyn_cast<BlockArgument>(root);
  bool isPlace = argument ? argument.getOwner()->isEntryBlock()
                          : root.getDefiningOp()->getNumOperands() == 0;
  return privateEscapes && !isPlace;
}

ArrayRef<Race> MemoryUses::getRaces(Operation *read) const {
  auto it = races.find(read);
  return it == races.end() ? ArrayRef<Race>() : ArrayRef(it->second);
}

ArrayRef<Operation *> MemoryUses::getReadsOf(Operation *write) const {
  auto it = readsOf.find(write);
  return it == readsOf.end() ? ArrayRef<Operation *>() : ArrayRef(it->second);
}

bool MemoryUses::readsConstantMemory(Operation *op) const {
  if (classify(op, BlockShape()).kind != OpKind::Read)
    return false;
  return llvm::all_of(getReadPlaces(op), [&](const Place &read) {
    if (read.kind == Place::Kind::Private)
      return !privateStores.contains(
          Value::getFromOpaquePointer(read.identity));
    return llvm::none_of(writes, [&](const Access &write) {
      return mayMeet(read, write.place, argumentsMayAlias);
    });
  });
}
