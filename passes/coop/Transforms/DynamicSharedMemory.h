//===- DynamicSharedMemory.h - The program's part of the launch's memory
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_TRANSFORMS_DYNAMICSHAREDMEMORY_H
#define COOP_TRANSFORMS_DYNAMICSHAREDMEMORY_H

#include "coop/IR/Coop.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::coop {

/// The alignment that a kernel relies on for the launch's memory.
int64_t getDynamicAlignment(FunctionOpInterface kernel);

/// Make `ops`, which give a kernel's dynamic shared memory, give what lies
/// behind its arena (S8): memory that starts after a dynamic arena's bytes, and
/// whose length is that of the launch's memory without them.
///
/// A dynamic arena's size must be a multiple of its alignment, and that at
/// least what the kernel relies on. All dynamic memory of a kernel is declared
/// with one alignment, for assemblers put declarations of different alignment
/// at different places.
void placeBehindArena(ArrayRef<Operation *> ops, FunctionOpInterface kernel,
                      ArenaOp arena);

} // namespace mlir::coop

#endif // COOP_TRANSFORMS_DYNAMICSHAREDMEMORY_H
