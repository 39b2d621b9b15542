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


def beside_own(source, destination):
    """The user's static shared array keeps its contents while scratch is used."""
    own = cuda.shared.array(128, types.int32)
    block = coop.this_block()
    items = coop.ThreadData(4)
    t = cuda.threadIdx.x
    own[t] = t
    coop.load(block, source, items, algorithm="transpose")
    cuda.syncthreads()
    for i in range(4):
        items[i] = types.int32(items[i] + own[127 - t])
    coop.store(block, destination, items, algorithm="transpose")


def beside_dynamic(source, destination):
    """The user's dynamic shared array keeps its contents, too."""
    own = cuda.shared.array(0, types.int32)
    block = coop.this_block()
    items = coop.ThreadData(4)
    t = cuda.threadIdx.x
    own[t] = t
    coop.load(block, source, items, algorithm="transpose")
    cuda.syncthreads()
    for i in range(4):
        items[i] = types.int32(items[i] + own[127 - t])
    coop.store(block, destination, items, algorithm="transpose")


def large(source, destination):
    """More scratch than static shared memory holds."""
    block = coop.this_block()
    items = coop.ThreadData(16)
    coop.load(block, source, items, algorithm="transpose")
    coop.store(block, destination, items, algorithm="transpose")


def large_beside_own(source, destination):
    """The same beside a static shared array of the user."""
    own = cuda.shared.array(512, types.float64)
    block = coop.this_block()
    items = coop.ThreadData(16)
    t = cuda.threadIdx.x
    own[t] = t
    coop.load(block, source, items, algorithm="transpose")
    cuda.syncthreads()
    for i in range(16):
        items[i] = items[i] + own[511 - t]
    coop.store(block, destination, items, algorithm="transpose")


def _case(
    name: str, kernel, dtype: str, size: int, expect=lambda source, _: source, **launch
) -> Case:
    return Case(
        name, kernel, lambda: (noise(dtype, size), untouched(dtype, size)), expect, **launch
    )


def _plus_reversed(source, _):
    return source + np.repeat(np.arange(127, -1, -1, dtype=np.int32), 4)


def _reals_case() -> Case:
    def args():
        return np.arange(8192, dtype=np.float64), untouched("float64", 8192)

    def expect(source, _):
        return source + np.repeat(np.arange(511.0, -1.0, -1.0), 16)

    return Case("S8-large-beside-own", large_beside_own, args, expect, block=512)


CASES = [
    _case("S1-manual", manual, "int32", 512),
    _case("S3-automatic", automatic, "float64", 1536),
    _case("S5-exclusive", exclusive, "int64", 512),
    _case("S8-beside-own", beside_own, "int32", 512, _plus_reversed),
    _case("S8-beside-dynamic", beside_dynamic, "int32", 512, _plus_reversed, dynamic_bytes=512),
    _case("S7-large", large, "float64", 8192, block=512),
    _reals_case(),
]
