# Loops over the slots of long payloads, which stay in registers.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over the slots of long payloads, which stay in registers."""

from __future__ import annotations

import coop_mlir as coop
import numpy as np
from numba_cuda_mlir import types

from .case import Case, noise, untouched


def triangle(source, items_per_thread, destination):
    """A loop in a loop, as long as the outer one's turn says."""
    block = coop.this_block()
    items = coop.ThreadData(items_per_thread)
    sums = coop.ThreadData(items_per_thread)
    coop.load(block, source, items, algorithm="striped")
    for i in range(items_per_thread):
        total = items[i]
        for j in range(i):
            total = types.int32(total + items[j])
        sums[i] = total
    coop.store(block, destination, sums, algorithm="striped")


def first_above(source, items_per_thread, destination):
    """A while loop over a constant number of slots that may stop early."""
    block = coop.this_block()
    items = coop.ThreadData(items_per_thread)
    coop.load(block, source, items, algorithm="striped")
    i = 0
    while i < items.items_per_thread:
        if items[i] > 0:
            items[i] = types.float64(-items[i])
            break
        items[i] = types.float64(0)
        i += 1
    coop.store(block, destination, items, algorithm="striped")


def _triangle(source, items, _destination):
    return source.reshape(items, 128).cumsum(axis=0, dtype=np.int32).reshape(-1)


def _first_above(source, items, _destination):
    columns = source.reshape(items, 128)
    seen = (columns > 0).cumsum(axis=0)
    first = (columns > 0) & (seen == 1)
    return np.where(first, -columns, np.where(seen == 0, 0.0, columns)).reshape(-1)


CASES = [
    *(
        Case(
            f"T3-triangle-k{k}",
            triangle,
            lambda k=k: (noise("int32", 128 * k), k, untouched("int32", 128 * k)),
            _triangle,
        )
        for k in (16, 17, 64)
    ),
    *(
        Case(
            f"T3-first-above-k{k}",
            first_above,
            lambda k=k: (
                np.arange(128 * k, dtype=np.float64) % 97 - 90,
                k,
                untouched("float64", 128 * k),
            ),
            _first_above,
            registers_only=False,  # a known limit of loops that may stop early
        )
        for k in (17, 48)
    ),
]
