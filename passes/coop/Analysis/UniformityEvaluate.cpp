//===- UniformityEvaluate.cpp - Evaluation of operations in each thread
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UniformityArith.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::coop;

static constexpr unsigned kIndexBits = 64;

unsigned mlir::coop::getLaneBits(Type type) {
  if (type.isIndex())
    return kIndexBits;
  bool hasBits = type.isSignlessInteger() || isa<FloatType>(type);
  unsigned bits = hasBits ? type.getIntOrFloatBitWidth() : 0;
  return bits <= 64 ? bits : 0;
}

static std::optional<APInt> getBits(Attribute attr) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
    return integer.getValue();
  if (auto real = dyn_cast_or_null<FloatAttr>(attr))
    return real.getValue().bitcastToAPInt();
  return std::nullopt;
}

static TypedAttr makeAttr(Type type, const APInt &bits) {
  if (auto real = dyn_cast<FloatType>(type))
    return FloatAttr::get(type, APFloat(real.getFloatSemantics(), bits));
  return IntegerAttr::get(type, bits);
}

Lanes mlir::coop::getConstantLanes(Value value) {
  unsigned bits = getLaneBits(value.getType());
  Attribute attr;
  if (!bits || !matchPattern(value, m_Constant(&attr)))
    return Lanes::unknown(bits);
  std::optional<APInt> constant = getBits(attr);
  return constant ? Lanes::splat(bits, constant->getZExtValue())
                  : Lanes::unknown(bits);
}

//===----------------------------------------------------------------------===//
// Evaluation in one thread
//===----------------------------------------------------------------------===//

using MaybeInt = std::optional<APInt>;
using LaneFunction = std::function<MaybeInt(ArrayRef<APInt>)>;

/// Division that has no value by zero and on overflow.
template <typename Divide> static LaneFunction division(Divide divide) {
  return [divide](ArrayRef<APInt> v) -> MaybeInt {
    bool overflows = v[0].isMinSignedValue() && v[1].isAllOnes();
    if (v[1].isZero() || overflows)
      return std::nullopt;
    return divide(v[0], v[1]);
  };
}

template <typename Shift> static LaneFunction shift(Shift shiftBy) {
  return [shiftBy](ArrayRef<APInt> v) -> MaybeInt {
    if (v[1].uge(v[1].getBitWidth()))
      return std::nullopt;
    return shiftBy(v[0], static_cast<unsigned>(v[1].getZExtValue()));
  };
}

template <typename Combine> static LaneFunction binary(Combine combine) {
  return
      [combine](ArrayRef<APInt> v) -> MaybeInt { return combine(v[0], v[1]); };
}

static APInt floorDivide(const APInt &a, const APInt &b) {
  return llvm::APIntOps::RoundingSDiv(a, b, APInt::Rounding::DOWN);
}

static APInt ceilDivide(const APInt &a, const APInt &b) {
  return llvm::APIntOps::RoundingSDiv(a, b, APInt::Rounding::UP);
}

static LaneFunction resize(Operation *op, bool isSigned) {
  unsigned bits = getLaneBits(op->getResult(0).getType());
  return [=](ArrayRef<APInt> v) -> MaybeInt {
    return isSigned ? v[0].sextOrTrunc(bits) : v[0].zextOrTrunc(bits);
  };
}

static LaneFunction compare(arith::CmpIPredicate predicate) {
  return [=](ArrayRef<APInt> v) -> MaybeInt {
    return APInt(1, arith::applyCmpPredicate(predicate, v[0], v[1]));
  };
}

static LaneFunction getDivision(Operation *op) {
  return TypeSwitch<Operation *, LaneFunction>(op)
      .Case([](arith::DivSIOp) {
        return division([](auto &a, auto &b) { return a.sdiv(b); });
      })
      .Case([](arith::DivUIOp) {
        return division([](auto &a, auto &b) { return a.udiv(b); });
      })
      .Case([](arith::FloorDivSIOp) { return division(floorDivide); })
      .Case([](arith::CeilDivSIOp) { return division(ceilDivide); })
      .Case([](arith::RemSIOp) {
        return division([](auto &a, auto &b) { return a.srem(b); });
      })
      .Case([](arith::RemUIOp) {
        return division([](auto &a, auto &b) { return a.urem(b); });
      })
      .Default(LaneFunction());
}

static LaneFunction getBinary(Operation *op) {
  return TypeSwitch<Operation *, LaneFunction>(op)
      .Case([](arith::AddIOp) {
        return binary([](auto &a, auto &b) { return a + b; });
      })
      .Case([](arith::SubIOp) {
        return binary([](auto &a, auto &b) { return a - b; });
      })
      .Case([](arith::MulIOp) {
        return binary([](auto &a, auto &b) { return a * b; });
      })
      .Case([](arith::AndIOp) {
        return binary([](auto &a, auto &b) { return a & b; });
      })
      .Case([](arith::OrIOp) {
        return binary([](auto &a, auto &b) { return a | b; });
      })
      .Case([](arith::XOrIOp) {
        return binary([](auto &a, auto &b) { return a ^ b; });
      })
      .Case([](arith::MaxSIOp) { return binary(llvm::APIntOps::smax); })
      .Case([](arith::MinSIOp) { return binary(llvm::APIntOps::smin); })
      .Case([](arith::MaxUIOp) { return binary(llvm::APIntOps::umax); })
      .Case([](arith::MinUIOp) { return binary(llvm::APIntOps::umin); })
      .Case([](arith::ShLIOp) {
        return shift([](auto &a, unsigned by) { return a.shl(by); });
      })
      .Case([](arith::ShRSIOp) {
        return shift([](auto &a, unsigned by) { return a.ashr(by); });
      })
      .Case([](arith::ShRUIOp) {
        return shift([](auto &a, unsigned by) { return a.lshr(by); });
      })
      .Default(LaneFunction());
}

static LaneFunction getLaneFunction(Operation *op) {
  if (LaneFunction function = getBinary(op))
    return function;
  if (LaneFunction function = getDivision(op))
    return function;
  return TypeSwitch<Operation *, LaneFunction>(op)
      .Case<arith::ExtSIOp, arith::IndexCastOp>(
          [](Operation *cast) { return resize(cast, /*isSigned=*/true); })
      .Case<arith::ExtUIOp, arith::TruncIOp, arith::IndexCastUIOp>(
          [](Operation *cast) { return resize(cast, /*isSigned=*/false); })
      .Case([](arith::CmpIOp cmp) { return compare(cmp.getPredicate()); })
      .Case([](arith::SelectOp) -> LaneFunction {
        return [](ArrayRef<APInt> v) -> MaybeInt {
          return v[0].isZero() ? v[2] : v[1];
        };
      })
      .Default(LaneFunction());
}

/// What the operation's own folder makes of constants.
static MaybeInt foldWithConstants(OpResult result, ArrayRef<APInt> values) {
  Operation *op = result.getOwner();
  SmallVector<Attribute> constants;
  for (auto [operand, value] : llvm::zip(op->getOperands(), values))
    constants.push_back(makeAttr(operand.getType(), value));
  SmallVector<OpFoldResult> folded;
  if (failed(op->fold(constants, folded)) ||
      folded.size() <= result.getResultNumber())
    return std::nullopt;
  return getBits(
      dyn_cast_if_present<Attribute>(folded[result.getResultNumber()]));
}

/// The function of an operation in one thread; an empty one if there is none.
static LaneFunction getEvaluator(OpResult result, unsigned &folds) {
  if (LaneFunction function = getLaneFunction(result.getOwner()))
    return function;
  if (!folds)
    return {};
  --folds;
  return [result](ArrayRef<APInt> values) {
    return foldWithConstants(result, values);
  };
}

int64_t mlir::coop::countLanes(ArrayRef<ThreadValue> operands) {
  size_t lanes = 1;
  for (const ThreadValue &operand : operands)
    if (operand.lanes.values)
      lanes = std::max(lanes, operand.lanes.values->size());
  return lanes;
}

static bool allExact(ArrayRef<ThreadValue> operands) {
  return !operands.empty() && llvm::all_of(operands, [](const ThreadValue &v) {
    return v.lanes.isExact();
  });
}

Lanes mlir::coop::evaluate(OpResult result, ArrayRef<ThreadValue> operands,
                           unsigned &folds) {
  unsigned bits = getLaneBits(result.getType());
  if (!bits || !allExact(operands))
    return Lanes::unknown(bits);
  int64_t lanes = countLanes(operands);
  LaneFunction function = getEvaluator(result, folds);
  if (!function)
    return Lanes::unknown(bits);

  bool hasValue = true;
  auto valueOf = [&](int64_t rank) -> uint64_t {
    if (!hasValue)
      return 0;
    SmallVector<APInt, 4> values;
    for (const ThreadValue &operand : operands)
      values.emplace_back(operand.lanes.bits, operand.lanes.at(rank));
    MaybeInt value = function(values);
    hasValue = value && value->getBitWidth() == bits;
    return hasValue ? value->getZExtValue() : 0;
  };
  Lanes evaluated = Lanes::make(bits, ~0ull, lanes, valueOf);
  return hasValue ? evaluated : Lanes::unknown(bits);
}
