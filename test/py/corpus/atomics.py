# Corpus: every atomic operation, on global and shared memory.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomic read-modify-write in each type that the host accepts."""

from numba_cuda_mlir import cuda

from .dtypes import FLOATS, WIDE, float32, int32, int64, uint32, uint64
from .registry import cases


@cases(*[(t[:], t[:]) for t in WIDE + FLOATS])
def add_and_sub(out, a):
    i = cuda.grid(1)
    cuda.atomic.add(out, 0, a[i])
    cuda.atomic.sub(out, 1, a[i])


@cases(*[(t[:], t[:]) for t in WIDE])
def bitwise(out, a):
    i = cuda.grid(1)
    cuda.atomic.and_(out, 0, a[i])
    cuda.atomic.or_(out, 1, a[i])
    cuda.atomic.xor(out, 2, a[i])


@cases(*[(t[:], t[:]) for t in WIDE + FLOATS])
def minimum_and_maximum(out, a):
    i = cuda.grid(1)
    cuda.atomic.min(out, 0, a[i])
    cuda.atomic.max(out, 1, a[i])


@cases(*[(t[:], t[:]) for t in FLOATS])
def nan_minimum_and_maximum(out, a):
    i = cuda.grid(1)
    cuda.atomic.nanmin(out, 0, a[i])
    cuda.atomic.nanmax(out, 1, a[i])


@cases((uint32[:], uint32), (uint64[:], uint64))
def wrapping(out, limit):
    i = cuda.grid(1)
    cuda.atomic.inc(out, i % 8, limit)
    cuda.atomic.dec(out, i % 4, limit)


@cases(*[(t[:], t[:]) for t in WIDE])
def exchange(out, a):
    i = cuda.grid(1)
    a[i] = cuda.atomic.exch(out, 0, a[i])


@cases(*[(t[:], t, t) for t in WIDE])
def compare_and_swap(out, old, new):
    cuda.atomic.cas(out, 0, old, new)
    cuda.atomic.compare_and_swap(out, old, new)


@cases((int32[:, :],), (float32[:, :],))
def two_dimensional(out):
    i, j = cuda.grid(2)
    cuda.atomic.add(out, (i, j), 1)


@cases((int32[:], int32[:]), (int64[:], int64[:]))
def shared_histogram(out, keys):
    bins = cuda.shared.array(64, int32)
    i = cuda.grid(1)
    bins[cuda.threadIdx.x] = 0
    cuda.syncthreads()
    cuda.atomic.add(bins, keys[i] % 64, 1)
    cuda.syncthreads()
    cuda.atomic.add(out, cuda.threadIdx.x, bins[cuda.threadIdx.x])
