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

/// Make `ops`, which give a kernel's dynamic shared memory, give what lies
/// behind its arena (S8): memory that starts after a dynamic arena's bytes, and
/// whose length is that of the launch's memory without them.
///
/// Enlarges and aligns the arena such that the memory behind keeps its
/// alignment. All dynamic memory of a kernel is declared with one alignment,
/// for assemblers put declarations of different alignment at different places.
void placeBehindArena(ArrayRef<Operation *> ops, FunctionOpInterface kernel,
                      ArenaOp arena);

} // namespace mlir::coop

#endif // COOP_TRANSFORMS_DYNAMICSHAREDMEMORY_H
