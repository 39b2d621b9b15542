# Device helpers, which are inlined.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device helpers, which are inlined."""

from coop_mlir import ThreadData, load, store, this_block, this_warp
from numba_cuda_mlir import cuda

from .registry import diverges, legal, unproven


@cuda.jit(device=True)
def is_mine(limit):
    return cuda.grid(1) < limit


@cuda.jit(device=True)
def is_ours(limit):
    return cuda.blockIdx.x < limit


@cuda.jit(device=True)
def warp_index():
    return cuda.threadIdx.x // 32


@cuda.jit(device=True)
def copy_tile(src, dst, tile):
    items = ThreadData(2)
    load(this_block(), src, items, offset=tile * 256)
    store(this_block(), dst, items, offset=tile * 256)


@cuda.jit(device=True)
def copy_if(src, dst, tile, wanted):
    if wanted:
        copy_tile(src, dst, tile)


@diverges()
def helper_tells_the_guard(src, dst, n):
    items = ThreadData(2)
    if is_mine(n):
        load(this_block(), src, items)  # call


@legal()
def helper_tells_a_common_guard(src, dst, n):
    items = ThreadData(2)
    if is_ours(n):
        load(this_block(), src, items)


@legal()
def helper_tells_the_warp(src, dst, n):
    items = ThreadData(2)
    if warp_index() < n:
        load(this_warp(), src, items)


@legal()
def helper_calls(src, dst, n):
    for tile in range(cuda.blockIdx.x, n, cuda.gridDim.x):
        copy_tile(src, dst, tile)


@diverges()
def helper_calls_under_a_guard(src, dst, n):
    tid = cuda.threadIdx.x  # value
    if tid < n:
        copy_tile(src, dst, 0)


@legal()
def nested_helpers(src, dst, n):
    copy_if(src, dst, cuda.blockIdx.x, cuda.blockIdx.x < n)


@diverges()
def nested_helpers_under_a_guard(src, dst, n):
    copy_if(src, dst, cuda.blockIdx.x, cuda.threadIdx.x < n)


@unproven()
def helper_calls_by_data(src, dst, n):
    if src[cuda.grid(1)] > 0:  # branch
        copy_tile(src, dst, 0)
