//===- UniformityControl.h - Where threads that part meet again
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_UNIFORMITYCONTROL_H
#define COOP_ANALYSIS_UNIFORMITYCONTROL_H

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Region.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::coop {

/// The blocks of a region by number, in an order in which a block comes before
/// those that it dominates.
class BlockNumbers {
public:
  explicit BlockNumbers(Region &region);
  unsigned operator[](Block *block) const { return numbers.lookup(block); }
  Block *operator[](unsigned number) const { return order[number]; }
  unsigned size() const { return order.size(); }
  ArrayRef<Block *> blocks() const { return order; }
  bool contains(Block *block) const { return numbers.contains(block); }

private:
  SmallVector<Block *> order;
  llvm::DenseMap<Block *, unsigned> numbers;
};

/// What happens when threads take different ways at the end of a block.
struct Parting {
  /// The block whose end decides.
  Block *branch = nullptr;
  /// Where all of them have come together again; null if some may be gone.
  Block *meeting = nullptr;
  /// The blocks on the ways between, which some threads may skip, or reach
  /// more often than others.
  llvm::BitVector between;
  /// Blocks, in `between` and `meeting`, that threads enter from several sides.
  SmallVector<Block *> joins;
  /// Values that are computed again and again between, and used where the
  /// threads have met: each thread brings the one of its own last time.
  SmallVector<Value> leaving;
  /// Meeting arguments that carry such a value.
  SmallVector<Value> leavingArguments;
};

/// Work out a parting by post-dominance. Irreducible control flow is no
/// exception, nor are loops that some threads leave before others.
/// Reads for which `isConstantRead` is false may find something else each time.
Parting analyzeParting(Block *branch, const BlockNumbers &numbers,
                       PostDominanceInfo &postDominance,
                       llvm::function_ref<bool(Operation *)> isConstantRead);

/// The operands that decide which successor a terminator takes, as opposed to
/// those that it forwards.
SmallVector<Value> getDecisionOperands(Operation *terminator);

/// What a predecessor's edge passes to a block argument; null if it is made by
/// the terminator.
Value getIncoming(Block *predecessor, unsigned successor, unsigned argument);

/// Whether all edges of a parting into a block pass the same value for an
/// argument, also where they compute it each on its own.
bool bringsSameValue(const Parting &parting, BlockArgument argument,
                     const BlockNumbers &numbers);

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNIFORMITYCONTROL_H
