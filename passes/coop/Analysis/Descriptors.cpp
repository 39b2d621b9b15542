//===- Descriptors.cpp - Where a descriptor of scratch comes from
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/ScratchLiveness.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::coop;

namespace {
/// Goes back from a value to the values that it may be a copy of.
class Tracer {
public:
  LogicalResult trace(Value value) {
    pending.insert(value);
    for (unsigned i = 0; i < pending.size(); ++i)
      if (failed(step(pending[i])))
        return failure();
    return success();
  }
  SmallVector<TempStorageOp> takeConstructors() {
    return constructors.takeVector();
  }

private:
  LogicalResult step(Value value);
  LogicalResult stepArgument(BlockArgument argument);
  LogicalResult stepBranches(BlockArgument argument);
  /// To what reaches result or argument `value` of a region operation.
  LogicalResult stepRegions(RegionBranchOpInterface op, Value value);

  llvm::SetVector<Value> pending;
  llvm::SetVector<TempStorageOp, SmallVector<TempStorageOp>> constructors;
};
} // namespace

LogicalResult Tracer::step(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return stepArgument(argument);
  Operation *op = value.getDefiningOp();
  if (auto constructor = dyn_cast<TempStorageOp>(op)) {
    constructors.insert(constructor);
    return success();
  }
  if (auto select = dyn_cast<SelectLikeOpInterface>(op)) {
    pending.insert(select.getTrueValue());
    pending.insert(select.getFalseValue());
    return success();
  }
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    return stepRegions(branch, value);
  return failure();
}

LogicalResult Tracer::stepArgument(BlockArgument argument) {
  Block *block = argument.getOwner();
  if (!block->isEntryBlock())
    return stepBranches(argument);
  auto branch = dyn_cast<RegionBranchOpInterface>(block->getParentOp());
  return branch ? stepRegions(branch, argument) : failure();
}

LogicalResult Tracer::stepBranches(BlockArgument argument) {
  Block *block = argument.getOwner();
  for (auto it = block->pred_begin(), end = block->pred_end(); it != end;
       ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    Value passed = branch ? branch.getSuccessorOperands(
                                it.getSuccessorIndex())[argument.getArgNumber()]
                          : Value();
    if (!passed)
      return failure();
    pending.insert(passed);
  }
  return success();
}

LogicalResult Tracer::stepRegions(RegionBranchOpInterface op, Value value) {
  auto follow = [&](RegionBranchPoint point, auto getOperands) {
    SmallVector<RegionSuccessor> successors;
    op.getSuccessorRegions(point, successors);
    for (const RegionSuccessor &successor : successors)
      for (auto [input, operand] :
           llvm::zip(successor.getSuccessorInputs(), getOperands(successor)))
        if (input == value)
          pending.insert(operand);
  };
  follow(RegionBranchPoint::parent(), [&](RegionSuccessor successor) {
    return op.getEntrySuccessorOperands(successor);
  });
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (auto end = dyn_cast<RegionBranchTerminatorOpInterface>(block.back()))
        follow(end, [&](RegionSuccessor successor) {
          return end.getSuccessorOperands(successor);
        });
  return success();
}

FailureOr<SmallVector<TempStorageOp>>
mlir::coop::findConstructors(Value descriptor) {
  Tracer tracer;
  if (failed(tracer.trace(descriptor)))
    return failure();
  SmallVector<TempStorageOp> constructors = tracer.takeConstructors();
  if (constructors.empty())
    return failure();
  return constructors;
}
