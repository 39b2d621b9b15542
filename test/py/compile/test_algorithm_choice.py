# The algorithm that stands for "auto".
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The algorithm that stands for "auto"."""

import re

import coop_mlir as coop
import pytest
from numba_cuda_mlir import cuda, types

I8, I32, F64, C64 = (
    types.Array(t, 1, "C") for t in (types.int8, types.int32, types.float64, types.complex64)
)


@cuda.jit
def by_block(src, dst, k):
    items = coop.ThreadData(k)
    coop.load(coop.this_block(), src, items, algorithm="auto")
    coop.store(coop.this_block(), dst, items, algorithm="auto")


@cuda.jit
def by_eights(src, dst, k):
    items = coop.ThreadData(k)
    group = coop.this_warp().group_by(8)
    coop.load(group, src, items, algorithm="auto")
    coop.store(group, dst, items, algorithm="auto")


@cuda.jit
def with_storage(src, dst, k):
    items = coop.ThreadData(k)
    storage = coop.TempStorage(1024, auto_sync=True)
    coop.load(coop.this_block(), src, items, algorithm="auto", temp_storage=storage)
    coop.store(coop.this_block(), dst, items, algorithm="auto", temp_storage=storage)


def chosen(kernel, array, items, block):
    """Return the algorithms of the load and the store, as the passes chose them."""
    result = coop.compile(kernel, (array, array, items), block=block, cc=(9, 0))
    return re.findall(r"coop\.(?:load|store) (\w+)", result.stages["select-algorithms"])


@pytest.mark.parametrize(
    "kernel, array, items, block, algorithm",
    [
        (by_block, I32, 1, 128, "direct"),
        (by_block, I8, 3, 128, "direct"),
        (by_block, I32, 4, 65, "vectorize"),
        (by_block, I8, 16, 128, "vectorize"),
        (by_block, I32, 7, (8, 4, 2), "warp_transpose"),
        (by_block, F64, 4, 256, "warp_transpose"),
        (by_block, F64, 3, 15, "transpose"),
        (by_block, F64, 64, 1024, "warp_transpose_timesliced"),
        (by_block, C64, 1, 128, "direct"),
        (by_block, C64, 4, 256, "warp_transpose"),
        (by_eights, I32, 4, 64, "vectorize"),
        (by_eights, F64, 4, 64, "transpose"),
    ],
)
def test_L12_auto_suits_the_tile(kernel, array, items, block, algorithm):
    assert chosen(kernel, array, items, block) == [algorithm] * 2


def test_L12_auto_fits_the_descriptor():
    assert chosen(with_storage, I32, 7, 128) == ["warp_transpose_timesliced"] * 2
    assert chosen(with_storage, F64, 7, 128) == ["direct"] * 2


def test_L12_warps_need_whole_warps_for_auto_too():
    with pytest.raises(coop.CoopTypingError, match="33"):
        chosen(by_eights, I32, 4, 33)
