# Conditions that come from memory.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conditions that come from memory."""

import numpy as np
from coop_mlir import ThreadData, load, store, this_block, this_warp
from numba_cuda_mlir import cuda

from .registry import ascending, diverges, legal, unproven


@unproven()
def flag_of_each_thread(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    if src[i] > 3:  # branch
        load(this_block(), src, items)  # call


@legal()
def flag_of_the_block(src, dst, n):
    items = ThreadData(2)
    if src[cuda.blockIdx.x] > 3:
        load(this_block(), src, items)


@legal()
def flag_of_the_grid(src, dst, n):
    items = ThreadData(2)
    if src[0] > n:
        load(this_block(), src, items)


@legal()
def flag_of_each_warp(src, dst, n):
    items = ThreadData(2)
    if src[cuda.threadIdx.x // 32] > 3:
        load(this_warp(), src, items)


@unproven(source=ascending)
def flag_of_each_warp_for_the_block(src, dst, n):
    items = ThreadData(2)
    if src[cuda.threadIdx.x // 32] > 3:  # branch
        load(this_block(), src, items)  # call


@unproven()
def return_by_data(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    if src[i] == 0:  # branch
        return
    load(this_block(), src, items)  # call


@unproven()
def bound_by_data(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    for j in range(src[i]):  # branch
        load(this_block(), src, items)  # call


@legal()
def bound_by_common_data(src, dst, n):
    items = ThreadData(2)
    for j in range(src[cuda.blockIdx.x]):
        load(this_block(), src, items)


@unproven()
def payload_decides(src, dst, n):
    items = ThreadData(2)
    load(this_block(), src, items)
    if items[0] > 3:  # branch
        store(this_block(), dst, items)  # call


@legal()
def payload_decides_for_itself(src, dst, n):
    items = ThreadData(2)
    load(this_block(), src, items)
    if items[0] > 3:
        items[0] = 3
    store(this_block(), dst, items)


@diverges()
def data_against_the_id(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    if src[0] > tid:  # branch
        load(this_block(), src, items)  # call


@legal()
def shared_flag_after_a_barrier(src, dst, n):
    items = ThreadData(2)
    flag = cuda.shared.array(1, np.int32)
    tid = cuda.threadIdx.x
    if tid == 0:
        flag[0] = src[cuda.blockIdx.x]
    cuda.syncthreads()
    if flag[0] > 3:
        load(this_block(), src, items)


@unproven(found="race", why="the race itself is the fault that makes data of the flag")
def shared_flag_without_a_barrier(src, dst, n):
    items = ThreadData(2)
    flag = cuda.shared.array(1, np.int32)
    tid = cuda.threadIdx.x
    if tid == 0:
        flag[0] = src[cuda.blockIdx.x]
    if flag[0] > 3:  # branch
        load(this_block(), src, items)  # call


@legal()
def tiles_from_a_shared_counter(src, dst, n):
    items = ThreadData(2)
    tile = cuda.shared.array(1, np.int32)
    while True:
        if cuda.threadIdx.x == 0:
            tile[0] = cuda.atomic.add(dst, 0, 1)
        cuda.syncthreads()
        mine = tile[0]
        cuda.syncthreads()
        if mine >= n:
            break
        load(this_block(), src, items, offset=mine * 256)


@unproven(calm_n=0)
def tiles_from_an_atomic_of_each_thread(src, dst, n):
    items = ThreadData(2)
    while True:
        mine = cuda.atomic.add(dst, 0, 1)
        if mine >= n:  # branch
            break
        load(this_block(), src, items)  # call


@legal()
def own_array_of_common_values(src, dst, n):
    items = ThreadData(2)
    own = cuda.local.array(4, np.int32)
    for j in range(4):
        own[j] = n + j
    if own[n % 4] > 3:
        load(this_block(), src, items)


@diverges()
def own_array_of_ids(src, dst, n):
    items = ThreadData(2)
    own = cuda.local.array(4, np.int32)
    tid = cuda.threadIdx.x  # value
    for j in range(4):
        own[j] = tid
    if own[n % 4] > 3:  # branch
        load(this_block(), src, items)  # call


@legal()
def shared_flag_of_each_warp(src, dst, n):
    items = ThreadData(2)
    flags = cuda.shared.array(4, np.int32)
    warp = cuda.threadIdx.x // 32
    if cuda.laneid == 0:
        flags[warp] = src[warp]
    cuda.syncwarp()
    if flags[warp] > 3:
        load(this_warp(), src, items)


@legal()
def search_of_each_thread_before_the_call(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    low = 0
    high = n
    while low < high:
        middle = (low + high) // 2
        if src[middle] < i:
            low = middle + 1
        else:
            high = middle
    load(this_block(), src, items)
    dst[i] = low


@legal()
def search_of_the_block(src, dst, n):
    items = ThreadData(2)
    low = 0
    high = n
    while low < high:
        middle = (low + high) // 2
        if src[middle] < cuda.blockIdx.x:
            low = middle + 1
        else:
            high = middle
    if low > 3:
        load(this_block(), src, items)
