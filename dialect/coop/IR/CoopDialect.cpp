//===- CoopDialect.cpp - Dialect, types, attributes and facts
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/IR/Coop.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::coop;

#include "coop/IR/CoopDialect.cpp.inc"
#include "coop/IR/CoopEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "coop/IR/CoopTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "coop/IR/CoopAttrs.cpp.inc"
#include "coop/IR/CoopInterfaces.cpp.inc"

void CoopDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "coop/IR/CoopOps.cpp.inc"
      >();
}

void CoopDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "coop/IR/CoopTypes.cpp.inc"
      >();
}

void CoopDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "coop/IR/CoopAttrs.cpp.inc"
      >();
}

LogicalResult GroupType::verify(function_ref<InFlightDiagnostic()> emitError,
                                Scope scope, int64_t width) {
  if (scope == Scope::Block && width != kWarpWidth)
    return emitError() << "a block group has no width, got " << width;
  if (width < 1 || width > kWarpWidth || !llvm::isPowerOf2_64(width))
    return emitError() << "a warp is grouped by 1, 2, 4, 8, 16 or 32 lanes, "
                          "got "
                       << width;
  return success();
}

LogicalResult
ScratchLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                          int64_t size, int64_t alignment) {
  if (size <= 0)
    return emitError() << "scratch needs a positive size, got " << size;
  if (alignment <= 0 || !llvm::isPowerOf2_64(alignment))
    return emitError() << "an alignment is a power of two, got " << alignment;
  return success();
}

LogicalResult ItemAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t size, int64_t alignment) {
  if (size <= 0)
    return emitError() << "an item needs a positive size, got " << size;
  if (alignment <= 0 || !llvm::isPowerOf2_64(alignment) ||
      alignment > kWidestWord || size % alignment != 0)
    return emitError() << "an item's alignment is a power of two up to "
                       << kWidestWord << " that divides its size, got "
                       << alignment << " for " << size << " bytes";
  return success();
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

static int64_t getElementBytes(VectorType payload) {
  return payload.getElementTypeBitWidth() / 8;
}

ItemAttr mlir::coop::getPayloadItem(VectorType payload, ItemAttr given) {
  int64_t bytes = getElementBytes(payload);
  return given ? given : ItemAttr::get(payload.getContext(), bytes, bytes);
}

int64_t mlir::coop::getItemElements(VectorType payload, ItemAttr item) {
  return item.getSize() / getElementBytes(payload);
}

bool mlir::coop::isWorkgroupMemory(MemRefType type) {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

bool mlir::coop::usesScratch(Algorithm algorithm) {
  switch (algorithm) {
  case Algorithm::Direct:
  case Algorithm::Striped:
  case Algorithm::Vectorize:
  case Algorithm::Auto:
    return false;
  case Algorithm::Transpose:
  case Algorithm::WarpTranspose:
  case Algorithm::WarpTransposeTimesliced:
    return true;
  }
  llvm_unreachable("unknown algorithm");
}

DenseI32ArrayAttr mlir::coop::getKnownBlockDims(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!function)
    return {};
  StringRef inherent = "known_block_size";
  if (auto dims = function->getAttrOfType<DenseI32ArrayAttr>(inherent))
    return dims;
  StringRef discardable =
      gpu::GPUDialect::KnownBlockSizeAttrHelper::getNameStr();
  return function->getAttrOfType<DenseI32ArrayAttr>(discardable);
}

/// The largest block of every GPU, and the threads that it may have.
static constexpr int32_t kMaxBlockDims[] = {1024, 1024, 64};
static constexpr int64_t kMaxBlockSize = 1024;

static bool isLaunchable(ArrayRef<int32_t> dims) {
  int64_t size = 1;
  for (auto [extent, most] : llvm::zip(dims, kMaxBlockDims)) {
    if (extent < 1 || extent > most)
      return false;
    size *= extent;
  }
  return dims.size() == std::size(kMaxBlockDims) && size <= kMaxBlockSize;
}

LogicalResult mlir::coop::verifyKnownBlockDims(Operation *op) {
  DenseI32ArrayAttr dims = getKnownBlockDims(op);
  if (!dims || isLaunchable(dims.asArrayRef()))
    return success();
  InFlightDiagnostic error = op->emitOpError("is in a block of ");
  llvm::interleave(
      dims.asArrayRef(), [&](int32_t extent) { error << extent; },
      [&] { error << " x "; });
  return error << " threads; a block has three extents from 1 to 1024, 1024 "
                  "and 64, and at most "
               << kMaxBlockSize << " threads";
}

std::optional<int64_t> mlir::coop::getKnownBlockSize(Operation *op) {
  DenseI32ArrayAttr dims = getKnownBlockDims(op);
  if (!dims)
    return std::nullopt;
  return llvm::product_of(llvm::map_range(
      dims.asArrayRef(), [](int32_t d) -> int64_t { return d; }));
}

std::optional<int64_t> mlir::coop::getKnownGroupSize(Operation *op,
                                                     GroupType group) {
  if (!group.isBlock())
    return group.getWidth();
  return getKnownBlockSize(op);
}
