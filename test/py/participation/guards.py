# Guards in every shape: a branch around a call, or before one.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Guards in every shape: a branch around a call, or before one."""

from coop_mlir import ThreadData, load, store, this_block
from numba_cuda_mlir import cuda

from .registry import diverges, legal


@diverges()
def bounds_guard(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)  # value
    if i < n:  # branch
        load(this_block(), src, items)  # call


@legal()
def bounds_guard_by_valid_items(src, dst, n):
    items = ThreadData(2)
    load(this_block(), src, items, valid_items=n)


@diverges()
def first_thread_only(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    if tid == 0:  # branch
        load(this_block(), src, items)  # call


@legal()
def first_block_only(src, dst, n):
    items = ThreadData(2)
    if cuda.blockIdx.x == 0:
        load(this_block(), src, items)


@legal()
def scalar_guard(src, dst, n):
    items = ThreadData(2)
    if n > 3:
        load(this_block(), src, items)


@legal()
def scalar_guard_in_arithmetic(src, dst, n):
    items = ThreadData(2)
    if (n * 7 + src.shape[0]) % 3 == cuda.gridDim.x // 2:
        load(this_block(), src, items)


@legal()
def rejoined_before_the_call(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    x = 0
    if i < n:
        x = src[i]
    load(this_block(), src, items)
    dst[i] = x


@legal()
def rejoined_after_nested_branches(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    x = 0
    if tid < n:
        if tid % 2 == 0:
            x = 1
        elif tid % 3 == 0:
            x = 2
        else:
            for j in range(tid):
                x += j
    load(this_block(), src, items)
    dst[tid] = x


@diverges()
def same_call_in_both_branches(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    if tid < 64:  # branch
        load(this_block(), src, items)  # call
    else:
        dst[tid] = 1


@diverges()
def call_in_the_else_branch(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    if tid < 64:  # branch
        dst[tid] = 1
    else:
        load(this_block(), src, items)  # call


@legal()
def condition_true_for_every_thread(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x < 128:
        load(this_block(), src, items)


@legal()
def condition_false_for_every_thread(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x >= 128:
        load(this_block(), src, items)


@diverges()
def condition_false_for_one_thread(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x < 127:  # branch
        load(this_block(), src, items)  # call


@legal()
def condition_by_block_dim(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x // cuda.blockDim.x == 0:
        load(this_block(), src, items)


@diverges()
def and_of_uniform_and_divergent(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    if n > 3 and tid > 3:
        load(this_block(), src, items)  # call


@legal()
def and_of_uniform_conditions(src, dst, n):
    items = ThreadData(2)
    if n > 3 and cuda.blockIdx.x < 7 and src.shape[0] > 12:
        load(this_block(), src, items)


@legal()
def or_of_uniform_conditions(src, dst, n):
    items = ThreadData(2)
    if n > 3 or cuda.blockIdx.x < 7 or src.shape[0] > 12:
        load(this_block(), src, items)


@diverges()
def flag_set_by_a_divergent_branch(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    flag = 0
    if tid == n:
        flag = 1
    if flag == 1:  # branch
        load(this_block(), src, items)  # call


@legal()
def flag_set_by_a_uniform_branch(src, dst, n):
    items = ThreadData(2)
    flag = 0
    if n == 3:
        flag = 1
    if flag == 1:
        load(this_block(), src, items)


@legal()
def flag_set_alike_in_both_branches(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x > n:
        dst[0] = 1
        limit = n + 1
    else:
        limit = n + 1
    if limit > 3:
        load(this_block(), src, items)


@diverges(n=3)
def conditional_expression(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    k = n if tid > 3 else n + 1
    if k > 3:  # branch
        load(this_block(), src, items)  # call


@legal()
def conditional_expression_on_a_scalar(src, dst, n):
    items = ThreadData(2)
    k = n if n > 3 else n + 1
    if k > 3:
        load(this_block(), src, items)


@legal(n=10000)
def raise_carries_on(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    if i > n:
        raise ValueError
    load(this_block(), src, items)


@legal()
def grid_index_is_the_block_for_all(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    if i // 128 < n:
        load(this_block(), src, items)


@diverges(n=1)
def grid_index_by_half_blocks(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)  # value
    if i // 64 < n:  # branch
        load(this_block(), src, items)  # call


@diverges()
def user_barrier_under_a_guard(src, dst, n):
    items = ThreadData(2)
    load(this_block(), src, items)
    if cuda.threadIdx.x < n:  # branch
        cuda.syncthreads()  # call


@legal()
def user_barrier_under_a_uniform_guard(src, dst, n):
    items = ThreadData(2)
    load(this_block(), src, items)
    if cuda.blockIdx.x < n:
        cuda.syncthreads()


@legal(n=300)
def whole_program(src, dst, n):
    block = this_block()
    items = ThreadData(2)
    base = cuda.blockIdx.x * 256
    valid = min(n - base, 256)
    load(block, src, items, offset=base, valid_items=valid, oob_default=0)
    for j in range(2):
        items[j] += 1
    store(block, dst, items, offset=base, valid_items=valid)
