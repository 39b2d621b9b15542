//===- UniformityLanes.cpp - Values evaluated for every thread of a block
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformityLanes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::coop;

BlockShape::BlockShape(ArrayRef<int32_t> extents) {
  llvm::fill(dims, 1);
  llvm::copy(extents.take_front(3), dims);
}

int64_t BlockShape::threadId(unsigned axis, int64_t rank) const {
  for (unsigned i = 0; i < axis; ++i)
    rank /= dims[i];
  return rank % dims[axis];
}

Width BlockShape::normalize(Width width) const {
  bool coversBlock =
      width <= Width::Warp && size() && size() <= lanesOfWidth(width);
  return coversBlock ? Width::Block : width;
}

Lanes Lanes::splat(unsigned bits, uint64_t value) {
  Lanes lanes{bits, 0, nullptr};
  lanes.known = lanes.all();
  lanes.values =
      std::make_shared<std::vector<uint64_t>>(1, value & lanes.known);
  return lanes;
}

Lanes Lanes::make(unsigned bits, uint64_t known, int64_t size,
                  llvm::function_ref<uint64_t(int64_t)> valueOf) {
  Lanes lanes{bits, 0, nullptr};
  lanes.known = known & lanes.all();
  if (!lanes.known || !size)
    return unknown(bits);
  std::vector<uint64_t> values(size);
  for (int64_t rank = 0; rank < size; ++rank)
    values[rank] = valueOf(rank) & lanes.known;
  if (llvm::all_equal(values))
    values.resize(1);
  lanes.values = std::make_shared<std::vector<uint64_t>>(std::move(values));
  return lanes;
}

std::optional<uint64_t> Lanes::constant() const {
  if (!isExact() || !isSplat())
    return std::nullopt;
  return values->front();
}

uint64_t Lanes::at(int64_t rank) const {
  if (!values)
    return 0;
  return values->size() == 1 ? values->front() : (*values)[rank];
}

unsigned Lanes::lowKnown() const {
  return std::min<unsigned>(llvm::countr_one(known), bits);
}

Lanes Lanes::masked(uint64_t mask) const {
  if ((known & ~mask) == 0)
    return *this;
  return make(bits, known & mask, values ? values->size() : 0,
              [&](int64_t rank) { return (*values)[rank]; });
}

bool Lanes::operator==(const Lanes &other) const {
  if (bits != other.bits || known != other.known)
    return false;
  return values == other.values ||
         (values && other.values && *values == *other.values);
}

/// Whether all active threads of each aligned group of `lanes` have one value.
static bool agree(int64_t size, int64_t lanes, const LaneSet *active,
                  llvm::function_ref<uint64_t(int64_t)> valueOf,
                  const LaneSet *members) {
  for (int64_t first = 0; first < size; first += lanes) {
    int64_t last = std::min(first + lanes, size);
    if (members && members->find_first_in(first, last) < 0)
      continue;
    std::optional<uint64_t> seen;
    for (int64_t rank = first; rank < last; ++rank) {
      if (active && !active->test(rank))
        continue;
      uint64_t value = valueOf(rank);
      if (seen && *seen != value)
        return false;
      seen = value;
    }
  }
  return true;
}

Width mlir::coop::widthOf(const BlockShape &shape, const LaneSet *active,
                          llvm::function_ref<uint64_t(int64_t)> valueOf,
                          const LaneSet *members) {
  if (agree(shape.size(), shape.size(), active, valueOf, members))
    return Width::Grid;
  for (Width width : {Width::Warp, Width::Lanes16, Width::Lanes8, Width::Lanes4,
                      Width::Lanes2})
    if (agree(shape.size(), lanesOfWidth(width), active, valueOf, members))
      return width;
  return Width::Thread;
}
