# P1-P6: the verdict on every kernel of the participation corpus.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""P1-P6: the verdict on every kernel of the participation corpus."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

pytest.importorskip("numba_cuda_mlir")
from participation import CASES
from participation.verdicts import COOP_OPT, check, emit, verdict_of

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


def test_proven_and_unproven_share_no_wording():
    said = {"diverges": set(), "unproven": set()}
    for case in CASES:
        if case.verdict in said:
            _, diagnostics = check(emit(case.kernel, case.block))
            said[case.verdict] |= {
                d.text for d in diagnostics if "call" not in d.text or d.kind != "note"
            }
    assert not said["diverges"] & said["unproven"]
