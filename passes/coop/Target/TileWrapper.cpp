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

/// The C++ type of a word: bits move, what they mean doesn't matter.
static StringRef wordType(int64_t bytes) {
  switch (bytes) {
  case 1:
    return "unsigned char";
  case 2:
    return "unsigned short";
  case 4:
    return "unsigned int";
  case 8:
    return "unsigned long long";
  case 16:
    return "uint4";
  }
  llvm_unreachable("no such word");
}

/// The C++ type that carries an item in words.
static std::string itemType(int64_t bytes, int64_t wordBytes) {
  StringRef word = wordType(wordBytes);
  if (bytes == wordBytes)
    return word.str();
  return formatv("coop_item<{0}, {1}>", word, bytes / wordBytes);
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
  return std::gcd(wrapper.getItems() * wrapper.getItem().getSize(),
                  kWidestVectorBytes);
}

bool TileWrapper::usesVectors() const {
  return wrapper.getAlgorithm() == Algorithm::Vectorize &&
         getVectorBytes() > wrapper.getItem().getWordBytes();
}

/// Whether items in memory promise the alignment of their words.
bool TileWrapper::isAligned() const {
  ItemAttr item = wrapper.getItem();
  return item.getAlignment() >= item.getWordBytes();
}

bool TileWrapper::usesItems() const {
  ItemAttr item = wrapper.getItem();
  return item.getSize() > std::min(item.getWordBytes(), item.getAlignment());
}

bool TileWrapper::testsAlignment() const {
  return usesVectors() || !isAligned();
}

/// An item in registers.
std::string TileWrapper::getType() const {
  ItemAttr item = wrapper.getItem();
  return itemType(item.getSize(), item.getWordBytes());
}

/// An item in memory, as far as its address is known.
std::string TileWrapper::getMemoryType() const {
  ItemAttr item = wrapper.getItem();
  return itemType(item.getSize(),
                  std::min(item.getWordBytes(), item.getAlignment()));
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
  std::string element = getType();
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
  os << "extern \"C\" __device__ void " << wrapper.getSymbolName() << '(';
  if (wrapper.usesScratch())
    os << "void *scratch, ";
  os << (isLoad() ? "const " : "") << getMemoryType() << " *memory, ";
  if (wrapper.getGuarded())
    os << "long long valid, ";
  if (wrapper.getDefaulted())
    os << "const " << getType() << " *oob_default, ";
  os << getType() << " *items) {\n";
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

std::string TileWrapper::getAccessCall(StringRef memory, StringRef payload,
                                       StringRef oobDefault) const {
  std::string call =
      formatv("{0}(rank, {1}, {2}", getAccess(), memory, payload);
  if (wrapper.getGuarded())
    call += ", count";
  if (wrapper.getDefaulted())
    call += formatv(", {0}", oobDefault).str();
  return call + ");\n";
}

/// A full tile by vectors, also when the call is guarded (L11).
std::string TileWrapper::getVectorAccess() const {
  return formatv("coop_{0}_vectors<{1}>(rank, memory, payload);\n",
                 wrapper.getCollective(), vectorType(getVectorBytes()));
}

/// Items in words, as they are in registers.
std::string TileWrapper::getWideAccess() const {
  std::string memory = "memory";
  if (!isAligned())
    memory = formatv("reinterpret_cast<{0}{1} *>(memory)",
                     isLoad() ? "const " : "", getType());
  return getAccessCall(memory, "payload", "*oob_default");
}

/// Items in the words that their alignment promises.
std::string TileWrapper::getNarrowAccess() const {
  return getAccessCall(
      "memory",
      formatv("reinterpret_cast<{0} (&)[{1}]>(payload)", getMemoryType(),
              wrapper.getItems())
          .str(),
      formatv("reinterpret_cast<const {0} &>(*oob_default)", getMemoryType())
          .str());
}

/// The accesses from the widest on, each where it can be used.
void TileWrapper::printAccess(raw_ostream &os) const {
  StringRef lead = "  ";
  auto printIf = [&](const std::string &condition, const std::string &access) {
    os << lead << "if (" << condition << ")\n    " << access;
    lead = "  else ";
  };
  std::string full;
  if (wrapper.getGuarded())
    full = formatv("count == {0} && ", getTileItems());
  if (usesVectors())
    printIf(formatv("{0}coop_is_aligned<{1}>(memory)", full, getVectorBytes()),
            getVectorAccess());
  if (!isAligned())
    printIf(formatv("coop_is_aligned<{0}>(memory)",
                    wrapper.getItem().getWordBytes()),
            getWideAccess());
  os << (testsAlignment() ? "  else\n    " : "  ")
     << (isAligned() ? getWideAccess() : getNarrowAccess());
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
  os << "  auto &payload = *reinterpret_cast<" << getType() << " (*)["
     << wrapper.getItems() << "]>(items);\n";
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
