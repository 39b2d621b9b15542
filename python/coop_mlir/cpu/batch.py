# The threads that run together.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The threads that run together: all threads of some blocks of the grid."""

from __future__ import annotations

from functools import cached_property
from math import prod

import numpy as np

from .values import uniform

__all__ = ["WARP", "Batch"]

WARP = 32


class Batch:
    """All threads of `blocks` blocks from block number `first` on.

    A *lane* is a thread's number in the batch. Block numbers and a thread's
    rank in its block count x first.

    Attributes
    ----------
    grid, block : tuple of int
        The shape of the launch, in three dimensions.
    first, blocks : int
        The blocks of the batch.
    threads : int
        Threads of a block.
    lanes : int
        Threads of the batch.
    """

    def __init__(self, grid, block, first, blocks):
        self.grid = grid
        self.block = block
        self.first = first
        self.blocks = blocks
        self.threads = prod(block)
        self.lanes = blocks * self.threads

    @cached_property
    def all(self) -> np.ndarray:
        """All lanes."""
        return np.arange(self.lanes)

    @cached_property
    def block_of(self) -> np.ndarray:
        """The block of each lane, from 0 in this batch."""
        return np.repeat(np.arange(self.blocks), self.threads)

    @cached_property
    def rank(self) -> np.ndarray:
        """The rank of each lane in its block."""
        return np.tile(np.arange(self.threads), self.blocks)

    @cached_property
    def warp(self) -> np.ndarray:
        """The warp of each lane in its block."""
        return self.rank // WARP

    @property
    def warps(self) -> int:
        """Warps of a block."""
        return -(-self.threads // WARP)

    @cached_property
    def thread_id(self) -> tuple:
        """The index of each lane in its block, by dimension."""
        return _indices(self.rank, self.block)

    @cached_property
    def block_id(self) -> tuple:
        """The index of each lane's block, by dimension."""
        numbers = self.first + (self.block_of if self.blocks > 1 else uniform(0, np.int64))
        return _indices(numbers, self.grid)

    def group_of(self, width: int | None) -> np.ndarray:
        """Return the group of each lane, from 0 in the batch; None is the block."""
        if width is None:
            return self.block_of
        return self.block_of * -(-self.threads // width) + self.rank // width

    def name(self, lane: int, with_block: bool = True) -> str:
        """Return what messages call a thread."""
        thread = _indices(lane % self.threads, self.block)
        if not with_block:
            return f"thread {_shown(thread, self.block)}"
        block = _indices(self.first + lane // self.threads, self.grid)
        return f"thread {_shown(thread, self.block)} of block {_shown(block, self.grid)}"


def _indices(number, shape) -> tuple:
    """Return the index of each dimension; sizes of one have the index 0 for all."""
    x, y, _ = shape
    zero = uniform(0, np.int64)
    return (
        number % x if x > 1 else zero,
        number // x % y if y > 1 else zero,
        number // (x * y) if shape[2] > 1 else zero,
    )


def _shown(index, shape) -> str:
    index = [int(np.asarray(part).flat[0]) for part in index]
    rank = max((d + 1 for d in range(3) if shape[d] > 1), default=1)
    return str(index[0]) if rank == 1 else f"({', '.join(map(str, index[:rank]))})"
