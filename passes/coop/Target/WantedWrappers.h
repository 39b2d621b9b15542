//===- WantedWrappers.h - The wrappers that a module calls or will call
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_TARGET_WANTEDWRAPPERS_H
#define COOP_TARGET_WANTEDWRAPPERS_H

#include "coop/IR/Coop.h"

namespace mlir::coop {

/// The attribute that ties the declaration of a wrapper to its source.
inline constexpr StringLiteral kWrapperAttrName = "coop.wrapper";

/// The wrappers of `root`'s operations and declarations, each once, ordered by
/// symbol name: the same list before and after the operations are lowered.
/// Operations in a block of unknown extents want none.
SmallVector<WrapperAttr> getWantedWrappers(Operation *root);

/// Record what one group's scratch needs on all operations of `root` that want
/// the wrapper called `name`. Returns their number.
int64_t attachScratchLayout(Operation *root, StringRef name, int64_t size,
                            int64_t alignment);

} // namespace mlir::coop

#endif // COOP_TARGET_WANTEDWRAPPERS_H
