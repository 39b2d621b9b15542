//===- coop-translate.cpp - The tool's entry; the library holds the rest
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/CAPI/Passes.h"

int main(int argc, char **argv) { return coopTranslateMain(argc, argv); }
