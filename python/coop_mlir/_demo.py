# The kernel of the self-check.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel of the self-check: a guarded copy through a transpose."""

import numpy as np
from numba_cuda_mlir import cuda, types

import coop_mlir as coop

THREADS = 128


@cuda.jit
def copy_tile(source, destination, count, items_per_thread):
    """Copy `count` elements; each block moves one tile."""
    block = coop.this_block()
    items = coop.ThreadData(items_per_thread)
    origin = cuda.blockIdx.x * cuda.blockDim.x * items_per_thread
    valid = min(count - origin, cuda.blockDim.x * items_per_thread)
    coop.load(
        block,
        source,
        items,
        offset=origin,
        valid_items=valid,
        oob_default=0,
        algorithm="transpose",
    )
    coop.store(block, destination, items, offset=origin, valid_items=valid, algorithm="transpose")


def signature(items_per_thread):
    """Return the types of the kernel's arguments."""
    array = types.Array(types.int32, 1, "C")
    return (array, array, types.int64, items_per_thread)


def check_copy(items_per_thread, count=531) -> str:
    """Run the kernel; return what went wrong, empty when nothing did."""
    source = np.arange(count, dtype=np.int32)
    destination = np.full(count + 64, -1, dtype=np.int32)
    tile = THREADS * items_per_thread
    copy_tile[-(-count // tile), THREADS](source, destination, count, items_per_thread)
    cuda.synchronize()
    if not np.array_equal(destination[:count], source):
        return f"first difference at {np.flatnonzero(destination[:count] != source)[0]}"
    if not (destination[count:] == -1).all():
        return "elements behind the valid prefix were written"
    return ""
