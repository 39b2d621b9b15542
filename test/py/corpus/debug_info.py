# Corpus: kernels compiled with debug information and line tables.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same kernels with debug=True and with lineinfo=True."""

from numba_cuda_mlir import cuda
from numba_cuda_mlir.numba_cuda.types import UniTuple

from .dtypes import complex64, float32, float64, int8, int32, int64, uint16
from .records_and_tuples import ALIGNED
from .registry import cases

DEBUG = {"debug": True, "opt": False}
LINES = {"lineinfo": True}
SIGNATURES = [(t[:], t) for t in (int8, uint16, int32, int64, float32, float64)]


@cases(*SIGNATURES, **DEBUG)
@cases(*SIGNATURES, **LINES)
def scalars(out, x):
    i = cuda.grid(1)
    y = x * 2
    if i < out.size:
        z = out[i] + y
        out[i] = z


@cases((float32[:, :], int32), (complex64[:, :], int32), **DEBUG)
@cases((float32[:, :], int32), (complex64[:, :], int32), **LINES)
def loops(out, n):
    i, j = cuda.grid(2)
    for k in range(n):
        value = out[i, j]
        while n > k:
            value = value + k
            n -= 1
        out[i, j] = value


@cases((float32[:],), **DEBUG)
@cases((float32[:],), **LINES)
def tiles(out):
    shared = cuda.shared.array((8, 16), float32)
    local = cuda.local.array(4, float32)
    i = cuda.threadIdx.x
    local[i % 4] = out[i]
    shared[i % 8, i // 8] = local[i % 4]
    cuda.syncthreads()
    out[i] = shared[i // 16, i % 16]


@cases((float32[:], UniTuple(float32, 3)), **DEBUG)
@cases((float32[:], UniTuple(float32, 3)), **LINES)
def tuples(out, t):
    i = cuda.grid(1)
    a, b, c = t
    pair = (a + b, c)
    out[i] = pair[0] * pair[1]


@cases((ALIGNED[:],), **DEBUG)
@cases((ALIGNED[:],), **LINES)
def records(out):
    i = cuda.grid(1)
    out[i].a = out[i].c


@cases((int32[:], int32[:]), **DEBUG)
@cases((int32[:], int32[:]), **LINES)
def atomics(out, a):
    i = cuda.grid(1)
    old = cuda.atomic.add(out, 0, a[i])
    cuda.atomic.max(out, 1, old)
