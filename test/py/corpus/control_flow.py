# Corpus: branches and loops in every shape that Python gives them.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unstructured control flow as the host emits it."""

from numba_cuda_mlir import cuda

from .dtypes import float32, float64, int32, int64, uint32
from .registry import cases


@cases((int32[:], int32), (float32[:], float32), (float64[:], float64))
def if_elif_else(out, x):
    i = cuda.grid(1)
    if x < 0:
        out[i] = -x
    elif x > 10:
        out[i] = x * 2
    else:
        out[i] = x


@cases((int32[:], int32), (int64[:], int64), (float32[:], uint32))
def for_range(out, n):
    i = cuda.grid(1)
    total = out[i]
    for j in range(n):
        total += j
    out[i] = total


@cases((int32[:], int32, int32), (int64[:], int64, int64))
def for_range_with_step(out, start, stop):
    i = cuda.grid(1)
    for j in range(start, stop, 3):
        out[i] += j
    for j in range(stop, start, -2):
        out[i] -= j


@cases((float32[:], int32), (float64[:], int64))
def grid_stride(out, n):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for j in range(start, n, stride):
        out[j] *= 2


@cases((int32[:], int32), (int64[:], int64))
def while_loop(out, n):
    i = cuda.grid(1)
    x = n
    while x > 1:
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
        out[i] += 1


@cases((int32[:], int32), (float32[:], int32))
def break_and_continue(out, n):
    for j in range(n):
        if j == 3:
            continue
        if out[j] > 100:
            break
        out[j] += 1


@cases((int32[:], int32))
def while_true_with_breaks(out, n):
    j = 0
    while True:
        j += 1
        if out[j] < 0:
            break
        if j >= n:
            break
        while out[j] > 0:
            out[j] -= 1
            if out[j] == 7:
                break


@cases((int32[:], int32))
def for_else(out, n):
    for j in range(n):
        if out[j] == 5:
            break
    else:
        out[0] = -1


@cases((int32[:], int32, int32), (float64[:], int32, int32))
def nested_loops(out, n, m):
    for j in range(n):
        for k in range(m):
            for q in range(3):
                out[j] += k * q


@cases((int32[:], int32))
def early_returns(out, n):
    i = cuda.grid(1)
    if i >= n:
        return
    if out[i] == 0:
        out[i] = 1
        return
    out[i] = 2


@cases((int32[:], int32, int32))
def short_circuit(out, a, b):
    i = cuda.grid(1)
    if (a > 0 and b > 0) or (not a and out[i] > b):
        out[i] = a if a > b else b
    out[i] += 1 if 0 < a < b else 2


@cases((float32[:], int32))
def pass_only(out, n):
    pass
