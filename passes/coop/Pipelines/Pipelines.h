//===- Pipelines.h - The order of the passes
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_PIPELINES_PIPELINES_H
#define COOP_PIPELINES_PIPELINES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace mlir::coop {

/// What the passes must be told of a compilation.
struct PipelineOptions {
  /// The chip, such as sm_90; empty when it is unknown.
  std::string target;
  /// Shared memory in bytes that the program's launch asks for.
  int64_t launchDynamicBytes = 0;
  /// What becomes of a call whose participation is not proven: off, warn or
  /// strict.
  std::string participation = "warn";
  /// Whether barriers of the program stay that order no two accesses.
  bool keepUserBarriers = true;
  /// Whether what the program states with coop.uniform is checked at run time.
  bool checkAssumptions = false;
};

/// A step from the front end's module to one that holds no coop operation.
struct Stage {
  std::string name;
  /// A textual pass pipeline, without the enclosing `builtin.module(...)`.
  std::string passes;
};

/// The steps, in their only order.
SmallVector<Stage> getPipelineStages(const PipelineOptions &options = {});

/// Register `-coop-pipeline`, which runs all stages.
void registerPipelines();

} // namespace mlir::coop

#endif // COOP_PIPELINES_PIPELINES_H
