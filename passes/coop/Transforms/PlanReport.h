//===- PlanReport.h - A plan as an attribute, for those who show it
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_TRANSFORMS_PLANREPORT_H
#define COOP_TRANSFORMS_PLANREPORT_H

#include "coop/Analysis/ScratchLiveness.h"
#include "coop/Transforms/SharedMemoryBudget.h"

namespace mlir::coop {

/// The attribute of an arena that tells the plan.
inline constexpr StringLiteral kPlanAttrName = "coop.plan";

/// A dictionary of all that is known of a plan:
///
///   lower_bound, needed, limit : i64 - bytes: live at a time at least, taken
///   by
///     the launch, allowed
///   user_static, launch_dynamic, padding : i64 - the parts of `needed` that
///     are no scratch
///   optimal : unit - no plan has fewer bytes
///   storages : array of {offset, size, alignment : i64, kind : string, loc,
///     user_sync : unit}; kind is call, shared or exclusive
///   uses : array, in the order of the text, of {storage, count, group_bytes,
///     live_until : i64, group : type}; live_until is the last use that some
///     threads may be in while others are still in this one, before another use
///     takes its bytes
///   arrays : array of {name : string, size : i64, loc}, the program's own
///
/// `loc` is {file : string, line, column : i64}, absent where unknown.
DictionaryAttr makePlanReport(MLIRContext *context,
                              const ScratchLiveness &liveness,
                              const ScratchPlan &plan,
                              const UserSharedMemory &user,
                              const SharedMemoryBudget &budget,
                              const SharedMemoryLimit &limit);

} // namespace mlir::coop

#endif // COOP_TRANSFORMS_PLANREPORT_H
