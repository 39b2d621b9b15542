# H4: loops over literal_unroll, and branches that their values decide.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""H4: loops over ``literal_unroll``, and branches that their values decide."""

import coop_mlir as coop
import pytest
from frontend_support import F32, I32, emit, error_of, line_of, ops

cuda = pytest.importorskip("numba_cuda_mlir.cuda")

from numba_cuda_mlir import types  # noqa: E402
from numba_cuda_mlir.cuda import literal_unroll  # noqa: E402


def test_H4_each_value_has_a_call_of_its_own():
    @cuda.jit
    def kernel(source, destination):
        for k in literal_unroll((1, 4)):
            for algorithm in literal_unroll(("direct", "transpose")):
                items = coop.ThreadData(k)
                coop.load(coop.this_block(), source, items, algorithm=algorithm)
                coop.store(coop.this_block(), destination, items)

    text = emit(kernel, (I32, I32))
    loads = ops(text, "load")
    assert [("transpose" in op, "vector<4xi32>" in op) for op in loads] == [
        (False, False),
        (True, False),
        (False, True),
        (True, True),
    ]
    assert "cf.cond_br" not in text


def test_H4_what_no_turn_reaches_is_not_compiled():
    @cuda.jit
    def kernel(source, destination):
        for k in literal_unroll((0, 2)):
            if k > 0:
                items = coop.ThreadData(k)
                coop.load(coop.this_block(), source, items)
                coop.store(coop.this_block(), destination, items)

    assert len(ops(emit(kernel, (I32, I32)), "load")) == 1


def test_H4_a_loop_over_nothing_is_nothing():
    @cuda.jit
    def kernel(source, destination):
        items = coop.ThreadData(1)
        coop.load(coop.this_block(), source, items)
        for k in literal_unroll(()):
            coop.store(coop.this_block(), destination, items, offset=k)

    assert not ops(emit(kernel, (I32, I32)), "store")


def test_H4_a_loop_without_literal_unroll_says_what_to_do():
    @cuda.jit
    def kernel(source, destination):
        for k in (1, 2):
            items = coop.ThreadData(k)  # plain
            coop.load(coop.this_block(), source, items)

    error = error_of(kernel, (I32, I32))
    assert "items_per_thread must be known at compile time" in error.message
    assert "literal_unroll over constants" in error.message
    assert error.location.line == line_of(kernel, "plain")


def test_H4_values_of_run_time_set_no_length():
    @cuda.jit
    def kernel(source, destination, pair):
        for k in literal_unroll(pair):
            items = coop.ThreadData(k)  # run-time
            coop.load(coop.this_block(), source, items)

    error = error_of(kernel, (I32, I32, types.UniTuple(types.int64, 2)))
    assert "items_per_thread must be known at compile time" in error.message
    assert error.location.line == line_of(kernel, "run-time")


def test_H4_a_payload_of_many_lengths_is_refused_where_it_is_merged():
    @cuda.jit
    def kernel(source, destination, count):
        for k in literal_unroll((1, 2)):
            items = coop.ThreadData(k)
            coop.load(coop.this_block(), source, items)
            if k == count:
                break
        coop.store(coop.this_block(), destination, items)  # merged

    error = error_of(kernel, (I32, I32, types.int64))
    assert "merges payloads of 1, 2 items" in error.message
    assert error.location.line == line_of(kernel, "merged")


def test_H4_arrays_of_two_types():
    @cuda.jit
    def kernel(arrays):
        for array in literal_unroll(arrays):
            items = coop.ThreadData(2)
            coop.load(coop.this_block(), array, items)
            coop.store(coop.this_block(), array, items, offset=256)

    text = emit(kernel, (types.Tuple((I32, F32)),))
    assert [element in op for op in ops(text, "load") for element in ("xi32>", "xf32>")] == [
        True,
        False,
        False,
        True,
    ]


@cuda.jit(device=True, inline="always")
def padded(group, source, items, default):
    if default is None:
        coop.load(group, source, items)
    else:
        coop.load(group, source, items, valid_items=5, oob_default=default)


def test_H1_a_helper_branches_on_its_callers_constants():
    @cuda.jit
    def kernel(source, destination):
        items = coop.ThreadData(2)
        padded(coop.this_block(), source, items, None)
        coop.store(coop.this_block(), destination, items)
        padded(coop.this_block(), source, items, 7)
        coop.store(coop.this_block(), destination, items)

    text = emit(kernel, (I32, I32))
    assert len(ops(text, "load")) == 2
    assert "cf.cond_br" not in text
