# Each fault is found, at its line.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each fault of ``faulty`` is found, at its line, whether the module is lowered or not."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")

import faulty
from coop_mlir import CoopError, cpu

# What the compiler warns of is found at run time here.
pytestmark = pytest.mark.filterwarnings("ignore::coop_mlir.CoopWarning")

THREADS = 128
COUNT = np.int64

# The kernel, the kind of the finding, a part of its message, arguments after the arrays.
FAULTS = [
    (faulty.early_return, "participation", "thread 100 and 27 more of its block", COUNT(100)),
    (faulty.two_barriers, "participation", "and 95 more of its block never come"),
    (faulty.warp_member_missing, "participation", "thread 5 of its warp never comes"),
    (faulty.uneven_valid_items, "uniformity", "valid_items of 'coop.load' differs"),
    (faulty.global_out_of_bounds, "bounds", "index 128 of an array of 128 elements"),
    (faulty.tile_out_of_bounds, "bounds", "128"),
    (faulty.shared_out_of_bounds, "bounds", "index 64 of an array of 64 elements"),
    (faulty.valid_items_out_of_range, "valid_items", "129", COUNT(129)),
    (faulty.unwritten_slot, "unwritten", "no one has written"),
    (faulty.invalid_slot, "unwritten", "thread 100 of block 0", COUNT(100)),
    (faulty.unwritten_shared, "unwritten", "no one has written"),
    (faulty.missing_barrier, "race", "with no barrier between"),
    (faulty.one_writer_each, "race", "with no barrier between"),
    (faulty.missing_warp_barrier, "race", "which thread 1 of block 0 wrote"),
    (faulty.spinning, "hang", "still run after 1000 steps"),
]
IDS = [fault[0].__name__ for fault in FAULTS]


def line_of(kernel, mark: str) -> int:
    """Return the number of the line with a comment, 0 if there is none."""
    lines, first = inspect.getsourcelines(kernel)
    marked = [first + i for i, line in enumerate(lines) if line.rstrip().endswith(f"# {mark}")]
    return marked[0] if marked else 0


def finding(kernel, *scalars, source=THREADS, **options):
    """Launch a kernel with a fault; return what the checker says."""
    arrays = np.arange(source, dtype=np.int32), np.zeros(8 * THREADS, np.int32)
    with pytest.raises(cpu.CoopCheckError) as caught:
        cpu.launch(kernel, 2, THREADS, *arrays, *scalars, max_steps=1000, **options)
    return caught.value


@pytest.mark.parametrize("fault", FAULTS, ids=IDS)
def test_fault_in_the_emitted_module(fault):
    kernel, kind, message, *scalars = fault
    found = finding(kernel, *scalars, stage="coop")
    assert found.kind == kind
    assert message in found.message
    if kernel is not faulty.two_barriers:  # Either barrier may be the one that waits.
        assert found.location.line == line_of(kernel, "fault")


@pytest.mark.parametrize("fault", FAULTS, ids=IDS)
def test_fault_in_the_lowered_module(fault):
    kernel, kind, _, *scalars = fault
    arrays = np.arange(THREADS, dtype=np.int32), np.zeros(8 * THREADS, np.int32)
    with pytest.raises(CoopError) as caught:  # The compiler refuses some faults itself.
        cpu.launch(kernel, 2, THREADS, *arrays, *scalars, max_steps=1000, stage="lower-to-cub")
    if isinstance(caught.value, cpu.CoopCheckError):
        assert caught.value.kind == kind


def test_notes_say_where_the_others_went():
    found = finding(faulty.early_return, COUNT(100), stage="coop")
    lines = [note.location.line for note in found.notes]
    assert lines == [line_of(faulty.early_return, mark) for mark in ("left", "parted")]


def test_a_race_names_the_other_access():
    found = finding(faulty.missing_barrier)
    assert [n.location.line for n in found.notes] == [line_of(faulty.missing_barrier, "before")]


@pytest.mark.parametrize("stage", ["insert-barriers", "lower-to-cub"])
def test_scratch_that_two_calls_share(stage):
    kernel = faulty.scratch_without_barrier
    found = finding(kernel, source=4 * THREADS, stage=stage)
    assert found.kind == "race"
    assert found.location.line == line_of(kernel, "fault")
    assert [note.location.line for note in found.notes] == [line_of(kernel, "before")]


def test_the_error_shows_the_source():
    text = str(finding(faulty.global_out_of_bounds))
    assert "destination[i] = source[i + 1]" in text


def test_without_the_checker_only_traps_are_found():
    arrays = np.arange(THREADS, dtype=np.int32), np.zeros(THREADS, np.int32)
    cpu.launch(faulty.missing_barrier, 1, THREADS, *arrays, check=False)
    assert np.array_equal(arrays[1], arrays[0][::-1])
    finding(faulty.global_out_of_bounds, check=False)
