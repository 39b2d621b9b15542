//===- UniformityLattice.cpp - How widely threads agree, and why not
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformityLattice.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::coop;

StringRef mlir::coop::stringifyWidth(Width width) {
  static constexpr StringLiteral kNames[] = {"thread", "2",    "4",     "8",
                                             "16",     "warp", "block", "grid"};
  return kNames[static_cast<uint8_t>(width)];
}

Width mlir::coop::widthOfLanes(int64_t lanes) {
  return static_cast<Width>(llvm::Log2_64(lanes));
}

int64_t mlir::coop::lanesOfWidth(Width width) {
  assert(width <= Width::Warp && "blocks and grids have no fixed size");
  return int64_t(1) << static_cast<uint8_t>(width);
}

Agreement Agreement::onIds(Width width, Value origin) {
  Agreement result;
  result.byId = width;
  result.idOrigin = width == Width::Grid ? Value() : origin;
  return result;
}

Agreement Agreement::onData(Width width, Value origin) {
  Agreement result;
  result.byData = width;
  result.dataOrigin = width == Width::Grid ? Value() : origin;
  return result;
}

void Agreement::meet(const Agreement &other) {
  if (other.byId < byId) {
    byId = other.byId;
    idOrigin = other.idOrigin;
  }
  if (other.byData < byData) {
    byData = other.byData;
    dataOrigin = other.dataOrigin;
  }
}

void Agreement::widenTo(Width width) {
  byId = std::max(byId, width);
  byData = std::max(byData, width);
}

Agreement Agreement::unproven(Value origin) const {
  return onData(width(), origin);
}
