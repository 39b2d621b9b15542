//===- CheckParticipation.cpp - Prove that all threads of a group take part
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/Uniformity.h"
#include "coop/Analysis/UniformityNormalize.h"
#include "coop/IR/Coop.h"
#include "coop/Transforms/CallSites.h"
#include "coop/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::coop {
#define GEN_PASS_DEF_CHECKPARTICIPATIONPASS
#include "coop/Transforms/Passes.h.inc"
} // namespace mlir::coop

using namespace mlir;
using namespace mlir::coop;

//===----------------------------------------------------------------------===//
// Who must take part
//===----------------------------------------------------------------------===//

namespace {
/// A call, and the threads that must all reach it.
struct Requirement {
  Operation *op;
  GroupType group;
  /// Null for barriers of the target.
  CooperativeOpInterface cooperative;

  StringRef scope() const { return group.isBlock() ? "block" : "warp"; }
  /// The group as messages name it.
  std::string groupName() const;
  /// The group with its number of threads.
  std::string allThreads() const;
  Width width(const BlockShape &shape) const {
    return group.isBlock() ? Width::Block
                           : shape.normalize(widthOfLanes(group.getWidth()));
  }
};
} // namespace

std::string Requirement::groupName() const {
  if (group.isBlock() || group.getWidth() == GroupType::kWarpWidth)
    return scope().str();
  return "group of " + std::to_string(group.getWidth()) + " lanes";
}

std::string Requirement::allThreads() const {
  if (std::optional<int64_t> size = getKnownGroupSize(op, group))
    return "all " + std::to_string(*size) + " threads of the " + groupName();
  return "all threads of the " + groupName();
}

static std::optional<Requirement> getRequirement(Operation *op) {
  if (auto cooperative = dyn_cast<CooperativeOpInterface>(op))
    return Requirement{op, cooperative.getGroup().getType(), cooperative};
  if (isBlockBarrier(op))
    return Requirement{op, GroupType::get(op->getContext(), Scope::Block), {}};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// Where a difference that is proven comes from.
static void noteIdOrigin(CallSiteDiagnostic &diagnostic, Value origin) {
  if (!origin)
    return;
  diagnostic.note(origin.getLoc())
      << "the value comes from the thread's id, which is read here";
  diagnostic.noteCallers(origin.getLoc());
}

/// What a value is that may or may not differ.
static StringRef describeData(Operation *op) {
  if (!op)
    return "nothing is known of this value, which comes from elsewhere";
  if (isa<CooperativeOpInterface>(op))
    return "each thread gets items of its own from this call";
  if (isa<CallOpInterface>(op))
    return "nothing is known of what this call returns";
  if (classify(op, BlockShape()).kind == OpKind::Read)
    return "the value is loaded here, and may differ between threads";
  return "each thread may get another value here";
}

/// Who may change what the threads load.
static void noteRace(CallSiteDiagnostic &diagnostic, const Race &race) {
  StringRef text = race.acrossBlocks
                       ? "the kernel writes here what may be the same memory; "
                         "threads of other blocks may do so at any time"
                       : "other threads may write the memory here at the same "
                         "time; no barrier of the block lies between";
  diagnostic.note(race.write->getLoc()) << text;
  diagnostic.noteCallers(race.write->getLoc());
}

static StringRef describeWays(Width width) {
  switch (width) {
  case Width::Thread:
    return "each thread";
  case Width::Warp:
    return "each warp";
  case Width::Block:
    return "each block";
  case Width::Grid:
    return "the grid";
  default:
    return "each group of lanes";
  }
}

namespace {
class Checker {
public:
  Checker(const UniformityAnalysis &analysis, Participation participation)
      : analysis(analysis), participation(participation) {}

  LogicalResult check(Requirement call);

private:
  LogicalResult checkWholeWarps(Requirement call);
  LogicalResult checkExecution(Requirement call);
  LogicalResult checkOperand(Requirement call, OpOperand &operand);
  void reportDivergence(Requirement call, const Execution &execution);
  void noteDataOrigin(CallSiteDiagnostic &diagnostic, Value origin) const;
  LogicalResult reportDoubt(Requirement call, const Execution &execution);
  CallSiteDiagnostic doubt(Location loc) const;
  LogicalResult verdictOfDoubt() const {
    return failure(participation == Participation::Strict);
  }
  std::string remedy(Requirement call, const Execution &execution);

  const UniformityAnalysis &analysis;
  Participation participation;
};
} // namespace

CallSiteDiagnostic Checker::doubt(Location loc) const {
  loc = getOwnPlace(loc);
  return CallSiteDiagnostic(participation == Participation::Strict
                                ? emitError(loc)
                                : emitWarning(loc));
}

/// Where a difference that may or may not be there comes from.
void Checker::noteDataOrigin(CallSiteDiagnostic &diagnostic,
                             Value origin) const {
  if (!origin)
    return;
  Operation *op = origin.getDefiningOp();
  diagnostic.note(origin.getLoc()) << describeData(op);
  diagnostic.noteCallers(origin.getLoc());
  if (std::optional<Race> race = op ? analysis.getRace(op) : std::nullopt)
    noteRace(diagnostic, *race);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

LogicalResult Checker::check(Requirement call) {
  if (!analysis.getExecution(call.op).reached)
    return success();
  if (failed(checkWholeWarps(call)))
    return failure();
  if (participation == Participation::Off)
    return success();
  if (failed(checkExecution(call)))
    return failure();
  if (!call.cooperative)
    return success();
  bool valid = true;
  for (OpOperand *operand : call.cooperative.getUniformOperands())
    valid &= succeeded(checkOperand(call, *operand));
  return success(valid);
}

/// G3: warps, and parts of them, are whole.
LogicalResult Checker::checkWholeWarps(Requirement call) {
  int64_t size = analysis.getShape().size();
  if (call.group.isBlock() || size % GroupType::kWarpWidth == 0)
    return success();
  CallSiteDiagnostic diagnostic(emitError(getOwnPlace(call.op->getLoc())));
  *diagnostic << "'" << call.op->getName()
              << "' op works on whole warps: the block has " << size
              << " threads, which is not a multiple of "
              << GroupType::kWarpWidth;
  diagnostic.noteCallers(call.op->getLoc());
  return failure();
}

LogicalResult Checker::checkExecution(Requirement call) {
  Execution execution = analysis.getExecution(call.op);
  Width needed = call.width(analysis.getShape());
  if (execution.agreement.byId < needed) {
    reportDivergence(call, execution);
    return failure();
  }
  // A barrier of the program's own is its own affair until proven wrong.
  if (execution.agreement.byData >= needed || !call.cooperative)
    return success();
  return reportDoubt(call, execution);
}

/// What to do about a call that some threads skip.
std::string Checker::remedy(Requirement call, const Execution &execution) {
  std::string text = "; move it out of the branch";
  if (call.cooperative && !call.cooperative.getUniformOperands().empty())
    text += " and pass valid_items";
  Width width = execution.agreement.width();
  if (call.cooperative && width > Width::Thread && width <= Width::Warp)
    text += ", or use a group of at most " +
            std::to_string(lanesOfWidth(width)) + " lanes";
  return text;
}

void Checker::reportDivergence(Requirement call, const Execution &execution) {
  CallSiteDiagnostic diagnostic(emitError(getOwnPlace(call.op->getLoc())));
  *diagnostic << "'" << call.op->getName()
              << "' op is executed in control flow that diverges within its "
              << call.groupName();
  diagnostic.noteCallers(call.op->getLoc());
  if (execution.idBranch) {
    diagnostic.note(execution.idBranch->getLoc())
        << "the branch depends on this value, which differs between threads";
    diagnostic.noteCallers(execution.idBranch->getLoc());
  }
  noteIdOrigin(diagnostic, execution.agreement.idOrigin);
  diagnostic.note(call.op->getLoc())
      << call.allThreads() << " must reach the call" << remedy(call, execution);
}

LogicalResult Checker::reportDoubt(Requirement call,
                                   const Execution &execution) {
  CallSiteDiagnostic diagnostic = doubt(call.op->getLoc());
  *diagnostic << "cannot prove that all threads of the " << call.groupName()
              << " reach this '" << call.op->getName() << "' op";
  diagnostic.noteCallers(call.op->getLoc());
  if (execution.dataBranch) {
    diagnostic.note(execution.dataBranch->getLoc())
        << "whether they take the same way here depends on data";
    diagnostic.noteCallers(execution.dataBranch->getLoc());
  }
  noteDataOrigin(diagnostic, execution.agreement.dataOrigin);
  diagnostic.note(call.op->getLoc())
      << "if " << call.allThreads()
      << " do reach it, say so with coop.uniform(condition)";
  return verdictOfDoubt();
}

/// P5: the threads of the group pass one value.
LogicalResult Checker::checkOperand(Requirement call, OpOperand &operand) {
  Agreement agreement = analysis.getAgreement(operand.get(), call.op);
  Width needed = call.width(analysis.getShape());
  StringRef word = call.cooperative.getOperandWord(operand);
  if (agreement.byId < needed) {
    CallSiteDiagnostic diagnostic(emitError(getOwnPlace(call.op->getLoc())));
    *diagnostic << "'" << call.op->getName() << "' op has a value of '" << word
                << "' that differs within its " << call.groupName();
    diagnostic.noteCallers(call.op->getLoc());
    diagnostic.note(operand.get().getLoc())
        << "this value differs between threads";
    noteIdOrigin(diagnostic, agreement.idOrigin);
    diagnostic.note(call.op->getLoc())
        << call.allThreads() << " must pass the same '" << word << "'";
    return failure();
  }
  if (agreement.byData >= needed)
    return success();
  CallSiteDiagnostic diagnostic = doubt(call.op->getLoc());
  *diagnostic << "cannot prove that all threads of the " << call.groupName()
              << " pass the same '" << word << "' to this '"
              << call.op->getName() << "' op";
  diagnostic.noteCallers(call.op->getLoc());
  noteDataOrigin(diagnostic, agreement.dataOrigin);
  diagnostic.note(call.op->getLoc())
      << "if " << call.allThreads()
      << " do pass the same, say so with coop.uniform(value)";
  return verdictOfDoubt();
}

//===----------------------------------------------------------------------===//
// Explanations
//===----------------------------------------------------------------------===//

/// Remark on a branch where threads of a block part, with the way back from its
/// condition to an id or to data.
static void explainBranch(Operation *branch,
                          const UniformityAnalysis &analysis) {
  Width width = analysis.getDecision(branch).width();
  if (branch->getNumSuccessors() < 2 || width >= Width::Block)
    return;
  CallSiteDiagnostic remark(emitRemark(getOwnPlace(branch->getLoc())));
  *remark << "threads of a block part here: " << describeWays(width);
  if (width > Width::Thread && width < Width::Warp)
    *remark << " (" << lanesOfWidth(width) << ")";
  *remark << " goes one way";
  remark.noteCallers(branch->getLoc());
  for (Value operand : getDecisionOperands(branch))
    for (const Reason &reason : analysis.explain(operand, branch)) {
      remark.note(reason.loc) << reason.describe();
      remark.noteCallers(reason.loc);
    }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static bool callsForCheck(FunctionOpInterface function) {
  return function
      ->walk([](Operation *op) {
        return getRequirement(op) ? WalkResult::interrupt()
                                  : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct CheckParticipationPass
    : mlir::coop::impl::CheckParticipationPassBase<CheckParticipationPass> {
  using CheckParticipationPassBase::CheckParticipationPassBase;

  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    markAllAnalysesPreserved();
    if (function.isExternal() || !callsForCheck(function))
      return;
    OwningOpRef<FunctionOpInterface> copy = normalizeForUniformity(function);
    UniformityAnalysis analysis(*copy, function,
                                participation == Participation::Strict);
    Checker checker(analysis, participation);
    if (explain)
      copy->getOperation()->walk(
          [&](Operation *op) { explainBranch(op, analysis); });
    bool valid = true;
    copy->getOperation()->walk([&](Operation *op) {
      if (auto call = getRequirement(op))
        valid &= succeeded(checker.check(*call));
    });
    if (!valid)
      signalPassFailure();
  }
};
} // namespace
