//===- TileAlgorithm.cpp - The algorithm that suits a tile
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/IR/TileAlgorithm.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::coop;

/// Bytes that one access of a thread moves at most.
static constexpr int64_t kWidestAccess = 16;
/// Bytes of a thread, at which a warp's accesses fill one transaction.
static constexpr int64_t kFullTransaction = 4;
static constexpr int64_t kBanks = 32;

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

// In tenths of a transaction of global memory by a warp. The model counts
// transactions; its constants are fitted to benchmarks/copy_bandwidth.py
// algorithms, whose figures docs/performance.md has.

/// Each of a thread's accesses meets as many transactions as a warp's elements
/// lie apart.
static int64_t getBlockedCost(int64_t accesses, int64_t threadBytes) {
  int64_t spread = std::max(threadBytes, kFullTransaction);
  return 10 * accesses * spread / kFullTransaction;
}

/// Vectors bring a second way, for tiles that are partial or not aligned.
static int64_t getVectorCost(int64_t accesses, int64_t threadBytes) {
  return getBlockedCost(accesses, threadBytes) * 11 / 10;
}

/// Striped accesses fill their transactions; then each element goes through
/// shared memory, bank by bank, and the warp waits once.
static int64_t getExchangeCost(const TileShape &shape) {
  // Words of two and four banks take two and three turns: wide accesses are few.
  int64_t banks = llvm::divideCeil(shape.elementBytes, int64_t(4));
  return 15 * (1 + llvm::Log2_64(banks)) * shape.items + 46;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

namespace {
struct Candidate {
  Algorithm algorithm;
  int64_t cost;
  int64_t scratchBytes;
};
} // namespace

/// An upper bound of the scratch that exchanges this many elements: CUB pads
/// each row of banks, and a group by an element.
static int64_t getScratchBound(int64_t elements, int64_t elementBytes) {
  return (elements + elements / kBanks + 1) * elementBytes;
}

static SmallVector<Candidate> listCandidates(const TileShape &shape) {
  int64_t threadBytes = shape.elementBytes * shape.items;
  int64_t vectorBytes = std::gcd(threadBytes, kWidestAccess);
  SmallVector<Candidate> candidates{
      {Algorithm::Direct, getBlockedCost(shape.items, threadBytes), 0}};
  if (vectorBytes > shape.elementBytes && threadBytes > kFullTransaction)
    candidates.push_back({Algorithm::Vectorize,
                          getVectorCost(threadBytes / vectorBytes, threadBytes),
                          0});
  auto addExchange = [&](Algorithm algorithm, int64_t threads) {
    candidates.push_back(
        {algorithm, getExchangeCost(shape),
         getScratchBound(threads * shape.items, shape.elementBytes)});
  };
  if (shape.warpWidth || shape.blockSize % GroupType::kWarpWidth != 0) {
    addExchange(Algorithm::Transpose, shape.blockSize);
  } else {
    addExchange(Algorithm::WarpTranspose, shape.blockSize);
    addExchange(Algorithm::WarpTransposeTimesliced, GroupType::kWarpWidth);
  }
  return candidates;
}

Algorithm mlir::coop::chooseAlgorithm(const TileShape &shape,
                                      int64_t scratchBytes) {
  SmallVector<Candidate> candidates = listCandidates(shape);
  llvm::erase_if(candidates, [&](const Candidate &candidate) {
    return candidate.scratchBytes > std::max<int64_t>(scratchBytes, 0);
  });
  // The first of equals: direct, which always fits, or all warps at a time.
  return llvm::min_element(
             candidates,
             [](const auto &a, const auto &b) { return a.cost < b.cost; })
      ->algorithm;
}
