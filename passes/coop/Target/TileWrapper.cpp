//===- TileWrapper.cpp - CUDA C++ of load and store wrappers
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Target/TileWrapper.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir;
using namespace mlir::coop;
using llvm::formatv;

static constexpr int64_t kWidestVectorBytes = 16;

/// The C++ type that carries an element: bits move, a sign means nothing.
static StringRef cppType(Type element) {
  if (element.isF32())
    return "float";
  if (element.isF64())
    return "double";
  switch (element.getIntOrFloatBitWidth()) {
  case 8:
    return "unsigned char";
  case 16:
    return "unsigned short";
  case 32:
    return "unsigned int";
  case 64:
    return "unsigned long long";
  }
  llvm_unreachable("the verifier admits no other element");
}

/// CUDA's vector of `bytes` bytes.
static StringRef vectorType(int64_t bytes) {
  switch (bytes) {
  case 2:
    return "unsigned short";
  case 4:
    return "unsigned int";
  case 8:
    return "uint2";
  case 16:
    return "uint4";
  }
  llvm_unreachable("no such vector");
}

static bool isByWarps(Algorithm algorithm) {
  return algorithm == Algorithm::WarpTranspose ||
         algorithm == Algorithm::WarpTransposeTimesliced;
}

/// The rank of a thread in a block of these extents.
static std::string threadRank(ArrayRef<int32_t> extents) {
  static constexpr StringRef kIndex[] = {"threadIdx.x", "threadIdx.y",
                                         "threadIdx.z"};
  SmallVector<std::string> terms;
  int64_t stride = 1;
  for (auto [index, extent] : llvm::zip(kIndex, extents)) {
    if (extent > 1)
      terms.push_back(stride == 1 ? index.str()
                                  : formatv("{0} * {1}", index, stride).str());
    stride *= extent;
  }
  return terms.empty() ? "0" : llvm::join(terms, " + ");
}

int64_t TileWrapper::getGroupSize() const {
  return wrapper.getGroup().getSize(wrapper.getBlockSize());
}

int64_t TileWrapper::getVectorBytes() const {
  int64_t elementBytes = wrapper.getElement().getIntOrFloatBitWidth() / 8;
  return std::gcd(wrapper.getItems() * elementBytes, kWidestVectorBytes);
}

bool TileWrapper::usesVectors() const {
  return wrapper.getAlgorithm() == Algorithm::Vectorize &&
         getVectorBytes() * 8 > wrapper.getElement().getIntOrFloatBitWidth();
}

std::string TileWrapper::getLayoutProbe() const {
  return formatv("&coop_layout_probe<sizeof({0}::TempStorage), "
                 "alignof({0}::TempStorage)>",
                 getTypeName());
}

//===----------------------------------------------------------------------===//
// Names of CUB
//===----------------------------------------------------------------------===//

/// The free function that moves between memory and payloads.
std::string TileWrapper::getAccess() const {
  StringRef direction = isLoad() ? "Load" : "Store";
  switch (wrapper.getAlgorithm()) {
  case Algorithm::Direct:
  case Algorithm::Vectorize:
    return formatv("cub::{0}DirectBlocked", direction);
  case Algorithm::Striped:
  case Algorithm::Transpose:
    return formatv("cub::{0}DirectStriped<{1}>", direction, getGroupSize());
  case Algorithm::WarpTranspose:
  case Algorithm::WarpTransposeTimesliced:
    return formatv("cub::{0}DirectWarpStriped", direction);
  case Algorithm::Auto:
    break;
  }
  llvm_unreachable("the verifier admits no other algorithm");
}

std::string TileWrapper::getExchangeType() const {
  StringRef element = cppType(wrapper.getElement());
  if (isWarp())
    return formatv("cub::WarpExchange<{0}, {1}, {2}>", element,
                   wrapper.getItems(), wrapper.getGroup().getWidth());
  ArrayRef<int32_t> block = wrapper.getBlock().asArrayRef();
  bool slices = wrapper.getAlgorithm() == Algorithm::WarpTransposeTimesliced;
  return formatv("cub::BlockExchange<{0}, {1}, {2}, {3}, {4}, {5}>", element,
                 block[0], wrapper.getItems(), slices ? "true" : "false",
                 block[1], block[2]);
}

std::string TileWrapper::getExchangeMethod() const {
  StringRef striped =
      isByWarps(wrapper.getAlgorithm()) ? "WarpStriped" : "Striped";
  return isLoad() ? formatv("{0}ToBlocked", striped).str()
                  : formatv("BlockedTo{0}", striped).str();
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void TileWrapper::printSignature(raw_ostream &os) const {
  StringRef element = cppType(wrapper.getElement());
  os << "extern \"C\" __device__ void " << wrapper.getSymbolName() << '(';
  if (wrapper.usesScratch())
    os << "void *scratch, ";
  os << (isLoad() ? "const " : "") << element << " *memory, ";
  if (wrapper.getGuarded())
    os << "long long valid, ";
  if (wrapper.getDefaulted())
    os << element << " oob_default, ";
  os << element << " *items) {\n";
}

void TileWrapper::printRank(raw_ostream &os) const {
  std::string thread = threadRank(wrapper.getBlock().asArrayRef());
  if (!isWarp()) {
    os << "  int rank = " << thread << ";\n";
    return;
  }
  // Unsigned, so that the division is a shift.
  os << "  unsigned thread = " << thread << ";\n"
     << "  int group = thread / " << getGroupSize() << ";\n"
     << "  int rank = thread % " << getGroupSize() << ";\n"
     << "  memory += group * " << getTileItems() << "ll;\n";
}

void TileWrapper::printDirectAccess(raw_ostream &os, StringRef indent) const {
  os << indent << getAccess() << "(rank, memory, payload"
     << (wrapper.getGuarded() ? ", count" : "")
     << (wrapper.getDefaulted() ? ", oob_default" : "") << ");\n";
}

/// A full tile by vectors, also when the call is guarded (L11).
void TileWrapper::printVectorAccess(raw_ostream &os) const {
  std::string access =
      formatv("coop_{0}_vectors<{1}>(rank, memory, payload);\n",
              wrapper.getCollective(), vectorType(getVectorBytes()));
  if (!wrapper.getGuarded()) {
    os << "  " << access;
    return;
  }
  os << "  if (count == " << getTileItems() << ")\n    " << access
     << "  else\n";
  printDirectAccess(os, "    ");
}

void TileWrapper::printAccess(raw_ostream &os) const {
  if (usesVectors())
    printVectorAccess(os);
  else
    printDirectAccess(os, "  ");
}

void TileWrapper::printExchange(raw_ostream &os) const {
  if (!wrapper.usesScratch())
    return;
  std::string type = getTypeName();
  os << "  auto &storage = static_cast<" << type << "::TempStorage *>(scratch)["
     << (isWarp() ? "group" : "0") << "];\n"
     << "  " << type << "(storage)." << getExchangeMethod()
     << "(payload, payload);\n";
}

void TileWrapper::print(raw_ostream &os) const {
  if (wrapper.usesScratch())
    os << "using " << getTypeName() << " = " << getExchangeType() << ";\n";
  printSignature(os);
  os << "  auto &payload = *reinterpret_cast<" << cppType(wrapper.getElement())
     << " (*)[" << wrapper.getItems() << "]>(items);\n";
  printRank(os);
  if (wrapper.getGuarded())
    os << "  int count = coop_valid_items<" << getTileItems() << ">(valid);\n";
  if (!isLoad())
    printExchange(os);
  printAccess(os);
  if (isLoad())
    printExchange(os);
  os << "}\n";
}
