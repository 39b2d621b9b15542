# range loops: bounds, breaks and what comes after.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""range loops: bounds, breaks and what comes after."""

from coop_mlir import ThreadData, load, store, this_block, this_warp
from numba_cuda_mlir import cuda

from .registry import diverges, legal


@legal()
def scalar_bound(src, dst, n):
    items = ThreadData(2)
    for j in range(n):
        load(this_block(), src, items, offset=j * 256)
        store(this_block(), dst, items, offset=j * 256)


@legal()
def grid_stride_by_blocks(src, dst, n):
    items = ThreadData(2)
    for tile in range(cuda.blockIdx.x, n, cuda.gridDim.x):
        load(this_block(), src, items, offset=tile * 256)
        store(this_block(), dst, items, offset=tile * 256)


@diverges()
def grid_stride_by_threads(src, dst, n):
    items = ThreadData(2)
    start = cuda.grid(1)  # value
    for i in range(start, n, cuda.gridsize(1)):  # branch
        load(this_block(), src, items)  # call


@diverges()
def per_thread_bound(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    for j in range(tid):  # branch
        load(this_block(), src, items)  # call


@legal()
def per_thread_loop_before_the_call(src, dst, n):
    items = ThreadData(2)
    total = 0
    for j in range(cuda.threadIdx.x):
        total += src[j]
    load(this_block(), src, items)
    dst[0] = total


@legal()
def same_number_of_passes_for_all(src, dst, n):
    items = ThreadData(2)
    for i in range(cuda.threadIdx.x, 1024, 128):
        load(this_block(), src, items)
        dst[i] = 1


@diverges()
def one_more_pass_for_some(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    for i in range(tid, 1000, 128):  # branch
        load(this_block(), src, items)  # call


@diverges()
def break_of_some(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    for j in range(n):
        if j == tid:  # branch
            break
        load(this_block(), src, items)  # call


@legal()
def break_together(src, dst, n):
    items = ThreadData(2)
    for j in range(n):
        if j == 12:
            break
        load(this_block(), src, items)


@legal()
def call_after_the_break_of_some(src, dst, n):
    items = ThreadData(2)
    for j in range(n):
        if j == cuda.threadIdx.x:
            break
        dst[j] = 1
    load(this_block(), src, items)


@diverges()
def call_before_the_break_of_some(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    for j in range(n):
        load(this_block(), src, items)  # call
        if j == tid:  # branch
            break


@diverges()
def count_of_a_per_thread_loop(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    count = 0
    for j in range(n):
        if j == tid:
            break
        count += 1
    if count > 3:  # branch
        load(this_block(), src, items)  # call


@legal()
def count_of_a_common_loop(src, dst, n):
    items = ThreadData(2)
    count = 0
    for j in range(n):
        if j == 7:
            break
        count += 1
    if count > 3:
        load(this_block(), src, items)


@diverges()
def last_index_of_a_per_thread_loop(src, dst, n):
    items = ThreadData(2)
    last = 0
    for j in range(cuda.threadIdx.x):
        last = j
    if last > 3:  # branch
        load(this_block(), src, items)  # call


@legal()
def continue_of_some_after_the_call(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    for j in range(n):
        load(this_block(), src, items)
        if tid > j:
            continue
        dst[tid] = j


@diverges()
def continue_of_some_before_the_call(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    for j in range(n):
        if tid > j:  # branch
            continue
        load(this_block(), src, items)  # call


@legal()
def inner_loop_diverges_outer_does_not(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    for j in range(n):
        x = 0
        for k in range(tid):
            x += src[k]
        load(this_block(), src, items)
        dst[tid] = x


@diverges()
def inner_loop_in_a_divergent_outer_one(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    for k in range(tid):  # branch
        for j in range(n):
            load(this_block(), src, items)  # call


@legal()
def warps_loop_differently(src, dst, n):
    items = ThreadData(2)
    warp = cuda.threadIdx.x // 32
    for j in range(warp):
        load(this_warp(), src, items)


@diverges()
def warps_loop_differently_around_a_block(src, dst, n):
    items = ThreadData(2)
    warp = cuda.threadIdx.x // 32  # value
    for j in range(warp):  # branch
        load(this_block(), src, items)  # call


@legal()
def eights_loop_differently(src, dst, n):
    items = ThreadData(2)
    for j in range(cuda.threadIdx.x // 8, n):
        load(this_warp().group_by(8), src, items)


@diverges()
def eights_loop_differently_around_sixteen(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    for j in range(tid // 8, n):  # branch
        load(this_warp().group_by(16), src, items)  # call


@legal()
def uniform_break_and_divergent_continue(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    for j in range(n):
        load(this_block(), src, items)
        if j > 10:
            break
        if tid > j:
            continue
        dst[tid] = j
    store(this_block(), dst, items)


@legal()
def loop_over_warp_tiles(src, dst, n):
    items = ThreadData(2)
    warp = cuda.grid(1) // 32
    warps = cuda.gridsize(1) // 32
    for tile in range(warp, n, warps):
        load(this_warp(), src, items, offset=tile * 64)
