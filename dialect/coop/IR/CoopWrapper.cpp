//===- CoopWrapper.cpp - Names and facts of wrappers
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/IR/Coop.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::coop;

LogicalResult
WrapperAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef,
                    GroupType, DenseI32ArrayAttr, int64_t, ItemAttr,
                    Algorithm algorithm, bool, bool) {
  if (algorithm == Algorithm::Auto)
    return emitError() << "a wrapper's algorithm is one of the others, not "
                          "'auto'; run coop-select-algorithms first";
  return success();
}

int64_t WrapperAttr::getBlockSize() const {
  int64_t size = 1;
  for (int32_t extent : getBlock().asArrayRef())
    size *= extent;
  return size;
}

bool WrapperAttr::usesScratch() const {
  return coop::usesScratch(getAlgorithm());
}

/// block, warp, or warp8 for the part of a warp.
static void printGroup(raw_ostream &os, GroupType group) {
  os << stringifyScope(group.getScope());
  if (group.getWidth() != GroupType::kWarpWidth)
    os << group.getWidth();
}

/// b32 for items of 32 bits, b96a4 for ones of 96 at multiples of 4 bytes.
static void printItem(raw_ostream &os, ItemAttr item) {
  os << 'b' << item.getSize() * 8;
  if (item.getAlignment() != item.getSize())
    os << 'a' << item.getAlignment();
}

std::string WrapperAttr::getSymbolName() const {
  std::string name;
  llvm::raw_string_ostream os(name);
  os << "coop_";
  printGroup(os, getGroup());
  os << '_' << getCollective() << '_';
  printItem(os, getItem());
  os << '_';
  llvm::interleave(getBlock().asArrayRef(), os, "x");
  os << "_k" << getItems() << '_' << stringifyAlgorithm(getAlgorithm());
  if (getGuarded())
    os << "_guarded";
  if (getDefaulted())
    os << "_default";
  return name;
}
