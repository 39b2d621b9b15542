# while loops, whose test stands twice in the bytecode.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""while loops, whose test stands twice in the bytecode."""

from coop_mlir import ThreadData, load, store, this_block, this_warp
from numba_cuda_mlir import cuda

from .registry import diverges, legal, unproven


@legal()
def scalar_test(src, dst, n):
    items = ThreadData(2)
    j = 0
    while j < n:
        load(this_block(), src, items)
        j += 1


@diverges()
def per_thread_test(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)  # value
    while i < n:  # branch
        load(this_block(), src, items)  # call
        i += cuda.gridsize(1)


@legal()
def test_by_blocks(src, dst, n):
    items = ThreadData(2)
    base = cuda.blockIdx.x * 256
    while base < n:
        load(this_block(), src, items, offset=base, valid_items=min(n - base, 256))
        base += cuda.gridDim.x * 256


@legal()
def continue_of_some_after_the_call(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    j = 0
    while j < n:
        load(this_block(), src, items)
        j += 1
        if src[i] > 3:
            continue
        dst[i] = j


@legal()
def continue_of_some_with_its_own_step(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    j = 0
    while j < n:
        load(this_block(), src, items)
        if src[i] > 3:
            j += 1
            continue
        dst[i] = j
        j += 1


@diverges()
def continue_of_some_with_another_step(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    j = 0
    while j < n:
        load(this_block(), src, items)  # call
        if tid > 3:
            j += 2
            continue
        dst[tid] = j
        j += 1


@unproven()
def continue_by_data_with_another_step(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    j = 0
    while j < n:
        load(this_block(), src, items)  # call
        if src[tid] > 3:
            j += 2
            continue
        dst[tid] = j
        j += 1


@legal()
def test_of_two_conditions(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    j = 0
    while j < n and j * 256 < src.shape[0]:
        load(this_block(), src, items)
        j += 1
        if src[i] > 3:
            continue
        dst[i] = j


@legal()
def test_of_two_conditions_or(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    j = 0
    while j < n or j * 256 < src.shape[0]:
        load(this_block(), src, items)
        j += 1
        if i > j:
            continue
        dst[i] = j


@diverges()
def test_of_two_conditions_of_which_one_diverges(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)  # value
    j = 0
    while j < n and j < i:
        load(this_block(), src, items)  # call
        j += 1


@diverges()
def continue_of_some_before_the_call(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    j = 0
    while j < n:
        j += 1
        if tid > j:  # branch
            continue
        load(this_block(), src, items)  # call


@legal()
def continue_together_before_the_call(src, dst, n):
    items = ThreadData(2)
    j = 0
    while j < n:
        j += 1
        if j % 3 == 0:
            continue
        load(this_block(), src, items)


@legal()
def forever_until_a_common_break(src, dst, n):
    items = ThreadData(2)
    j = 0
    while True:
        load(this_block(), src, items)
        j += 1
        if j > n:
            break


@diverges()
def forever_until_a_break_of_some(src, dst, n):
    items = ThreadData(2)
    j = cuda.threadIdx.x  # value
    while True:
        load(this_block(), src, items)  # call
        j += 1
        if j > n:  # branch
            break


@legal()
def call_after_a_while_of_some(src, dst, n):
    items = ThreadData(2)
    j = cuda.threadIdx.x
    while j < n:
        dst[j] = 1
        j += 7
    load(this_block(), src, items)


@diverges()
def result_of_a_while_of_some(src, dst, n):
    items = ThreadData(2)
    j = cuda.threadIdx.x  # value
    while j < n:
        j += 7
    if j > 5:  # branch
        load(this_block(), src, items)  # call


@legal()
def common_flag_ends_the_loop(src, dst, n):
    items = ThreadData(2)
    j = 0
    done = False
    while not done:
        load(this_block(), src, items)
        j += 1
        done = j > n


@diverges()
def own_flag_ends_the_loop(src, dst, n):
    items = ThreadData(2)
    j = cuda.threadIdx.x  # value
    done = False
    while not done:
        load(this_block(), src, items)  # call
        j += 1
        done = j > n


@legal()
def halving_stride(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    stride = 64
    while stride > 0:
        if tid < stride:
            dst[tid] += dst[tid + stride]
        load(this_block(), src, items)
        stride //= 2


@diverges()
def halving_stride_with_the_call_inside(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    stride = 64
    while stride > 0:
        if tid < stride:  # branch
            load(this_block(), src, items)  # call
        stride //= 2


@legal()
def warps_count_down(src, dst, n):
    items = ThreadData(2)
    left = cuda.threadIdx.x >> 5
    while left > 0:
        load(this_warp(), src, items)
        left -= 1


@legal()
def while_else(src, dst, n):
    items = ThreadData(2)
    j = 0
    while j < n:
        j += 1
        if j == 12:
            break
    else:
        load(this_block(), src, items)


@diverges()
def while_else_of_some(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    j = 0
    while j < n:
        j += 1
        if j == tid:  # branch
            break
    else:
        load(this_block(), src, items)  # call


@legal()
def nested_whiles(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    j = 0
    while j < n:
        k = 0
        while k < i:
            k += 1
            if src[k] == 0:
                break
        load(this_block(), src, items)
        dst[i] = k
        j += 1


@legal()
def two_continues_of_some(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    j = 0
    while j < n:
        load(this_block(), src, items)
        j += 1
        if i % 3 == 0:
            continue
        if i % 5 == 0:
            dst[i] = 7
            continue
        dst[i] = j
    store(this_block(), dst, items)
