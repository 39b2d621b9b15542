# Corpus: print, printf, assert and raise.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that talk to the host."""

from numba_cuda_mlir import cuda

from .dtypes import float32, float64, int8, int32, int64, uint8
from .registry import cases


@cases((int32,), (int64,), (float32,), (float64,), (int8,), (uint8,))
def print_value(x):
    print("value", x)


@cases((int32, float64, int64))
def print_several(a, b, c):
    print(a, "and", b, 'quoted "text" 100%', c)


@cases((int32[:], int32))
def assertion(out, n):
    assert n > 0
    out[0] = n


@cases((int32[:], int32))
def assertion_with_message(out, n):
    assert n > 0, "n must be positive"
    out[0] = n


@cases((int32[:], int32), debug=True, opt=False)
def assertion_debug(out, n):
    assert n > 0, "n must be positive"
    out[0] = n


@cases((int32[:], int32))
def raise_value_error(out, n):
    if n < 0:
        raise ValueError("negative")
    out[0] = n


@cases((int32[:], int32), debug=True, opt=False)
def raise_debug(out, n):
    i = cuda.grid(1)
    if n < 0:
        raise ValueError("negative")
    out[i] = out[i] // n


@cases((float32[:], float32[:]), debug=True, opt=False)
def division_debug(a, out):
    i = cuda.grid(1)
    out[i] = a[i] / out[i]
