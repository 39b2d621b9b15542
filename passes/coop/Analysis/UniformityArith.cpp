//===- UniformityArith.cpp - Integer arithmetic on the bits known of each thread
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformityArith.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::coop;

//===----------------------------------------------------------------------===//
// Values of which some bits are known
//===----------------------------------------------------------------------===//

static uint64_t lowMask(unsigned bits) {
  return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

namespace {
/// The rules for one operation.
class BitRules {
public:
  BitRules(const Transfer &transfer, ArrayRef<ThreadValue> operands,
           unsigned bits)
      : transfer(transfer), operands(operands), bits(bits),
        size(countLanes(operands)) {}

  const Lanes &lanes(unsigned i) const { return operands[i].lanes; }
  std::optional<uint64_t> constant(unsigned i) const {
    return lanes(i).constant();
  }

  ThreadValue addOrSubtract(bool subtract) const;
  ThreadValue multiply() const;
  ThreadValue bitwise(function_ref<uint64_t(uint64_t, uint64_t)> combine,
                      uint64_t forced) const;
  ThreadValue shiftRight(unsigned by, bool arithmetic) const;
  ThreadValue keepLow(unsigned count) const;
  ThreadValue extend(bool isSigned) const;
  ThreadValue truncate() const;
  ThreadValue select() const;
  ThreadValue compare(arith::CmpIPredicate predicate) const;

private:
  /// How widely threads agree on operand `i` without its lowest `low` bits.
  Agreement agreementAbove(unsigned i, unsigned low) const;
  Agreement onLanes(unsigned i, function_ref<uint64_t(int64_t)> valueOf) const;
  ThreadValue make(uint64_t known, function_ref<uint64_t(int64_t)> valueOf,
                   Agreement rest) const {
    return {Lanes::make(bits, known, size, valueOf), rest, {}};
  }

  const Transfer &transfer;
  ArrayRef<ThreadValue> operands;
  unsigned bits;
  int64_t size;
};
} // namespace

Agreement BitRules::onLanes(unsigned i,
                            function_ref<uint64_t(int64_t)> valueOf) const {
  Value origin = operands[i].laneOrigin;
  for (const ThreadValue &other : operands)
    origin = origin ? origin : other.laneOrigin;
  return Agreement::onIds(widthOf(transfer.getShape(), nullptr, valueOf),
                          origin);
}

Agreement BitRules::agreementAbove(unsigned i, unsigned low) const {
  auto high = [&](int64_t rank) { return lanes(i).at(rank) & ~lowMask(low); };
  return operands[i].rest & onLanes(i, high);
}

/// The low bits that both know give low bits of the sum, and a carry.
ThreadValue BitRules::addOrSubtract(bool subtract) const {
  unsigned low = std::min(lanes(0).lowKnown(), lanes(1).lowKnown());
  uint64_t mask = lowMask(low);
  auto sum = [&](int64_t rank) {
    uint64_t a = lanes(0).at(rank) & mask, b = lanes(1).at(rank) & mask;
    return subtract ? a - b : a + b;
  };
  auto carry = [&](int64_t rank) { return low < 64 ? sum(rank) & ~mask : 0; };
  return make(mask, sum,
              agreementAbove(0, low) & agreementAbove(1, low) &
                  onLanes(0, carry));
}

/// Low bits known of both are known of the product; a factor's trailing zeros
/// make room for more.
ThreadValue BitRules::multiply() const {
  unsigned low = std::min(lanes(0).lowKnown(), lanes(1).lowKnown());
  for (unsigned i : {0u, 1u})
    if (std::optional<uint64_t> factor = constant(i); factor && *factor)
      low = std::min<unsigned>(bits, lanes(1 - i).lowKnown() +
                                         llvm::countr_zero(*factor));
  auto product = [&](int64_t rank) {
    return lanes(0).at(rank) * lanes(1).at(rank);
  };
  return make(lowMask(low), product,
              agreementAbove(0, 0) & agreementAbove(1, 0));
}

/// `forced` are bits of the result that a constant operand decides.
ThreadValue
BitRules::bitwise(function_ref<uint64_t(uint64_t, uint64_t)> combine,
                  uint64_t forced) const {
  uint64_t known = ((lanes(0).known & lanes(1).known) | forced) & lowMask(bits);
  auto value = [&](int64_t rank) {
    return combine(lanes(0).at(rank), lanes(1).at(rank));
  };
  Agreement rest = operands[0].rest & operands[1].rest;
  for (unsigned i : {0u, 1u})
    rest.meet(
        onLanes(i, [&](int64_t rank) { return lanes(i).at(rank) & ~known; }));
  // Where all of the bits are decided, nothing is left to agree on.
  if (known == lowMask(bits))
    rest = {};
  return make(known, value, rest);
}

ThreadValue BitRules::shiftRight(unsigned by, bool arithmetic) const {
  uint64_t sign = 1ull << (bits - 1);
  uint64_t moved = lowMask(bits) & ~(lowMask(bits) >> by);
  bool knowsTop = !arithmetic || (lanes(0).known & sign);
  auto value = [&](int64_t rank) {
    uint64_t v = lanes(0).at(rank);
    return (v >> by) | (arithmetic && (v & sign) ? moved : 0);
  };
  return make((lanes(0).known >> by) | (knowsTop ? moved : 0), value,
              operands[0].rest);
}

/// The lowest `count` bits, and zeros above.
ThreadValue BitRules::keepLow(unsigned count) const {
  uint64_t mask = lowMask(count);
  uint64_t known = (lanes(0).known & mask) | ~mask;
  bool decided = (known & lowMask(bits)) == lowMask(bits);
  return make(
      known, [&](int64_t rank) { return lanes(0).at(rank) & mask; },
      decided ? Agreement() : operands[0].rest);
}

ThreadValue BitRules::extend(bool isSigned) const {
  uint64_t sign = 1ull << (lanes(0).bits - 1);
  uint64_t above = ~lowMask(lanes(0).bits);
  bool knowsTop = !isSigned || (lanes(0).known & sign);
  auto value = [&](int64_t rank) {
    uint64_t v = lanes(0).at(rank);
    return v | (isSigned && (v & sign) ? above : 0);
  };
  return make(lanes(0).known | (knowsTop ? above : 0), value, operands[0].rest);
}

ThreadValue BitRules::truncate() const {
  uint64_t mask = lowMask(bits);
  bool decided = (lanes(0).known & mask) == mask;
  return make(
      lanes(0).known, [&](int64_t rank) { return lanes(0).at(rank); },
      decided ? Agreement() : operands[0].rest);
}

ThreadValue BitRules::select() const {
  ThreadValue either = transfer.merge(operands[1], operands[2]);
  if (std::optional<uint64_t> choice = constant(0))
    return operands[*choice ? 1 : 2];
  // The same bits in both are that, whichever it is.
  if (!either.lanes.isExact())
    either.rest.meet(transfer.agreement(operands[0]));
  if (!lanes(0).isExact())
    return either;
  uint64_t known = lanes(1).known & lanes(2).known;
  Agreement rest = operands[1].rest & operands[2].rest & agreementAbove(0, 0);
  for (unsigned i : {1u, 2u})
    rest.meet(
        onLanes(i, [&](int64_t rank) { return lanes(i).at(rank) & ~known; }));
  return make(
      known,
      [&](int64_t rank) { return lanes(lanes(0).at(rank) ? 1 : 2).at(rank); },
      rest);
}

/// Whether equal high parts leave it to the low parts.
static bool compareLow(arith::CmpIPredicate predicate, uint64_t a, uint64_t b) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
  case P::ult:
    return a < b;
  case P::sle:
  case P::ule:
    return a <= b;
  case P::sgt:
  case P::ugt:
    return a > b;
  case P::sge:
  case P::uge:
    return a >= b;
  }
  llvm_unreachable("unknown predicate");
}

/// (high, low) pairs compare by their high parts first, so threads agree where
/// they agree on the high parts and on the outcome of the low ones.
ThreadValue BitRules::compare(arith::CmpIPredicate predicate) const {
  unsigned low = std::min(lanes(0).lowKnown(), lanes(1).lowKnown());
  low = std::min(low, lanes(0).bits - 1); // the sign belongs to the high part
  uint64_t mask = lowMask(low);
  auto outcome = [&](int64_t rank) -> uint64_t {
    return compareLow(predicate, lanes(0).at(rank) & mask,
                      lanes(1).at(rank) & mask);
  };
  return make(0, outcome,
              agreementAbove(0, low) & agreementAbove(1, low) &
                  onLanes(0, outcome));
}

//===----------------------------------------------------------------------===//
// The table of rules
//===----------------------------------------------------------------------===//

static std::optional<unsigned> log2(std::optional<uint64_t> value) {
  if (!value || !llvm::has_single_bit(*value))
    return std::nullopt;
  return llvm::countr_zero(*value);
}

/// Division and remainder by powers of two.
static std::optional<ThreadValue> applyDivision(const BitRules &rules,
                                                Operation *op) {
  if (op->getNumOperands() != 2)
    return std::nullopt;
  std::optional<unsigned> by = log2(rules.constant(1));
  if (!by)
    return std::nullopt;
  uint64_t sign = 1ull << (rules.lanes(0).bits - 1);
  // By 2^(bits-1), a negative number, signed division does not shift.
  if (*by + 1 >= rules.lanes(0).bits)
    return std::nullopt;
  auto nonNegative = [&] {
    int64_t size = rules.lanes(0).values ? rules.lanes(0).values->size() : 0;
    for (int64_t rank = 0; rank < size; ++rank)
      if (rules.lanes(0).at(rank) & sign)
        return false;
    return (rules.lanes(0).known & sign) != 0;
  };
  return TypeSwitch<Operation *, std::optional<ThreadValue>>(op)
      .Case([&](arith::FloorDivSIOp) { return rules.shiftRight(*by, true); })
      .Case([&](arith::DivUIOp) { return rules.shiftRight(*by, false); })
      .Case([&](arith::RemUIOp) { return rules.keepLow(*by); })
      .Case([&](arith::DivSIOp) -> std::optional<ThreadValue> {
        if (!nonNegative())
          return std::nullopt;
        return rules.shiftRight(*by, false);
      })
      .Case([&](arith::RemSIOp) -> std::optional<ThreadValue> {
        if (!nonNegative())
          return std::nullopt;
        return rules.keepLow(*by);
      })
      .Default(std::nullopt);
}

static std::optional<ThreadValue> applyShift(const BitRules &rules,
                                             Operation *op) {
  if (op->getNumOperands() != 2)
    return std::nullopt;
  std::optional<uint64_t> by = rules.constant(1);
  if (!by || *by >= rules.lanes(0).bits)
    return std::nullopt;
  return TypeSwitch<Operation *, std::optional<ThreadValue>>(op)
      .Case([&](arith::ShRSIOp) { return rules.shiftRight(*by, true); })
      .Case([&](arith::ShRUIOp) { return rules.shiftRight(*by, false); })
      .Default(std::nullopt);
}

/// The bits that a constant operand decides: where it has a 0 or a 1.
static uint64_t forcedBits(const BitRules &rules, bool ones) {
  uint64_t forced = 0;
  for (unsigned i : {0u, 1u})
    if (std::optional<uint64_t> mask = rules.constant(i))
      forced |= ones ? *mask : ~*mask;
  return forced;
}

static ThreadValue applyCast(const BitRules &rules, Operation *op,
                             bool isSigned) {
  return getLaneBits(op->getResult(0).getType()) < rules.lanes(0).bits
             ? rules.truncate()
             : rules.extend(isSigned);
}

std::optional<ThreadValue>
mlir::coop::applyToBits(const Transfer &transfer, OpResult result,
                        ArrayRef<ThreadValue> operands) {
  Operation *op = result.getOwner();
  unsigned bits = getLaneBits(result.getType());
  bool integers = bits && !isa<FloatType>(result.getType()) &&
                  !operands.empty() &&
                  llvm::all_of(operands, [](const ThreadValue &operand) {
                    return operand.lanes.bits;
                  });
  if (!integers)
    return std::nullopt;
  BitRules rules(transfer, operands, bits);
  if (auto divided = applyDivision(rules, op))
    return divided;
  if (auto shifted = applyShift(rules, op))
    return shifted;
  return TypeSwitch<Operation *, std::optional<ThreadValue>>(op)
      .Case([&](arith::AddIOp) { return rules.addOrSubtract(false); })
      .Case([&](arith::SubIOp) { return rules.addOrSubtract(true); })
      .Case([&](arith::MulIOp) { return rules.multiply(); })
      .Case([&](arith::AndIOp) {
        return rules.bitwise(std::bit_and<uint64_t>(),
                             forcedBits(rules, false));
      })
      .Case([&](arith::OrIOp) {
        return rules.bitwise(std::bit_or<uint64_t>(), forcedBits(rules, true));
      })
      .Case([&](arith::XOrIOp) {
        return rules.bitwise(std::bit_xor<uint64_t>(), 0);
      })
      .Case<arith::ExtSIOp, arith::IndexCastOp>(
          [&](Operation *cast) { return applyCast(rules, cast, true); })
      .Case<arith::ExtUIOp, arith::TruncIOp, arith::IndexCastUIOp>(
          [&](Operation *cast) { return applyCast(rules, cast, false); })
      .Case([&](arith::SelectOp) { return rules.select(); })
      .Case(
          [&](arith::CmpIOp cmp) { return rules.compare(cmp.getPredicate()); })
      .Default(std::nullopt);
}
