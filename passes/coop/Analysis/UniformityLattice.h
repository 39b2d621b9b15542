//===- UniformityLattice.h - How widely threads agree, and why not
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_UNIFORMITYLATTICE_H
#define COOP_ANALYSIS_UNIFORMITYLATTICE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mlir::coop {

/// The widest aligned group of threads that agree. Ordered: a wider group is a
/// larger number, and threads that agree over it agree over all narrower ones.
enum class Width : uint8_t {
  Thread,
  Lanes2,
  Lanes4,
  Lanes8,
  Lanes16,
  Warp,
  Block,
  Grid
};

StringRef stringifyWidth(Width width);

/// The width of aligned groups of `lanes` threads, a power of two up to 32.
Width widthOfLanes(int64_t lanes);

/// The threads of an aligned group, for widths up to Warp.
int64_t lanesOfWidth(Width width);

/// How widely threads agree on something. Ids and data are told apart because
/// a difference that comes from a thread's id is proven, while data loaded at
/// different addresses may or may not differ.
struct Agreement {
  /// The widest group within which no thread's id makes a difference.
  Width byId = Width::Grid;
  /// The widest group within which no data makes a difference.
  Width byData = Width::Grid;
  /// Where the difference comes from; null while there is none.
  Value idOrigin, dataOrigin;

  static Agreement onIds(Width width, Value origin);
  static Agreement onData(Width width, Value origin);

  Width width() const { return std::min(byId, byData); }
  bool isWidest() const { return width() == Width::Grid; }

  /// Narrow to what both agree on; keeps the first origin of each kind.
  void meet(const Agreement &other);
  /// Threads of a group of `width` are known to agree.
  void widenTo(Width width);
  /// What is not proven any more: the difference counts as one of data.
  Agreement unproven(Value origin) const;

  friend Agreement operator&(Agreement lhs, const Agreement &rhs) {
    lhs.meet(rhs);
    return lhs;
  }
  bool sameWidths(const Agreement &other) const {
    return byId == other.byId && byData == other.byData;
  }
};

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNIFORMITYLATTICE_H
