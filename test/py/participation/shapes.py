# Blocks of two and three dimensions: a thread's rank is x + y·Dx + z·Dx·Dy.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks of two and three dimensions: a thread's rank is x + y·Dx + z·Dx·Dy."""

from coop_mlir import ThreadData, load, this_block, this_warp
from numba_cuda_mlir import cuda

from .registry import diverges, legal


@legal((32, 4))
def rows_are_warps(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.y == n:
        load(this_warp(), src, items)


@diverges((16, 8))
def rows_are_half_warps(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.y == n:  # branch
        load(this_warp(), src, items)  # call


@legal((16, 8))
def half_warps_of_rows(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.y == n:
        load(this_warp().group_by(16), src, items)


@diverges((32, 4))
def columns_split_warps(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x == 0:  # branch
        load(this_warp(), src, items)  # call


@diverges((32, 4))
def rows_split_the_block(src, dst, n):
    items = ThreadData(2)
    y = cuda.threadIdx.y  # value
    if y == 0:  # branch
        load(this_block(), src, items)  # call


@legal((8, 4, 4))
def planes_are_warps(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.z < n:
        load(this_warp(), src, items)


@diverges((8, 4, 4), n=2)
def rows_of_planes_split_warps(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.y < n:  # branch
        load(this_warp(), src, items)  # call


@legal((8, 4, 4))
def rows_of_planes_for_eights(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.y < n:
        load(this_warp().group_by(8), src, items)


@legal((8, 16))
def rank_by_hand(src, dst, n):
    items = ThreadData(2)
    rank = cuda.threadIdx.x + cuda.threadIdx.y * cuda.blockDim.x
    if rank // 32 == n:
        load(this_warp(), src, items)


@diverges((8, 16))
def rank_by_hand_of_half_warps(src, dst, n):
    items = ThreadData(2)
    rank = cuda.threadIdx.x + cuda.threadIdx.y * cuda.blockDim.x
    if rank // 16 == n:  # branch
        load(this_warp(), src, items)  # call


@legal((128, 1))
def extent_of_one(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.y == 0:
        load(this_block(), src, items)


@legal((16, 8))
def image_guard_around_no_call(src, dst, n):
    items = ThreadData(2)
    x, y = cuda.grid(2)
    if x < n and y < n:
        dst[y * n + x] = 1
    load(this_block(), src, items)


@diverges((16, 8))
def image_guard_around_the_call(src, dst, n):
    items = ThreadData(2)
    x, y = cuda.grid(2)  # value
    if x < n and y < n:
        load(this_block(), src, items)  # call


@legal((16, 8))
def whole_image_tiles(src, dst, n):
    items = ThreadData(2)
    if cuda.blockIdx.x * 16 < n and cuda.blockIdx.y * 8 < n:
        load(this_block(), src, items)


@legal((64, 2))
def row_of_two_warps(src, dst, n):
    items = ThreadData(2)
    x, y = cuda.grid(2)
    if y < n:
        load(this_warp(), src, items)
