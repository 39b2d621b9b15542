# What the CPU target does with bfloat16, records and arrays at odd addresses.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the CPU target does with bfloat16, records and arrays at odd addresses."""

from __future__ import annotations

import coop_mlir as coop
import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")

from coop_mlir import cpu
from coop_mlir.cpu import bfloat
from kernels import dtypes
from kernels.case import bits, noise
from kernels.groups import block_copy
from numba_cuda_mlir import cuda, types


def at_odd_address(array: np.ndarray) -> np.ndarray:
    """Return a copy of an array that lies one byte beside its alignment."""
    raw = np.zeros(array.nbytes + 17, np.uint8)
    start = -raw.ctypes.data % 16 + 1
    copy = raw[start : start + array.nbytes].view(array.dtype)
    copy[...] = array
    return copy


@pytest.mark.parametrize("dtype", ["i4", "f8", "c8", dtypes.POINT, dtypes.MIXED], ids=str)
@pytest.mark.parametrize("algorithm", ["vectorize", "transpose"])
def test_T4_arrays_at_odd_addresses(dtype, algorithm):
    source = at_odd_address(noise(dtype, 256))
    destination = at_odd_address(np.zeros(256, dtype))
    assert not (source.flags.aligned and source.dtype.alignment > 1)
    for stage in ("insert-barriers", "lower-to-cub"):
        destination[...] = 0
        cpu.launch(block_copy(algorithm), 1, 64, source, 4, destination, stage=stage)
        np.testing.assert_array_equal(bits(destination), bits(source))


def test_T4_a_field_that_no_one_wrote_is_found():
    @cuda.jit
    def kernel(destination):
        items = coop.ThreadData(1)
        items[0].a = types.int8(1)
        items[0].c = types.int32(2)
        coop.store(coop.this_block(), destination, items)  # b is missing

    with pytest.raises(cpu.CoopCheckError, match="no one has written"):
        cpu.launch(kernel, 1, 32, np.zeros(32, dtypes.MIXED))


def test_bfloat16_is_rounded_to_nearest_ties_to_even():
    values = np.array([1.0, 1 + 2**-8, 1 + 3 * 2**-8, 3.39e38, 3.4e38, np.nan], np.float32)
    found = bfloat.from_bits(bfloat.to_bits(values))
    np.testing.assert_array_equal(
        found, np.array([1, 1, 1 + 2**-6, 3.3895314e38, np.inf, np.nan], np.float32)
    )


def test_bfloat16_agrees_with_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    values = noise("float32", 4096)
    wanted = values.astype(ml_dtypes.bfloat16)
    found = bfloat.to_bits(values).view(ml_dtypes.bfloat16)
    known = ~np.isnan(values)
    np.testing.assert_array_equal(found[known].view("u2"), wanted[known].view("u2"))
    assert np.isnan(found[~known].astype(np.float32)).all()
