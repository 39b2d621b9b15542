# Conditions from memory that the kernel itself writes.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conditions from memory that the kernel itself writes."""

import numpy as np
from coop_mlir import ThreadData, load, store, this_block, this_warp
from numba_cuda_mlir import cuda

from .registry import diverges, legal, unproven

# What a run finds instead of threads that part.
RACE = {"found": "race", "why": "the race itself is the fault that makes data of the flag"}
ORDER = {"found": "clean", "why": "a run has one order of the accesses to global memory"}


@legal()
def flag_before_a_store_elsewhere(src, dst, n):
    items = ThreadData(2)
    if src[0] > 0:
        load(this_block(), src, items)
        store(this_block(), dst, items)


@unproven(**ORDER)
def flag_in_the_array_that_is_stored(src, dst, n):
    items = ThreadData(2)
    if dst[0] > 0:  # branch
        load(this_block(), src, items)  # call
        dst[cuda.grid(1)] = items[0]


@unproven(**ORDER)
def flag_in_the_array_that_a_tile_is_stored_to(src, dst, n):
    items = ThreadData(2)
    load(this_block(), src, items)
    store(this_block(), dst, items)
    if dst[0] > 0:  # branch
        load(this_block(), src, items)  # call


@unproven(**ORDER)
def flag_that_one_thread_has_just_set(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x == 5:
        dst[0] = n
    if dst[0] > 0:  # branch
        load(this_block(), src, items)  # call


@unproven(**ORDER)
def flag_that_an_atomic_changes(src, dst, n):
    items = ThreadData(2)
    cuda.atomic.add(dst, 0, 1)
    if dst[0] > n:  # branch
        load(this_block(), src, items)  # call


@unproven(**ORDER)
def global_flag_after_a_barrier_of_the_block(src, dst, n):
    # The other blocks know nothing of this barrier.
    items = ThreadData(2)
    if cuda.threadIdx.x == 0:
        dst[0] += 1
    cuda.syncthreads()
    if dst[0] > n:  # branch
        load(this_block(), src, items)  # call


@unproven(**RACE)
def flag_that_is_cleared_later(src, dst, n):
    # A fast thread clears it before a slow one has read it.
    items = ThreadData(2)
    flag = cuda.shared.array(1, np.int32)
    if cuda.threadIdx.x == 0:
        flag[0] = n
    cuda.syncthreads()
    if flag[0] > 3:  # branch
        load(this_block(), src, items)  # call
    flag[0] = 0


@legal()
def flag_that_is_cleared_after_a_barrier(src, dst, n):
    items = ThreadData(2)
    flag = cuda.shared.array(1, np.int32)
    if cuda.threadIdx.x == 0:
        flag[0] = n
    cuda.syncthreads()
    wanted = flag[0] > 3
    cuda.syncthreads()
    flag[0] = 0
    if wanted:
        load(this_block(), src, items)


@unproven(**RACE)
def flag_that_the_next_round_overwrites(src, dst, n):
    items = ThreadData(2)
    flag = cuda.shared.array(1, np.int32)
    for j in range(n):
        if cuda.threadIdx.x == 0:
            flag[0] = src[j]
        cuda.syncthreads()
        if flag[0] > 3:  # branch
            load(this_block(), src, items)  # call


@legal()
def flag_with_barriers_on_both_sides(src, dst, n):
    items = ThreadData(2)
    flag = cuda.shared.array(1, np.int32)
    for j in range(n):
        if cuda.threadIdx.x == 0:
            flag[0] = src[j]
        cuda.syncthreads()
        wanted = flag[0] > 3
        cuda.syncthreads()
        if wanted:
            load(this_block(), src, items)


@unproven(**RACE)
def shared_flag_after_a_barrier_of_the_warp(src, dst, n):
    items = ThreadData(2)
    flag = cuda.shared.array(1, np.int32)
    if cuda.threadIdx.x == 0:
        flag[0] = n
    cuda.syncwarp()
    if flag[0] > 3:  # branch
        load(this_block(), src, items)  # call


@unproven(**RACE)
def shared_flag_of_another_warp(src, dst, n):
    items = ThreadData(2)
    flags = cuda.shared.array(4, np.int32)
    warp = cuda.threadIdx.x // 32
    flags[3 - warp] = n
    cuda.syncwarp()
    if flags[warp] > 3:  # branch
        load(this_warp(), src, items)  # call


@legal()
def sum_of_each_warp(src, dst, n):
    items = ThreadData(2)
    sums = cuda.shared.array(128, np.int32)
    tid = cuda.threadIdx.x
    sums[tid] = src[cuda.grid(1)]
    half = 16
    while half > 0:
        cuda.syncwarp()
        if tid % 32 < half:
            sums[tid] += sums[tid ^ half]
        half //= 2
    cuda.syncwarp()
    if sums[tid // 32 * 32] > n:
        load(this_warp(), src, items)


@legal(block=32)
def barrier_of_the_only_warp(src, dst, n):
    items = ThreadData(2)
    flag = cuda.shared.array(1, np.int32)
    if cuda.threadIdx.x == 0:
        flag[0] = n
    cuda.syncwarp()
    if flag[0] > 3:
        load(this_block(), src, items)


@legal()
def two_shared_arrays(src, dst, n):
    items = ThreadData(2)
    flag = cuda.shared.array(1, np.int32)
    other = cuda.shared.array(128, np.int32)
    flag[0] = n
    cuda.syncthreads()
    other[cuda.threadIdx.x] = cuda.threadIdx.x
    if flag[0] > 3:
        load(this_block(), src, items)


@unproven(**RACE)
def parts_of_one_shared_array(src, dst, n):
    items = ThreadData(2)
    shared = cuda.shared.array(128, np.int32)
    shared[cuda.threadIdx.x] = cuda.threadIdx.x
    if shared[5] > 3:  # branch
        load(this_block(), src, items)  # call


@legal()
def parts_of_one_shared_array_after_a_barrier(src, dst, n):
    items = ThreadData(2)
    shared = cuda.shared.array(128, np.int32)
    shared[cuda.threadIdx.x] = src[cuda.grid(1)]
    cuda.syncthreads()
    if shared[5] > 3:
        load(this_block(), src, items)


@diverges(**RACE)
def last_round_of_each_thread(src, dst, n):
    # Each round all threads read one flag, but they leave in different rounds.
    items = ThreadData(2)
    flag = cuda.shared.array(1, np.int32)
    last = 0
    for j in range(128):
        if cuda.threadIdx.x == 0:
            flag[0] = src[j]
        cuda.syncwarp()
        last = flag[0]
        cuda.syncwarp()
        if last > cuda.threadIdx.x:
            break
    if last > 3:  # branch
        load(this_warp(), src, items)  # call


@legal(shared_bytes=64)
def dynamic_shared_flag(src, dst, n):
    items = ThreadData(2)
    flag = cuda.shared.array(0, np.int32)
    if cuda.threadIdx.x == 0:
        flag[0] = src[cuda.blockIdx.x]
    cuda.syncthreads()
    if flag[0] > 3:
        load(this_block(), src, items)


@unproven(shared_bytes=64, **RACE)
def dynamic_shared_flag_without_a_barrier(src, dst, n):
    items = ThreadData(2)
    flag = cuda.shared.array(0, np.int32)
    if cuda.threadIdx.x == 0:
        flag[0] = src[cuda.blockIdx.x]
    if flag[0] > 3:  # branch
        load(this_block(), src, items)  # call


@legal()
def print_changes_nothing(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x == 0:
        print(n)
    if src[0] > 0:
        load(this_block(), src, items)
