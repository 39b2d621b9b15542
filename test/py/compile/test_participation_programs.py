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
from participation.programs import BLOCK, TooLong, calls_of, random_program, to_ir
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


def missed(program):
    """Return the calls that a thread of some group skips, in some launch."""
    found = set()
    for bid, n in LAUNCHES:
        try:
            threads = [Counter(calls_of(program, tid, bid, n)) for tid in range(BLOCK)]
        except TooLong:
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
