//===- MemoryAccess.cpp - What an operation does to memory that threads share
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/MemoryAccess.h"
#include "coop/Analysis/ScratchPlan.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::coop;
using Kind = MemoryObject::Kind;

/// Of the LLVM dialect's pointers.
static constexpr int64_t kSharedAddressSpace = 3;

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

/// The address that `op` computes its result from; null if it does not just
/// compute an address. By name where no interface tells.
static Value getSourceAddress(Operation *op) {
  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    return view.getViewSource();
  StringRef name = op->getName().getStringRef();
  if (name == "llvm.getelementptr" || name == "llvm.addrspacecast" ||
      name == "memref.cast" || name == "memref.memory_space_cast" ||
      name == "memref.assume_alignment")
    return op->getOperand(0);
  return {};
}

static Value findRoot(Value address) {
  while (Operation *op = address.getDefiningOp()) {
    Value source = getSourceAddress(op);
    if (!source)
      break;
    address = source;
  }
  return address;
}

static MemoryObject getArgumentObject(BlockArgument argument) {
  auto function = dyn_cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
  if (!function || !argument.getOwner()->isEntryBlock())
    return {};
  if (llvm::is_contained(function.getWorkgroupAttributions(), argument))
    return {Kind::Named, argument.getAsOpaquePointer(), {}, true};
  if (llvm::is_contained(function.getPrivateAttributions(), argument))
    return {Kind::Private, nullptr, {}};
  return function.isKernel() ? MemoryObject{Kind::Global, nullptr, {}}
                             : MemoryObject();
}

/// The symbol that `op` gives the address of, or null.
static const void *getSymbol(Operation *op) {
  StringRef name = op->getName().getStringRef();
  StringRef attribute = name == "memref.get_global"     ? "name"
                        : name == "llvm.mlir.addressof" ? "global_name"
                                                        : "";
  auto symbol = op->getAttrOfType<FlatSymbolRefAttr>(attribute);
  return symbol ? symbol.getAsOpaquePointer() : nullptr;
}

/// Whether an address of this type points to shared memory.
static bool isWorkgroupAddress(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return isWorkgroupMemory(memref);
  auto pointer = dyn_cast<PtrLikeTypeInterface>(type);
  auto space = dyn_cast_if_present<IntegerAttr>(
      pointer ? pointer.getMemorySpace() : Attribute());
  return space && space.getInt() == kSharedAddressSpace;
}

MemoryObject mlir::coop::getMemoryObject(Value address) {
  Value root = findRoot(address);
  if (auto argument = dyn_cast<BlockArgument>(root))
    return getArgumentObject(argument);
  Operation *op = root.getDefiningOp();
  if (auto slice = dyn_cast<ScratchSliceOp>(op))
    return {Kind::Slice, slice.getArenaAttr().getAsOpaquePointer(), slice};
  if (const void *symbol = getSymbol(op))
    return {Kind::Named, symbol, {}, isWorkgroupAddress(root.getType())};
  StringRef name = op->getName().getStringRef();
  if (name == "memref.alloca" || name == "llvm.alloca")
    return {Kind::Private, nullptr, {}};
  return {};
}

bool mlir::coop::mayAlias(const MemoryObject &a, const MemoryObject &b) {
  if (a.kind == Kind::Private || b.kind == Kind::Private)
    return false;
  if (a.kind == Kind::Unknown || b.kind == Kind::Unknown)
    return true;
  if (a.kind != b.kind)
    // A symbol of global memory may be what an argument points to.
    return a.kind != Kind::Slice && b.kind != Kind::Slice && !a.isWorkgroup &&
           !b.isWorkgroup;
  if (a.kind == Kind::Global)
    return true;
  if (a.identity != b.identity)
    return false;
  ScratchSliceOp first = a.slice, second = b.slice;
  return !first || !second ||
         haveCommonByte(first.getOffset(), first.getSize(), second.getOffset(),
                        second.getSize());
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

SmallVector<MemoryAccess> mlir::coop::getSharedAccesses(Operation *op) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isPure(op) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return {};
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  auto cooperative = dyn_cast<CooperativeOpInterface>(op);
  bool isUnplanned = cooperative && cooperative.usesScratch() &&
                     !cooperative.getScratchSlice();
  if (!interface || isUnplanned)
    return {{MemoryObject(), /*writes=*/true}};
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  SmallVector<MemoryAccess> accesses;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool writes = isa<MemoryEffects::Write>(effect.getEffect());
    if (effect.getResource() == ConvergenceResource::get() ||
        (!writes && !isa<MemoryEffects::Read>(effect.getEffect())))
      continue;
    MemoryObject object;
    if (Value value = effect.getValue())
      object = getMemoryObject(value);
    if (object.kind != Kind::Private)
      accesses.push_back({object, writes});
  }
  return accesses;
}

bool mlir::coop::mayConflict(ArrayRef<MemoryAccess> first,
                             ArrayRef<MemoryAccess> second) {
  return llvm::any_of(first, [&](const MemoryAccess &a) {
    return llvm::any_of(second, [&](const MemoryAccess &b) {
      return (a.writes || b.writes) && mayAlias(a.object, b.object);
    });
  });
}
