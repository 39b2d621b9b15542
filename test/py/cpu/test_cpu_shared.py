# Shared memory of every kind, side by side.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared memory of every kind, side by side."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")

import coop_mlir as coop
from coop_mlir import cpu
from numba_cuda_mlir import cuda, types

STAGES = ["coop", "insert-barriers", "lower-to-cub"]


def dynamic_beside_large_scratch(source, destination):
    own = cuda.shared.array(0, types.float64)
    block = coop.this_block()
    items = coop.ThreadData(16)
    t = cuda.threadIdx.x
    own[t] = t
    coop.load(block, source, items, algorithm="transpose")
    cuda.syncthreads()
    for i in range(16):
        items[i] = items[i] + own[511 - t]
    coop.store(block, destination, items, algorithm="transpose")


@pytest.mark.parametrize("stage", STAGES)
def test_dynamic_scratch_beside_the_users(stage):
    source, destination = np.arange(8192.0), np.zeros(8192)
    cpu.launch(
        dynamic_beside_large_scratch,
        1,
        512,
        source,
        destination,
        shared_bytes=4096,
        stage=stage,
    )
    assert np.array_equal(destination, source + np.repeat(np.arange(511.0, -1.0, -1.0), 16))


@pytest.mark.parametrize("stage", STAGES)
def test_too_few_dynamic_bytes(stage):
    arrays = np.arange(8192.0), np.zeros(8192)
    with pytest.raises(cpu.CoopCheckError) as caught:
        cpu.launch(dynamic_beside_large_scratch, 1, 512, *arrays, shared_bytes=4088, stage=stage)
    assert caught.value.kind == "bounds"
    assert caught.value.location.source == "own[t] = t"


def two_arrays(destination):
    first = cuda.shared.array(64, types.int32)
    second = cuda.shared.array(64, types.int8)
    i = cuda.threadIdx.x
    first[i] = i
    second[i] = 2 * i
    cuda.syncthreads()
    destination[i] = first[63 - i] + second[63 - i]


def test_static_arrays_of_two_types():
    destination = np.zeros(256, np.int32)
    cpu.launch(two_arrays, 4, 64, destination)
    assert np.array_equal(destination[:64], 3 * np.arange(63, -1, -1))
