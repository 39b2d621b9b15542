# Every kernel of test/py/kernels, launched and compared with NumPy.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every kernel of ``test/py/kernels``, launched and compared with NumPy."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")

import coop_mlir as coop
from kernels import CASES
from numba_cuda_mlir import cuda

coop.register("numba-cuda-mlir")


@cache
def dispatcher(kernel):
    """Compile a kernel once for all cases that share it."""
    return cuda.jit(kernel)


def to_device(array):
    """Copy an array; one whose type NumPy knows from elsewhere, as bfloat16, as its bits."""
    if array.dtype.isbuiltin != 2:
        return cuda.to_device(array)
    return cuda.to_device(array.view(np.uint16)).view(array.dtype)


def to_host(array):
    """Copy an array back."""
    if array.dtype.isbuiltin != 2:
        return array.copy_to_host()
    return array.view(np.uint16).copy_to_host().view(array.dtype)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_kernel(case):
    before = case.args()
    device = [to_device(a) if isinstance(a, np.ndarray) else a for a in before]
    dispatcher(case.kernel)[case.grid, case.block, 0, case.dynamic_bytes](*device)
    cuda.synchronize()
    case.check(
        before,
        [to_host(d) if isinstance(b, np.ndarray) else b for b, d in zip(before, device)],
    )
