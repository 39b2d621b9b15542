# Arithmetic and shapes of control flow that programs like.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic and shapes of control flow that programs like."""

import numpy as np
from coop_mlir import ThreadData, load, store, this_block, this_warp
from numba_cuda_mlir import cuda

from .registry import differs, diverges, legal, unproven


@cuda.jit(device=True)
def early(i, n):
    if i >= n:
        return 0
    return 1


@cuda.jit(device=True)
def first_of(pair):
    return pair[0]


@legal()
def ternary_on_the_block(src, dst, n):
    items = ThreadData(2)
    count = 3 if cuda.blockIdx.x < n else 5
    for j in range(count):
        load(this_block(), src, items)


@diverges()
def ternary_on_the_thread(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    count = 3 if tid < n else 5
    for j in range(count):
        load(this_block(), src, items)  # call


@diverges()
def chain_with_one_id(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    if n > 3 and (cuda.blockIdx.x > 1 or tid > 3):
        load(this_block(), src, items)  # call


@legal()
def chain_of_scalars(src, dst, n):
    items = ThreadData(2)
    if n > 3 and (cuda.blockIdx.x > 1 or not (n == 7 or n < 100)):
        load(this_block(), src, items)


@legal()
def endless_loop_with_a_common_break(src, dst, n):
    items = ThreadData(2)
    j = 0
    while True:
        load(this_block(), src, items)
        j += 1
        if j >= n:
            break


@diverges()
def endless_loop_with_a_break_of_each(src, dst, n):
    items = ThreadData(2)
    j = cuda.threadIdx.x  # value
    while True:
        load(this_block(), src, items)  # call
        j += 1
        if j >= n:  # branch
            break


@legal()
def nested_loops_with_else(src, dst, n):
    items = ThreadData(2)
    for j in range(n):
        for k in range(j):
            if k * j == n:
                break
        else:
            load(this_block(), src, items)


@diverges()
def nested_loops_with_else_of_each(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    for j in range(n):
        for k in range(j):
            if k == tid:
                break
        else:
            load(this_block(), src, items)  # call


@diverges()
def early_return_in_a_helper(src, dst, n):
    items = ThreadData(2)
    if early(cuda.threadIdx.x, n):
        load(this_block(), src, items)  # call


@legal()
def early_return_in_a_helper_of_the_block(src, dst, n):
    items = ThreadData(2)
    if early(cuda.blockIdx.x, n):
        load(this_block(), src, items)


@legal(block=(8, 4))
def row_over_eight_lanes(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.y < n:
        load(this_warp().group_by(8), src, items)


@diverges(block=(8, 4), n=1)
def row_over_sixteen_lanes(src, dst, n):
    items = ThreadData(2)
    y = cuda.threadIdx.y  # value
    if y < n:  # branch
        load(this_warp().group_by(16), src, items)  # call


@legal(block=(4, 4, 8))
def rank_in_three_dimensions(src, dst, n):
    items = ThreadData(2)
    rank = cuda.threadIdx.x + 4 * cuda.threadIdx.y + 16 * cuda.threadIdx.z
    if rank // 32 < n:
        load(this_warp(), src, items)


@legal(block=(4, 4, 8))
def plane_over_sixteen_lanes(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.z * 5 < n:
        load(this_warp().group_by(16), src, items)


@legal()
def quotient_and_remainder(src, dst, n):
    items = ThreadData(2)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    if warp < n:
        load(this_warp(), src, items)


@diverges()
def quotient_and_remainder_of_the_lane(src, dst, n):
    items = ThreadData(2)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32  # value
    if lane < n:  # branch
        load(this_warp(), src, items)  # call


@legal()
def shifts_and_masks(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    if ((tid >> 4) & 3) == n:
        load(this_warp().group_by(16), src, items)


@diverges(n=1)
def mask_of_the_low_bits(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    if (tid & 3) == n:  # branch
        load(this_warp().group_by(8), src, items)  # call


@legal()
def least_and_greatest(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    if min(max(tid, 500), 600) < n:
        load(this_block(), src, items)


@diverges()
def distance_from_the_middle(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    if abs(tid - 64) < n:  # branch
        load(this_block(), src, items)  # call


@diverges()
def id_as_a_float(src, dst, n):
    items = ThreadData(2)
    x = np.float32(cuda.threadIdx.x)  # value
    if x * 0.5 < n:  # branch
        load(this_block(), src, items)  # call


@legal()
def block_as_a_float(src, dst, n):
    items = ThreadData(2)
    if np.float32(cuda.blockIdx.x) * 0.5 < n:
        load(this_block(), src, items)


@legal()
def id_without_itself(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    if tid - tid == n:
        load(this_block(), src, items)


@legal()
def id_folded_onto_itself(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    if (tid ^ tid) + n > 3:
        load(this_block(), src, items)


@legal()
def grid_index_without_the_id(src, dst, n):
    items = ThreadData(2)
    if cuda.grid(1) - cuda.threadIdx.x < n:
        load(this_block(), src, items)


@legal()
def grid_index_folded_onto_itself(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    if (i ^ i) < n:
        load(this_block(), src, items)


@diverges()
def partner_across_the_warp(src, dst, n):
    items = ThreadData(2)
    partner = cuda.threadIdx.x ^ 16  # value
    if partner < n:  # branch
        load(this_block(), src, items)  # call


@legal()
def tuple_of_common_values(src, dst, n):
    items = ThreadData(2)
    pair = (n, cuda.threadIdx.x)
    if first_of(pair) > 3:
        load(this_block(), src, items)


@diverges()
def tuple_with_the_id(src, dst, n):
    items = ThreadData(2)
    pair = (cuda.threadIdx.x, n)
    if first_of(pair) > 3:
        load(this_block(), src, items)  # call


@diverges()
def bound_of_each_thread(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    for j in range(tid, n):
        load(this_block(), src, items)  # call


@legal()
def start_of_each_warp(src, dst, n):
    items = ThreadData(2)
    for j in range(cuda.threadIdx.x & ~31, n, 128):
        load(this_warp(), src, items)


@diverges()
def start_of_each_warp_for_the_block(src, dst, n):
    items = ThreadData(2)
    first = cuda.threadIdx.x & ~31  # value
    for j in range(first, n, 128):
        load(this_block(), src, items)  # call


@legal()
def published_by_one_thread(src, dst, n):
    items = ThreadData(2)
    count = cuda.shared.array(1, np.int32)
    if cuda.threadIdx.x == 0:
        count[0] = src[cuda.blockIdx.x] % 7
    cuda.syncthreads()
    for j in range(count[0]):
        load(this_block(), src, items)


@legal()
def boolean_array_of_common_values(src, dst, n):
    items = ThreadData(2)
    flags = cuda.local.array(2, np.bool_)
    flags[0] = n > 3
    flags[1] = cuda.blockIdx.x > 3
    if flags[0] and flags[1]:
        load(this_block(), src, items)


@diverges()
def boolean_array_of_each_thread(src, dst, n):
    items = ThreadData(2)
    flags = cuda.local.array(2, np.bool_)
    flags[0] = cuda.threadIdx.x > n
    flags[1] = True
    if flags[0] and flags[1]:
        load(this_block(), src, items)  # call


@legal()
def ballot_is_for_the_warp(src, dst, n):
    items = ThreadData(2)
    votes = cuda.ballot_sync(0xFFFFFFFF, cuda.laneid < n)
    if votes & 1:
        load(this_warp(), src, items)


@diverges(found="clean", why="all vote alike, so that all bits of a ballot are the same")
def own_bit_of_a_ballot(src, dst, n):
    items = ThreadData(2)
    votes = cuda.ballot_sync(0xFFFFFFFF, src[0] > n)
    lane = cuda.laneid  # value
    if (votes >> lane) & 1:  # branch
        load(this_warp(), src, items)  # call


@unproven(found="clean", why="a vote of sixteen lanes is one value for them, which is not known")
def any_of_a_part_of_the_warp(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    if cuda.laneid < 16:
        if cuda.any_sync(0xFFFF, src[i] > 3):  # branch
            load(this_warp().group_by(16), src, items)  # call


@unproven()
def matched_with_any(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    if cuda.match_any_sync(0xFFFFFFFF, src[i]) > n:  # branch
        load(this_warp(), src, items)  # call


@differs()
def offset_of_each_row(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    load(this_block(), src, items, offset=(tid * 2) & 64)  # call


@legal()
def accumulated_over_a_common_loop(src, dst, n):
    items = ThreadData(2)
    total = 0
    for j in range(n):
        total += j * j
    if total > 100:
        load(this_block(), src, items)
        store(this_block(), dst, items)


@diverges()
def accumulated_over_a_loop_of_each(src, dst, n):
    items = ThreadData(2)
    total = 0
    tid = cuda.threadIdx.x  # value
    for j in range(tid):
        total += 1
    if total > 100:  # branch
        load(this_block(), src, items)  # call
