//===- Coop.cpp - The dialect's C interface
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/CAPI/Coop.h"
#include "coop/IR/Coop.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Coop, coop, coop::CoopDialect)

bool coopTypeIsAGroup(MlirType type) {
  return isa<coop::GroupType>(unwrap(type));
}

MlirTypeID coopGroupTypeGetTypeID() {
  return wrap(coop::GroupType::getTypeID());
}

MlirStringRef coopGroupTypeGetName() { return wrap(coop::GroupType::name); }

MlirType coopGroupTypeGetChecked(MlirLocation location, MlirStringRef scope,
                                 int64_t width) {
  Location loc = unwrap(location);
  std::optional<coop::Scope> symbol = coop::symbolizeScope(unwrap(scope));
  if (!symbol) {
    emitError(loc) << "unknown scope '" << unwrap(scope)
                   << "'; the scopes are block and warp";
    return {nullptr};
  }
  return wrap(coop::GroupType::getChecked([&] { return emitError(loc); },
                                          loc.getContext(), *symbol, width));
}

MlirStringRef coopGroupTypeGetScope(MlirType type) {
  return wrap(
      coop::stringifyScope(cast<coop::GroupType>(unwrap(type)).getScope()));
}

int64_t coopGroupTypeGetWidth(MlirType type) {
  return cast<coop::GroupType>(unwrap(type)).getWidth();
}

bool coopTypeIsATempStorage(MlirType type) {
  return isa<coop::TempStorageType>(unwrap(type));
}

MlirTypeID coopTempStorageTypeGetTypeID() {
  return wrap(coop::TempStorageType::getTypeID());
}

MlirStringRef coopTempStorageTypeGetName() {
  return wrap(coop::TempStorageType::name);
}

MlirType coopTempStorageTypeGet(MlirContext context) {
  return wrap(coop::TempStorageType::get(unwrap(context)));
}
