//===- LaneMask.h - The lanes of a group in its warp
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_TRANSFORMS_LANEMASK_H
#define COOP_TRANSFORMS_LANEMASK_H

#include "coop/IR/Coop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::coop {

/// The first lane of this thread's group of `width` lanes.
inline Value createFirstLane(OpBuilder &b, Location loc, int64_t width) {
  Value lane = NVVM::LaneIdOp::create(b, loc, b.getI32Type());
  Value high = arith::ConstantIntOp::create(b, loc, -width, 32);
  return arith::AndIOp::create(b, loc, lane, high);
}

/// The lanes of this thread's group in its warp: `width` ones at a multiple of
/// `width`.
inline Value createLaneMask(OpBuilder &b, Location loc, int64_t width) {
  int64_t ones = (int64_t(1) << width) - 1;
  if (width == GroupType::kWarpWidth)
    return arith::ConstantIntOp::create(b, loc, -1, 32);
  Value first = createFirstLane(b, loc, width);
  Value lanes = arith::ConstantIntOp::create(b, loc, ones, 32);
  return arith::ShLIOp::create(b, loc, lanes, first);
}

} // namespace mlir::coop

#endif // COOP_TRANSFORMS_LANEMASK_H
