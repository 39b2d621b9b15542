# Votes, shuffles and reducing barriers: what threads agree on by talking.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Votes, shuffles and reducing barriers: what threads agree on by talking."""

import numpy as np
from coop_mlir import ThreadData, load, this_block, this_warp
from numba_cuda_mlir import cuda

from .registry import alike, by_warps, diverges, legal, unproven


@legal()
def any_of_the_warp(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    if cuda.any_sync(0xFFFFFFFF, src[i] > 3):
        load(this_warp(), src, items)


@unproven(source=by_warps)
def any_of_the_warp_for_the_block(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    if cuda.any_sync(0xFFFFFFFF, src[i] > 3):  # branch
        load(this_block(), src, items)  # call


@legal()
def all_of_the_warp(src, dst, n):
    items = ThreadData(2)
    if cuda.all_sync(0xFFFFFFFF, cuda.threadIdx.x < n):
        load(this_warp(), src, items)


@diverges(n=40)
def all_of_the_warp_for_the_block(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    if cuda.all_sync(0xFFFFFFFF, tid < n):  # branch
        load(this_block(), src, items)  # call


@legal()
def ballot_counts(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    if cuda.popc(cuda.ballot_sync(0xFFFFFFFF, src[i] > 3)) > 16:
        load(this_warp(), src, items)


@legal()
def or_of_the_block(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    if cuda.syncthreads_or(np.int32(src[i] > 3)):
        load(this_block(), src, items)


@legal()
def and_of_the_block(src, dst, n):
    items = ThreadData(2)
    if cuda.syncthreads_and(np.int32(cuda.threadIdx.x < n)):
        load(this_block(), src, items)


@legal()
def count_of_the_block(src, dst, n):
    items = ThreadData(2)
    if cuda.syncthreads_count(np.int32(cuda.threadIdx.x < n)) > 12:
        load(this_block(), src, items)


@legal()
def shuffled_from_lane_zero(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    leader = cuda.shfl_sync(0xFFFFFFFF, src[i], 0)
    if leader > 3:
        load(this_warp(), src, items)


@unproven()
def shuffled_from_lane_zero_for_the_block(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    leader = cuda.shfl_sync(0xFFFFFFFF, src[i], 0)
    if leader > 3:  # branch
        load(this_block(), src, items)  # call


@unproven()
def shuffled_down(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    other = cuda.shfl_down_sync(0xFFFFFFFF, src[i], 1)
    if other > 3:  # branch
        load(this_warp(), src, items)  # call


@legal()
def vote_decides_a_loop(src, dst, n):
    items = ThreadData(2)
    x = src[cuda.grid(1)]
    while cuda.any_sync(0xFFFFFFFF, x > 0):
        load(this_warp(), src, items)
        x -= 1


# With data that part the threads, `continue` votes at the second copy of the test.
@legal(source=alike)
def vote_decides_a_loop_with_continue(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    x = src[i]
    while cuda.syncthreads_or(np.int32(x > 0)):
        load(this_block(), src, items)
        x -= 1
        if x > 5:
            continue
        dst[i] = x


@legal()
def grid_stride_with_a_common_vote(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    while cuda.syncthreads_or(np.int32(i < n)):
        load(this_block(), src, items)
        if i < n:
            dst[i] = items[0]
        i += cuda.gridsize(1)


@diverges()
def grid_stride_without_a_vote(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)  # value
    while i < n:  # branch
        load(this_block(), src, items)  # call
        i += cuda.gridsize(1)
