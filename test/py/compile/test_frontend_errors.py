# The errors that users meet over algorithms, groups, arrays and payloads.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors over algorithms, groups, arrays and payloads: CoopTypingError, at the user's line."""

import coop_mlir as coop
import pytest
from frontend_support import CC, F32, I32, check, error_of, line_of, types
from numba_cuda_mlir import cuda
from numba_cuda_mlir.numba_cuda.core import errors as numba_errors

N = types.int32


# -- algorithms and groups -------------------------------------------------


def test_L14_unknown_algorithm_lists_the_known():
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, algorithm="fastest")

    check(kernel, (I32,), "unknown algorithm 'fastest'", "'direct'", "'warp_transpose_timesliced'")


def test_L14_algorithm_is_a_constant():
    @cuda.jit
    def kernel(src, n):
        items = coop.ThreadData(4)
        name = "direct"
        if n > 2:
            name = "striped"
        coop.load(coop.this_block(), src, items, algorithm=name)

    check(kernel, (I32, N), "coop.load: algorithm must be known at compile time")


@pytest.mark.parametrize("algorithm", ["warp_transpose", "warp_transpose_timesliced"])
def test_L5_algorithm_of_blocks_on_a_warp(algorithm):
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4)
        coop.load(coop.this_warp(), src, items, algorithm=algorithm)

    check(
        kernel,
        (I32,),
        f"{algorithm!r} is for blocks",
        "'direct', 'striped', 'vectorize', 'transpose'",
    )


def test_L5_warp_transpose_needs_whole_warps():
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, algorithm="warp_transpose")

    check(kernel, (I32,), "divisible by 32", "100 threads", block=100)


@pytest.mark.parametrize("use", ["load", "store", "sync", "rank"])
def test_G3_warps_need_whole_warps(use):
    @cuda.jit
    def load(src):
        items = coop.ThreadData(4)
        coop.load(coop.this_warp().group_by(8), src, items)

    @cuda.jit
    def store(src):
        items = coop.ThreadData(4)
        coop.store(coop.this_warp(), src, items)

    @cuda.jit
    def sync(src):
        coop.this_warp().sync()

    @cuda.jit
    def rank(src):
        src[0] = coop.this_warp().rank()

    check(locals()[use], (I32,), f"coop.{use}", "divisible by 32", "48 threads", block=(6, 8))


@pytest.mark.parametrize("width", [0, 3, 64, -8, True, 8.0, "8"])
def test_G1_bad_width(width):
    @cuda.jit
    def kernel(src):
        coop.this_warp().group_by(width).sync()

    check(kernel, (I32,), f"one of 1, 2, 4, 8, 16, 32, not {width!r}")


def test_G1_width_at_run_time():
    @cuda.jit
    def kernel(src):
        coop.this_warp().group_by(src[0]).sync()

    check(kernel, (I32,), "coop.group_by: width must be known at compile time")


def test_G1_nested_partition():
    @cuda.jit
    def kernel(src):
        coop.this_warp().group_by(8).group_by(4).sync()

    check(kernel, (I32,), "a warp group of 8 threads can't be partitioned")


def test_G1_partition_of_a_block():
    @cuda.jit
    def kernel(src):
        coop.this_block().group_by(8).sync()

    check(kernel, (I32,), "a block of 128 threads can't be partitioned")


def test_G5_different_groups_do_not_merge():
    @cuda.jit
    def kernel(src, n):
        items = coop.ThreadData(4)
        group = coop.this_warp()
        if n > 2:
            group = coop.this_warp().group_by(8)
        coop.load(group, src, items)

    error = check(kernel, (I32, N), "merges different groups")
    assert len(error.notes) == 1 and error.notes[0].location.line != error.location.line


def test_L1_group_is_required():
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4)
        coop.load(src, src, items)

    check(kernel, (I32,), "coop.load: the group must be this_block()", "not array(int32")


def test_no_block_size():
    @cuda.jit
    def kernel(src):
        coop.this_block().sync()

    with pytest.MonkeyPatch.context() as patch, pytest.raises(coop.CoopTypingError) as caught:
        patch.setattr("numba_cuda_mlir.tools._cached_cc", CC)
        kernel.compile((I32,))
    assert "the block's shape is not known before a launch" in str(caught.value)
    assert caught.value.location.filename == __file__


def test_G2_a_block_of_too_many_threads():
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(1)
        coop.load(coop.this_block(), src, items)

    with pytest.raises(coop.CoopTypingError, match="has 2048 threads; a GPU's has at most 1024"):
        coop.compile(kernel, (I32,), block=(64, 32), cc=(9, 0))


# -- arrays and payloads ---------------------------------------------------


@pytest.mark.parametrize(
    "array, shown",
    [
        (types.int32[:], "a strided 1-D array of int32"),
        (types.int32[:, ::1], "a contiguous 2-D array of int32"),
        (types.int32, "not int32"),
    ],
)
def test_L2_arrays_are_contiguous_and_1d(array, shown):
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4, types.int32)
        coop.load(coop.this_block(), src, items)

    check(kernel, (array,), "the source must be a contiguous 1-D array", shown)


def test_L9_payload_has_the_arrays_type():
    @cuda.jit
    def kernel(src, dst):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items)  # first-place
        coop.store(coop.this_block(), dst, items)  # second-place

    error = check(kernel, (I32, F32), "the destination of this store", "float32", "int32", "cast")
    assert error.location.line == line_of(kernel, "second-place")
    assert error.notes[0].location.line == line_of(kernel, "first-place")


def test_L9_payload_of_the_constructors_type():
    @cuda.jit
    def kernel(dst):
        items = coop.ThreadData(4, types.int64)  # constructed
        coop.store(coop.this_block(), dst, items)

    error = check(kernel, (I32,), "makes the payload int32, but it is int64")
    assert error.notes[0].location.line == line_of(kernel, "constructed")


def test_T2_typed_assignment_conflicts():
    @cuda.jit
    def kernel(src, x):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items)
        items[0] = types.float32(x)

    check(kernel, (I32, N), "this assignment makes the payload float32, but it is int32")


def test_T2_no_type_at_all():
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4)
        items[0] = 1

    check(kernel, (I32,), "the element type can't be inferred", "pass dtype=")


def test_T1_dtype_is_a_type():
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4, 7)
        coop.load(coop.this_block(), src, items)

    check(kernel, (I32,), "dtype must be a type known at compile time", "not 7")


@pytest.mark.parametrize("count", [0, -1, True, 1.5, "2", None])
def test_T1_bad_count(count):
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(count)
        coop.load(coop.this_block(), src, items)

    check(kernel, (I32,), f"items_per_thread must be a positive int, not {count!r}")


@pytest.mark.parametrize("count", [1025, 2**40])
def test_T1_more_items_than_a_thread_can_own(count):
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(count)
        coop.load(coop.this_block(), src, items)

    check(kernel, (I32,), f"items_per_thread is {count}", "at most 1024 items")


@pytest.mark.parametrize("argument", [0, -1, True])
def test_T1_bad_count_as_argument(argument):
    @cuda.jit
    def kernel(src, k):
        items = coop.ThreadData(k)
        coop.load(coop.this_block(), src, items)

    check(kernel, (I32, argument), f"must be a positive int, not {argument!r}")


@pytest.mark.parametrize("argument", [types.float64, types.boolean])
def test_T1_argument_that_is_no_int(argument):
    @cuda.jit
    def kernel(src, k):
        items = coop.ThreadData(k)
        coop.load(coop.this_block(), src, items)

    shown = "bool" if argument is types.boolean else str(argument)
    check(kernel, (I32, argument), "items_per_thread must be known", f"the argument 'k' is {shown}")


def test_T1_count_at_run_time():
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(src[0])
        coop.load(coop.this_block(), src, items)

    check(kernel, (I32,), "items_per_thread must be known at compile time", "a literal, a global")


def test_T1_argument_is_constant_in_the_signature():
    @cuda.jit
    def kernel(src, k):
        items = coop.ThreadData(k)
        coop.load(coop.this_block(), src, items)

    error = error_of(kernel, (I32, types.int64))
    assert "'k' of kernel must be known at compile time" in str(error)


def test_T1_payloads_of_different_lengths_do_not_merge():
    @cuda.jit
    def kernel(src, n):
        items = coop.ThreadData(4)
        if n > 2:
            items = coop.ThreadData(8)
        coop.load(coop.this_block(), src, items)

    error = check(kernel, (I32, N), "merges payloads of 4, 8 items")
    assert len(error.notes) == 2


@pytest.mark.parametrize("index", [4, -5, 100])
def test_T3_constant_index_out_of_range(index):
    @cuda.jit
    def reads(src):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items)
        src[0] = items[index]

    @cuda.jit
    def writes(src):
        items = coop.ThreadData(4)
        items[index] = 1
        coop.store(coop.this_block(), src, items)

    for kernel in (reads, writes):
        check(kernel, (I32,), f"index {index} is out of range for a payload of 4 items")


@pytest.mark.parametrize("alignment", [0, 3, -16, 1.0, True])
def test_T5_bad_alignment(alignment):
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4, alignment=alignment)
        coop.load(coop.this_block(), src, items)

    shown = "alignment must be a power of two"
    check(kernel, (I32,), shown, f"not {alignment!r}")


def test_L1_items_is_a_payload():
    @cuda.jit
    def kernel(src):
        items = cuda.local.array(4, types.int32)
        coop.load(coop.this_block(), src, items)

    check(kernel, (I32,), "the items are a local array; use a coop.ThreadData")


@pytest.mark.parametrize("name", ["size", "count"])
def test_G6_the_size_of_a_group_is_no_method(name):
    @cuda.jit
    def by_size(dst):
        block = coop.this_block()
        dst[0] = block.size()

    @cuda.jit
    def by_count(dst):
        block = coop.this_block()
        dst[0] = block.count()

    called = {"size": by_size, "count": by_count}[name]
    with pytest.raises(numba_errors.TypingError, match=r"as a callable(.|\n)*test_frontend_errors"):
        coop.compile(called, (I32,), block=64, cc=(9, 0))
