# P1: what the check accepts, all threads of the group do reach, in random programs.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""P1: what the check accepts, all threads of the group do reach, in random programs.

``COOP_PROGRAMS=first:last`` chooses the seeds.
"""

import os
import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

pytest.importorskip("numba_cuda_mlir")
from coop_mlir import cpu
from participation.programs import BLOCK, TooLong, calls_of, data, random_program, to_ir
from participation.verdicts import COOP_OPT, check

pytestmark = pytest.mark.skipif(COOP_OPT is None, reason="there is no coop-opt")

FIRST, LAST = map(int, os.environ.get("COOP_PROGRAMS", "0:200").split(":"))
LAUNCHES = ((0, 0), (1, 5), (3, 40), (2, -7), (0, 100))


def widths(program):
    """Return the group's size of each call."""
    for statement in program:
        if statement[0] == "call":
            yield statement[1], statement[2]
        for part in statement:
            if isinstance(part, list):
                yield from widths(part)


def missed(program, launches=LAUNCHES, skip=True):
    """Return the calls that a thread of some group skips, in some block of some launch.

    A block whose threads don't end is left out, or, without `skip`, is an error.
    """
    found = set()
    for bid, n in launches:
        try:
            threads = [Counter(calls_of(program, tid, bid, n)) for tid in range(BLOCK)]
        except TooLong:
            if not skip:
                raise
            continue
        for number, width in widths(program):
            counts = [thread[number] for thread in threads]
            groups = [counts[first : first + width] for first in range(0, BLOCK, width)]
            if any(len(set(group)) > 1 for group in groups):
                found.add(number)
    return found


@pytest.mark.parametrize("seed", range(FIRST, LAST))
def test_P1_no_call_is_accepted_that_threads_skip(seed):
    program = random_program(seed)
    _, diagnostics = check(to_ir(program))
    refused = {d.line - 1000 for d in diagnostics if d.kind != "note"}
    assert not missed(program) - refused, to_ir(program)


GRID = 4
BOUNDS = (0, 5, 40, -7, 100)


def parts(program, n) -> bool:
    """Whether threads of some group, in some block, make a call a different number of times."""
    return bool(missed(program, [(bid, n) for bid in range(GRID)], skip=False))


@pytest.mark.parametrize("seed", range(FIRST, LAST))
def test_P1_the_checker_finds_the_threads_that_part(seed):
    """The CPU target's checker agrees with the threads, and with a program that is accepted."""
    program = random_program(seed)
    text = to_ir(program)
    accepted = check(text) == (0, [])
    for n in BOUNDS:
        try:
            expected = parts(program, n)
        except TooLong:
            continue
        assert not (accepted and expected)
        fault = fault_of(text, n)
        assert fault == "participation" or not expected, (fault, n, text)
        assert fault == "clean" or not accepted, (fault, n, text)


def fault_of(text, n) -> str:
    """Run a program's module on the CPU; return what the checker finds."""
    try:
        cpu.execute(text, "k", GRID, BLOCK, [data(), n])
    except cpu.CoopCheckError as error:
        return error.kind
    return "clean"
