//===- CoopToCUDA.h - CUDA C++ source of wrappers
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_TARGET_COOPTOCUDA_H
#define COOP_TARGET_COOPTOCUDA_H

#include "coop/IR/Coop.h"

namespace mlir::coop {

/// Print the translation unit that defines `wrappers`; nothing when there are
/// none.
void printCUDASource(ArrayRef<WrapperAttr> wrappers, raw_ostream &os);

/// The C++ expression whose lowered name tells size and alignment of the
/// scratch of `wrapper`, in a unit printed by printCUDASource.
std::string getLayoutProbe(WrapperAttr wrapper);

/// Register `coop-translate --coop-to-cuda`.
void registerCoopToCUDATranslation();

} // namespace mlir::coop

#endif // COOP_TARGET_COOPTOCUDA_H
