# The kernel of the self-check.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel of the self-check: a guarded copy through a transpose."""

import numpy as np
from numba_cuda_mlir import cuda, types

import coop_mlir as coop
from coop_mlir import cpu

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


def launch_on_gpu(grid, *args):
    """Launch the kernel and wait for it."""
    copy_tile[grid, THREADS](*args)
    cuda.synchronize()


def launch_on_cpu(grid, *args):
    """Run the kernel on the CPU, under the checker."""
    cpu.launch(copy_tile, grid, THREADS, *args)


def check_copy(launch, items_per_thread, count=531) -> str:
    """Run the kernel; return what went wrong, empty when nothing did."""
    source = np.arange(count, dtype=np.int32)
    destination = np.full(count + 64, -1, dtype=np.int32)
    tile = THREADS * items_per_thread
    launch(-(-count // tile), source, destination, count, items_per_thread)
    if not np.array_equal(destination[:count], source):
        return f"first difference at {np.flatnonzero(destination[:count] != source)[0]}"
    if not (destination[count:] == -1).all():
        return "elements behind the valid prefix were written"
    return ""
