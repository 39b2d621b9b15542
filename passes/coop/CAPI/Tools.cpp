//===- Tools.cpp - The command-line tools
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/CAPI/Passes.h"
#include "coop/CAPI/Registration.h"
#include "coop/Target/CoopToCUDA.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

using namespace mlir;

int coopOptMain(int argc, char **argv) {
  DialectRegistry registry;
  coop::registerAllDialects(registry);
  coop::registerAllPasses();
  return asMainReturnCode(
      MlirOptMain(argc, argv, "coop optimizer driver\n", registry));
}

int coopTranslateMain(int argc, char **argv) {
  coop::registerCoopToCUDATranslation();
  return asMainReturnCode(
      mlirTranslateMain(argc, argv, "coop translation driver\n"));
}
