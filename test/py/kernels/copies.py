# Copies of whole and partial tiles by blocks.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies of whole and partial tiles by blocks."""

from __future__ import annotations

from dataclasses import replace

import coop_mlir as coop
import numpy as np
from numba_cuda_mlir import cuda

from .case import Case, noise, overwritten, tiles, untouched

ALGORITHMS = (
    "direct",
    "striped",
    "vectorize",
    "transpose",
    "warp_transpose",
    "warp_transpose_timesliced",
)
DTYPES = (
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float32",
    "float64",
)
COUNT = 531  # four full tiles of 128 and a tail, or one of 512 and a tail
GAP = 32  # elements around what a kernel may write


def copy(algorithm: str):
    """A guarded copy, one tile a block."""

    def kernel(source, count, items_per_thread, destination):
        block = coop.this_block()
        items = coop.ThreadData(items_per_thread)
        tile = cuda.blockDim.x * items_per_thread
        start = cuda.blockIdx.x * tile
        valid = min(tile, count - start)
        coop.load(
            block,
            source,
            items,
            algorithm=algorithm,
            offset=start,
            valid_items=valid,
            oob_default=0,
        )
        coop.store(block, destination, items, algorithm=algorithm, offset=start, valid_items=valid)

    return kernel


def copy_by_each(source, count, pitch, items_per_thread, destination):
    """The same copy by all six algorithms, each to its own row."""
    block = coop.this_block()
    items = coop.ThreadData(items_per_thread)
    tile = cuda.blockDim.x * items_per_thread
    start = cuda.blockIdx.x * tile
    n = min(tile, count - start)
    coop.load(block, source, items, offset=start, valid_items=n)
    coop.store(block, destination, items, offset=start, valid_items=n)
    start += pitch
    coop.load(block, source, items, algorithm="striped", offset=start - pitch, valid_items=n)
    coop.store(block, destination, items, algorithm="striped", offset=start, valid_items=n)
    start += pitch
    coop.load(block, source, items, algorithm="vectorize", offset=start - 2 * pitch, valid_items=n)
    coop.store(block, destination, items, algorithm="vectorize", offset=start, valid_items=n)
    start += pitch
    coop.load(block, source, items, algorithm="transpose", offset=start - 3 * pitch, valid_items=n)
    coop.store(block, destination, items, algorithm="transpose", offset=start, valid_items=n)
    start += pitch
    coop.load(
        block, source, items, algorithm="warp_transpose", offset=start - 4 * pitch, valid_items=n
    )
    coop.store(block, destination, items, algorithm="warp_transpose", offset=start, valid_items=n)
    start += pitch
    coop.load(
        block,
        source,
        items,
        algorithm="warp_transpose_timesliced",
        offset=start - 5 * pitch,
        valid_items=n,
    )
    coop.store(
        block,
        destination,
        items,
        algorithm="warp_transpose_timesliced",
        offset=start,
        valid_items=n,
    )


def shifted(algorithm: str):
    """An unguarded copy between two offsets, which need not be aligned."""

    def kernel(source, start, to, destination):
        block = coop.this_block()
        items = coop.ThreadData(4)
        coop.load(block, source, items, algorithm=algorithm, offset=start)
        coop.store(block, destination, items, algorithm=algorithm, offset=to)

    return kernel


def padded(algorithm: str, default):
    """A guarded load whose whole tile is stored, so that the default shows."""

    def kernel(source, valid, destination):
        block = coop.this_block()
        items = coop.ThreadData(3)
        coop.load(block, source, items, algorithm=algorithm, valid_items=valid, oob_default=default)
        coop.store(block, destination, items, algorithm=algorithm)

    return kernel


def padded_at_run_time(source, valid, default, destination):
    """The same with a default that is an argument."""
    block = coop.this_block()
    items = coop.ThreadData(3)
    coop.load(block, source, items, algorithm="transpose", valid_items=valid, oob_default=default)
    coop.store(block, destination, items, algorithm="transpose")


def prefix(source, valid, destination):
    """Partial loads and stores of one tile, without a default."""
    block = coop.this_block()
    items = coop.ThreadData(4)
    coop.load(block, source, items, algorithm="vectorize", valid_items=valid)
    coop.store(block, destination, items, algorithm="transpose", valid_items=valid)


def _copied(source, count, *rest):
    return overwritten(rest[-1], 0, source[:count])


def _copied_by_each(source, count, pitch, _items, destination):
    for row in range(len(ALGORITHMS)):
        destination = overwritten(destination, row * pitch, source[:count])
    return destination


def _copy_case(algorithm: str, items: int) -> Case:
    def args():
        return noise("int32", COUNT), np.int64(COUNT), items, untouched("int32", COUNT + GAP)

    return Case(
        f"L4-copy-{algorithm}-k{items}",
        copy(algorithm),
        args,
        _copied,
        grid=tiles(COUNT, 128 * items),
    )


def _auto_case(items: int) -> Case:
    return replace(_copy_case("auto", items), name=f"L12-copy-auto-k{items}")


def copy_by_each_case(name: str, dtype, items: int, values=noise) -> Case:
    """Return the case of a copy by each algorithm; `values` makes the source."""
    pitch = COUNT + GAP

    def args():
        return (
            values(dtype, COUNT),
            np.int64(COUNT),
            np.int64(pitch),
            items,
            untouched(dtype, pitch * len(ALGORITHMS)),
        )

    return Case(
        f"T4-copy-{name}-k{items}",
        copy_by_each,
        args,
        _copied_by_each,
        grid=tiles(COUNT, 128 * items),
    )


def _shifted_cases(algorithm: str, kernel) -> list[Case]:
    def case(start: int, to: int) -> Case:
        def args():
            return noise("int32", 600), np.int64(start), np.int64(to), untouched("int32", 600)

        def expect(source, *rest):
            return overwritten(rest[-1], to, source[start : start + 512])

        return Case(f"L3-offset-{algorithm}-{start}-{to}", kernel, args, expect)

    return [case(start, to) for start, to in ((0, 0), (4, 8), (3, 0), (0, 5), (1, 2))]


def _prefix_case(valid: int) -> Case:
    def args():
        return noise("float32", 512), np.int64(valid), untouched("float32", 512 + GAP)

    return Case(f"L7-valid-{valid}", prefix, args, _copied)


def _padded_case(algorithm: str, dtype: str, default, valid: int) -> Case:
    def args():
        return noise(dtype, valid), np.int64(valid), untouched(dtype, 3 * 128 + GAP)

    def expect(source, valid, destination):
        return overwritten(
            overwritten(destination, 0, np.full(3 * 128, default, dtype)), 0, source[:valid]
        )

    return Case(f"L8-default-{algorithm}-{dtype}", padded(algorithm, default), args, expect)


def _run_time_default_case(default) -> Case:
    def args():
        return noise(default.dtype, 100), np.int64(100), default, untouched(default.dtype, 3 * 128)

    def expect(source, valid, default, destination):
        return overwritten(np.full_like(destination, default), 0, source[:valid])

    return Case(f"L8-run-time-default-{default.dtype}", padded_at_run_time, args, expect)


CASES = [
    *(_copy_case(algorithm, items) for algorithm in ALGORITHMS for items in (1, 4)),
    *(copy_by_each_case(dtype, dtype, items) for dtype in DTYPES for items in (1, 4)),
    copy_by_each_case("uint8", "uint8", 16),
    *map(_auto_case, (1, 4, 7)),
    *(c for a in ("direct", "vectorize", "transpose") for c in _shifted_cases(a, shifted(a))),
    *map(_prefix_case, (0, 1, 511, 512)),
    _padded_case("direct", "int32", -7, 130),
    _padded_case("striped", "uint8", 255, 383),
    _padded_case("vectorize", "int16", 1, 1),
    _padded_case("transpose", "float64", -1.5, 200),
    _padded_case("warp_transpose", "int64", -(2**40), 129),
    *map(_run_time_default_case, (np.float32(2.5), np.int8(-3), np.uint64(2**63 + 1))),
]
