//===- Coop.h - The coop dialect in C++
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_IR_COOP_H
#define COOP_IR_COOP_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <numeric>
#include <optional>
#include <string>

#include "coop/IR/CoopDialect.h.inc"
#include "coop/IR/CoopEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "coop/IR/CoopTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "coop/IR/CoopAttrs.h.inc"

namespace mlir::coop {

/// The resource of the effect that keeps cooperative operations in place.
struct ConvergenceResource
    : public SideEffects::Resource::Base<ConvergenceResource> {
  StringRef getName() override { return "coop::Convergence"; }
};

/// How operations divide the scratch of one group among smaller groups, each of
/// which touches only the bytes of its own part.
struct ScratchParts {
  /// The groups that have a part each.
  GroupType group;
  /// What decides where the parts lie: operations with equal keys have them at
  /// the same bytes, counted from the start of the scratch. Null where the
  /// whole scratch is one part.
  Attribute key;
};

/// Whether `type` lies in GPU shared memory, however the space is spelt.
bool isWorkgroupMemory(MemRefType type);

/// Whether an algorithm exchanges elements through scratch.
bool usesScratch(Algorithm algorithm);

/// The item of a payload: what `given` says, else an element.
ItemAttr getPayloadItem(VectorType payload, ItemAttr given);

/// How many elements of a payload make an item.
int64_t getItemElements(VectorType payload, ItemAttr item);

/// The extents of the block that executes `op`: the known_block_size of the
/// function around it; null where that is unknown.
DenseI32ArrayAttr getKnownBlockDims(Operation *op);

/// Emits an error at `op` and fails where no GPU launches a block of the known
/// extents.
LogicalResult verifyKnownBlockDims(Operation *op);

/// The product of the extents, or nullopt where they are unknown.
std::optional<int64_t> getKnownBlockSize(Operation *op);

/// The threads of `group` where `op` executes; nullopt for a block of unknown
/// extents.
std::optional<int64_t> getKnownGroupSize(Operation *op, GroupType group);

} // namespace mlir::coop

#include "coop/IR/CoopInterfaces.h.inc"

#define GET_OP_CLASSES
#include "coop/IR/CoopOps.h.inc"

#endif // COOP_IR_COOP_H
