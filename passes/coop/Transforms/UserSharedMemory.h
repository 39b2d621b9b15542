//===- UserSharedMemory.h - The shared memory that a program has of its own
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_TRANSFORMS_USERSHAREDMEMORY_H
#define COOP_TRANSFORMS_USERSHAREDMEMORY_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::coop {

/// An array in workgroup memory, of fixed size.
struct UserArray {
  /// Empty for a workgroup attribution.
  StringRef name;
  int64_t bytes;
  /// The bytes with what its alignment may cost.
  int64_t reserved;
  Location loc;
};

/// What a kernel and the functions that it calls use, but for scratch.
struct UserSharedMemory {
  /// Globals and attributions.
  SmallVector<UserArray> arrays;
  /// The bytes reserved for them.
  int64_t staticBytes = 0;
  /// Operations that give the memory of the launch.
  SmallVector<Operation *> dynamic;
};

UserSharedMemory findUserSharedMemory(FunctionOpInterface kernel);

} // namespace mlir::coop

#endif // COOP_TRANSFORMS_USERSHAREDMEMORY_H
