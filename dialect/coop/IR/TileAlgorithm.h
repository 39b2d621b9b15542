//===- TileAlgorithm.h - The algorithm that suits a tile
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_IR_TILEALGORITHM_H
#define COOP_IR_TILEALGORITHM_H

#include "coop/IR/Coop.h"

namespace mlir::coop {

/// What the speed of moving a tile depends on.
struct TileShape {
  int64_t elementBytes;
  /// Elements of a thread.
  int64_t items;
  /// Threads of the block.
  int64_t blockSize;
  /// Threads of a group of warp scope; none for the block.
  std::optional<int64_t> warpWidth;
};

/// The algorithm in blocked order that is likely to be the fastest, of those
/// whose scratch takes `scratchBytes` bytes of the block at most.
Algorithm chooseAlgorithm(const TileShape &shape, int64_t scratchBytes);

} // namespace mlir::coop

#endif // COOP_IR_TILEALGORITHM_H
