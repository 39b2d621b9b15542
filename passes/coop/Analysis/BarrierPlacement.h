//===- BarrierPlacement.h - Few barriers that separate all hazards
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No IR is known here.
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_BARRIERPLACEMENT_H
#define COOP_ANALYSIS_BARRIERPLACEMENT_H

#include "coop/Analysis/SyncGraph.h"

namespace mlir::coop {

/// A later access touches bytes that an earlier one may still use.
struct Hazard {
  /// Accesses of the graph; they are one for a loop's next iteration.
  unsigned earlier, later;
  /// The barrier that would separate them.
  SyncLevel level;
};

/// The level of the barrier that must separate two accesses; kThreadLevel if
/// none must.
using SyncNeed = llvm::function_ref<SyncLevel(unsigned, unsigned)>;

/// All hazards of a graph. `added` are barriers that the graph doesn't hold
/// yet; it may be empty.
llvm::SmallVector<Hazard> findHazards(const SyncGraph &graph, SyncNeed need,
                                      llvm::ArrayRef<SyncLevel> added = {});

struct BarrierPlacement {
  /// The barrier right before each node.
  BarrierSet barriers;
  /// Whether no set of permitted barriers has a lower cost. False: not known.
  bool isOptimal = true;
};

/// Choose barriers such that no hazard is left that a permitted one can
/// separate. Permitted are places to which all threads of the level come
/// together, and from which every way leads to an access that needs the
/// barrier (or else none after the last use could be promised); the latter is
/// waived for a hazard that could not be separated otherwise.
///
/// A barrier costs 8 times more in a loop than before it. Of equal sets, one is
/// preferred whose barriers run only where an earlier access has, then one with
/// later barriers.
BarrierPlacement placeBarriers(const SyncGraph &graph, SyncNeed need);

/// The hazard that a chosen barrier separates, the nearest later access first.
Hazard explainBarrier(const SyncGraph &graph, SyncNeed need,
                      const BarrierPlacement &placement, unsigned node);

} // namespace mlir::coop

#endif // COOP_ANALYSIS_BARRIERPLACEMENT_H
