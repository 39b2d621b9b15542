# Conditions that the ranges of ids decide.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conditions that the ranges of ids decide."""

from coop_mlir import ThreadData, load, this_block, this_warp
from numba_cuda_mlir import cuda

from .registry import diverges, legal


@legal(block=96)
def grid_index_is_not_negative(src, dst, n):
    items = ThreadData(2)
    if cuda.grid(1) >= 0:
        load(this_block(), src, items)


@legal(block=96)
def id_is_not_negative(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x >= 0:
        load(this_block(), src, items)


@legal(block=96)
def id_is_below_the_extent(src, dst, n):
    items = ThreadData(2)
    if cuda.threadIdx.x < cuda.blockDim.x:
        load(this_block(), src, items)


@legal(block=96)
def block_is_below_the_extent_of_the_grid(src, dst, n):
    items = ThreadData(2)
    if cuda.blockIdx.x < cuda.gridDim.x:
        load(this_block(), src, items)


@legal(block=96)
def early_return_that_none_takes(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    if i < 0 or cuda.threadIdx.x >= 96:
        return
    load(this_block(), src, items)


@diverges(block=96)
def early_return_that_one_takes(src, dst, n):
    items = ThreadData(2)
    tid = cuda.threadIdx.x  # value
    if tid >= 95:  # branch
        return
    load(this_block(), src, items)  # call


@legal(block=(12, 8))
def both_ids_of_two_dimensions(src, dst, n):
    items = ThreadData(2)
    x, y = cuda.grid(2)
    if x >= 0 and y >= 0 and cuda.threadIdx.y < 8:
        load(this_block(), src, items)


@diverges(block=(12, 8))
def row_of_two_dimensions(src, dst, n):
    items = ThreadData(2)
    x, y = cuda.grid(2)  # value
    if y < 7:  # branch
        load(this_block(), src, items)  # call


@legal(block=96)
def index_beyond_the_first_grid(src, dst, n):
    items = ThreadData(2)
    if cuda.grid(1) + 1000 > 999:
        load(this_block(), src, items)


@diverges(block=96, grid=11)
def index_against_a_number_inside(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)  # value
    if i > 999:  # branch
        load(this_block(), src, items)  # call


@legal(block=96)
def clipped_id(src, dst, n):
    items = ThreadData(2)
    if min(cuda.grid(1), 7) < 8:
        load(this_block(), src, items)


@legal(block=96)
def loop_with_a_true_condition(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)
    j = 0
    while i >= 0 and j < n:
        load(this_warp(), src, items)
        j += 1


@diverges(
    block=96, found="clean", why="it is the block's index, which is seen of powers of two only"
)
def grid_index_over_the_size_of_the_block(src, dst, n):
    items = ThreadData(2)
    i = cuda.grid(1)  # value
    if i // 96 < n:  # branch
        load(this_block(), src, items)  # call
