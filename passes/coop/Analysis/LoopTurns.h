//===- LoopTurns.h - The turns of a loop that constants decide
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_LOOPTURNS_H
#define COOP_ANALYSIS_LOOPTURNS_H

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace mlir::coop {

/// One turn of a loop.
struct LoopTurn {
  /// The values of the header's arguments; null where they are not constant.
  SmallVector<Attribute> arguments;
  /// The blocks that the turn may come to: the header first, each behind all
  /// that dominate it.
  SmallVector<Block *> blocks;
  /// Where the branches go that are decided in this turn.
  DenseMap<Operation *, Block *> decided;
  /// The ways out of the loop that the turn may take.
  unsigned exits = 0;
};

/// The turns of a loop of which the last one does not come back, found by
/// following constants from turn to turn; nullopt if there would be more than
/// `maxTurns`, or no end is in sight. A turn that may leave early is no
/// hindrance.
std::optional<SmallVector<LoopTurn>> findTurns(const CFGLoop &loop,
                                               int64_t maxTurns);

} // namespace mlir::coop

#endif // COOP_ANALYSIS_LOOPTURNS_H
