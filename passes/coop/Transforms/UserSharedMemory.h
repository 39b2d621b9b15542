//===- UserSharedMemory.h - The shared memory that a program has of its own
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_TRANSFORMS_USERSHAREDMEMORY_H
#define COOP_TRANSFORMS_USERSHAREDMEMORY_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::coop {

/// What a kernel and the functions that it calls use, but for scratch.
struct UserSharedMemory {
  /// Globals and attributions in workgroup memory.
  int64_t staticBytes = 0;
  /// Operations that give the memory of the launch.
  SmallVector<Operation *> dynamic;
};

UserSharedMemory findUserSharedMemory(FunctionOpInterface kernel);

} // namespace mlir::coop

#endif // COOP_TRANSFORMS_USERSHAREDMEMORY_H
