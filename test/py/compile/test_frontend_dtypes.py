# The types of payloads: what is refused, where, and what constants they take.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of payloads: what is refused, where, and what constants they take."""

import re
from itertools import pairwise
from types import SimpleNamespace

import coop_mlir as coop
import numpy as np
import pytest
from frontend_support import I32, emit, error_of, line_of, ops, types
from numba_cuda_mlir import cuda
from numba_cuda_mlir.numba_cuda.np.numpy_support import from_dtype
from numba_cuda_mlir.numba_cuda.types import bfloat16

POINT = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4")])
OTHER = np.dtype([("x", "f4"), ("y", "f4"), ("n", "i4")])
MIXED = np.dtype([("a", "i1"), ("b", "f8"), ("c", "i4")], align=True)
NEW = [types.boolean, types.float16, bfloat16, types.complex64, types.complex128]


def array(dtype):
    """Return the Numba type of a contiguous array of a NumPy or Numba type."""
    return types.Array(from_dtype(dtype) if isinstance(dtype, np.dtype) else dtype, 1, "C")


def check(kernel, signature, *parts):
    """Check the parts of a kernel's error and that it is at the marked line."""
    error = error_of(kernel, signature)
    for part in parts:
        assert part in str(error), str(error)
    assert error.location.source.endswith("# fault")
    return error


def filled(count=4, dtype=None):
    """Return a kernel that loads one payload."""

    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(count, dtype)
        coop.load(coop.this_block(), src, items)

    return kernel


def padded(default):
    """Return a kernel that loads one payload with a constant default."""

    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, valid_items=3, oob_default=default)

    return kernel


# -- types -----------------------------------------------------------------


@pytest.mark.parametrize(
    "dtype, shown",
    [
        (types.NPDatetime("s"), "datetime64"),
        (types.NPTimedelta("ms"), "timedelta64"),
        (types.UnicodeCharSeq(4), "[unichr x 4]"),
        (types.CharSeq(3), "[char x 3]"),
    ],
)
def test_T4_unsupported_type(dtype, shown):
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items)  # fault

    check(
        kernel, (array(dtype),), shown, "is not supported", "bool, int8", "complex128 and records"
    )


@pytest.mark.parametrize("dtype", ["object", "datetime64[s]", "S3", "V0"])
def test_T4_unsupported_type_of_the_constructor(dtype):
    dtype = np.dtype(dtype)

    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4, dtype)  # fault
        items[0] = items[1]

    check(kernel, (I32,), "bool, int8", "bfloat16", "complex128 and records")


def test_T4_conflict_names_both_places():
    @cuda.jit
    def kernel(src, dst):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items)  # loaded
        coop.store(coop.this_block(), dst, items)  # fault

    for one, other in pairwise(NEW):
        error = check(kernel, (array(one), array(other)), "makes the payload", "but it is")
        assert error.notes[0].location.line == line_of(kernel, "loaded")


def test_T4_bits_of_one_size_are_not_one_type():
    kernel = filled(2, types.uint16)
    error = error_of(kernel, (array(bfloat16),))
    assert "makes the payload bfloat16, but it is uint16" in str(error)


def test_T4_records_of_other_fields_conflict():
    @cuda.jit
    def kernel(src, dst):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items)
        coop.store(coop.this_block(), dst, items)  # fault

    check(kernel, (array(POINT), array(OTHER)), "n[type=int32", "x[type=float32")


def test_T4_a_record_is_assigned_to_its_own_type_only():
    @cuda.jit
    def kernel(src, other):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items)
        items[1] = other[0]  # fault

    check(kernel, (array(POINT), array(OTHER)), "this assignment makes the payload Record(")


def test_T4_a_number_is_no_record():
    @cuda.jit
    def kernel(src, number):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items)
        items[1] = number  # fault

    check(kernel, (array(POINT), types.int64), "this assignment makes the payload int64")


@pytest.mark.parametrize("dtype, count", [(np.dtype("c16"), 513), (np.dtype("S100,i4"), 79)])
def test_T4_bytes_of_a_thread_are_bounded(dtype, count):
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(count, dtype)  # fault
        coop.load(coop.this_block(), src, items)

    size = dtype.itemsize
    check(
        kernel,
        (array(types.complex128),),
        f"{count} items of {size} bytes are {count * size} bytes",
        "at most 8192",
    )


@pytest.mark.parametrize("dtype", [bool, "bool", np.bool_, np.float16, np.complex64, "c16", POINT])
def test_T4_types_by_the_names_of_numpy(dtype):
    kernel = filled(2, dtype)
    assert ops(emit(kernel, (array(np.dtype(dtype)),), generic=True), "load")


@pytest.mark.parametrize("dtype", NEW)
def test_T4_typed_assignments(dtype):
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(2)
        items[0] = src[1]
        items[1] = src[0]
        coop.store(coop.this_block(), src, items)

    assert ops(emit(kernel, (array(dtype),), generic=True), "store")


# -- layouts ---------------------------------------------------------------


@pytest.mark.parametrize(
    "dtype, aligned, item, vector",
    [
        (types.boolean, True, None, "2xi8"),
        (types.float16, True, None, "2xi16"),
        (bfloat16, True, None, "2xi16"),
        (types.int32, False, (4, 1), "2xi32"),
        (types.complex64, True, (8, 4), "4xf32"),
        (types.complex128, True, (16, 8), "4xf64"),
        (from_dtype(np.dtype("f4,f4")), True, (8, 1), "2xi64"),
        (from_dtype(np.dtype([("x", "f8")], align=True)), True, (8, 8), "2xi64"),
        (from_dtype(POINT), True, (12, 1), "6xi32"),
        (from_dtype(MIXED), True, (24, 8), "6xi64"),
        (from_dtype(MIXED), False, (24, 1), "6xi64"),
        (from_dtype(np.dtype("i1,f8,i4")), True, (13, 1), "26xi8"),
    ],
)
def test_T4_layout(dtype, aligned, item, vector):
    (load,) = ops(
        emit(filled(2), (types.Array(dtype, 1, "C", aligned=aligned),), generic=True), "load"
    )
    found = re.search(r"#coop\.item<(\d+), (\d+)>", load)
    assert (found and tuple(map(int, found.groups()))) == item
    assert f"-> vector<{vector}>" in load


# -- counts ----------------------------------------------------------------

COUNT = np.int64(3)
module = SimpleNamespace()


@pytest.mark.parametrize("count", [np.int64(3), np.uint8(3), np.int32(3)])
def test_T1_numpy_ints_are_counts(count):
    (load,) = ops(emit(filled(count), (I32,), generic=True), "load")
    assert "-> vector<3xi32>" in load


def test_T1_numpy_int_as_a_global_and_a_bound():
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(COUNT)
        coop.load(coop.this_block(), src, items, algorithm="direct")
        for i in range(COUNT):
            items[i] = items[i] + types.int32(1)
        coop.store(coop.this_block(), src, items)

    (load,) = ops(emit(kernel, (I32,), generic=True), "load")
    assert "-> vector<3xi32>" in load


@pytest.mark.parametrize("count", [np.bool_(True), np.float32(3), np.int64(0)])
def test_T1_other_numpy_numbers_are_no_counts(count):
    error = error_of(filled(count), (I32,))
    assert f"items_per_thread must be a positive int, not {count.item()!r}" in str(error)


# -- defaults --------------------------------------------------------------


@pytest.mark.parametrize(
    "dtype, value",
    [
        (types.boolean, 1),
        (types.boolean, 0.0),
        (types.float16, 70000),
        (types.float16, 2049),
        (types.float16, True),
        (bfloat16, 257),
        (bfloat16, 3.5e38),
        (types.complex64, 1e39j),
        (types.complex64, True),
        (types.complex128, 2**53 + 1),
        (from_dtype(POINT), 0),
        (from_dtype(POINT), np.zeros(1, OTHER)[0]),
    ],
)
def test_L8_constant_that_is_not_representable(dtype, value):
    error = error_of(padded(value), (array(dtype),))
    assert f"oob_default {value!r} can't be represented in" in str(error)


@pytest.mark.parametrize(
    "dtype, value, words",
    [
        (types.boolean, True, ["1 : i8"]),
        (types.float16, 1.5, ["15872 : i16"]),
        (types.float16, -2, ["-16384 : i16"]),
        (bfloat16, 1.00390625, ["16256 : i16"]),  # a tie, to even
        (bfloat16, float("-inf"), ["-128 : i16"]),
        (types.complex64, 2 - 1j, ["2.000000e+00 : f32", "-1.000000e+00 : f32"]),
        (types.complex128, 3, ["3.000000e+00 : f64", "0.000000e+00 : f64"]),
        (from_dtype(POINT), np.array([(1, 2, 0)], POINT)[0], ["1065353216 : i32", "0 : i32"]),
    ],
)
def test_L8_constants(dtype, value, words):
    text = emit(padded(value), (array(dtype),))
    for word in words:
        assert f"arith.constant {word}" in text, text


@pytest.mark.parametrize("dtype", [*NEW, from_dtype(POINT)])
def test_L8_run_time_default_of_another_type(dtype):
    @cuda.jit
    def kernel(src, other):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, valid_items=3, oob_default=other[0])  # fault

    hint = "records are never cast" if isinstance(dtype, types.Record) else "cast it, such as"
    check(kernel, (array(dtype), I32), "oob_default is int32, but the payload is", hint)
