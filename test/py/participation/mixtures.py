# Shapes put together: what real kernels look like.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shapes put together: what real kernels look like."""

import numpy as np
from coop_mlir import ThreadData, load, store, this_block, this_warp
from numba_cuda_mlir import cuda

from .registry import diverges, legal, unproven


@cuda.jit(device=True)
def clamp(x, limit):
    if x < 0:
        return 0
    if x > limit:
        return limit
    return x


@cuda.jit(device=True)
def load_unless(src, items, skip):
    if skip:
        return
    load(this_block(), src, items)


@cuda.jit(device=True)
def find(src, key, n):
    j = 0
    while j < n:
        if src[j] == key:
            return j
        j += 1
    return -1


@legal()
def helper_returns_early_before_the_call(src, dst, n):
    items = ThreadData(2)
    i = clamp(cuda.grid(1) - 3, n)
    load(this_block(), src, items)
    dst[i] = 1


@diverges()
def helper_skips_the_call(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    items[0] = 0
    load_unless(src, items, tid > n)
    dst[tid] = items[0]


@legal()
def helper_skips_the_call_together(src, dst, n):
    items = ThreadData(2)
    load_unless(src, items, n > 77)
    dst[cuda.grid(1)] = items[0]


@legal()
def helper_searches_before_the_call(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    place = find(src, i, n)
    load(this_block(), src, items)
    dst[i] = place


@diverges()
def helper_searches_for_each(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)  # value
    if find(src, i, n) >= 0:  # branch
        load(this_block(), src, items)  # call


@legal()
def helper_searches_for_the_block(src, dst, n):
    items = ThreadData(2)
    if find(src, cuda.blockIdx.x, n) >= 0:
        load(this_block(), src, items)


@legal(n=300, grid=1)
def tile_loop_with_everything(src, dst, n):
    block = this_block()
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    tile = cuda.blockIdx.x
    found = 0
    while True:
        base = tile * 256
        if base >= n:
            break
        load(block, src, items, offset=base, valid_items=min(n - base, 256), oob_default=0)
        tile += cuda.gridDim.x
        for j in range(2):
            if items[j] < 0:
                continue
            found += items[j]
            if found > 100:
                break
        if found == tid:
            continue
        store(this_warp().group_by(1), dst, items)
    store(block, dst, items)


@diverges()
def tile_loop_left_by_some(src, dst, n):
    block = this_block()
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    tile = cuda.blockIdx.x
    while True:
        base = tile * 256 + tid
        if base >= n:  # branch
            break
        load(block, src, items)  # call
        tile += cuda.gridDim.x


@legal()
def reduction_in_shared_memory(src, dst, n):
    items = ThreadData(2)
    sums = cuda.shared.array(128, np.int32)
    tid = cuda.threadIdx.x
    load(this_block(), src, items)
    sums[tid] = items[0] + items[1]
    cuda.syncthreads()
    stride = 64
    while stride > 0:
        if tid < stride:
            sums[tid] += sums[tid + stride]
        cuda.syncthreads()
        stride //= 2
    if sums[0] > n:
        store(this_block(), dst, items)


@diverges()
def reduction_with_the_barrier_inside(src, dst, n):
    items = ThreadData(2)
    sums = cuda.shared.array(128, np.int32)
    tid = cuda.threadIdx.x  # value
    load(this_block(), src, items)
    sums[tid] = items[0]
    cuda.syncthreads()
    stride = 64
    while stride > 0:
        if tid < stride:  # branch
            sums[tid] += sums[tid + stride]
            cuda.syncthreads()  # call
        stride //= 2


@legal()
def iterate_until_the_block_is_content(src, dst, n):
    items = ThreadData(2)
    error = cuda.shared.array(1, np.int32)
    tid = cuda.threadIdx.x
    for step in range(n):
        load(this_block(), src, items)
        if tid == 0:
            error[0] = 0
        cuda.syncthreads()
        if items[0] > 3:
            cuda.atomic.add(error, 0, 1)
        cuda.syncthreads()
        if error[0] == 0:
            break
        cuda.syncthreads()
    store(this_block(), dst, items)


@unproven()
def iterate_until_each_is_content(src, dst, n):
    items = ThreadData(2)
    for step in range(n):
        load(this_block(), src, items)  # call
        if items[0] > 3:  # branch
            break


@legal()
def role_of_each_warp(src, dst, n):
    items = ThreadData(2)
    role = (cuda.threadIdx.x // 32) % 4
    if role == 0:
        load(this_warp(), src, items)
    elif role == 1:
        for j in range(n):
            load(this_warp(), src, items, offset=j * 64)
    elif role == 2:
        if n > 5:
            return
        load(this_warp(), src, items)
    else:
        while src[role] > n:
            load(this_warp(), src, items)
            n += 1


@diverges(n=6)
def role_of_each_warp_and_a_block(src, dst, n):
    items = ThreadData(2)
    role = (cuda.threadIdx.x // 32) % 4  # value
    if role == 2:  # branch
        if n > 5:
            return
    load(this_block(), src, items)  # call


@legal()
def unrolled_conditions(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    a = 1 if i < n else 0
    b = 2 if src[a] > 3 else 4
    for j in range(a + b):
        if (j + i) % 2 == 0:
            dst[j] = 1
        else:
            continue
        if dst[j] > 7:
            break
    load(this_block(), src, items)


@legal()
def for_else(src, dst, n):
    items = ThreadData(2)
    for j in range(n):
        if src[j] == 7:
            break
    else:
        load(this_block(), src, items)


@diverges()
def for_else_of_some(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    for j in range(n):
        if src[j] == tid:  # branch
            break
    else:
        load(this_block(), src, items)  # call


@legal()
def swapped_buffers(src, dst, n):
    items = ThreadData(2)
    a = src
    b = dst
    for step in range(n):
        load(this_block(), a, items)
        store(this_block(), b, items)
        a, b = b, a


@legal()
def uniform_by_a_tuple(src, dst, n):
    items = ThreadData(2)
    limits = (n, n + 1, 7)
    if limits[1] > 3:
        load(this_block(), src, items)


@legal()
def wide_integers(src, dst, n):
    items = ThreadData(2)
    i = np.int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
    if (i ^ 31) >> 5 < n and np.uint32(i) // np.uint32(32) < np.uint32(n):
        load(this_warp(), src, items)
