//===- UserSharedMemory.cpp - The shared memory that a program has of its own
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Transforms/UserSharedMemory.h"
#include "coop/IR/Coop.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::coop;

/// Allocations are not packed tighter than this.
static constexpr int64_t kGranule = 16;
static constexpr int64_t kSharedAddressSpace = 3;

static int64_t getBytes(MemRefType type, const DataLayout &layout) {
  if (!type || !type.hasStaticShape() || !isWorkgroupMemory(type))
    return 0;
  return type.getNumElements() *
         layout.getTypeSize(type.getElementType()).getFixedValue();
}

/// A global of the LLVM dialect, by its attributes: the dialect's headers are
/// large.
static int64_t getLLVMGlobalBytes(Operation *global, const DataLayout &layout) {
  auto space = global->getAttrOfType<IntegerAttr>("addr_space");
  auto type = global->getAttrOfType<TypeAttr>("global_type");
  if (!space || space.getInt() != kSharedAddressSpace || !type)
    return 0;
  return layout.getTypeSize(type.getValue()).getFixedValue();
}

static int64_t getGlobalBytes(Operation *symbol, const DataLayout &layout) {
  StringRef name = symbol->getName().getStringRef();
  if (name == "llvm.mlir.global")
    return getLLVMGlobalBytes(symbol, layout);
  auto type = symbol->getAttrOfType<TypeAttr>("type");
  if (name != "memref.global" || !type)
    return 0;
  return getBytes(dyn_cast<MemRefType>(type.getValue()), layout);
}

/// The kernel and all symbols that it uses, directly or through others.
static SetVector<Operation *> findUsedSymbols(FunctionOpInterface kernel) {
  SetVector<Operation *> used;
  used.insert(kernel);
  SymbolTableCollection tables;
  for (unsigned i = 0; i < used.size(); ++i)
    if (auto uses = SymbolTable::getSymbolUses(used[i]))
      for (SymbolTable::SymbolUse use : *uses)
        if (Operation *symbol = tables.lookupNearestSymbolFrom(
                use.getUser(), use.getSymbolRef()))
          used.insert(symbol);
  return used;
}

static int64_t getAlignment(Operation *symbol) {
  auto alignment = symbol->getAttrOfType<IntegerAttr>("alignment");
  return alignment ? std::max(alignment.getInt(), kGranule) : kGranule;
}

static void addArray(UserSharedMemory &memory, StringRef name, Location loc,
                     int64_t bytes, int64_t alignment) {
  if (bytes == 0)
    return;
  int64_t reserved = llvm::alignTo(bytes, alignment);
  memory.arrays.push_back({name, bytes, reserved, loc});
  memory.staticBytes += reserved;
}

UserSharedMemory mlir::coop::findUserSharedMemory(FunctionOpInterface kernel) {
  DataLayout layout = DataLayout::closest(kernel);
  UserSharedMemory memory;
  for (Operation *symbol : findUsedSymbols(kernel)) {
    addArray(memory, SymbolTable::getSymbolName(symbol).getValue(),
             symbol->getLoc(), getGlobalBytes(symbol, layout),
             getAlignment(symbol));
    if (auto function = dyn_cast<gpu::GPUFuncOp>(symbol))
      for (BlockArgument argument : function.getWorkgroupAttributions())
        addArray(memory, "", argument.getLoc(),
                 getBytes(dyn_cast<MemRefType>(argument.getType()), layout),
                 kGranule);
    if (isa<FunctionOpInterface>(symbol))
      symbol->walk(
          [&](gpu::DynamicSharedMemoryOp op) { memory.dynamic.push_back(op); });
  }
  return memory;
}
