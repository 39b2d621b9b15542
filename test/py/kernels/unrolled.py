# Loops over literal_unroll whose values are lengths, algorithms, widths, types or arrays.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over ``literal_unroll`` whose values are lengths, algorithms, widths, types or arrays."""

from __future__ import annotations

import coop_mlir as coop
import numpy as np
from numba_cuda_mlir import cuda, types
from numba_cuda_mlir.cuda import literal_unroll

from .case import Case, noise, untouched

LENGTHS = (1, 2, 4)


def lengths(source, destination):
    """Each turn has a payload of its own length; the offset is carried along."""
    block = coop.this_block()
    start = 0
    for k in literal_unroll(LENGTHS):
        items = coop.ThreadData(k)
        coop.load(block, source, items, offset=start)
        for i in range(len(items)):
            items[i] = types.int32(items[i] + k)
        coop.store(block, destination, items, offset=start)
        start += 128 * k


def algorithms(source, destination):
    """All ways in, one way out."""
    block = coop.this_block()
    items = coop.ThreadData(4)
    start = 0
    for algorithm in literal_unroll(["direct", "striped", "transpose"]):
        coop.load(block, source, items, algorithm=algorithm, offset=start)
        coop.store(block, destination, items, offset=start)
        start += 512


def widths_and_algorithms(source, destination):
    """A loop in a loop, and the module's own name for literal_unroll."""
    start = 0
    for width in cuda.literal_unroll((32, 8)):
        group = coop.this_warp().group_by(width)
        items = coop.ThreadData(2)
        for algorithm in cuda.literal_unroll(("striped", "direct")):
            coop.load(group, source, items, algorithm=algorithm, offset=start)
            coop.store(group, destination, items, offset=start)
            start += 256


def element_types(source, destination):
    """The type of the payload changes from turn to turn."""
    for dtype in literal_unroll((types.float32, types.int16)):
        items = coop.ThreadData(2, dtype)
        for i in range(2):
            items[i] = dtype(source[cuda.threadIdx.x * 2 + i])
        for i in range(2):
            destination[cuda.threadIdx.x * 2 + i] += types.float64(items[i])


def arrays(first, second, destination):
    """The values are arrays of two types, known only at run time."""
    block = coop.this_block()
    start = 0
    for source in literal_unroll((first, second)):
        items = coop.ThreadData(2)
        out = coop.ThreadData(2)
        coop.load(block, source, items)
        for i in range(2):
            out[i] = types.float64(items[i])
        coop.store(block, destination, out, offset=start)
        start += 256


def ways(source, count, destination):
    """Turns with a break, a continue and branches on the value, of which some make no sense."""
    block = coop.this_block()
    last = coop.ThreadData(1)
    for k in literal_unroll((1, 2, 4, 8)):
        if k == 2:
            continue
        if k > count:
            break
        if k > 1:
            half = coop.ThreadData(k // 2)
            coop.load(block, source, half, offset=128 * k)
            coop.store(block, destination, half, offset=128 * k)
        else:
            coop.load(block, source, last)
        last[0] = types.int32(last[0] + k)
    coop.store(block, destination, last)


def behind(source, destination):
    """Behind the loop, a variable is what the last turn has made of it."""
    block = coop.this_block()
    for k in literal_unroll((1, 2)):
        items = coop.ThreadData(k)
        coop.load(block, source, items)
    coop.store(block, destination, items)
    for i in range(k):
        destination[256 + cuda.threadIdx.x * k + i] = items[i]


@cuda.jit(device=True, inline="always")
def copy_all(group, source, destination, lengths):
    start = 0
    for k in literal_unroll(lengths):
        items = coop.ThreadData(k)
        coop.load(group, source, items, offset=start)
        coop.store(group, destination, items, offset=start)
        start += group.size * k
    return start


def in_helper(source, destination):
    """The loop is a helper's, the lengths are its caller's."""
    start = copy_all(coop.this_block(), source, destination, (2, 3))
    destination[start] = start


@cuda.jit(device=True, inline="always")
def halve(group, source, destination, k):
    if k % 2 == 0:
        items = coop.ThreadData(k // 2)
        coop.load(group, source, items, offset=1024 * k)
        coop.store(group, destination, items, offset=1024 * k)
    elif k != 1:
        items = coop.ThreadData(k)
        coop.load(group, source, items, offset=1024 * k)
        coop.store(group, destination, items, offset=1024 * k)


def helper_decides(source, destination):
    """A helper's branches are decided by the value; those not taken need not make sense."""
    for k in literal_unroll((1, 2, 3)):
        halve(coop.this_block(), source, destination, k)


def scalars(source, destination):
    """One loop has cooperative calls, one has none."""
    block = coop.this_block()
    total = 0.0
    for value in literal_unroll((1, 2.5)):
        total += value
    for k in literal_unroll((2,)):
        items = coop.ThreadData(k)
        coop.load(block, source, items)
        for i in range(k):
            items[i] = types.float32(items[i] * total)
        coop.store(block, destination, items)


def _lengths(source, _):
    return source + np.repeat(np.int32(LENGTHS), np.array(LENGTHS) * 128)


def _striped_to_blocked(tile, width):
    return tile.reshape(-1, 2, width).swapaxes(1, 2).reshape(-1)


def _algorithms(source, _):
    tiles = source.reshape(3, 512)
    return np.concatenate([tiles[0], tiles[1].reshape(4, 128).T.reshape(-1), tiles[2]])


def _widths(source, _):
    a, b, c, d = source.reshape(4, 256)
    return np.concatenate([_striped_to_blocked(a, 32), b, _striped_to_blocked(c, 8), d])


def _ways(source, count, destination):
    result = destination.copy()
    turns = [k for k in (1, 4, 8) if k <= count]
    result[:128] = source[:128] + np.int32(sum(turns))
    for k in turns[1:]:
        part = slice(128 * k, 128 * k + 64 * k)
        result[part] = source[part]
    return result


def _halves(source, destination):
    result = destination.copy()
    for start, length in ((2048, 128), (3072, 384)):
        result[start : start + length] = source[start : start + length]
    return result


CASES = [
    Case("H4-lengths", lengths, lambda: (noise("int32", 896), untouched("int32", 896)), _lengths),
    Case(
        "H4-algorithms",
        algorithms,
        lambda: (noise("int32", 1536), untouched("int32", 1536)),
        _algorithms,
    ),
    Case(
        "H4-widths-and-algorithms",
        widths_and_algorithms,
        lambda: (noise("float32", 1024), untouched("float32", 1024)),
        _widths,
    ),
    Case(
        "H4-element-types",
        element_types,
        lambda: (np.arange(256) + 0.25, np.zeros(256)),
        lambda source, _: source.astype(np.float32) + np.trunc(source),
    ),
    Case(
        "H4-arrays",
        arrays,
        lambda: (
            np.arange(256, dtype=np.int32),
            np.arange(256, dtype=np.float32) / 2,
            untouched("float64", 512),
        ),
        lambda first, second, _: np.concatenate([first, second]).astype(np.float64),
    ),
    *(
        Case(
            f"H4-ways-{count}",
            ways,
            lambda count=count: (
                noise("int32", 1536),
                np.int64(count),
                untouched("int32", 1536),
            ),
            _ways,
        )
        for count in (1, 4, 9)
    ),
    Case(
        "H4-behind-the-loop",
        behind,
        lambda: (noise("int32", 256), untouched("int32", 512)),
        lambda source, _: np.concatenate([source, source]),
    ),
    Case(
        "H4-in-a-helper",
        in_helper,
        lambda: (noise("int32", 640), untouched("int32", 641)),
        lambda source, _: np.append(source, np.int32(640)),
    ),
    Case(
        "H4-helper-decides",
        helper_decides,
        lambda: (noise("int32", 3456), untouched("int32", 3456)),
        _halves,
    ),
    Case(
        "H4-beside-scalars",
        scalars,
        lambda: (np.arange(256, dtype=np.float32), untouched("float32", 256)),
        lambda source, _: source * np.float32(3.5),
    ),
]
