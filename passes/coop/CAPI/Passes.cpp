//===- Passes.cpp - Passes and translation, for C and Python
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/CAPI/Passes.h"
#include "coop/Analysis/ScratchPlan.h"
#include "coop/CAPI/Registration.h"
#include "coop/IR/Coop.h"
#include "coop/Pipelines/Pipelines.h"
#include "coop/Target/CoopToCUDA.h"
#include "coop/Target/WantedWrappers.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"

using namespace mlir;

void coopRegisterAllDialects(MlirDialectRegistry registry) {
  coop::registerAllDialects(*unwrap(registry));
}

void coopRegisterAllPasses() { coop::registerAllPasses(); }

void coopForEachPipelineStage(MlirStringRef target, int64_t launchDynamicBytes,
                              MlirStringRef participation,
                              bool keepUserBarriers, bool checkAssumptions,
                              CoopStageCallback callback, void *userData) {
  coop::PipelineOptions options{unwrap(target).str(), launchDynamicBytes,
                                unwrap(participation).str(), keepUserBarriers,
                                checkAssumptions};
  for (const coop::Stage &stage : coop::getPipelineStages(options))
    callback(wrap(StringRef(stage.name)), wrap(StringRef(stage.passes)),
             userData);
}

void coopPrintCUDASource(MlirOperation op, MlirStringCallback callback,
                         void *userData) {
  mlir::detail::CallbackOstream stream(callback, userData);
  coop::printCUDASource(coop::getWantedWrappers(unwrap(op)), stream);
}

void coopForEachLayoutProbe(MlirOperation op, CoopLayoutProbeCallback callback,
                            void *userData) {
  for (coop::WrapperAttr wrapper : coop::getWantedWrappers(unwrap(op))) {
    if (!wrapper.usesScratch())
      continue;
    std::string name = wrapper.getSymbolName();
    std::string expression = coop::getLayoutProbe(wrapper);
    callback(wrap(StringRef(name)), wrap(StringRef(expression)), userData);
  }
}

intptr_t coopAttachScratchLayout(MlirOperation op, MlirStringRef wrapper,
                                 int64_t size, int64_t alignment) {
  return coop::attachScratchLayout(unwrap(op), unwrap(wrapper), size,
                                   alignment);
}

static coop::PlanRelation toRelation(char letter) {
  switch (letter) {
  case 'd':
    return coop::PlanRelation::Disjoint;
  case 's':
    return coop::PlanRelation::SameOffset;
  default:
    return coop::PlanRelation::Any;
  }
}

CoopPlan coopPlanScratch(intptr_t count, const CoopPlanItem *items,
                         const char *relations, int64_t *offsets) {
  SmallVector<coop::PlanItem> planned;
  for (intptr_t i = 0; i < count; ++i)
    planned.push_back({items[i].size, items[i].alignment});
  coop::PlanProblem problem(planned);
  for (intptr_t i = 0; i < count; ++i)
    for (intptr_t j = 0; j < i; ++j)
      problem.relate(i, j, toRelation(relations[i * count + j]));
  coop::ScratchPlan plan = coop::planScratch(problem);
  llvm::copy(plan.offsets, offsets);
  return {plan.size, plan.alignment, plan.lowerBound, plan.isOptimal};
}
