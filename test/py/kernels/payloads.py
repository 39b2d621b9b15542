# What kernels do with their payloads between load and store.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels do with their payloads between load and store."""

from __future__ import annotations

import coop_mlir as coop
import numpy as np
from numba_cuda_mlir import cuda, types

from .case import Case, noise, overwritten, untouched

FACTOR = 3


def permuted(source, destination):
    """A striped load and a direct store: no layout tag travels along."""
    block = coop.this_block()
    items = coop.ThreadData(4)
    coop.load(block, source, items, algorithm="striped")
    coop.store(block, destination, items, algorithm="direct")


def scaled(source, items_per_thread, destination):
    """Arithmetic on each slot, with the payload's length as the loop's bound."""
    block = coop.this_block()
    items = coop.ThreadData(items_per_thread)
    coop.load(block, source, items, algorithm="transpose")
    for i in range(len(items)):
        items[i] = types.int32(items[i] * FACTOR + i)
    coop.store(block, destination, items, algorithm="transpose")


def from_destination(destination):
    """No load: the type of the slots comes from the destination."""
    block = coop.this_block()
    items = coop.ThreadData(2)
    for i in range(2):
        items[i] = types.float32(cuda.threadIdx.x * 2 + i)
    coop.store(block, destination, items)


def given_dtype(destination):
    """No load: the type of the slots is given."""
    block = coop.this_block()
    items = coop.ThreadData(2, np.int16)
    for i in range(2):
        items[i] = types.int16(cuda.threadIdx.x - i)
    coop.store(block, destination, items, algorithm="striped")


def converted(source, destination):
    """Two payloads of two types."""
    block = coop.this_block()
    whole = coop.ThreadData(4)
    real = coop.ThreadData(4)
    coop.load(block, source, whole, algorithm="vectorize")
    for i in range(4):
        real[i] = types.float64(whole[i]) / 2.0
    coop.store(block, destination, real, algorithm="warp_transpose")


def summed(source, turns, destination):
    """Two loads in a loop share their scratch from turn to turn."""
    block = coop.this_block()
    total = coop.ThreadData(4)
    left = coop.ThreadData(4)
    right = coop.ThreadData(4)
    for i in range(4):
        total[i] = types.int32(0)
    for turn in range(turns):
        coop.load(block, source, left, algorithm="transpose", offset=turn * 1024)
        coop.load(block, source, right, algorithm="warp_transpose", offset=turn * 1024 + 512)
        for i in range(4):
            total[i] = types.int32(total[i] + left[i] * right[i])
    coop.store(block, destination, total, algorithm="transpose")


def stored_twice(source, destination):
    """A store may rearrange its payload; a copy made before it is whole."""
    block = coop.this_block()
    items = coop.ThreadData(4)
    kept = coop.ThreadData(4)
    coop.load(block, source, items)
    for i in range(4):
        kept[i] = items[i]
    coop.store(block, destination, items, algorithm="transpose")
    coop.store(block, destination, kept, algorithm="warp_transpose", offset=512)


def used_after_store(algorithm: str):
    """The payload of a store still has its values: what the exchange overwrites is a copy."""

    def kernel(source, destination):
        block = coop.this_block()
        items = coop.ThreadData(4)
        coop.load(block, source, items)
        coop.store(block, destination, items, algorithm=algorithm)
        for i in range(4):
            items[i] = items[i] ^ types.int32(-1)
        coop.store(block, destination, items, offset=512)

    return kernel


def used_after_store_of_parts(source, turns, destination):
    """The same for parts of warps, in a loop that takes up the payload of the turn before."""
    group = coop.this_warp().group_by(8)
    items = coop.ThreadData(5)
    coop.load(group, source, items, algorithm="transpose")
    for turn in range(turns):
        coop.store(group, destination, items, algorithm="transpose", offset=turn * 320)
        for i in range(5):
            items[i] = types.uint16(items[i] + 1)


def sixteen(source, destination):
    """Sixteen slots stay in registers."""
    block = coop.this_block()
    items = coop.ThreadData(16)
    coop.load(block, source, items, algorithm="transpose")
    for i in range(16):
        items[i] = items[i] ^ types.int32(-1)
    coop.store(block, destination, items, algorithm="transpose")


def _scaled(source, items, _destination):
    return source * np.int32(FACTOR) + np.arange(source.size, dtype=np.int32) % np.int32(items)


def _strided_int16(destination):
    t = np.arange(128)
    return np.concatenate([t, t - 1]).astype(destination.dtype)


def _summed(source, turns, _destination):
    pairs = source.reshape(turns, 2, 512)
    with np.errstate(over="ignore"):
        return (pairs[:, 0] * pairs[:, 1]).sum(axis=0, dtype=np.int32)


CASES = [
    Case(
        "L4-striped-then-direct",
        permuted,
        lambda: (noise("int32", 512), untouched("int32", 512)),
        lambda source, _: source.reshape(4, 128).T.reshape(-1).copy(),
    ),
    *(
        Case(
            f"T3-scaled-k{k}",
            scaled,
            lambda k=k: (noise("int32", 128 * k), k, untouched("int32", 128 * k)),
            _scaled,
        )
        for k in (1, 4)
    ),
    Case(
        "T2-type-from-destination",
        from_destination,
        lambda: (untouched("float32", 256),),
        lambda _: np.arange(256, dtype=np.float32),
    ),
    Case("T2-given-type", given_dtype, lambda: (untouched("int16", 256),), _strided_int16),
    Case(
        "T2-two-types",
        converted,
        lambda: (noise("int32", 512), untouched("float64", 512)),
        lambda source, _: source / 2.0,
    ),
    *(
        Case(
            f"S3-scratch-in-a-loop-{turns}",
            summed,
            lambda turns=turns: (
                noise("int32", 1024 * turns),
                np.int64(turns),
                untouched("int32", 512),
            ),
            _summed,
        )
        for turns in (1, 7)
    ),
    Case(
        "L10-stored-twice",
        stored_twice,
        lambda: (noise("float32", 512), untouched("float32", 1024)),
        lambda source, destination: overwritten(overwritten(destination, 0, source), 512, source),
    ),
    *(
        Case(
            f"L10-used-after-{algorithm}",
            used_after_store(algorithm),
            lambda: (noise("int32", 512), untouched("int32", 1024)),
            lambda source, _: np.concatenate([source, ~source]),
        )
        for algorithm in ("transpose", "warp_transpose", "warp_transpose_timesliced")
    ),
    Case(
        "L10-used-after-by-parts",
        used_after_store_of_parts,
        lambda: (noise("uint16", 320), np.int64(3), untouched("uint16", 960)),
        lambda source, *_: np.concatenate([source + np.uint16(turn) for turn in range(3)]),
        block=64,
    ),
    Case(
        "T3-sixteen",
        sixteen,
        lambda: (noise("int32", 2048), untouched("int32", 2048)),
        lambda source, _: ~source,
    ),
]
