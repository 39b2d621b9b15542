# The kernels of the sweep.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of the sweep: one for a group, a payload and a set of algorithms.

What is known at run time comes from a table with a row for each block of the grid, so that one
compilation serves all valid counts and offsets.
"""

from __future__ import annotations

from collections.abc import Callable

import coop_mlir as coop
from numba_cuda_mlir import cuda

from .space import Kernel
from .tables import COLUMNS, GUARDED, PADDED, WHOLE

coop.register("numba-cuda-mlir")


@cuda.jit(device=True)
def _move(group, algorithm, way, source, start, count, default, destination, to, items_per_thread):
    """Move the tile of a group; `count` is the valid prefix of the block's values."""
    items = coop.ThreadData(items_per_thread)
    tile = group.size * items_per_thread
    valid = min(max(count - group.index() * tile, 0), tile)
    if way == WHOLE:
        coop.load(group, source, items, algorithm=algorithm, offset=start)
        coop.store(group, destination, items, algorithm=algorithm, offset=to)
    elif way == GUARDED:
        coop.load(group, source, items, algorithm=algorithm, offset=start, valid_items=valid)
        coop.store(group, destination, items, algorithm=algorithm, offset=to, valid_items=valid)
    elif way == PADDED:
        coop.load(
            group,
            source,
            items,
            algorithm=algorithm,
            offset=start,
            valid_items=valid,
            oob_default=default,
        )
        coop.store(group, destination, items, algorithm=algorithm, offset=to)


@cuda.jit(device=True)
def _block():
    return coop.this_block()


def _part_of_warp(width: int) -> Callable:
    @cuda.jit(device=True)
    def part():
        return coop.this_warp().group_by(width)

    return part


def make(kernel: Kernel) -> Callable:
    """Return the Python function of a kernel: ``sweep(table, source, default, destination)``."""
    group = _block if kernel.width is None else _part_of_warp(kernel.width)
    by_number = {1: _by_one, 5: _by_five, 7: _by_seven}
    return by_number[len(kernel.algorithms)](group, kernel.items, *kernel.algorithms)


def _by_one(group, items, algorithm):
    def sweep(table, source, default, destination):
        row = cuda.blockIdx.x * COLUMNS
        way, start, count, to = table[row + 1], table[row + 2], table[row + 3], table[row + 4]
        _move(group(), algorithm, way, source, start, count, default, destination, to, items)

    return sweep


# Chains, not helpers that call each other: the host copies their code for each level of inlining.


def _by_five(group, items, first, second, third, fourth, fifth):
    def sweep(table, source, default, destination):
        row = cuda.blockIdx.x * COLUMNS
        number, way, start = table[row], table[row + 1], table[row + 2]
        count, to = table[row + 3], table[row + 4]
        mine = group()
        if number == 0:
            _move(mine, first, way, source, start, count, default, destination, to, items)
        elif number == 1:
            _move(mine, second, way, source, start, count, default, destination, to, items)
        elif number == 2:
            _move(mine, third, way, source, start, count, default, destination, to, items)
        elif number == 3:
            _move(mine, fourth, way, source, start, count, default, destination, to, items)
        elif number == 4:
            _move(mine, fifth, way, source, start, count, default, destination, to, items)

    return sweep


def _by_seven(group, items, first, second, third, fourth, fifth, sixth, seventh):
    def sweep(table, source, default, destination):
        row = cuda.blockIdx.x * COLUMNS
        number, way, start = table[row], table[row + 1], table[row + 2]
        count, to = table[row + 3], table[row + 4]
        mine = group()
        if number == 0:
            _move(mine, first, way, source, start, count, default, destination, to, items)
        elif number == 1:
            _move(mine, second, way, source, start, count, default, destination, to, items)
        elif number == 2:
            _move(mine, third, way, source, start, count, default, destination, to, items)
        elif number == 3:
            _move(mine, fourth, way, source, start, count, default, destination, to, items)
        elif number == 4:
            _move(mine, fifth, way, source, start, count, default, destination, to, items)
        elif number == 5:
            _move(mine, sixth, way, source, start, count, default, destination, to, items)
        elif number == 6:
            _move(mine, seventh, way, source, start, count, default, destination, to, items)

    return sweep
