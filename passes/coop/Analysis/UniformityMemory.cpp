//===- UniformityMemory.cpp - Who writes what the threads read
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformityMemory.h"
#include "coop/Analysis/UniformityOps.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::coop;

/// The objects that an operation writes, by what it says of its effects.
static SmallVector<Value> getWrittenRoots(Operation *op) {
  SmallVector<Value> roots;
  SmallVector<MemoryEffects::EffectInstance> effects;
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(op))
    interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (isa<MemoryEffects::Write>(effect.getEffect()) && effect.getValue())
      roots.push_back(getMemoryRoot(effect.getValue()));
  return roots;
}

MemoryUses::MemoryUses(Region &region, const BlockNumbers &numbers) {
  collect(region);
  for (auto &[root, ops] : writes) {
    if (!reads.contains(root))
      continue;
    if (!isPrivateMemory(root)) {
      findRaces(root, numbers);
      continue;
    }
    for (Operation *write : ops)
      llvm::append_range(readsOf[write], reads[root]);
  }
}

void MemoryUses::collect(Region &region) {
  region.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (isPrivateMemory(result) && !(known[result] = isKnown(result)))
        privateEscapes = true;
    if (Value address = getLoadedAddress(op))
      reads[getMemoryRoot(address)].push_back(op);
    for (Value root : getWrittenRoots(op))
      writes[root].push_back(op);
  });
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

/// Carry a root's writes forward from block to block until something
/// synchronizes.
void MemoryUses::findRaces(Value root, const BlockNumbers &numbers) {
  llvm::DenseMap<Block *, llvm::SmallPtrSet<Operation *, 4>> pending;
  llvm::SmallPtrSet<Operation *, 8> writers(llvm::from_range, writes[root]);
  llvm::SmallPtrSet<Operation *, 8> readers(llvm::from_range, reads[root]);
  llvm::DenseMap<Operation *, llvm::SmallPtrSet<Operation *, 4>> races;
  SmallVector<Block *> worklist;
  for (Operation *write : writes[root])
    worklist.push_back(write->getBlock());
  while (!worklist.empty()) {
    Block *block = worklist.pop_back_val();
    auto now = pending[block];
    for (Operation &op : *block) {
      if (isSynchronization(&op))
        now.clear();
      if (readers.contains(&op))
        races[&op].insert(now.begin(), now.end());
      if (writers.contains(&op))
        now.insert(&op);
    }
    for (Block *successor : block->getSuccessors()) {
      size_t before = pending[successor].size();
      pending[successor].insert(now.begin(), now.end());
      if (pending[successor].size() != before)
        worklist.push_back(successor);
    }
  }
  for (auto &[read, racing] : races)
    for (Operation *write : writes[root])
      if (racing.contains(write)) {
        racingWrites[read].push_back(write);
        readsOf[write].push_back(read);
      }
}

std::optional<ArrayRef<Operation *>>
MemoryUses::getPrivateStores(Value root) const {
  if (!known.lookup(root))
    return std::nullopt;
  auto it = writes.find(root);
  return it == writes.end() ? ArrayRef<Operation *>() : ArrayRef(it->second);
}

bool MemoryUses::mayBePrivate(Value root) const {
  auto argument = dyn_cast<BlockArgument>(root);
  bool isPlace = argument ? argument.getOwner()->isEntryBlock()
                          : root.getDefiningOp()->getNumOperands() == 0;
  return privateEscapes && !isPlace;
}

static ArrayRef<Operation *>
lookUp(const llvm::DenseMap<Operation *, SmallVector<Operation *>> &map,
       Operation *op) {
  auto it = map.find(op);
  return it == map.end() ? ArrayRef<Operation *>() : ArrayRef(it->second);
}

ArrayRef<Operation *> MemoryUses::getRacingWrites(Operation *read) const {
  return lookUp(racingWrites, read);
}

ArrayRef<Operation *> MemoryUses::getReadsOf(Operation *write) const {
  return lookUp(readsOf, write);
}
