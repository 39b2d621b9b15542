# T1: local arrays as payloads, in the namespace that takes them.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""T1: local arrays as payloads, in the namespace that takes them."""

import coop_mlir as coop
import pytest
from frontend_support import F32, I32, emit, error_of, line_of, ops

pytest.importorskip("numba_cuda_mlir")

import cuda.coop.numba_mlir as numba_coop
from numba_cuda_mlir import cuda, types


def test_T1_local_array_has_the_layout_of_a_payload():
    @cuda.jit
    def kernel(source, destination):
        items = numba_coop.local.array(4, types.float32, alignas=64)
        numba_coop.load(numba_coop.this_block(), source, items)
        numba_coop.store(numba_coop.this_block(), destination, items)

    text = emit(kernel, (F32, F32))
    assert "memref.alloca() {alignment = 64 : i64, coop.payload} : memref<4xf32>" in text
    assert "vector<4xf32>" in ops(text, "load")[0]


def test_T1_local_array_of_the_common_namespace_is_refused():
    @cuda.jit
    def kernel(source, destination):
        items = cuda.local.array(4, types.int32)  # local array
        coop.load(coop.this_block(), source, items)  # common load

    error = error_of(kernel, (I32, I32))
    assert "the items are a local array; use a coop.ThreadData" in error.message
    assert "cuda.coop.numba_mlir" in error.message
    assert error.location.line == line_of(kernel, "common load")
    assert error.notes[0].location.line == line_of(kernel, "local array")


def test_T1_local_array_of_two_dimensions_is_refused():
    @cuda.jit
    def kernel(source, count):
        items = cuda.local.array((count, count), types.int32)  # two dimensions
        numba_coop.load(numba_coop.this_block(), source, items)

    error = error_of(kernel, (I32, 2))
    assert "a payload has one dimension, not 2" in error.message
    assert error.location.line == line_of(kernel, "two dimensions")


def test_T2_local_array_of_another_type_is_refused():
    @cuda.jit
    def kernel(source):
        items = cuda.local.array(2, types.float64)
        numba_coop.load(numba_coop.this_block(), source, items)  # other type

    error = error_of(kernel, (I32,))
    assert "float64" in error.message and "int32" in error.message
    assert error.location.line == line_of(kernel, "other type")


def test_T1_array_that_is_no_local_one_is_refused():
    @cuda.jit
    def kernel(source, destination):
        numba_coop.load(numba_coop.this_block(), source, destination)  # global items

    error = error_of(kernel, (I32, I32))
    assert "the items must be a coop.ThreadData" in error.message
    assert error.location.line == line_of(kernel, "global items")


def test_T1_local_array_is_the_hosts_where_it_is_no_payload():
    @cuda.jit
    def kernel(source, destination):
        table = numba_coop.local.array((2, 2), types.int32)
        items = numba_coop.ThreadData(1)
        numba_coop.load(numba_coop.this_block(), source, items)
        table[1, 0] = items[0]
        destination[0] = table[1, 0]

    assert "memref<2x2xi32>" in emit(kernel, (I32, I32))
