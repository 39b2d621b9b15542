# Local arrays as payloads, and payloads in helpers that stay out of line.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Local arrays as payloads, and payloads in helpers that stay out of line."""

from __future__ import annotations

import cuda.coop.numba_mlir as numba_coop
import numpy as np
from numba_cuda_mlir import cuda, types

from .case import Case, noise, untouched


def local_array(source, items_per_thread, destination):
    """A local array is a payload; the compiler specializes for its length."""
    block = numba_coop.this_block()
    items = numba_coop.local.array(items_per_thread, dtype=types.int32)
    numba_coop.load(block, source, items, algorithm="transpose")
    for i in range(len(items)):
        items[i] = types.int32(items[i] * 3 + i)
    numba_coop.store(block, destination, items, algorithm="transpose")


def arrays_of_all_kinds(source, destination):
    """A shape of one number, an alignment, an array that is no payload, and one ThreadData."""
    block = numba_coop.this_block()
    first = cuda.local.array((4,), np.float32, 32)
    scratch = cuda.local.array(4, types.float32)
    second = numba_coop.ThreadData(4)
    numba_coop.load(block, source, first)
    for i in range(4):
        scratch[3 - i] = first[i]
    for i in range(4):
        second[i] = types.float32(scratch[i] + first.size)
    numba_coop.store(block, destination, second)


@cuda.jit(device=True, inline="never")
def prefix_sums(items, start):
    """An ordinary function of an array that stays out of line."""
    total = start
    for i in range(len(items)):
        total += items[i]
        items[i] = total
    return total


def out_of_line(source, destination, totals):
    """The helper reads and writes the caller's slots."""
    block = numba_coop.this_block()
    items = numba_coop.ThreadData(4)
    numba_coop.load(block, source, items)
    totals[cuda.threadIdx.x] = prefix_sums(items, types.int32(5))
    numba_coop.store(block, destination, items)


def local_array_out_of_line(source, destination, totals):
    """So it does with those of a local array."""
    block = numba_coop.this_block()
    items = numba_coop.local.array(4, types.int32)
    numba_coop.load(block, source, items)
    totals[cuda.threadIdx.x] = prefix_sums(items, types.int32(5))
    numba_coop.store(block, destination, items)


def _scaled(source, items, _destination):
    return source * np.int32(3) + np.arange(source.size, dtype=np.int32) % np.int32(items)


def _turned(source, _destination):
    return source.reshape(-1, 4)[:, ::-1].reshape(-1) + np.float32(4)


def _sums(source, _destination, _totals):
    sums = 5 + source.reshape(-1, 4).cumsum(axis=1, dtype=np.int32)
    return sums.astype(np.int32).reshape(-1), sums[:, -1].astype(np.int64)


CASES = [
    *(
        Case(
            f"T1-local-array-k{k}",
            local_array,
            lambda k=k: (noise("int32", 128 * k), k, untouched("int32", 128 * k)),
            _scaled,
        )
        for k in (1, 4)
    ),
    Case(
        "T1-local-arrays-of-all-kinds",
        arrays_of_all_kinds,
        lambda: (np.arange(512, dtype=np.float32), untouched("float32", 512)),
        _turned,
    ),
    *(
        Case(
            name,
            kernel,
            lambda: (
                np.arange(512, dtype=np.int32),
                untouched("int32", 512),
                untouched("int64", 128),
            ),
            _sums,
            registers_only=False,
        )
        for name, kernel in (
            ("H2-out-of-line", out_of_line),
            ("H2-local-array-out-of-line", local_array_out_of_line),
        )
    ),
]
