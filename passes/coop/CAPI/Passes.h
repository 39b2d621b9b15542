//===- Passes.h - Passes, translation and tools, for C and Python
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_CAPI_PASSES_H
#define COOP_CAPI_PASSES_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// coop and the upstream dialects that its modules are made of.
MLIR_CAPI_EXPORTED void coopRegisterAllDialects(MlirDialectRegistry registry);
/// coop's passes and pipelines, and the upstream ones that go with them.
MLIR_CAPI_EXPORTED void coopRegisterAllPasses(void);

/// Tell the pipeline's stages in order, each a name and a textual pass
/// pipeline, without the enclosing builtin.module. `target` is a chip such as
/// sm_90 or empty, `participation` one of off, warn and strict;
/// `keepUserBarriers` tells whether the program's barriers stay that order
/// nothing, `checkAssumptions` asks for run-time checks of what programs state.
typedef void (*CoopStageCallback)(MlirStringRef name, MlirStringRef passes,
                                  void *userData);
MLIR_CAPI_EXPORTED void
coopForEachPipelineStage(MlirStringRef target, int64_t launchDynamicBytes,
                         MlirStringRef participation, bool keepUserBarriers,
                         bool checkAssumptions, CoopStageCallback callback,
                         void *userData);

/// Print the CUDA C++ source of the wrappers that `op` wants; nothing when it
/// wants none.
MLIR_CAPI_EXPORTED void coopPrintCUDASource(MlirOperation op,
                                            MlirStringCallback callback,
                                            void *userData);

/// Tell the symbol name and the name expression of each wrapper of `op` that
/// uses scratch. The lowered name of the expression holds the size and the
/// alignment of the scratch.
typedef void (*CoopLayoutProbeCallback)(MlirStringRef name,
                                        MlirStringRef expression,
                                        void *userData);
MLIR_CAPI_EXPORTED void coopForEachLayoutProbe(MlirOperation op,
                                               CoopLayoutProbeCallback callback,
                                               void *userData);

/// Record the scratch that one group of the named wrapper needs, on all
/// operations of `op` that want this wrapper. Returns how many there are.
MLIR_CAPI_EXPORTED intptr_t coopAttachScratchLayout(MlirOperation op,
                                                    MlirStringRef wrapper,
                                                    int64_t size,
                                                    int64_t alignment);

/// An item of an arena for coopPlanScratch; alignment is a power of two.
typedef struct {
  int64_t size;
  int64_t alignment;
} CoopPlanItem;

typedef struct {
  int64_t size;
  int64_t alignment;
  int64_t lowerBound;
  bool isOptimal;
} CoopPlan;

/// Plan `count` items; no IR takes part. `relations` holds count * count
/// letters: 'd' where two items must have no byte in common, 's' where they may
/// if they start together, 'a' for any way. Writes `count` offsets.
MLIR_CAPI_EXPORTED CoopPlan coopPlanScratch(intptr_t count,
                                            const CoopPlanItem *items,
                                            const char *relations,
                                            int64_t *offsets);

/// The whole of coop-opt and coop-translate.
MLIR_CAPI_EXPORTED int coopOptMain(int argc, char **argv);
MLIR_CAPI_EXPORTED int coopTranslateMain(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif // COOP_CAPI_PASSES_H
