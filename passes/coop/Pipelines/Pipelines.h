//===- Pipelines.h - The order of the passes
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_PIPELINES_PIPELINES_H
#define COOP_PIPELINES_PIPELINES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::coop {

/// A step from the front end's module to one that holds no coop operation.
struct Stage {
  StringRef name;
  /// A textual pass pipeline, without the enclosing `builtin.module(...)`.
  StringRef passes;
};

/// The steps, in their only order.
ArrayRef<Stage> getPipelineStages();

/// Register `-coop-pipeline`, which runs all stages.
void registerPipelines();

} // namespace mlir::coop

#endif // COOP_PIPELINES_PIPELINES_H
