# Warps and parts of warps: sibling groups go their own ways.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Warps and parts of warps: sibling groups go their own ways."""

from coop_mlir import ThreadData, load, this_block, this_warp
from numba_cuda_mlir import cuda

from .registry import diverges, legal


@legal()
def one_warp_works(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x < 32:
        load(this_warp(), src, items)


@diverges()
def part_of_a_warp_works(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x < 40:  # branch
        load(this_warp(), src, items)  # call


@legal()
def warp_by_floor_division(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x // 32 == n:
        load(this_warp(), src, items)


@legal()
def warp_by_shift(src, dst, n):
    items = ThreadData(2)
    if (cuda.threadIdx.x >> 5) & 1 == 1:
        load(this_warp(), src, items)


@legal()
def warp_by_mask(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x & ~31 > n:
        load(this_warp(), src, items)


@legal()
def warp_by_subtracting_the_lane(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    if tid - tid % 32 > n:
        load(this_warp(), src, items)


@diverges()
def lane_decides(src, dst, n):
    items = ThreadData(2)
    if cuda.laneid < 16:  # branch
        load(this_warp(), src, items)  # call


@legal()
def half_warps_decide_for_sixteen(src, dst, n):
    items = ThreadData(2)
    if cuda.laneid < 16:
        load(this_warp().group_by(16), src, items)


@legal()
def eights_decide_for_eight(src, dst, n):
    items = ThreadData(2)
    if (cuda.threadIdx.x // 8) % 2 == 0:
        load(this_warp().group_by(8), src, items)


@diverges()
def eights_decide_for_sixteen(src, dst, n):
    items = ThreadData(2)
    if (cuda.threadIdx.x // 8) % 2 == 0:  # branch
        load(this_warp().group_by(16), src, items)  # call


@legal()
def eights_by_a_runtime_table(src, dst, n):
    items = ThreadData(2)
    if (cuda.threadIdx.x // 8) * n > 17:
        load(this_warp().group_by(8), src, items)


@legal()
def single_threads(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x == 5:
        load(this_warp().group_by(1), src, items)


@diverges()
def pairs_split(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x == 5:  # branch
        load(this_warp().group_by(2), src, items)  # call


@legal()
def grid_warps_by_a_runtime_bound(src, dst, n):
    items = ThreadData(2)
    if cuda.grid(1) // 32 < n:
        load(this_warp(), src, items)


@legal()
def grid_warps_by_shift(src, dst, n):
    items = ThreadData(2)
    if cuda.grid(1) >> 5 < n:
        load(this_warp(), src, items)


@diverges()
def grid_threads_by_a_runtime_bound(src, dst, n):
    items = ThreadData(2)
    if cuda.grid(1) < n:  # branch
        load(this_warp(), src, items)  # call


@legal()
def bound_of_whole_warps(src, dst, n):
    items = ThreadData(2)
    if cuda.grid(1) < n * 32:
        load(this_warp(), src, items)


@diverges()
def bound_of_half_warps(src, dst, n):
    items = ThreadData(2)
    if cuda.grid(1) < n * 16:  # branch
        load(this_warp(), src, items)  # call


@legal()
def half_warps_by_their_bound(src, dst, n):
    items = ThreadData(2)
    if cuda.grid(1) < n * 16:
        load(this_warp().group_by(16), src, items)


@legal()
def lane_of_the_grid(src, dst, n):
    items = ThreadData(2)
    if cuda.grid(1) % 32 < 8:
        load(this_warp().group_by(8), src, items)


@diverges()
def lane_of_the_grid_for_sixteen(src, dst, n):
    items = ThreadData(2)
    if cuda.grid(1) % 32 < 8:  # branch
        load(this_warp().group_by(16), src, items)  # call


@legal()
def guard_within_a_guard(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    if tid < 32:
        # All of the warp that is here passes.
        if tid < 40:
            load(this_warp(), src, items)


@diverges()
def guard_within_a_guard_that_splits(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    if tid < 64:
        if tid < 40:  # branch
            load(this_warp(), src, items)  # call


@legal()
def siblings_part_and_a_block_meets(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    if tid < 32:
        load(this_warp(), src, items)
    elif tid < 96:
        load(this_warp().group_by(8), src, items)
    load(this_block(), src, items)


@legal(32)
def block_of_one_warp(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x // 32 == n:
        load(this_block(), src, items)


@legal(96)
def block_of_three_warps(src, dst, n):
    items = ThreadData(2)
    if cuda.grid(1) // 32 < n:
        load(this_warp(), src, items)


@diverges(96, n=1)
def block_of_three_warps_by_sixty_four(src, dst, n):
    items = ThreadData(2)
    if cuda.grid(1) // 64 < n:  # branch
        load(this_block(), src, items)  # call


@legal()
def min_and_max_of_ids(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    if max(min(tid, 95), 64) < 70:
        load(this_warp().group_by(2), src, items)


@legal()
def odd_divisor_that_spares_eights(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x // 24 == 2:
        load(this_warp().group_by(8), src, items)


@diverges()
def odd_divisor_that_splits_sixteen(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x // 24 == 2:  # branch
        load(this_warp().group_by(16), src, items)  # call


@legal()
def wider_guard_around_a_whole_warp(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    if tid < 40:
        if tid < 32:
            load(this_warp(), src, items)


@diverges()
def wider_guard_around_part_of_a_warp(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    if tid < 40:  # branch
        if tid > 31:
            load(this_warp(), src, items)  # call


@legal()
def true_division(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x / 32 < 2.0:
        load(this_warp(), src, items)


@diverges()
def true_division_within_a_warp(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x / 32 < 1.5:  # branch
        load(this_warp(), src, items)  # call


@legal()
def distance_from_the_middle(src, dst, n):
    items = ThreadData(2)
    if abs(2 * cuda.threadIdx.x - 127) < 64:
        load(this_warp(), src, items)


@legal()
def two_guards_that_make_a_warp(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    if tid >= 32 and tid < 64:
        load(this_warp(), src, items)


@diverges()
def two_guards_that_miss_a_lane(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x
    if tid >= 32 and tid < 63:
        load(this_warp(), src, items)  # call
