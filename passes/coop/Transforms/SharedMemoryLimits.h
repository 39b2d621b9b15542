//===- SharedMemoryLimits.h - How much shared memory a block may have
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_TRANSFORMS_SHAREDMEMORYLIMITS_H
#define COOP_TRANSFORMS_SHAREDMEMORYLIMITS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace mlir::coop {

/// The most shared memory, static and dynamic together, that one block may opt
/// in to on a chip such as "sm_90" or "sm_90a"; nullopt for an unknown one.
std::optional<int64_t> getOptInSharedMemory(llvm::StringRef chip);

} // namespace mlir::coop

#endif // COOP_TRANSFORMS_SHAREDMEMORYLIMITS_H
