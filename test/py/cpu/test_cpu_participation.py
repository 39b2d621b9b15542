# P1-P6: the verdicts of the participation corpus against what happens when its kernels run.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""P1-P6: the verdicts of the participation corpus against what happens when its kernels run.

Each kernel runs twice: compiled, with the check off, under the checker of the
CPU target, and as the Python that it is, thread by thread, with nothing of coop.
"""

import sys
import warnings
from collections import Counter
from pathlib import Path

import coop_mlir as coop
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

pytest.importorskip("numba_cuda_mlir")
from coop_mlir import cpu
from participation import CASES
from participation.threads import run_threads


def run_plainly(case, args) -> str:
    """Run a kernel's threads one by one; return what is wrong."""
    return run_threads(case.kernel, case.grid, case.block, args, case.shared_bytes)


LEGAL = [case for case in CASES if case.verdict == "legal"]
UNPROVEN = [case for case in CASES if case.verdict.startswith("unproven")]


def run_checked(case, args) -> tuple[str, coop.SourceLocation | None]:
    """Run a kernel on the CPU; return the kind of fault that the checker finds, and where."""
    kernel = coop.options(participation="off")(case.kernel)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            cpu.launch(kernel, case.grid, case.block, *args, shared_bytes=case.shared_bytes)
        except cpu.CoopCheckError as error:
            return error.kind, error.location
    return "clean", None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_P1_to_P6_the_checker_finds_what_the_verdict_says(case):
    checked, plain = case.arguments(), case.arguments()
    fault, place = run_checked(case, checked)
    assert fault == case.fault, case.why
    if case.found:
        return
    assert run_plainly(case, plain) == fault
    if fault == "clean":
        assert (checked[1] == plain[1]).all()
    elif case.lines("call"):
        assert place.line in case.lines("call")


@pytest.mark.parametrize(
    "case", [case for case in UNPROVEN if not case.found], ids=lambda case: case.name
)
def test_P4_what_data_decides_is_right_where_data_agrees(case):
    checked, plain = case.arguments(calm=True), case.arguments(calm=True)
    assert run_checked(case, checked)[0] == "clean"
    assert run_plainly(case, plain) == "clean"
    assert (checked[1] == plain[1]).all()


def test_half_of_the_corpus_is_legal():
    others = len(CASES) - len(LEGAL)
    assert min(len(LEGAL), others) >= 120
    assert 0.8 < len(LEGAL) / others < 1.25


def test_names_are_unique():
    names = Counter(case.name for case in CASES)
    assert not [name for name, count in names.items() if count > 1]
