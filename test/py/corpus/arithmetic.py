# Corpus: arithmetic, comparisons and conversions of every scalar type.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise kernels on integers and floats."""

from numba_cuda_mlir import cuda

from .dtypes import FLOATS, INTEGERS, REALS, SCALARS, float32, float64, int32, int64
from .registry import cases


@cases(*[(t[:], t[:], t[:]) for t in REALS])
def add_subtract_multiply(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = (a[i] + b[i]) * a[i] - b[i]


@cases(*[(t[:], t[:], float64[:]) for t in REALS])
def true_division(a, b, out):
    i = cuda.grid(1)
    out[i] = a[i] / b[i]


@cases(*[(t[:], t[:], t[:]) for t in REALS])
def floor_division_and_modulo(a, b, out):
    i = cuda.grid(1)
    out[i] = a[i] // b[i] + a[i] % b[i]


@cases(*[(t[:], t[:], int32[:]) for t in SCALARS])
def comparisons(a, b, out):
    i = cuda.grid(1)
    x = a[i]
    y = b[i]
    out[i] = (x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x != y)


@cases(*[(t[:], t[:]) for t in REALS])
def negate_and_absolute(a, out):
    i = cuda.grid(1)
    out[i] = -a[i] + abs(a[i])


@cases(*[(s[:], t[:]) for s in FLOATS for t in INTEGERS + FLOATS])
def convert_from_float(a, out):
    i = cuda.grid(1)
    out[i] = a[i]


@cases(*[(s[:], t[:]) for s in INTEGERS for t in (float32, int64)])
def convert_from_integer(a, out):
    i = cuda.grid(1)
    out[i] = a[i]


@cases((float32[:], float64), (float64[:], float32), fastmath=True)
def axpy(out, alpha):
    i = cuda.grid(1)
    out[i] = alpha * out[i] + out[i] / alpha


@cases(*[(t[:], t) for t in FLOATS])
def power_of_literals(out, x):
    i = cuda.grid(1)
    out[i] = x**2 + x**0.5 + x**-1
