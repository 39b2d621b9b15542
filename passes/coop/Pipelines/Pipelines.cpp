//===- Pipelines.cpp - The order of the passes
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Pipelines/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::coop;

static constexpr Stage kStages[] = {
    // The front end keeps variables and payloads in memory; the analyses that
    // follow want them as values.
    {"normalize", "gpu.module(gpu.func(sroa,mem2reg,canonicalize,cse))"},
    {"check-participation", "gpu.module(gpu.func(coop-check-participation))"},
    {"plan-shared-memory", "gpu.module(coop-plan-shared-memory)"},
    {"insert-barriers", "gpu.module(gpu.func(coop-insert-barriers))"},
    {"lower-to-cub",
     "gpu.module(coop-lower-to-cub,gpu.func(canonicalize,cse))"},
};

ArrayRef<Stage> mlir::coop::getPipelineStages() { return kStages; }

void mlir::coop::registerPipelines() {
  PassPipelineRegistration<>(
      "coop-pipeline", "All of coop's passes, in their order",
      [](OpPassManager &manager) {
        for (const Stage &stage : getPipelineStages())
          if (failed(parsePassPipeline(stage.passes, manager)))
            llvm_unreachable("a stage names an unknown pass");
      });
}
