# Corpus: float16 and bfloat16.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Half-precision arithmetic and conversions."""

from numba_cuda_mlir import cuda
from numba_cuda_mlir.numba_cuda.types import bfloat16, float16

from .dtypes import float32, float64, int32
from .registry import cases


@cases((float16[:], float16[:], float16[:]), (bfloat16[:], bfloat16[:], bfloat16[:]))
def arithmetic(a, b, out):
    i = cuda.grid(1)
    out[i] = a[i] * b[i] + a[i]


@cases((float16[:], float32[:]), (float16[:], float64[:]), (bfloat16[:], float32[:]))
def widen(a, out):
    i = cuda.grid(1)
    out[i] = float32(a[i])


@cases((float32[:], float16[:]), (float64[:], float16[:]), (int32[:], float16[:]))
def narrow(a, out):
    i = cuda.grid(1)
    out[i] = float16(a[i])


@cases((float16[:], float16[:], int32[:]))
def compare(a, b, out):
    i = cuda.grid(1)
    out[i] = (a[i] < b[i]) + (a[i] == b[i])


@cases((float16[:], float16[:]))
def intrinsics(a, out):
    i = cuda.grid(1)
    out[i] = cuda.fp16.hfma(a[i], a[i], a[i])


@cases((float16[:],))
def shared_tile(out):
    tile = cuda.shared.array(64, float16)
    i = cuda.threadIdx.x
    tile[i] = out[i]
    cuda.syncthreads()
    out[i] = tile[63 - i]
