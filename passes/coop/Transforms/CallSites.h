//===- CallSites.h - The calls that lead to a place in the program
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_TRANSFORMS_CALLSITES_H
#define COOP_TRANSFORMS_CALLSITES_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::coop {

/// The place that a location names, in whatever function it is.
Location getOwnPlace(Location loc);

/// The calls, inlined by now, that lead to it, the innermost first.
SmallVector<Location> getCallers(Location loc);

/// A diagnostic whose places are told with the calls that lead to them, each
/// call once.
class CallSiteDiagnostic {
public:
  explicit CallSiteDiagnostic(InFlightDiagnostic &&diagnostic)
      : diagnostic(std::move(diagnostic)) {}

  InFlightDiagnostic &operator*() { return diagnostic; }
  /// Add notes for the calls that lead to `loc`.
  void noteCallers(Location loc);
  /// Add a note at the place that `loc` names; calls follow by `noteCallers`.
  Diagnostic &note(Location loc) {
    return diagnostic.attachNote(getOwnPlace(loc));
  }

private:
  InFlightDiagnostic diagnostic;
  llvm::DenseSet<Location> told;
};

} // namespace mlir::coop

#endif // COOP_TRANSFORMS_CALLSITES_H
