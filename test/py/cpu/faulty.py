# Kernels with a fault each, for the checker to find.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with a fault each; a comment marks the line that the checker must name."""

from __future__ import annotations

import coop_mlir as coop
from numba_cuda_mlir import cuda, types


def early_return(source, destination, count):
    i = cuda.grid(1)
    if i >= count:  # parted
        return  # left
    block = coop.this_block()
    items = coop.ThreadData(1)
    coop.load(block, source, items)  # fault
    coop.store(block, destination, items)


def two_barriers(source, destination):
    if cuda.threadIdx.x < 32:  # parted
        cuda.syncthreads()  # fault
    else:
        cuda.syncthreads()  # elsewhere
    destination[cuda.threadIdx.x] = source[cuda.threadIdx.x]


def warp_member_missing(source, destination):
    warp = coop.this_warp()
    items = coop.ThreadData(1)
    if source[cuda.threadIdx.x] != 5:  # parted
        coop.load(warp, source, items)  # fault
        coop.store(warp, destination, items)


def uneven_valid_items(source, destination):
    block = coop.this_block()
    items = coop.ThreadData(1)
    coop.load(block, source, items, valid_items=source[cuda.threadIdx.x], oob_default=0)  # fault
    coop.store(block, destination, items)


def global_out_of_bounds(source, destination):
    i = cuda.threadIdx.x
    destination[i] = source[i + 1]  # fault


def tile_out_of_bounds(source, destination):
    block = coop.this_block()
    items = coop.ThreadData(4)
    coop.load(block, source, items, algorithm="striped")  # fault
    coop.store(block, destination, items, valid_items=source[0])


def shared_out_of_bounds(source, destination):
    tile = cuda.shared.array(64, types.int32)
    i = cuda.threadIdx.x
    tile[i] = source[i]  # fault
    destination[i] = tile[i]


def valid_items_out_of_range(source, destination, count):
    block = coop.this_block()
    items = coop.ThreadData(1)
    coop.load(block, source, items, valid_items=count, oob_default=0)  # fault
    coop.store(block, destination, items)


def unwritten_slot(source, destination):
    block = coop.this_block()
    items = coop.ThreadData(2, types.int32)
    items[0] = source[cuda.threadIdx.x]
    coop.store(block, destination, items)  # fault


def invalid_slot(source, destination, count):
    block = coop.this_block()
    items = coop.ThreadData(1)
    coop.load(block, source, items, valid_items=count)  # fault
    if items[0] > 3:  # used
        destination[cuda.threadIdx.x] = 1


def unwritten_shared(source, destination):
    tile = cuda.shared.array(64, types.int32)
    i = cuda.threadIdx.x
    if i < 32:
        tile[i] = source[i]
    cuda.syncthreads()
    destination[i] = tile[63 - i % 64]  # fault


def missing_barrier(source, destination):
    tile = cuda.shared.array(128, types.int32)
    i = cuda.threadIdx.x
    tile[i] = source[i]  # before
    destination[i] = tile[127 - i]  # fault


def one_writer_each(source, destination):
    tile = cuda.shared.array(1, types.int32)
    tile[0] = source[cuda.threadIdx.x]  # fault
    cuda.syncthreads()
    destination[cuda.threadIdx.x] = tile[0]


def missing_warp_barrier(source, destination):
    tile = cuda.shared.array(128, types.int32)
    i = cuda.threadIdx.x
    tile[i] = source[i]  # before
    destination[i] = tile[i ^ 1]  # fault


def scratch_without_barrier(source, destination):
    block = coop.this_block()
    scratch = coop.TempStorage()
    items = coop.ThreadData(4)
    coop.load(block, source, items, algorithm="transpose", temp_storage=scratch)  # before
    coop.store(block, destination, items, algorithm="transpose", temp_storage=scratch)  # fault


def spinning(source, destination):
    while source[0] == 0:  # fault
        pass
