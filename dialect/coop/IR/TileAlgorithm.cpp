//===- TileAlgorithm.cpp - The algorithm that suits a tile
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/IR/TileAlgorithm.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::coop;

/// Bytes that one access of a thread moves at most.
static constexpr int64_t kWidestAccess = 16;
static constexpr int64_t kBanks = 32;

/// Whether one access moves all of a thread's elements.
static bool fitsOneAccess(const TileShape &shape) {
  int64_t bytes = shape.elementBytes * shape.items;
  return shape.items == 1 ||
         (bytes <= kWidestAccess && llvm::isPowerOf2_64(bytes));
}

/// An upper bound of the scratch that exchanges this many elements: CUB pads
/// each row of banks, and a group by an element.
static int64_t getScratchBound(int64_t elements, int64_t elementBytes) {
  return (elements + elements / kBanks + 1) * elementBytes;
}

/// The exchanges that a group may use, the fastest first, and the elements that
/// all groups of the block exchange at a time.
static SmallVector<std::pair<Algorithm, int64_t>>
listExchanges(const TileShape &shape) {
  int64_t tile = shape.blockSize * shape.items;
  bool wholeWarps = shape.blockSize % GroupType::kWarpWidth == 0;
  if (shape.warpWidth || !wholeWarps)
    return {{Algorithm::Transpose, tile}};
  return {{Algorithm::WarpTranspose, tile},
          {Algorithm::WarpTransposeTimesliced,
           GroupType::kWarpWidth * shape.items}};
}

Algorithm mlir::coop::chooseAlgorithm(const TileShape &shape,
                                      int64_t scratchBytes) {
  if (fitsOneAccess(shape))
    return Algorithm::Vectorize;
  for (auto [algorithm, elements] : listExchanges(shape))
    if (getScratchBound(elements, shape.elementBytes) <= scratchBytes)
      return algorithm;
  return Algorithm::Vectorize;
}
