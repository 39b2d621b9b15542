//===- CallSites.cpp - The calls that lead to a place in the program
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Transforms/CallSites.h"

#include "mlir/IR/Location.h"

using namespace mlir;
using namespace mlir::coop;

/// Take off what says nothing of a place.
static Location strip(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return strip(name.getChildLoc());
  auto fused = dyn_cast<FusedLoc>(loc);
  if (fused && !fused.getLocations().empty())
    return strip(fused.getLocations().front());
  return loc;
}

Location mlir::coop::getOwnPlace(Location loc) {
  loc = strip(loc);
  auto call = dyn_cast<CallSiteLoc>(loc);
  return call ? getOwnPlace(call.getCallee()) : loc;
}

SmallVector<Location> mlir::coop::getCallers(Location loc) {
  auto call = dyn_cast<CallSiteLoc>(strip(loc));
  if (!call)
    return {};
  // callsite(callsite(a at b) at c) and callsite(a at callsite(b at c)) are
  // the same chain.
  SmallVector<Location> callers = getCallers(call.getCallee());
  callers.push_back(getOwnPlace(call.getCaller()));
  llvm::append_range(callers, getCallers(call.getCaller()));
  return callers;
}

void CallSiteDiagnostic::noteCallers(Location loc) {
  for (Location caller : getCallers(loc))
    if (told.insert(caller).second)
      diagnostic.attachNote(caller) << "called from here";
}
