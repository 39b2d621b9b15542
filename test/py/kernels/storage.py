# Scratch: descriptors, the user's own shared memory, large tiles.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scratch: descriptors, the user's own shared memory, large tiles."""

from __future__ import annotations

import coop_mlir as coop
import numpy as np
from numba_cuda_mlir import cuda, types

from .case import Case, noise, untouched


def manual(source, destination):
    """One descriptor for two calls, the barrier between them written out."""
    block = coop.this_block()
    scratch = coop.TempStorage()
    items = coop.ThreadData(4)
    coop.load(block, source, items, algorithm="transpose", temp_storage=scratch)
    cuda.syncthreads()
    coop.store(block, destination, items, algorithm="transpose", temp_storage=scratch)


def automatic(source, destination):
    """One descriptor whose barriers the compiler places, in a loop."""
    block = coop.this_block()
    scratch = coop.TempStorage(8192, alignment=128, auto_sync=True)
    items = coop.ThreadData(4)
    for turn in range(3):
        coop.load(
            block, source, items, algorithm="transpose", offset=turn * 512, temp_storage=scratch
        )
        coop.store(
            block,
            destination,
            items,
            algorithm="warp_transpose",
            offset=turn * 512,
            temp_storage=scratch,
        )


def exclusive(source, destination):
    """Two calls with a slice each need no barrier between them."""
    block = coop.this_block()
    scratch = coop.TempStorage(sharing="exclusive")
    items = coop.ThreadData(4)
    coop.load(block, source, items, algorithm="transpose", temp_storage=scratch)
    coop.store(block, destination, items, algorithm="transpose", temp_storage=scratch)


def beside(size: int, dtype, threads: int, items_per_thread: int):
    """The user's shared array, dynamic if it has the size 0, keeps its contents beside scratch."""

    def kernel(source, destination):
        own = cuda.shared.array(size, dtype)
        block = coop.this_block()
        items = coop.ThreadData(items_per_thread)
        t = cuda.threadIdx.x
        own[t] = t
        coop.load(block, source, items, algorithm="transpose")
        cuda.syncthreads()
        for i in range(items_per_thread):
            items[i] = dtype(items[i] + own[threads - 1 - t])
        coop.store(block, destination, items, algorithm="transpose")

    return kernel


def large(source, destination):
    """More scratch than static shared memory holds."""
    block = coop.this_block()
    items = coop.ThreadData(16)
    coop.load(block, source, items, algorithm="transpose")
    coop.store(block, destination, items, algorithm="transpose")


def _case(name: str, kernel, dtype: str, size: int, **launch) -> Case:
    def args():
        return noise(dtype, size), untouched(dtype, size)

    return Case(name, kernel, args, lambda source, _: source, **launch)


def _beside(name: str, dtype: str, threads: int, items: int, dynamic: bool) -> Case:
    """Return a case with an element of the user's for each thread."""
    element = getattr(types, dtype)
    own_bytes = threads * np.dtype(dtype).itemsize

    def args():
        size = threads * items
        source = noise(dtype, size) if dtype == "int32" else np.arange(size, dtype=dtype)
        return source, untouched(dtype, size)

    def expect(source, _):
        return source + np.repeat(np.arange(threads - 1, -1, -1, dtype=dtype), items)

    kernel = beside(0 if dynamic else threads, element, threads, items)
    launch = {"block": threads, "dynamic_bytes": own_bytes if dynamic else 0}
    return Case(f"S8-{name}", kernel, args, expect, **launch)


LARGE_BESIDE_DYNAMIC = _beside("large-beside-dynamic", "float64", 512, 16, True)
CASES = [
    _case("S1-manual", manual, "int32", 512),
    _case("S3-automatic", automatic, "float64", 1536),
    _case("S5-exclusive", exclusive, "int64", 512),
    _case("S7-large", large, "float64", 8192, block=512),
    _beside("beside-own", "int32", 128, 4, False),
    _beside("beside-dynamic", "int32", 128, 4, True),
    _beside("large-beside-own", "float64", 512, 16, False),
    LARGE_BESIDE_DYNAMIC,
]
