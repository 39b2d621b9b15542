//===- PrintUniformity.cpp - Show what the uniformity analysis finds
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/TestPasses/PrintUniformity.h"
#include "coop/Analysis/Uniformity.h"
#include "coop/Analysis/UniformityNormalize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::coop;

static std::string describe(const Agreement &agreement) {
  std::string text = stringifyWidth(agreement.byId).str();
  if (agreement.byData < agreement.byId)
    text += ", data " + stringifyWidth(agreement.byData).str();
  return text;
}

static void annotate(Operation *op, const UniformityAnalysis &analysis) {
  Builder builder(op->getContext());
  SmallVector<Attribute> agreements;
  for (Value result : op->getResults())
    agreements.push_back(
        builder.getStringAttr(describe(analysis.getAgreement(result))));
  if (agreements.size() == 1)
    op->setDiscardableAttr("agree", agreements.front());
  else if (!agreements.empty())
    op->setDiscardableAttr("agree", builder.getArrayAttr(agreements));
  if (!op->hasTrait<OpTrait::IsTerminator>())
    return;
  Execution execution = analysis.getExecution(op);
  op->setDiscardableAttr(
      "together",
      builder.getStringAttr(execution.reached ? describe(execution.agreement)
                                              : "never"));
}

namespace {
struct PrintUniformityPass
    : PassWrapper<PrintUniformityPass, InterfacePass<FunctionOpInterface>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintUniformityPass)

  StringRef getArgument() const override {
    return "coop-test-print-uniformity";
  }
  StringRef getDescription() const override {
    return "Print functions with the groups of threads that agree";
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect>();
  }

  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    if (function.isExternal())
      return;
    OwningOpRef<FunctionOpInterface> copy = normalizeForUniformity(function);
    UniformityAnalysis analysis(*copy, function);
    copy->getOperation()->walk([&](Operation *op) {
      if (op != copy->getOperation())
        annotate(op, analysis);
    });
    // Verification would ask for the copy's module.
    copy->getOperation()->print(llvm::outs(),
                                OpPrintingFlags().assumeVerified());
    llvm::outs() << "\n";
  }
};
} // namespace

void mlir::coop::registerPrintUniformityPass() {
  PassRegistration<PrintUniformityPass>();
}
