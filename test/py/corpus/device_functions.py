# Corpus: device functions, inlined and called.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls between functions of one module."""

from numba_cuda_mlir import cuda

from .dtypes import FLOATS, REALS, float32, float64, int32, int64
from .registry import cases


@cuda.jit(device=True)
def square(x):
    return x * x


@cuda.jit(device=True)
def norm(x, y):
    return square(x) + square(y)


@cuda.jit(device=True, inline="always")
def inlined(x):
    return x + 1


@cuda.jit(device=True, inline="never")
def called(x, n):
    total = x
    for _ in range(n):
        total += x
    return total


@cuda.jit(device=True)
def two_results(x):
    return x + 1, x * 2


@cuda.jit(device=True, inline="never")
def store_into(out, i, x):
    out[i] = x


@cuda.jit(device=True, inline="never")
def early(x):
    if x < 0:
        return -x
    return x + 1


@cases(*[(t[:],) for t in REALS])
def simple_call(out):
    i = cuda.grid(1)
    out[i] = square(out[i])


@cases(*[(t[:], t) for t in FLOATS])
def nested_call(out, x):
    i = cuda.grid(1)
    out[i] = norm(out[i], x)


@cases((int32[:],), (float64[:],))
def always_inlined(out):
    i = cuda.grid(1)
    out[i] = inlined(inlined(out[i]))


@cases((float32[:], int32), (float64[:], int64), (int32[:], int32))
def never_inlined(out, n):
    i = cuda.grid(1)
    out[i] = called(out[i], n) + called(out[i], 2)


@cases((int32[:],), (float32[:],))
def multiple_results(out):
    i = cuda.grid(1)
    a, b = two_results(out[i])
    out[i] = a - b


@cases((float32[:],), (int64[:],))
def array_argument(out):
    i = cuda.grid(1)
    store_into(out, i, 3)


@cases((float32[:],), (int32[:],))
def several_returns(out):
    i = cuda.grid(1)
    out[i] = early(out[i])


@cases((float32[:], int32), debug=True, opt=False)
def never_inlined_debug(out, n):
    i = cuda.grid(1)
    out[i] = called(out[i], n)


@cases((float32[:], int32), lineinfo=True)
def never_inlined_lineinfo(out, n):
    i = cuda.grid(1)
    out[i] = called(out[i], n)
