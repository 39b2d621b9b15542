//===- UniformityTransfer.cpp - How operations carry agreement to results
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformityTransfer.h"
#include "coop/Analysis/UniformityArith.h"

using namespace mlir;
using namespace mlir::coop;

ThreadValue Transfer::opaque(Type type, Agreement agreement) const {
  return {Lanes::unknown(getLaneBits(type)), agreement, {}};
}

ThreadValue Transfer::threadId(Value id, const OpKind &kind) const {
  unsigned bits = getLaneBits(id.getType());
  // In a block of unknown shape ids differ, but who knows between which lanes.
  if (!kind.idOf || !shape.size())
    return opaque(id.getType(), Agreement::onIds(Width::Warp, id) &
                                    Agreement::onData(Width::Thread, id));
  return {Lanes::make(bits, ~0ull, shape.size(), kind.idOf), {}, id};
}

static Value firstOrigin(ArrayRef<ThreadValue> operands) {
  for (const ThreadValue &operand : operands)
    if (operand.laneOrigin)
      return operand.laneOrigin;
  return {};
}

ThreadValue Transfer::apply(OpResult result,
                            ArrayRef<ThreadValue> operands) const {
  if (Lanes constant = getConstantLanes(result); constant.isExact())
    return {constant, {}, {}};
  Lanes lanes = evaluate(result, operands, folds);
  if (lanes.isExact())
    return {lanes, {}, firstOrigin(operands)};
  Agreement whole;
  for (const ThreadValue &operand : operands)
    whole.meet(agreement(operand));
  auto value = applyToBits(*this, result, operands);
  if (!value)
    return opaque(result.getType(), whole);
  value->laneOrigin = firstOrigin(operands);
  // Both are true; where the bits tell no more, the operands do.
  if (agreement(*value).width() < whole.width())
    return opaque(result.getType(), whole);
  return *value;
}

ThreadValue Transfer::merge(const ThreadValue &lhs,
                            const ThreadValue &rhs) const {
  if (lhs == rhs)
    return lhs;
  int64_t size = std::max<int64_t>(shape.size(), 1);
  uint64_t differing = 0;
  for (int64_t rank = 0; rank < size; ++rank)
    differing |= lhs.lanes.at(rank) ^ rhs.lanes.at(rank);
  uint64_t known = lhs.lanes.known & rhs.lanes.known & ~differing;

  ThreadValue result;
  result.lanes = lhs.lanes.masked(known);
  result.laneOrigin = lhs.laneOrigin ? lhs.laneOrigin : rhs.laneOrigin;
  result.rest = lhs.rest & rhs.rest;
  for (const ThreadValue *side : {&lhs, &rhs}) {
    auto forgotten = [&](int64_t rank) {
      return side->lanes.at(rank) & ~known;
    };
    result.rest.meet(
        Agreement::onIds(widthOf(shape, nullptr, forgotten), side->laneOrigin));
  }
  return result;
}

Agreement Transfer::agreement(const ThreadValue &value, const LaneSet *active,
                              const LaneSet *members) const {
  if (!value.lanes.known || value.lanes.isSplat())
    return value.rest;
  auto valueOf = [&](int64_t rank) { return value.lanes.at(rank); };
  return value.rest & Agreement::onIds(widthOf(shape, active, valueOf, members),
                                       value.laneOrigin);
}

Width Transfer::membersOf(const ThreadValue &mask) const {
  if (!mask.lanes.isExact())
    return Width::Thread;
  for (Width width = Width::Warp; width > Width::Thread;
       width = static_cast<Width>(static_cast<uint8_t>(width) - 1)) {
    int64_t lanes = lanesOfWidth(width);
    uint64_t whole = lanes == 32 ? 0xffffffffull : (1ull << lanes) - 1;
    int64_t size = mask.lanes.isSplat() ? 32 : shape.size();
    bool all = true;
    for (int64_t rank = 0; rank < size && all; ++rank) {
      uint64_t own = whole << (rank % 32 / lanes * lanes);
      uint64_t first = mask.lanes.at(rank / lanes * lanes);
      all = (mask.lanes.at(rank) & own) == own && mask.lanes.at(rank) == first;
    }
    if (all)
      return width;
  }
  return Width::Thread;
}
