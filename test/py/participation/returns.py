# Early returns: some threads leave before a call.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Early returns: some threads leave before a call."""

from coop_mlir import ThreadData, load, store, this_block, this_warp
from numba_cuda_mlir import cuda

from .registry import diverges, legal


@diverges()
def return_out_of_bounds(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)  # value
    if i >= n:  # branch
        return
    load(this_block(), src, items)  # call


@legal()
def return_of_whole_blocks(src, dst, n):
    items = ThreadData(2)
    if cuda.blockIdx.x * 128 >= n:
        return
    load(this_block(), src, items)


@legal()
def return_after_the_call(src, dst, n):
    items = ThreadData(2)
    load(this_block(), src, items)
    i = cuda.grid(1)
    if i >= n:
        return
    dst[i] = items[0]


@diverges()
def return_between_calls(src, dst, n):
    items = ThreadData(2)
    load(this_block(), src, items)
    tid = cuda.threadIdx.x  # value
    if tid == 5:  # branch
        return
    store(this_block(), dst, items)  # call


@diverges(n=6)
def return_in_a_nested_branch(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    if n > 5:
        if tid > n:  # branch
            return
        dst[tid] = 1
    load(this_block(), src, items)  # call


@legal()
def return_in_a_nested_uniform_branch(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    if n > 5:
        if n > 7:
            return
        dst[tid] = 1
    load(this_block(), src, items)


@diverges()
def return_from_a_loop(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    for j in range(n):
        if j == tid:  # branch
            return
    load(this_block(), src, items)  # call


@legal()
def return_from_a_loop_together(src, dst, n):
    items = ThreadData(2)
    for j in range(n):
        if j == 3:
            return
    load(this_block(), src, items)


@legal()
def warps_return_whole(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x >= 64:
        return
    load(this_warp(), src, items)


@diverges()
def warps_return_in_part(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x >= 72:  # branch
        return
    load(this_warp(), src, items)  # call


@legal()
def lanes_return_by_eights(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x >= 72:
        return
    load(this_warp().group_by(8), src, items)


@diverges()
def lanes_return_within_sixteen(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x >= 72:  # branch
        return
    load(this_warp().group_by(16), src, items)  # call


@legal()
def no_thread_returns(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x > 200:
        return
    load(this_block(), src, items)


@legal()
def both_ways_return_after_their_work(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    load(this_block(), src, items)
    if i < n:
        dst[i] = 1
        return
    dst[i] = 2
