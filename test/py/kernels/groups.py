# Blocks of two and three dimensions, warps, logical warps, helpers and group queries.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks of two and three dimensions, warps, logical warps, helpers and group queries."""

from __future__ import annotations

import coop_mlir as coop
import numpy as np
from numba_cuda_mlir import cuda, types

from .case import Case, noise, overwritten, tiles, untouched

WARP_ALGORITHMS = ("direct", "striped", "vectorize", "transpose")


def block_copy(algorithm: str):
    """One full tile, whatever the block's shape."""

    def kernel(source, items_per_thread, destination):
        block = coop.this_block()
        items = coop.ThreadData(items_per_thread)
        coop.load(block, source, items, algorithm=algorithm)
        coop.store(block, destination, items, algorithm=algorithm)

    return kernel


def warp_copy(algorithm: str):
    """Each warp copies its own part of a guarded array."""

    def kernel(source, count, items_per_thread, destination):
        warp = coop.this_warp()
        items = coop.ThreadData(items_per_thread)
        start = cuda.blockIdx.x * cuda.blockDim.x * items_per_thread
        mine = cuda.threadIdx.x // 32 * 32 * items_per_thread
        valid = min(max(count - start - mine, 0), 32 * items_per_thread)
        coop.load(
            warp, source, items, algorithm=algorithm, offset=start, valid_items=valid, oob_default=0
        )
        coop.store(warp, destination, items, algorithm=algorithm, offset=start, valid_items=valid)

    return kernel


def logical_warp_copy(width: int, algorithm: str):
    """Each logical warp does."""

    def kernel(source, count, items_per_thread, destination):
        group = coop.this_warp().group_by(width)
        items = coop.ThreadData(items_per_thread)
        start = cuda.blockIdx.x * cuda.blockDim.x * items_per_thread
        mine = cuda.threadIdx.x // width * width * items_per_thread
        valid = min(max(count - start - mine, 0), width * items_per_thread)
        coop.load(group, source, items, algorithm=algorithm, offset=start, valid_items=valid)
        coop.store(group, destination, items, algorithm=algorithm, offset=start, valid_items=valid)

    return kernel


def warp_reverse(source, destination):
    """Full tiles of warps in a two-dimensional block: the payload's order turned round in each thread."""
    warp = coop.this_warp()
    items = coop.ThreadData(4)
    turned = coop.ThreadData(4)
    coop.load(warp, source, items, algorithm="transpose")
    for i in range(4):
        turned[i] = items[3 - i]
    coop.store(warp, destination, turned, algorithm="transpose")


@cuda.jit(device=True)
def fill(group, source, items):
    coop.load(group, source, items, algorithm="transpose")


@cuda.jit(device=True)
def fetch(group, source, items_per_thread):
    items = coop.ThreadData(items_per_thread)
    fill(group, source, items)
    return items


@cuda.jit(device=True)
def whole_block():
    return coop.this_block()


@cuda.jit(device=True)
def double(items):
    for i in range(items.items_per_thread):
        items[i] = types.int32(items[i] * 2)


def helped(source, items_per_thread, destination):
    """A payload made and filled by nested helpers, changed by another."""
    block = whole_block()
    items = fetch(block, source, items_per_thread)
    double(items)
    coop.store(block, destination, items)


def queries(destination):
    """Sizes and places of three kinds of group."""
    block = coop.this_block()
    group = coop.this_warp().group_by(8)
    t = block.rank()
    group.sync()
    destination[t] = ((block.size * 100 + group.count) * 100 + group.index()) * 100 + group.rank()


def sibling_ways(source, destination):
    """Neighbouring logical warps loop different numbers of times."""
    group = coop.this_warp().group_by(8)
    items = coop.ThreadData(2)
    turns = cuda.threadIdx.x // 8 % 3
    for turn in range(turns):
        coop.load(group, source, items, algorithm="transpose", offset=turn * 256)
        coop.store(group, destination, items, algorithm="transpose", offset=turn * 256)


def _same(source, *rest):
    return overwritten(rest[-1], 0, source)


def _prefix(source, count, _items, destination):
    return overwritten(destination, 0, source[:count])


def _shape_case(shape: tuple[int, ...], algorithm: str, dtype: str, items: int = 4) -> Case:
    size = int(np.prod(shape)) * items
    name = "x".join(map(str, shape))

    def args():
        return noise(dtype, size), items, untouched(dtype, size + 16)

    return Case(f"G2-{name}-{algorithm}", block_copy(algorithm), args, _same, block=shape)


def _warp_case(name: str, kernel, dtype: str, items: int, count: int = 531) -> Case:
    def args():
        return noise(dtype, count), np.int64(count), items, untouched(dtype, count + 64)

    return Case(name, kernel, args, _prefix, grid=tiles(count, 128 * items))


def _helper_case(items: int) -> Case:
    def args():
        return noise("int32", 128 * items), items, untouched("int32", 128 * items)

    return Case(
        f"H1-nested-helpers-k{items}", helped, args, lambda source, *_: source * np.int32(2)
    )


def _reverse_case() -> Case:
    def args():
        return noise("float32", 1024), untouched("float32", 1024)

    return Case(
        "L6-warps-of-a-plane",
        warp_reverse,
        args,
        lambda s, _: s.reshape(-1, 4)[:, ::-1].reshape(-1).copy(),
        block=(16, 16),
    )


def _queried(destination):
    t = np.arange(96)
    return (((96 * 100 + 12) * 100 + t // 8) * 100 + t % 8).astype(destination.dtype)


def _went(source, destination):
    wanted = destination.copy()
    for turn in range(2):
        for group in range(16):
            if group % 3 > turn:
                part = slice(turn * 256 + group * 16, turn * 256 + group * 16 + 16)
                wanted[part] = source[part]
    return wanted


CASES = [
    _shape_case((16, 8), "transpose", "int32"),
    _shape_case((4, 8, 4), "warp_transpose", "float64"),
    _shape_case((8, 4, 4), "striped", "uint8"),
    _shape_case((1, 2, 48), "direct", "int16"),
    _shape_case((3, 5), "transpose", "float32", 2),
    _shape_case((7, 3), "vectorize", "uint16", 6),
    _shape_case((1024,), "warp_transpose_timesliced", "int32", 2),
    *(
        _warp_case(f"L5-warp-{a}-k{k}", warp_copy(a), "int32", k)
        for a in WARP_ALGORITHMS
        for k in (1, 4)
    ),
    *(
        _warp_case(f"L5-warp{w}-{a}-{d}", logical_warp_copy(w, a), d, 4)
        for w, a, d in (
            (8, "direct", "float32"),
            (8, "striped", "uint16"),
            (8, "vectorize", "int8"),
            (8, "transpose", "int32"),
            (1, "transpose", "int32"),
            (2, "vectorize", "int64"),
            (4, "transpose", "uint8"),
            (16, "transpose", "float64"),
            (32, "striped", "int32"),
        )
    ),
    _reverse_case(),
    *map(_helper_case, (1, 4)),
    Case("G6-queries", queries, lambda: (untouched("int32", 96),), _queried, block=96),
    Case(
        "P2-sibling-ways",
        sibling_ways,
        lambda: (noise("int32", 512), untouched("int32", 512)),
        _went,
        registers_only=False,
    ),
]
