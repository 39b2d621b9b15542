//===- Coop.h - What C and Python may call
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_CAPI_COOP_H
#define COOP_CAPI_COOP_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Coop, coop);

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

MLIR_CAPI_EXPORTED bool coopTypeIsAGroup(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID coopGroupTypeGetTypeID(void);
MLIR_CAPI_EXPORTED MlirStringRef coopGroupTypeGetName(void);
/// A null type, and a diagnostic at `location`, where the parameters are bad.
MLIR_CAPI_EXPORTED MlirType coopGroupTypeGetChecked(MlirLocation location,
                                                    MlirStringRef scope,
                                                    int64_t width);
MLIR_CAPI_EXPORTED MlirStringRef coopGroupTypeGetScope(MlirType type);
MLIR_CAPI_EXPORTED int64_t coopGroupTypeGetWidth(MlirType type);

MLIR_CAPI_EXPORTED bool coopTypeIsATempStorage(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID coopTempStorageTypeGetTypeID(void);
MLIR_CAPI_EXPORTED MlirStringRef coopTempStorageTypeGetName(void);
MLIR_CAPI_EXPORTED MlirType coopTempStorageTypeGet(MlirContext context);

#ifdef __cplusplus
}
#endif

#endif // COOP_CAPI_COOP_H
