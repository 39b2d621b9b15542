//===- SyncGraph.h - Barriers, scratch accesses and the ways between them
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No IR is known here.
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_SYNCGRAPH_H
#define COOP_ANALYSIS_SYNCGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::coop {

/// How many threads a barrier orders: 0 one thread, l an aligned part of 2^l
/// lanes of a warp, kBlockLevel the block. A higher level orders more.
using SyncLevel = uint8_t;
inline constexpr SyncLevel kThreadLevel = 0;
inline constexpr SyncLevel kWarpLevel = 5;
inline constexpr SyncLevel kBlockLevel = 6;

inline constexpr int kNoAccess = -1;

/// A step of the program: an access of scratch, a barrier, both (the access
/// starts, its group meets, the access ends), or only a place where ways part.
struct SyncNode {
  llvm::SmallVector<unsigned, 2> succs;
  llvm::SmallVector<unsigned, 2> preds;
  /// The access that starts and ends here, or kNoAccess.
  int access = kNoAccess;
  /// What all threads of this level meet at here.
  SyncLevel barrier = kThreadLevel;
  /// A barrier up to this level may stand right before the node, because the
  /// threads of the level come here together.
  SyncLevel uniform = kThreadLevel;
  /// How many loops it is in.
  unsigned depth = 0;
};

/// The barriers that shall stand right before nodes: one level a node.
using BarrierSet = llvm::SmallVector<SyncLevel>;

struct SyncGraph {
  llvm::SmallVector<SyncNode> nodes;
  /// Nodes of the accesses.
  llvm::SmallVector<unsigned> accesses;

  unsigned addNode();
  void addEdge(unsigned from, unsigned to);
  /// Number of accesses. Node 0 is the entry.
  unsigned getNumAccesses() const { return accesses.size(); }
  /// Fill in each node's depth. To be called once, when all edges are there.
  void findLoops();
  /// The nodes that the entry reaches, each before its successors except over
  /// the back edges of loops.
  llvm::SmallVector<unsigned> getOrder() const;

  /// Visit the nodes after `node` that a way without barrier of `level` leads
  /// to, once each. `visit` gets the nodes on the border too (a node whose own
  /// barrier ends the way is entered, but not left); where it returns false,
  /// the way ends as well.
  void walkUnsynced(unsigned node, SyncLevel level,
                    llvm::ArrayRef<SyncLevel> added,
                    llvm::function_ref<bool(unsigned)> visit) const;
  /// For each access, those that sibling groups may be in at the same time, for
  /// no barrier of `level` separates them: a barrier, or the start, leads to
  /// both. That no way leads from one to the other is not enough, since
  /// siblings may go different ways.
  llvm::SmallVector<llvm::BitVector> findConcurrent(SyncLevel level) const;

  /// Like walkUnsynced, but backwards: visits nodes whose ends reach the start
  /// of `node`.
  void walkUnsyncedBack(unsigned node, SyncLevel level,
                        llvm::ArrayRef<SyncLevel> added,
                        llvm::function_ref<bool(unsigned)> visit) const;
  /// The nodes of a shortest way from the end of `from` to the start of `to`
  /// without barrier of `level`, `to` included and `from` not; empty if there
  /// is none.
  llvm::SmallVector<unsigned>
  findUnsyncedWay(unsigned from, unsigned to, SyncLevel level,
                  llvm::ArrayRef<SyncLevel> added) const;
};

} // namespace mlir::coop

#endif // COOP_ANALYSIS_SYNCGRAPH_H
