//===- UniformityLanes.h - Values evaluated for every thread of a block
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_UNIFORMITYLANES_H
#define COOP_ANALYSIS_UNIFORMITYLANES_H

#include "coop/Analysis/UniformityLattice.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <optional>
#include <vector>

namespace mlir::coop {

/// The shape of a block, whose threads are ranked x + y·Dx + z·Dx·Dy. A block
/// of unknown shape has no lanes.
class BlockShape {
public:
  BlockShape() = default;
  explicit BlockShape(ArrayRef<int32_t> dims);

  /// Threads of the block; 0 when unknown.
  int64_t size() const { return dims[0] * dims[1] * dims[2]; }
  int64_t dim(unsigned axis) const { return dims[axis]; }
  /// The id of the thread `rank` along an axis.
  int64_t threadId(unsigned axis, int64_t rank) const;
  /// A block that fits into `width` agrees as a whole.
  Width normalize(Width width) const;

private:
  int64_t dims[3] = {0, 0, 0};
};

/// The threads that may reach a place.
using LaneSet = llvm::BitVector;

/// The bits of an integer that are known for every thread of the block. All
/// other bits are unknown; how widely threads agree on them is told elsewhere.
struct Lanes {
  /// The type's width; 0 for values that are no integers of up to 64 bits.
  unsigned bits = 0;
  /// The bits that are known, the same ones in every thread.
  uint64_t known = 0;
  /// One value for all threads, or one a thread. Unknown bits are 0.
  std::shared_ptr<const std::vector<uint64_t>> values;

  static Lanes unknown(unsigned bits) { return {bits, 0, nullptr}; }
  static Lanes splat(unsigned bits, uint64_t value);
  static Lanes make(unsigned bits, uint64_t known, int64_t size,
                    llvm::function_ref<uint64_t(int64_t)> valueOf);

  uint64_t all() const { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }
  bool isExact() const { return bits && known == all(); }
  bool isSplat() const { return values && values->size() == 1; }
  /// One value in all threads; only if it is exact.
  std::optional<uint64_t> constant() const;
  uint64_t at(int64_t rank) const;
  /// How many of the lowest bits are known.
  unsigned lowKnown() const;
  /// Forget all bits but those of `mask`.
  Lanes masked(uint64_t mask) const;
  bool operator==(const Lanes &other) const;
};

/// The widest group within which all `active` threads have one value. With
/// `members`, only groups count of which a thread is one.
Width widthOf(const BlockShape &shape, const LaneSet *active,
              llvm::function_ref<uint64_t(int64_t)> valueOf,
              const LaneSet *members = nullptr);

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNIFORMITYLANES_H
