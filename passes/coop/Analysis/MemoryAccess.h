//===- MemoryAccess.h - What an operation does to memory that threads share
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_MEMORYACCESS_H
#define COOP_ANALYSIS_MEMORYACCESS_H

#include "coop/IR/Coop.h"

namespace mlir::coop {

/// Memory, as far as it is known which.
struct MemoryObject {
  enum class Kind : uint8_t {
    /// May be any memory.
    Unknown,
    /// A thread's own.
    Private,
    /// An argument of the kernel: global memory.
    Global,
    /// A symbol, or a workgroup attribution: none but itself.
    Named,
    /// Bytes of an arena.
    Slice,
  };
  Kind kind = Kind::Unknown;
  /// The symbol, the attribution or the arena.
  const void *identity = nullptr;
  ScratchSliceOp slice;
  /// Whether it is known to lie in shared memory.
  bool isWorkgroup = false;
};

/// The object that an address or a memref points into; through casts, views and
/// address computations.
MemoryObject getMemoryObject(Value address);

/// False: no byte is in both.
bool mayAlias(const MemoryObject &a, const MemoryObject &b);

struct MemoryAccess {
  MemoryObject object;
  bool writes;
};

/// What `op` itself, without its regions, does to memory that other threads can
/// get at. An operation whose effects are not known may write everything.
SmallVector<MemoryAccess> getSharedAccesses(Operation *op);

/// Whether an access of one may disturb an access of the other, when two
/// threads make them.
bool mayConflict(ArrayRef<MemoryAccess> first, ArrayRef<MemoryAccess> second);

} // namespace mlir::coop

#endif // COOP_ANALYSIS_MEMORYACCESS_H
