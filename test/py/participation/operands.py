# valid_items, offset and oob_default, on which the group must agree.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""valid_items, offset and oob_default, on which the group must agree."""

import numpy as np
from coop_mlir import ThreadData, load, store, this_block, this_warp
from numba_cuda_mlir import cuda

from .registry import differs, legal, unproven_operand


@differs()
def valid_items_of_each_thread(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)  # value
    load(this_block(), src, items, valid_items=n - i)  # call


@legal(n=256)
def valid_items_of_the_block(src, dst, n):
    items = ThreadData(2)
    load(this_block(), src, items, valid_items=n - cuda.blockIdx.x * 256)


@differs()
def offset_of_each_thread(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    load(this_block(), src, items)
    store(this_block(), dst, items, offset=tid * 2)  # call


@differs()
def default_of_each_thread(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    load(this_block(), src, items, valid_items=n, oob_default=np.int32(tid))  # call


@legal()
def default_of_the_block(src, dst, n):
    items = ThreadData(2)
    load(this_block(), src, items, valid_items=n, oob_default=np.int32(cuda.blockIdx.x))


@legal()
def offset_of_the_warp(src, dst, n):
    items = ThreadData(2)
    warp = cuda.threadIdx.x // 32
    load(this_warp(), src, items, offset=warp * 128)


@differs()
def offset_of_the_warp_for_the_block(src, dst, n):
    items = ThreadData(2)
    warp = cuda.threadIdx.x // 32  # value
    load(this_block(), src, items, offset=warp * 128)  # call


@legal()
def valid_items_of_eights(src, dst, n):
    items = ThreadData(2)
    group = cuda.threadIdx.x // 8
    load(this_warp().group_by(8), src, items, valid_items=min(max(n - group * 16, 0), 16))


@differs()
def valid_items_of_eights_for_sixteen(src, dst, n):
    items = ThreadData(2)
    group = cuda.threadIdx.x // 8  # value
    load(this_warp().group_by(16), src, items, valid_items=group)  # call


@unproven_operand()
def valid_items_by_data(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    count = src[i]
    load(this_block(), src, items, valid_items=count)  # call


@legal()
def valid_items_by_common_data(src, dst, n):
    items = ThreadData(2)
    load(this_block(), src, items, valid_items=src[cuda.blockIdx.x])


@differs()
def valid_items_of_a_per_thread_loop(src, dst, n):
    items = ThreadData(2)
    count = 0
    for j in range(cuda.threadIdx.x):
        count += 1
    load(this_block(), src, items, valid_items=count)  # call


@legal()
def valid_items_agreed_within_a_guard(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    if tid < 32:
        load(this_warp(), src, items, valid_items=tid // 64 + 3)
