# coop.uniform: the user's word.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""coop.uniform: the user's word that the threads of a block agree."""

import warnings

import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")

import coop_mlir as coop
from coop_mlir import cpu
from numba_cuda_mlir import cuda, types

coop.register("numba-cuda-mlir")

ARRAY = types.Array(types.int32, 1, "C")


def by_flag(flags, source, destination):
    """A copy that a flag decides, which each thread has loaded for itself."""
    block = coop.this_block()
    items = coop.ThreadData(1)
    if flags[cuda.threadIdx.x] > 0:
        coop.load(block, source, items)
        coop.store(block, destination, items)


def by_stated_flag(flags, source, destination):
    """The same with the statement that the flags are alike."""
    block = coop.this_block()
    items = coop.ThreadData(1)
    if coop.uniform(flags[cuda.threadIdx.x] > 0):
        coop.load(block, source, items)
        coop.store(block, destination, items)


def test_P4_not_provable_is_a_warning():
    with pytest.warns(coop.CoopParticipationWarning, match="cannot prove"):
        coop.compile(by_flag, (ARRAY, ARRAY, ARRAY), block=128, cc=(9, 0))


def test_P4_the_statement_is_accepted():
    with warnings.catch_warnings():
        warnings.simplefilter("error", coop.CoopWarning)
        result = coop.compile(by_stated_flag, (ARRAY, ARRAY, ARRAY), block=128, cc=(9, 0))
    assert "coop.assume_uniform" in result.stages["coop"]
    assert "coop.assume_uniform" not in result.stages["lower-to-cub"]


def test_P4_the_cpu_target_checks_the_statement():
    source, destination = np.arange(128, dtype=np.int32), np.zeros(128, np.int32)
    alike, unlike = np.ones(128, np.int32), (np.arange(128) % 2).astype(np.int32)
    cpu.launch(by_stated_flag, 1, 128, alike, source, destination)
    np.testing.assert_array_equal(destination, source)
    with pytest.raises(coop.CoopError, match="uniform"):
        cpu.launch(by_stated_flag, 1, 128, unlike, source, destination)


def test_P4_the_statement_is_checked_at_run_time_on_demand():
    def traps(result):
        return result.ptx.count("trap;")

    unchecked = coop.compile(by_stated_flag, (ARRAY, ARRAY, ARRAY), block=128, cc=(9, 0))
    assert "check-assumptions" not in unchecked.stages
    checked = coop.compile(
        by_stated_flag, (ARRAY, ARRAY, ARRAY), block=128, cc=(9, 0), check_assumptions=True
    )
    assert "trap;" in checked.stages["check-assumptions"]
    assert traps(checked) == traps(unchecked) + 1
    assert checked.ptx.count("bar") > unchecked.ptx.count("bar")


def test_P4_the_value_must_be_a_number():
    def kernel(source):
        coop.uniform(source)

    with pytest.raises(
        coop.CoopTypingError, match=r"coop.uniform: the value must be a number or a bool"
    ):
        coop.compile(kernel, (ARRAY,), block=32, cc=(9, 0))
