//===- Pipelines.cpp - The order of the passes
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Pipelines/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::coop;
using llvm::formatv;

SmallVector<Stage>
mlir::coop::getPipelineStages(const PipelineOptions &options) {
  std::string target =
      options.target.empty() ? "" : "target=" + options.target + " ";
  SmallVector<Stage> stages = {
      // The front end keeps variables and payloads in memory; the analyses
      // that follow want them as values, which say nothing of who wrote them.
      {"normalize", "gpu.module(gpu.func(coop-check-payloads,sroa,mem2reg,"
                    "canonicalize,cse))"},
      {"check-participation",
       formatv(
           "gpu.module(gpu.func(coop-check-participation{{participation={0}}))",
           options.participation)}};
  // Before the stages that count the shared memory, of which the checks take
  // some.
  if (options.checkAssumptions)
    stages.push_back(
        {"check-assumptions", "gpu.module(coop-check-assumptions)"});
  stages.push_back(
      {"select-algorithms",
       formatv(
           "gpu.module(coop-select-algorithms{{{0}launch-dynamic-bytes={1}})",
           target, options.launchDynamicBytes)});
  stages.push_back(
      {"plan-shared-memory",
       formatv(
           "gpu.module(coop-plan-shared-memory{{{0}launch-dynamic-bytes={1}})",
           target, options.launchDynamicBytes)});
  stages.push_back(
      {"insert-barriers", "gpu.module(gpu.func(coop-insert-barriers))"});
  // Of our own barriers, only a search that was cut off leaves one to take
  // away; the program's go where it allows that.
  stages.push_back(
      {"eliminate-barriers",
       formatv("gpu.module(gpu.func(coop-eliminate-barriers{{keep-user-"
               "barriers={0}}))",
               options.keepUserBarriers)});
  stages.push_back(
      {"lower-to-cub",
       "gpu.module(coop-lower-to-cub,gpu.func(coop-unroll-payload-loops,"
       "canonicalize,cse))"});
  return stages;
}

namespace {
/// PipelineOptions on the command line.
struct CommandLineOptions : public PassPipelineOptions<CommandLineOptions> {
  PipelineOptions defaults;
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("The chip, such as sm_90"),
                             llvm::cl::init(defaults.target)};
  Option<int64_t> launchDynamicBytes{
      *this, "launch-dynamic-bytes",
      llvm::cl::desc("Shared memory that the program's launch asks for"),
      llvm::cl::init(defaults.launchDynamicBytes)};
  Option<std::string> participation{
      *this, "participation",
      llvm::cl::desc("off, warn or strict: what becomes of a call whose "
                     "participation is not proven"),
      llvm::cl::init(defaults.participation)};
  Option<bool> keepUserBarriers{
      *this, "keep-user-barriers",
      llvm::cl::desc("Keep the program's barriers that order no two accesses"),
      llvm::cl::init(defaults.keepUserBarriers)};
  Option<bool> checkAssumptions{
      *this, "check-assumptions",
      llvm::cl::desc("Check at run time what coop.uniform states"),
      llvm::cl::init(defaults.checkAssumptions)};
};
} // namespace

void mlir::coop::registerPipelines() {
  PassPipelineRegistration<CommandLineOptions>(
      "coop-pipeline", "All of coop's passes, in their order",
      [](OpPassManager &manager, const CommandLineOptions &options) {
        for (const Stage &stage :
             getPipelineStages({options.target, options.launchDynamicBytes,
                                options.participation, options.keepUserBarriers,
                                options.checkAssumptions}))
          if (failed(parsePassPipeline(stage.passes, manager)))
            llvm::report_fatal_error(
                "a stage of -coop-pipeline is malformed: " +
                Twine(stage.passes));
      });
}
