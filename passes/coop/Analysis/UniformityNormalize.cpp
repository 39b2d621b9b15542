//===- UniformityNormalize.cpp - A function in the form that analyses want
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformityNormalize.h"
#include "coop/Analysis/UniformityMergeTests.h"
#include "coop/Analysis/UniformityRanges.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::coop;

//===----------------------------------------------------------------------===//
// Structured control flow
//===----------------------------------------------------------------------===//

/// Lower what can be lowered; the rest stays and is judged as unknown.
static void lowerStructuredControlFlow(Operation *function) {
  MLIRContext *context = function->getContext();
  bool structured =
      function
          ->walk([&](Operation *op) {
            return isa_and_nonnull<scf::SCFDialect>(op->getDialect())
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  if (!structured)
    return;
  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*context);
  target.addIllegalOp<scf::ForOp, scf::ForallOp, scf::IfOp, scf::IndexSwitchOp,
                      scf::ParallelOp, scf::WhileOp, scf::ExecuteRegionOp>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  (void)applyPartialConversion(function, target, std::move(patterns));
}

//===----------------------------------------------------------------------===//
// Remainders
//===----------------------------------------------------------------------===//

/// Whether a condition compares `remainder` to 0, or its sign to the divisor's.
static bool asksForFix(Value condition, arith::RemSIOp remainder) {
  auto cmp = condition.getDefiningOp<arith::CmpIOp>();
  if (!cmp || !matchPattern(cmp.getRhs(), m_Zero()))
    return false;
  if (cmp.getPredicate() == arith::CmpIPredicate::ne)
    return cmp.getLhs() == remainder.getResult();
  auto mixed = cmp.getLhs().getDefiningOp<arith::XOrIOp>();
  return cmp.getPredicate() == arith::CmpIPredicate::slt && mixed &&
         llvm::is_contained(mixed->getOperands(), remainder.getResult()) &&
         llvm::is_contained(mixed->getOperands(), remainder.getRhs());
}

/// The remainder r of
///
///     r + ((r ^ d) < 0 && r != 0 ? d : 0)
///
/// which has the sign of the divisor d; null for other sums.
static arith::RemSIOp matchFloorRemainder(Value part, Value fix) {
  auto remainder = part.getDefiningOp<arith::RemSIOp>();
  auto select = fix.getDefiningOp<arith::SelectOp>();
  if (!remainder || !select || select.getTrueValue() != remainder.getRhs() ||
      !matchPattern(select.getFalseValue(), m_Zero()))
    return {};
  auto both = select.getCondition().getDefiningOp<arith::AndIOp>();
  bool asks = both && both.getLhs() != both.getRhs() &&
              asksForFix(both.getLhs(), remainder) &&
              asksForFix(both.getRhs(), remainder);
  return asks ? remainder : arith::RemSIOp();
}

/// Spell x mod 2^k as x & (2^k - 1).
static void simplifyRemainder(arith::AddIOp sum) {
  arith::RemSIOp remainder = matchFloorRemainder(sum.getLhs(), sum.getRhs());
  if (!remainder)
    remainder = matchFloorRemainder(sum.getRhs(), sum.getLhs());
  APInt divisor;
  if (!remainder ||
      !matchPattern(remainder.getRhs(), m_ConstantInt(&divisor)) ||
      !divisor.isPowerOf2() || divisor.isNegative())
    return;
  OpBuilder builder(sum);
  auto mask = arith::ConstantOp::create(
      builder, sum.getLoc(),
      builder.getIntegerAttr(sum.getType(), divisor - 1));
  auto low =
      arith::AndIOp::create(builder, sum.getLoc(), remainder.getLhs(), mask);
  sum.replaceAllUsesWith(low.getResult());
}

//===----------------------------------------------------------------------===//
// Traps
//===----------------------------------------------------------------------===//

/// A trap stops all threads, so none waits for those that took this way.
static bool endsInTrap(Block *block) {
  return !block->empty() && isa<LLVM::UnreachableOp>(block->back());
}

static void dropTraps(Region &region) {
  for (Block &block : region) {
    auto branch = dyn_cast<cf::CondBranchOp>(block.getTerminator());
    if (!branch)
      continue;
    bool onTrue = endsInTrap(branch.getTrueDest());
    if (onTrue == endsInTrap(branch.getFalseDest()))
      continue;
    OpBuilder builder(branch);
    cf::BranchOp::create(builder, branch.getLoc(),
                         onTrue ? branch.getFalseDest() : branch.getTrueDest(),
                         onTrue ? branch.getFalseDestOperands()
                                : branch.getTrueDestOperands());
    branch.erase();
  }
}

OwningOpRef<FunctionOpInterface>
mlir::coop::normalizeForUniformity(FunctionOpInterface function) {
  OwningOpRef<FunctionOpInterface> copy =
      cast<FunctionOpInterface>(function->clone());
  lowerStructuredControlFlow(copy->getOperation());
  copy->walk([](arith::AddIOp sum) { simplifyRemainder(sum); });
  for (Region &region : copy->getOperation()->getRegions()) {
    if (region.empty())
      continue;
    dropTraps(region);
    mergeRepeatedTests(region);
  }
  // Last: one of two tests that stand for one may be the one that is decided.
  foldKnownRanges(*copy);
  return copy;
}
