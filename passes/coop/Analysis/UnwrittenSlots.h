//===- UnwrittenSlots.h - Reads of payload slots that nothing has written
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_ANALYSIS_UNWRITTENSLOTS_H
#define COOP_ANALYSIS_UNWRITTENSLOTS_H

#include "coop/IR/Coop.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

namespace mlir::coop {

/// Marks the `memref.alloca` of a payload; others are the front end's own.
inline constexpr StringLiteral kPayloadAttrName = "coop.payload";

/// A read that gets what nothing has written, the first time at least.
struct UnwrittenRead {
  memref::LoadOp load;
  /// Nullopt: whichever slot it is, none has been written.
  std::optional<int64_t> slot;
};

/// The reads of one payload, in the order in which the function has them.
struct PayloadReads {
  memref::AllocaOp payload;
  SmallVector<UnwrittenRead> reads;
};

/// The reads in `function` that provably get a slot that nothing has written:
/// before the read is executed for the first time, no write to its slot can be.
/// Of reads of one slot that follow each other only the first is found. Errs by
/// leaving out: a slot that is written on some way to the read, in a loop by a
/// variable index, or through anything else than a load or store of the payload
/// counts as written.
SmallVector<PayloadReads> findUnwrittenReads(FunctionOpInterface function);

} // namespace mlir::coop

#endif // COOP_ANALYSIS_UNWRITTENSLOTS_H
