# The math dialect.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The math dialect, and LLVM's intrinsics for the same functions."""

from __future__ import annotations

import math

import numpy as np

from ..registry import pure
from ..types import dtype_of
from ..values import unsigned
from .arith import elementwise


def by_element(function):
    """Return a function for arrays from one for floats; domain errors give NaN."""

    def guarded(x):
        try:
            return function(float(x))
        except (ValueError, OverflowError):
            return math.nan

    vectorized = np.vectorize(guarded, otypes=[np.float64])
    return lambda a: vectorized(a).astype(a.dtype)


def _fma(a, b, c):
    wide = np.float64 if a.dtype.itemsize < 8 else np.longdouble
    return (a.astype(wide) * b.astype(wide) + c.astype(wide)).astype(a.dtype)


def _round_away(a):
    return np.copysign(np.floor(np.abs(a) + a.dtype.type(0.5)), a)


def _integer_power(a, b):
    """Return a power; a negative exponent gives zero but for ones."""
    positive = np.power(a, np.maximum(b, 0))
    odd = (b & 1).astype(a.dtype)
    negative = np.where(a == 1, 1, np.where(a == -1, 1 - 2 * odd, 0)).astype(a.dtype)
    return np.where(b >= 0, positive, negative)


for _name, _function in {
    "absf": np.abs,
    "absi": np.abs,
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "atanh": np.arctanh,
    "cbrt": np.cbrt,
    "ceil": np.ceil,
    "copysign": np.copysign,
    "cos": np.cos,
    "cosh": np.cosh,
    "erf": by_element(math.erf),
    "erfc": by_element(math.erfc),
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "floor": np.floor,
    "fma": _fma,
    "fpowi": lambda a, b: np.power(a, b.astype(a.dtype)),
    "ipowi": _integer_power,
    "isfinite": np.isfinite,
    "isinf": np.isinf,
    "isnan": np.isnan,
    "isnormal": lambda a: np.isfinite(a) & (np.abs(a) >= np.finfo(a.dtype).tiny),
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "powf": np.power,
    "round": _round_away,
    "roundeven": np.rint,
    "rsqrt": lambda a: (1 / np.sqrt(a)).astype(a.dtype),
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
    "trunc": np.trunc,
}.items():
    elementwise(_function, f"math.{_name}")

for _name, _function in {
    "fabs": np.abs,
    "ceil": np.ceil,
    "copysign": np.copysign,
    "cos": np.cos,
    "exp": np.exp,
    "exp2": np.exp2,
    "floor": np.floor,
    "fma": _fma,
    "fmuladd": _fma,
    "log": np.log,
    "log10": np.log10,
    "log2": np.log2,
    "pow": np.power,
    "rint": np.rint,
    "round": _round_away,
    "roundeven": np.rint,
    "sin": np.sin,
    "sqrt": np.sqrt,
    "trunc": np.trunc,
}.items():
    elementwise(_function, f"llvm.intr.{_name}")


@pure("math.sincos")
def _sincos(op):
    return lambda a: (np.sin(a), np.cos(a))


# ---------------------------------------------------------------------------
# Bits
# ---------------------------------------------------------------------------


def _bits(a):
    """Return the bits of integers as a new last axis, the lowest first."""
    shifts = np.arange(8 * a.dtype.itemsize).astype(f"u{a.dtype.itemsize}")
    return (unsigned(a)[..., None] >> shifts) & 1


def _count_leading(a):
    reverse = _bits(a)[..., ::-1]
    return np.where(reverse.any(-1), reverse.argmax(-1), reverse.shape[-1]).astype(a.dtype)


def _count_trailing(a):
    bits = _bits(a)
    return np.where(bits.any(-1), bits.argmax(-1), bits.shape[-1]).astype(a.dtype)


def _reverse(a):
    bits = _bits(a)[..., ::-1].astype(np.uint8)
    packed = np.packbits(bits, axis=-1, bitorder="little")
    return np.ascontiguousarray(packed).view(a.dtype)[..., 0]


elementwise(_count_leading, "math.ctlz", "llvm.intr.ctlz")
elementwise(_count_trailing, "math.cttz", "llvm.intr.cttz")
elementwise(lambda a: _bits(a).sum(-1).astype(a.dtype), "math.ctpop", "llvm.intr.ctpop")
elementwise(_reverse, "llvm.intr.bitreverse")
elementwise(lambda a: a.byteswap(), "llvm.intr.bswap")
elementwise(np.abs, "llvm.intr.abs")


@pure("llvm.intr.frexp")
def _frexp(op):
    def split(a):
        mantissa, exponent = np.frexp(a)
        return mantissa.astype(a.dtype), exponent.astype(np.int32)

    return split


@pure("llvm.intr.ldexp")
def _ldexp(op):
    dtype = dtype_of(op.results[0].type)
    return lambda a, b: np.ldexp(a, b).astype(dtype)
