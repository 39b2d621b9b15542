# Shared memory that the user asks for by itself.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared memory of the user: too little of it, and arrays of several types.

Beside scratch it is tested by the cases of ``kernels/storage.py``.
"""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")

from coop_mlir import cpu
from kernels.storage import LARGE_BESIDE_DYNAMIC
from numba_cuda_mlir import cuda, types


@pytest.mark.parametrize("stage", ["coop", "insert-barriers", "lower-to-cub"])
def test_too_few_dynamic_bytes(stage):
    case = LARGE_BESIDE_DYNAMIC
    launch = {"shared_bytes": case.dynamic_bytes - 8, "stage": stage}
    with pytest.raises(cpu.CoopCheckError) as caught:
        cpu.launch(case.kernel, case.grid, case.block, *case.args(), **launch)
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
