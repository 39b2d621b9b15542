# P1-P6: the verdict on every kernel of the participation corpus.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""P1-P6: the verdict on every kernel of the participation corpus."""

import inspect
import linecache
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

pytest.importorskip("numba_cuda_mlir")
import coop_mlir as coop
from participation import CASES, helpers, memory
from participation.verdicts import COOP_OPT, SIGNATURE, check, emit, verdict_of

pytestmark = pytest.mark.skipif(COOP_OPT is None, reason="there is no coop-opt")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_P1_to_P6_verdict(case):
    status, diagnostics = check(emit(case.kernel, case.block))
    assert verdict_of(diagnostics) == case.verdict, diagnostics
    proven = case.verdict in ("diverges", "differs")
    assert status == proven
    if case.verdict != "legal":
        names_the_lines(case, diagnostics)


def names_the_lines(case, diagnostics):
    """The message is at the call, its notes at the branch and the value."""
    # The calls of helpers lie elsewhere.
    call = set(case.lines("call"))
    mains = {d.line for d in diagnostics if d.kind != "note"}
    notes = {d.line for d in diagnostics if d.kind == "note"}
    assert mains == call or not call, diagnostics
    for marker in ("branch", "value"):
        for line in case.lines(marker):
            assert line in notes, (marker, line, diagnostics)


@pytest.mark.parametrize(
    "case", [c for c in CASES if "unproven" in c.verdict], ids=lambda case: case.name
)
def test_P4_what_is_not_proven_is_an_error_in_strict_mode(case):
    text = emit(case.kernel, case.block)
    assert check(text, "strict")[0] == 1
    assert check(text, "off") == (0, [])


def line_of(function, text):
    """Return the line of a function that holds a text."""
    lines, first = inspect.getsourcelines(getattr(function, "py_func", function))
    return next(first + i for i, line in enumerate(lines) if text in line)


def test_P1_the_chain_of_calls_is_told():
    kernel = helpers.nested_helpers_under_a_guard
    with pytest.raises(coop.CoopParticipationError) as caught:
        coop.compile(kernel, SIGNATURE, block=128, cc=(9, 0))
    error = caught.value
    assert error.location.line == line_of(helpers.copy_tile, "load(")
    calls = [note.location.line for note in error.notes if note.message == "called from here"]
    assert calls == [line_of(helpers.copy_if, "copy_tile("), line_of(kernel, "copy_if(")]
    (branch,) = [note for note in error.notes if note.message.startswith("the branch")]
    assert branch.location.line == line_of(helpers.copy_if, "if wanted")
    # All of them are quoted.
    for place in (error.location, *(note.location for note in error.notes)):
        assert place.source and place.source in str(error)


def test_P4_the_chain_of_calls_is_told_in_warnings():
    kernel = helpers.helper_calls_by_data
    with pytest.warns(coop.CoopParticipationWarning) as caught:
        coop.compile(kernel, SIGNATURE, block=128, cc=(9, 0))
    for warning in caught:
        assert "called from here" in str(warning.message)
        assert "copy_tile(src, dst, 0)" in str(warning.message)


@pytest.mark.parametrize(
    "kernel, says",
    [
        (memory.flag_that_one_thread_has_just_set, "threads of other blocks may do so"),
        (memory.flag_that_is_cleared_later, "no barrier of the block lies between"),
    ],
)
def test_P4_the_write_is_named_that_makes_a_load_doubtful(kernel, says):
    _, diagnostics = check(emit(kernel, 128))
    (race,) = {d for d in diagnostics if says in d.text}
    assert "[0] = " in linecache.getline(kernel.__code__.co_filename, race.line)


def test_P4_two_arguments_may_be_one_array_in_strict_mode():
    text = emit(memory.flag_before_a_store_elsewhere, 128)
    assert check(text) == (0, [])
    status, diagnostics = check(text, "strict")
    assert status == 1
    assert verdict_of(diagnostics) == "unproven"


def test_proven_and_unproven_share_no_wording():
    said = {"diverges": set(), "unproven": set()}
    for case in CASES:
        if case.verdict in said:
            _, diagnostics = check(emit(case.kernel, case.block))
            said[case.verdict] |= {
                d.text for d in diagnostics if "call" not in d.text or d.kind != "note"
            }
    assert not said["diverges"] & said["unproven"]
