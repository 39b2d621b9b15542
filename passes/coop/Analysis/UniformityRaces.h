//===- UniformityRaces.h - Accesses that no barrier keeps apart
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_UNIFORMITYRACES_H
#define COOP_ANALYSIS_UNIFORMITYRACES_H

#include "coop/Analysis/UniformityControl.h"
#include "coop/Analysis/UniformityLattice.h"

#include <vector>

namespace mlir::coop {

/// Memory, as far as it is known which.
struct Place {
  enum class Kind : uint8_t {
    /// May be any memory.
    Unknown,
    /// A thread's own.
    Private,
    /// What an argument of the function points to.
    Argument,
    /// A symbol, a workgroup attribution or the dynamic shared memory.
    Named
  };
  Kind kind = Kind::Unknown;
  const void *identity = nullptr;
  /// Whether it is known to lie in shared memory.
  bool isWorkgroup = false;
};

/// The memory that an address points into.
Place getPlace(Value address);

/// The memory that `op` itself, without its regions, reads or writes. An
/// operation whose effects are not known may read or write any.
SmallVector<Place> getReadPlaces(Operation *op);
SmallVector<Place> getWrittenPlaces(Operation *op, Operation *symbolScope);

/// Whether two places may have a byte in common. Two arguments do only with
/// `argumentsMayAlias`.
bool mayMeet(const Place &a, const Place &b, bool argumentsMayAlias);

/// How two accesses of shared memory lie to each other, if only barriers of
/// groups of `width` and wider count.
struct Meeting {
  Width width;
  /// A way leads from one to the other over no barrier: threads of a group that
  /// are ahead make the one while others make the other.
  bool inSequence;
  /// Ways lead to both from one barrier, or from the entry. Threads of a group
  /// may make them at the same time if they part on the way.
  bool onWays;
};

/// A write that another thread may make while a thread reads the same memory.
struct Race {
  Operation *write = nullptr;
  /// Whether threads of other blocks may make it: no barrier helps.
  bool acrossBlocks = false;
  /// For barriers of blocks, then of ever narrower groups.
  SmallVector<Meeting, 2> meetings;
};

/// Finds out which accesses barriers keep apart.
///
/// Between two barriers, each thread is anywhere on the ways from the one to
/// the other.
class Concurrency {
public:
  Concurrency(Region &region, ArrayRef<Operation *> accesses);

  /// How two of the accesses meet; empty if barriers of the block keep them
  /// apart on all ways.
  SmallVector<Meeting, 2> getMeetings(Operation *a, Operation *b) const;

private:
  struct Level {
    Width width;
    /// For each access the numbers of the barriers from which ways lead to it.
    std::vector<llvm::BitVector> starts;
    /// For each access the numbers of those that ways lead to from it.
    std::vector<llvm::BitVector> followers;
  };
  Level makeLevel(Region &region, Width width) const;

  llvm::DenseMap<Operation *, unsigned> numbers;
  SmallVector<Operation *> accesses;
  SmallVector<Level> levels;
};

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNIFORMITYRACES_H
