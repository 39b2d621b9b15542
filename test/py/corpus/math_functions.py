# Corpus: the math module, one kernel a function, and CUDA's own intrinsics.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of libdevice and of the math dialect."""

import math

from numba_cuda_mlir import cuda

from .dtypes import FLOATS, float32, float64, int32, int64
from .registry import cases

UNARY = (
    "acos acosh asin asinh atan atanh ceil cos cosh erf erfc exp expm1 fabs "
    "floor gamma isfinite isinf isnan lgamma log log10 log1p log2 sin sinh "
    "sqrt tan tanh trunc degrees radians"
).split()
BINARY = "atan2 copysign fmod hypot pow".split()


def _unary(function):
    def kernel(a, out):
        i = cuda.grid(1)
        out[i] = function(a[i])

    kernel.__name__ = function.__name__
    return kernel


def _binary(function):
    def kernel(a, b, out):
        i = cuda.grid(1)
        out[i] = function(a[i], b[i])

    kernel.__name__ = function.__name__
    return kernel


for _name in UNARY:
    cases(*[(t[:], t[:]) for t in FLOATS])(_unary(getattr(math, _name)))
for _name in BINARY:
    cases(*[(t[:], t[:], t[:]) for t in FLOATS])(_binary(getattr(math, _name)))


@cases((float32[:], float32[:]), (float64[:], float64[:]), fastmath=True)
def fast_math(a, out):
    i = cuda.grid(1)
    x = a[i]
    out[i] = math.sin(x) * math.cos(x) + math.exp(x) / math.sqrt(x) + math.log(x)


@cases(*[(t[:], t[:], t[:]) for t in FLOATS])
def fused_multiply_add(a, b, out):
    i = cuda.grid(1)
    out[i] = cuda.fma(a[i], b[i], out[i]) + cuda.cbrt(a[i])


@cases(*[(t[:], int32[:]) for t in FLOATS])
def decompose(a, out):
    i = cuda.grid(1)
    mantissa, exponent = math.frexp(a[i])
    out[i] = exponent + math.ldexp(mantissa, 3)


@cases(*[(t[:], t[:]) for t in FLOATS])
def fraction_and_round(a, out):
    i = cuda.grid(1)
    fraction, whole = math.modf(a[i])
    out[i] = fraction + whole + round(a[i])


@cases((int32[:], float64[:]), (int64[:], float64[:]))
def integer_arguments(a, out):
    i = cuda.grid(1)
    out[i] = math.sqrt(a[i]) + math.pow(a[i], 2) + a[i] ** 3
