# The errors that users meet over the controls of loads and stores.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors over controls: CoopTypingError, at the user's line."""

import coop_mlir as coop
import numpy as np
import pytest
from frontend_support import I32, check, emit, types
from numba_cuda_mlir import cuda


def test_L1_wrong_keyword():
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, valid=3)

    check(
        kernel, (I32,), "coop.load: got an unexpected keyword argument 'valid'", "valid_items=None"
    )


def test_L1_positional_control():
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, "direct")

    check(kernel, (I32,), "coop.load: too many positional arguments", "*, algorithm='direct'")


def test_L1_store_has_no_default():
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4, types.int32)
        coop.store(coop.this_block(), src, items, valid_items=3, oob_default=0)

    check(kernel, (I32,), "coop.store: got an unexpected keyword argument 'oob_default'")


@pytest.mark.parametrize("valid", [-1, 513])
def test_L7_constant_valid_items(valid):
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, valid_items=valid)

    check(kernel, (I32,), f"valid_items is {valid}, outside [0, 512]", "128 threads of 4 items")


@pytest.mark.parametrize("valid", [0, 512])
def test_L7_the_bounds_are_valid(valid):
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, valid_items=valid)

    emit(kernel, (I32,))


def test_L7_valid_items_that_folding_makes_constant():
    """The planner does not fold these; the canonicalizer does, and the verifier objects."""

    @cuda.jit
    def many(src):
        items = coop.ThreadData(4)
        count = np.int64(1) << np.int64(9)
        coop.load(coop.this_block(), src, items, valid_items=count)

    @cuda.jit
    def unsigned(src):
        items = coop.ThreadData(4)
        count = np.uint64(1) << np.uint64(63)
        coop.load(coop.this_block(), src, items, valid_items=count)

    for kernel, text in ((many, "has 512 valid items"), (unsigned, "9223372036854775808)")):
        with pytest.raises(coop.CoopTypingError) as caught:
            coop.compile(kernel, (I32,), block=64, cc=(9, 0))
        assert f"{text}; a tile of 64 x 4 takes 0 to 256" in str(caught.value)
        assert caught.value.location.source.startswith("coop.load(")


@pytest.mark.parametrize("name", ["offset", "valid_items"])
@pytest.mark.parametrize("given", [types.float64, types.boolean])
def test_L3_L7_controls_are_ints(name, given):
    @cuda.jit
    def offset(src, x):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, offset=x)

    @cuda.jit
    def valid_items(src, x):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, valid_items=x)

    check(locals()[name], (I32, given), f"{name} must be an int, not {given}")


def test_L3_negative_offset():
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, offset=-4)

    check(kernel, (I32,), "the offset -4 is negative")


def test_L8_default_needs_valid_items():
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, oob_default=0)

    assert isinstance(check(kernel, (I32,), "oob_default needs valid_items"), TypeError)


@pytest.mark.parametrize(
    "array, value",
    [
        (types.int8, 128),
        (types.uint8, -1),
        (types.int32, 1.5),
        (types.int32, float("nan")),
        (types.int32, True),
        (types.float32, 1e39),
        (types.float32, 2**24 + 1),
    ],
)
def test_L8_constant_default_is_representable(array, value):
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, valid_items=3, oob_default=value)

    check(kernel, (array[::1],), f"oob_default {value!r} can't be represented in {array}")


def test_L8_runtime_default_of_another_type():
    @cuda.jit
    def kernel(src, x):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, valid_items=3, oob_default=x)

    check(
        kernel, (I32, types.int64), "oob_default is int64, but the payload is int32", "types.int32("
    )


@pytest.mark.parametrize("default", [2**63, 2**64 - 1])
def test_L8_defaults_that_only_uint64_holds(default):
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(1)
        coop.load(coop.this_block(), src, items, valid_items=3, oob_default=default)

    result = coop.compile(kernel, (types.uint64[::1],), block=64, cc=(9, 0))
    assert f"arith.constant {default - 2**64} : i64" in result.stages["coop"]
