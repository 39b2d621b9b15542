# The arith dialect.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arith dialect: integers wrap, division by zero gives all ones."""

from __future__ import annotations

import numpy as np

from coop_mlir import ir

from ..bfloat import is_bfloat, to_bits, with_bfloats
from ..registry import effect, pure
from ..types import dtype_of, payload_shape
from ..values import tree_map, unsigned

# ---------------------------------------------------------------------------
# Constants
# ---------------------------------------------------------------------------


def constant_value(attribute, mlir_type) -> np.ndarray:
    """Return the value of a constant's attribute."""
    dtype, shape = dtype_of(mlir_type), payload_shape(mlir_type)
    if isinstance(attribute, ir.DenseElementsAttr):
        return np.array(attribute).astype(dtype).reshape((*shape, 1))
    if isinstance(attribute, ir.ArrayAttr):
        real, imaginary = (part.value for part in attribute)
        return np.array([complex(real, imaginary)], dtype)
    value = attribute.value
    if dtype.kind == "i":
        value = int(value) & ((1 << 8 * dtype.itemsize) - 1)
        return np.array([value], f"u{dtype.itemsize}").view(dtype)
    if is_bfloat(mlir_type):
        return to_bits(np.full((*shape, 1), value, np.float32))
    return np.full((*shape, 1), value, dtype)


@pure(
    "arith.constant",
    "llvm.mlir.constant",
    "complex.constant",
    "index.constant",
    "index.bool.constant",
)
def _constant(op):
    value = constant_value(op.attributes["value"], op.results[0].type)
    return lambda: value


# ---------------------------------------------------------------------------
# Integers
# ---------------------------------------------------------------------------


def _is_bool(op):
    return dtype_of(op.results[0].type).kind == "b"


def elementwise(function, *names, on_bool=None):
    """Register a NumPy function; `on_bool` is what it is for single bits."""

    def build(op):
        return on_bool if on_bool is not None and _is_bool(op) else with_bfloats(op, function)

    pure(*names)(build)


def _as_unsigned(function):
    """Return a function of signed arrays that works on their bits as unsigned."""

    def apply(a, b):
        return function(unsigned(a), unsigned(b)).view(a.dtype)

    return apply


def _nonzero(b):
    return np.where(b == 0, np.ones_like(b), b)


def _divide(floor_divide):
    """Return a division that gives all ones for a zero divisor."""

    def apply(a, b):
        if b.all():
            return floor_divide(a, b)
        ones = ~np.zeros_like(a)
        return np.where(b == 0, ones, floor_divide(a, _nonzero(b)))

    return apply


def _truncated_quotient(a, b):
    quotient = a // b
    rest = a - quotient * b
    return quotient + ((rest != 0) & ((a < 0) != (b < 0)))


def _ceiled_quotient(a, b):
    return -((-a) // b)


def _remainder(remainder):
    def apply(a, b):
        if b.all():
            return remainder(a, b)
        return np.where(b == 0, a, remainder(a, _nonzero(b)))

    return apply


def _shift(function, filler):
    """Return a shift; by the width or more it gives what `filler` makes."""

    def apply(a, b):
        width = 8 * a.dtype.itemsize
        amount = unsigned(b)
        if (amount < width).all():
            return function(a, b)
        return np.where(amount < width, function(a, b & (width - 1)), filler(a))

    return apply


def _zeros(a):
    return np.zeros_like(a)


def _signs(a):
    return a >> (8 * a.dtype.itemsize - 1)


def _logical_right(a, b):
    return (unsigned(a) >> unsigned(b)).view(a.dtype)


elementwise(np.add, "arith.addi", "index.add", "llvm.add", on_bool=np.logical_xor)
elementwise(np.subtract, "arith.subi", "index.sub", "llvm.sub", on_bool=np.logical_xor)
elementwise(np.multiply, "arith.muli", "index.mul", "llvm.mul", on_bool=np.logical_and)
elementwise(np.bitwise_and, "arith.andi", "index.and", "llvm.and")
elementwise(np.bitwise_or, "arith.ori", "index.or", "llvm.or")
elementwise(np.bitwise_xor, "arith.xori", "index.xor", "llvm.xor")
elementwise(_divide(_truncated_quotient), "arith.divsi", "index.divs", "llvm.sdiv")
elementwise(_as_unsigned(_divide(np.floor_divide)), "arith.divui", "index.divu", "llvm.udiv")
elementwise(_divide(np.floor_divide), "arith.floordivsi", "index.floordivs")
elementwise(_divide(_ceiled_quotient), "arith.ceildivsi", "index.ceildivs")
elementwise(
    _as_unsigned(_divide(lambda a, b: a // b + (a % b != 0).astype(a.dtype))),
    "arith.ceildivui",
    "index.ceildivu",
)
elementwise(_remainder(np.fmod), "arith.remsi", "index.rems", "llvm.srem")
elementwise(_as_unsigned(_remainder(np.remainder)), "arith.remui", "index.remu", "llvm.urem")
elementwise(_shift(np.left_shift, _zeros), "arith.shli", "index.shl", "llvm.shl")
elementwise(_shift(np.right_shift, _signs), "arith.shrsi", "index.shrs", "llvm.ashr")
elementwise(_shift(_logical_right, _zeros), "arith.shrui", "index.shru", "llvm.lshr")
elementwise(np.maximum, "arith.maxsi", "index.maxs", "llvm.intr.smax", on_bool=np.logical_and)
elementwise(np.minimum, "arith.minsi", "index.mins", "llvm.intr.smin", on_bool=np.logical_or)
elementwise(
    _as_unsigned(np.maximum), "arith.maxui", "index.maxu", "llvm.intr.umax", on_bool=np.logical_or
)
elementwise(
    _as_unsigned(np.minimum), "arith.minui", "index.minu", "llvm.intr.umin", on_bool=np.logical_and
)


def multiply_high(a, b, is_signed):
    """Return the upper half of a product."""
    width = 8 * a.dtype.itemsize
    convert = (lambda v: v) if is_signed else unsigned
    product = convert(a).astype(object) * convert(b).astype(object)
    high = (product >> width) & ((1 << width) - 1)
    return high.astype(f"u{a.dtype.itemsize}").view(a.dtype)


@pure("arith.mulsi_extended", "arith.mului_extended")
def _extended(op):
    is_signed = op.name == "arith.mulsi_extended"
    return lambda a, b: (a * b, multiply_high(a, b, is_signed))


@pure("arith.addui_extended")
def _add_with_carry(op):
    return lambda a, b: (a + b, unsigned(a + b) < unsigned(a))


# ---------------------------------------------------------------------------
# Floating point
# ---------------------------------------------------------------------------


elementwise(np.add, "arith.addf", "llvm.fadd")
elementwise(np.subtract, "arith.subf", "llvm.fsub")
elementwise(np.multiply, "arith.mulf", "llvm.fmul")
elementwise(np.divide, "arith.divf", "llvm.fdiv")
elementwise(np.fmod, "arith.remf", "llvm.frem")
elementwise(np.maximum, "arith.maximumf", "llvm.intr.maximum")
elementwise(np.minimum, "arith.minimumf", "llvm.intr.minimum")
elementwise(np.fmax, "arith.maxnumf", "llvm.intr.maxnum")
elementwise(np.fmin, "arith.minnumf", "llvm.intr.minnum")
elementwise(np.negative, "arith.negf", "llvm.fneg")


# ---------------------------------------------------------------------------
# Comparison and choice
# ---------------------------------------------------------------------------

_SIGNED = [np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal]


def _bits_compared(compare):
    return lambda a, b: compare(unsigned(a), unsigned(b))


_INTEGER_PREDICATES = _SIGNED + [_bits_compared(compare) for compare in _SIGNED[2:]]


@pure("arith.cmpi", "llvm.icmp")
def _compare_integers(op):
    predicate = op.attributes["predicate"].value
    compare = _INTEGER_PREDICATES[predicate]
    if dtype_of(op.operands[0].type).kind == "b" and 2 <= predicate <= 5:
        return lambda a, b: compare(b, a)  # A set bit is minus one.
    return compare


def _ordered(compare):
    return lambda a, b: compare(a, b) & ~(np.isnan(a) | np.isnan(b))


def _unordered(compare):
    return lambda a, b: compare(a, b) | np.isnan(a) | np.isnan(b)


_BY_NAME = [np.equal, np.greater, np.greater_equal, np.less, np.less_equal, np.not_equal]
_FLOAT_PREDICATES = [
    lambda a, b: np.zeros(np.broadcast_shapes(a.shape, b.shape), bool),
    *map(_ordered, _BY_NAME),
    lambda a, b: ~(np.isnan(a) | np.isnan(b)),
    *map(_unordered, _BY_NAME),
    lambda a, b: np.isnan(a) | np.isnan(b),
    lambda a, b: np.ones(np.broadcast_shapes(a.shape, b.shape), bool),
]


@pure("arith.cmpf", "llvm.fcmp")
def _compare_floats(op):
    return with_bfloats(op, _FLOAT_PREDICATES[op.attributes["predicate"].value])


@effect("arith.select", "llvm.select")
def _select(op, slots):
    condition, yes, no = slots.operands
    (result,) = slots.results

    def run(frame):
        env = frame.env
        flag = env[condition]
        if flag.shape[-1] == 1 and flag.size == 1:
            chosen = yes if flag.flat[0] else no
            env[result] = env[chosen]
            marks = frame.marks(chosen)
        else:
            env[result] = tree_map(lambda a, b: np.where(flag, a, b), env[yes], env[no])
            marks = _chosen_marks(frame, flag, yes, no) if frame.unspecified else None
        if frame.unspecified and (unknown := frame.marks(condition)) is not None:
            marks = unknown if marks is None else marks | unknown
        frame.mark(result, None if isinstance(env[result], tuple) else marks)

    return run


def _chosen_marks(frame, flag, yes, no):
    a, b = frame.marks(yes), frame.marks(no)
    if a is None and b is None:
        return None
    return np.where(flag, False if a is None else a, False if b is None else b)


# ---------------------------------------------------------------------------
# Conversion
# ---------------------------------------------------------------------------


@pure("arith.extsi", "llvm.sext")
def _extend_sign(op):
    dtype = dtype_of(op.results[0].type)
    if dtype_of(op.operands[0].type).kind == "b":
        return lambda a: -a.astype(dtype)
    return lambda a: a.astype(dtype)


@pure("arith.extui", "llvm.zext", "arith.index_castui", "index.castu")
def _extend_zero(op):
    dtype = dtype_of(op.results[0].type)
    if dtype.kind == "b":
        return _truncate(op)
    return lambda a: unsigned(a).astype(f"u{dtype.itemsize}").view(dtype)


@pure("arith.trunci", "llvm.trunc")
def _truncate(op):
    dtype = dtype_of(op.results[0].type)
    if dtype.kind == "b":
        return lambda a: (a & 1).astype(dtype)
    return lambda a: a.astype(dtype)


@pure("arith.index_cast", "index.casts")
def _index_cast(op):
    source, target = dtype_of(op.operands[0].type), dtype_of(op.results[0].type)
    if source == target:
        return lambda a: a
    return (_extend_sign if target.itemsize > source.itemsize else _truncate)(op)


@pure("arith.sitofp", "llvm.sitofp")
def _signed_to_float(op):
    dtype = _float_type(op.results[0].type)
    if dtype_of(op.operands[0].type).kind == "b":
        return with_bfloats(op, lambda a: -a.astype(dtype))
    return with_bfloats(op, lambda a: a.astype(dtype))


def _float_type(mlir_type):
    """Return the type that arithmetic gives a float of a type in."""
    return np.dtype(np.float32) if is_bfloat(mlir_type) else dtype_of(mlir_type)


@pure("arith.extf", "arith.truncf", "llvm.fpext", "llvm.fptrunc")
def _convert(op):
    dtype = _float_type(op.results[0].type)
    return with_bfloats(op, lambda a: a.astype(dtype))


@pure("arith.uitofp", "llvm.uitofp")
def _unsigned_to_float(op):
    dtype = _float_type(op.results[0].type)
    return with_bfloats(op, lambda a: unsigned(a).astype(dtype))


def to_integer(dtype, is_signed):
    """Return the conversion of floats that saturates, as the hardware's does."""
    info = np.iinfo(dtype if is_signed else f"u{dtype.itemsize}")
    # The largest float below the bound: 2**63 - 1 itself isn't one.
    upper = np.nextafter(np.float64(info.max), 0) if dtype.itemsize == 8 else info.max

    def convert(a):
        wide = np.nan_to_num(np.trunc(a.astype(np.float64)), nan=0.0, posinf=None, neginf=None)
        inside = np.clip(wide, info.min, upper).astype(info.dtype)
        return np.where(wide > upper, info.dtype.type(info.max), inside).view(dtype)

    return convert


@pure("arith.fptosi", "llvm.fptosi", "arith.fptoui", "llvm.fptoui")
def _float_to_integer(op):
    dtype = dtype_of(op.results[0].type)
    if dtype.kind == "b":
        return lambda a: a != 0
    return with_bfloats(op, to_integer(dtype, op.name.endswith("si")))


@pure("arith.bitcast", "llvm.bitcast")
def _bitcast(op):
    source, target = dtype_of(op.operands[0].type), dtype_of(op.results[0].type)
    shape = payload_shape(op.results[0].type)
    if source.itemsize == target.itemsize:
        return lambda a: a if source == target else a.view(target)

    def recast(a):
        raw = np.ascontiguousarray(np.moveaxis(np.atleast_2d(a), 0, -1)).view(target)
        return np.moveaxis(raw, -1, 0).reshape((*shape, -1))

    return recast


__all__ = ["constant_value", "elementwise", "multiply_high", "to_integer"]
