# The errors that users meet over storage and helpers.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors over storage and helpers: CoopTypingError, at the user's line."""

import coop_mlir as coop
import pytest
from frontend_support import I32, check, error_of, launch, line_of, types
from numba_cuda_mlir import cuda

N = types.int32


# -- storage ---------------------------------------------------------------


@pytest.mark.parametrize(
    "controls, shown",
    [
        ({"size_in_bytes": 0}, "size_in_bytes must be a positive int, not 0"),
        ({"size_in_bytes": 1.5}, "size_in_bytes must be a positive int, not 1.5"),
        ({"alignment": 24}, "alignment must be a power of two, not 24"),
        ({"alignment": 2048}, "alignment 2048 is above the limit of 1024"),
        ({"auto_sync": 1}, "auto_sync must be True or False, not 1"),
        ({"sharing": "mine"}, "sharing must be 'shared' or 'exclusive', not 'mine'"),
    ],
)
def test_S1_bad_descriptor(controls, shown):
    size = controls.get("size_in_bytes")
    alignment = controls.get("alignment")
    auto_sync = controls.get("auto_sync", False)
    sharing = controls.get("sharing", "shared")

    @cuda.jit
    def kernel(src):
        scratch = coop.TempStorage(size, alignment=alignment, auto_sync=auto_sync, sharing=sharing)
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, temp_storage=scratch)

    check(kernel, (I32,), f"coop.TempStorage: {shown}")


def test_S1_only_the_size_is_positional():
    @cuda.jit
    def kernel(src):
        coop.TempStorage(64, 16)

    check(kernel, (I32,), "coop.TempStorage: too many positional arguments")


def test_S9_one_constructor_per_descriptor():
    @cuda.jit
    def kernel(src, n):
        scratch = coop.TempStorage()
        if n > 2:
            scratch = coop.TempStorage()
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, temp_storage=scratch)

    error = check(kernel, (I32, N), "temp_storage comes from 2 constructors")
    assert len(error.notes) == 2


def test_S1_temp_storage_is_a_descriptor():
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(4)
        coop.load(coop.this_block(), src, items, temp_storage=src)

    check(kernel, (I32,), "temp_storage must be a coop.TempStorage, not array(int32")


# -- helpers ---------------------------------------------------------------


@cuda.jit(device=True)
def bad_helper(src):
    items = coop.ThreadData(4)
    coop.load(coop.this_block(), src, items, algorithm="none")  # in-helper


def test_H1_errors_show_the_helpers_line():
    @cuda.jit
    def kernel(src):
        bad_helper(src)

    error = error_of(kernel, (I32,))
    assert error.location.line == line_of(bad_helper, "in-helper")


@cuda.jit(device=True, inline="never")
def outlined(group, src):
    items = coop.ThreadData(4)
    coop.load(group, src, items)


def test_H3_a_helper_out_of_line_is_refused():
    @cuda.jit
    def kernel(src):
        outlined(coop.this_block(), src)

    error = check(
        kernel, (I32,), "'outlined' has cooperative calls but is not inlined", "inline='always'"
    )
    assert error.notes[0].location.filename == __file__


def test_star_arguments_are_refused():
    @cuda.jit
    def kernel(src, pair):
        coop.load(coop.this_block(), *pair)

    check(kernel, (I32, types.UniTuple(I32, 2)), "can't be called with * or **")


def test_the_launch_path_raises_the_same_class():
    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(0)
        coop.load(coop.this_block(), src, items)

    with pytest.raises(coop.CoopTypingError):
        launch(kernel, (I32,), (None,))
