# Corpus: shuffles, votes and matches.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Warp-level communication."""

from numba_cuda_mlir import cuda

from .dtypes import FLOATS, WIDE, float32, int32, int64
from .registry import cases


@cases(*[(t[:],) for t in WIDE + FLOATS])
def shuffles(out):
    i = cuda.threadIdx.x
    x = out[i]
    x += cuda.shfl_sync(0xFFFFFFFF, x, 3)
    x += cuda.shfl_up_sync(0xFFFFFFFF, x, 1)
    x += cuda.shfl_down_sync(0xFFFFFFFF, x, 2)
    x += cuda.shfl_xor_sync(0xFFFFFFFF, x, 16)
    out[i] = x


@cases((int32[:], int32))
def votes(out, x):
    i = cuda.threadIdx.x
    out[i] = cuda.all_sync(0xFFFFFFFF, x)
    out[i] += cuda.any_sync(0xFFFFFFFF, x)
    out[i] += cuda.eq_sync(0xFFFFFFFF, x)


@cases((int32[:], int32))
def ballot(out, x):
    out[cuda.threadIdx.x] = cuda.ballot_sync(0xFFFFFFFF, x)


@cases((int32[:], int32), (int32[:], int64))
def matches(out, x):
    i = cuda.threadIdx.x
    out[i] = cuda.match_any_sync(0xFFFFFFFF, x)
    mask, same = cuda.match_all_sync(0xFFFFFFFF, x)
    out[i] += mask + same


@cases((int32[:],))
def masks(out):
    out[cuda.threadIdx.x] = cuda.activemask()


@cases((float32[:],), (int32[:],), (int64[:],))
def warp_reduction(out):
    i = cuda.threadIdx.x
    x = out[i]
    offset = 16
    while offset > 0:
        x += cuda.shfl_down_sync(0xFFFFFFFF, x, offset)
        offset >>= 1
    if cuda.laneid == 0:
        out[i // 32] = x
