//===- UniformityRaces.cpp - Accesses that no barrier keeps apart
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformityRaces.h"
#include "coop/Analysis/MemoryAccess.h"
#include "coop/Analysis/UniformityOps.h"
#include "coop/IR/Coop.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mlir::coop;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Of the LLVM dialect's pointers.
static constexpr unsigned kSharedAddressSpace = 3;

static bool isWorkgroupAddress(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return isWorkgroupMemory(memref);
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer && pointer.getAddressSpace() == kSharedAddressSpace;
}

Place mlir::coop::getPlace(Value address) {
  Value root = getMemoryRoot(address);
  if (isPrivateMemory(root))
    return {Place::Kind::Private, root.getAsOpaquePointer()};
  if (auto dynamic = root.getDefiningOp<gpu::DynamicSharedMemoryOp>())
    return {Place::Kind::Named, dynamic->getName().getAsOpaquePointer(), true};
  MemoryObject object = getMemoryObject(root);
  if (object.kind == MemoryObject::Kind::Private)
    return {Place::Kind::Private, root.getAsOpaquePointer()};
  if (object.identity)
    return {Place::Kind::Named, object.identity, object.isWorkgroup};
  auto argument = dyn_cast<BlockArgument>(root);
  if (argument && argument.getOwner()->isEntryBlock() &&
      isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
    return {Place::Kind::Argument, root.getAsOpaquePointer()};
  bool isWorkgroup = isWorkgroupAddress(address.getType()) ||
                     isWorkgroupAddress(root.getType());
  return {Place::Kind::Unknown, nullptr, isWorkgroup};
}

bool mlir::coop::mayMeet(const Place &a, const Place &b,
                         bool argumentsMayAlias) {
  using Kind = Place::Kind;
  if (a.kind == Kind::Private || b.kind == Kind::Private)
    return false;
  // Arguments of kernels point to global memory.
  auto isGlobal = [](const Place &place) {
    return place.kind == Kind::Argument ||
           (place.kind == Kind::Named && !place.isWorkgroup);
  };
  if ((a.isWorkgroup && isGlobal(b)) || (b.isWorkgroup && isGlobal(a)))
    return false;
  if (a.kind == Kind::Unknown || b.kind == Kind::Unknown ||
      a.identity == b.identity)
    return true;
  // Programs get the memory of a symbol by its name only.
  return argumentsMayAlias && a.kind == Kind::Argument &&
         b.kind == Kind::Argument;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The memory that an operation says to have an effect of type `Effect` on.
template <typename Effect>
static SmallVector<Place> getDeclaredPlaces(MemoryEffectOpInterface op) {
  SmallVector<MemoryEffects::EffectInstance> effects;
  op.getEffects(effects);
  SmallVector<Place> places;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (!isa<Effect>(effect.getEffect()) ||
        effect.getResource() == ConvergenceResource::get())
      continue;
    Value value = effect.getValue();
    places.push_back(value ? getPlace(value) : Place());
  }
  return places;
}

SmallVector<Place> mlir::coop::getReadPlaces(Operation *op) {
  if (Value address = getLoadedAddress(op))
    return {getPlace(address)};
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op))
    return getDeclaredPlaces<MemoryEffects::Read>(effects);
  return {Place()};
}

static bool isAddress(Type type) {
  return isa<BaseMemRefType, LLVM::LLVMPointerType, LLVM::LLVMStructType>(type);
}

/// Whether a call may write memory that threads share.
static bool mayWrite(CallOpInterface call, Operation *symbolScope) {
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol)
    return true;
  StringRef name = symbol.getLeafReference();
  if (name == "vprintf" || name == "__assertfail" || name.starts_with("__nv_"))
    return false;
  Operation *callee =
      symbolScope ? SymbolTable::lookupNearestSymbolFrom(symbolScope, symbol)
                  : nullptr;
  return !dependsOnArgumentsOnly(callee);
}

/// Whether an operation that tells nothing of its effects may write. What has
/// no address can write nothing of the program's.
static bool mayWriteAnything(Operation *op, Operation *symbolScope) {
  if (auto call = dyn_cast<CallOpInterface>(op))
    return mayWrite(call, symbolScope);
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return assembly.getHasSideEffects() &&
           llvm::any_of(op->getOperandTypes(), [](Type type) {
             return isAddress(type) || type.isInteger(64);
           });
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      op->hasTrait<OpTrait::IsTerminator>())
    return false;
  return !op->isRegistered() || llvm::any_of(op->getOperandTypes(), isAddress);
}

SmallVector<Place> mlir::coop::getWrittenPlaces(Operation *op,
                                                Operation *symbolScope) {
  if (Value address = getStoredAddress(op))
    return {getPlace(address)};
  if (isMemoryEffectFree(op) || isSynchronization(op) ||
      isa<LLVM::LoadOp, gpu::PrintfOp>(op))
    return {};
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (effects && !isa<CallOpInterface>(op))
    return getDeclaredPlaces<MemoryEffects::Write>(effects);
  if (mayWriteAnything(op, symbolScope))
    return {Place()};
  return {};
}

//===----------------------------------------------------------------------===//
// Intervals between barriers
//===----------------------------------------------------------------------===//

Concurrency::Concurrency(Region &region, ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    if (numbers.try_emplace(op, accesses.size()).second)
      accesses.push_back(op);
  llvm::SmallSet<Width, 4> widths;
  widths.insert(Width::Block);
  region.walk([&](Operation *op) {
    if (std::optional<Width> width = getBarrierWidth(op))
      widths.insert(*width);
  });
  for (Width width = Width::Block; width > Width::Thread;
       width = static_cast<Width>(static_cast<uint8_t>(width) - 1))
    if (widths.contains(width))
      levels.push_back(makeLevel(region, width));
}

static bool isBarrierOf(Operation &op, Width level) {
  std::optional<Width> width = getBarrierWidth(&op);
  return width && *width >= level;
}

namespace {
/// The ways from a place to the next barriers.
class Ways {
public:
  Ways(const llvm::DenseMap<Operation *, unsigned> &numbers, Width level)
      : numbers(numbers), level(level) {}

  /// The accesses on the ways from `from` in a block.
  llvm::BitVector run(Block *block, Block::iterator from) {
    llvm::BitVector found(numbers.size());
    llvm::SmallPtrSet<Block *, 16> seen;
    SmallVector<Block *> worklist;
    visit(block, from, found, worklist);
    while (!worklist.empty()) {
      Block *next = worklist.pop_back_val();
      if (seen.insert(next).second)
        visit(next, next->begin(), found, worklist);
    }
    return found;
  }

private:
  void visit(Block *block, Block::iterator from, llvm::BitVector &found,
             SmallVectorImpl<Block *> &worklist) const {
    for (Operation &op : llvm::make_range(from, block->end())) {
      if (isBarrierOf(op, level))
        return;
      op.walk([&](Operation *inner) {
        if (auto it = numbers.find(inner); it != numbers.end())
          found.set(it->second);
      });
    }
    llvm::append_range(worklist, block->getSuccessors());
  }

  const llvm::DenseMap<Operation *, unsigned> &numbers;
  Width level;
};
} // namespace

auto Concurrency::makeLevel(Region &region, Width width) const -> Level {
  Ways ways(numbers, width);
  SmallVector<llvm::BitVector> fromBarriers;
  fromBarriers.push_back(ways.run(&region.front(), region.front().begin()));
  for (Block &block : region)
    for (Operation &op : block)
      if (isBarrierOf(op, width))
        fromBarriers.push_back(ways.run(&block, std::next(op.getIterator())));
  Level level{width, {}, {}};
  for (auto [number, op] : llvm::enumerate(accesses)) {
    llvm::BitVector &starts = level.starts.emplace_back(fromBarriers.size());
    for (auto [barrier, reached] : llvm::enumerate(fromBarriers))
      if (reached.test(number))
        starts.set(barrier);
    // In an operation with regions, nothing is known of the order.
    bool isNested = op->getParentRegion() != &region;
    level.followers.push_back(
        isNested ? llvm::BitVector(accesses.size(), true)
                 : ways.run(op->getBlock(), std::next(op->getIterator())));
  }
  return level;
}

SmallVector<Meeting, 2> Concurrency::getMeetings(Operation *a,
                                                 Operation *b) const {
  unsigned first = numbers.lookup(a), second = numbers.lookup(b);
  SmallVector<Meeting, 2> meetings;
  for (const Level &level : levels) {
    Meeting meeting{level.width,
                    level.followers[first].test(second) ||
                        level.followers[second].test(first),
                    level.starts[first].anyCommon(level.starts[second])};
    if (meetings.empty() && !meeting.inSequence && !meeting.onWays)
      return {};
    meetings.push_back(meeting);
  }
  return meetings;
}
