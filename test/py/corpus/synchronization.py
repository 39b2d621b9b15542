# Corpus: barriers, fences, clocks and grid-wide synchronisation.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Everything that orders threads."""

from numba_cuda_mlir import cuda

from .dtypes import int32, int64
from .registry import cases


@cases((int32[:],))
def block_barrier(out):
    out[cuda.threadIdx.x] += 1
    cuda.syncthreads()
    out[0] += out[cuda.threadIdx.x]


@cases((int32[:], int32))
def barrier_with_reduction(out, x):
    i = cuda.threadIdx.x
    out[i] = cuda.syncthreads_count(x)
    out[i] += cuda.syncthreads_and(x)
    out[i] += cuda.syncthreads_or(x)


@cases((int32[:],))
def warp_barrier(out):
    out[cuda.threadIdx.x] += 1
    cuda.syncwarp()
    out[0] += out[cuda.threadIdx.x]


@cases((int32[:],))
def warp_barrier_with_mask(out):
    if cuda.threadIdx.x < 8:
        cuda.syncwarp(0xFF)
        out[cuda.threadIdx.x] = 1


@cases((int32[:],))
def grid_barrier(out):
    grid = cuda.cg.this_grid()
    out[cuda.grid(1)] = 1
    grid.sync()
    out[cuda.grid(1)] += out[0]


@cases((int32[:], int32))
def barrier_in_loop(out, n):
    i = cuda.threadIdx.x
    for _ in range(n):
        out[i] += 1
        cuda.syncthreads()


@cases((int64[:],))
def sleep(out):
    cuda.nanosleep(100)
    out[0] = 1


@cases((int32[:],))
def every_index(out):
    out[0] = cuda.threadIdx.x + cuda.threadIdx.y + cuda.threadIdx.z
    out[1] = cuda.blockIdx.x + cuda.blockIdx.y + cuda.blockIdx.z
    out[2] = cuda.blockDim.x + cuda.blockDim.y + cuda.blockDim.z
    out[3] = cuda.gridDim.x + cuda.gridDim.y + cuda.gridDim.z
    out[4] = cuda.laneid + cuda.warpsize


@cases((int32[:], int32), launch_bounds=(128, 4))
def with_launch_bounds(out, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = n


@cases((int32[:], int32), max_registers=32)
def with_register_limit(out, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = n
