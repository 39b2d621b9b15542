# Part of the sweep over all parameters, on the CPU.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Part of the sweep over all parameters, on the CPU.

``COOP_TEST_SWEEP`` is the number of kernels, ``cover`` or ``all``; the nightly run asks for all.
"""

from __future__ import annotations

import json
import os
import random

import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")

from sweep import oracle, run, space

SIZE = os.environ.get("COOP_TEST_SWEEP", "12")
REFUSED = list(oracle.refused())
if SIZE.isdigit():
    REFUSED = random.Random(1).sample(REFUSED, min(int(SIZE), len(REFUSED)))
LIMIT = list(oracle.around_the_limit(run.CPU_CC))


@pytest.mark.parametrize("kernel", space.chosen(SIZE), ids=str)
def test_kernel(kernel):
    outcome = run.run_on_cpu(kernel)
    assert not outcome.faults
    assert outcome.right or outcome.refused == "S7"


@pytest.mark.parametrize("kernel", REFUSED, ids=str)
def test_what_is_refused(kernel):
    outcome = run.run_on_cpu(kernel)
    assert not outcome.faults
    assert outcome.refused in ("G3", "L5")


@pytest.mark.parametrize("kernel", LIMIT, ids=str)
def test_S7_around_the_limit(kernel):
    outcome = run.run_on_cpu(kernel)
    assert not outcome.faults
    assert outcome.right or outcome.refused == "S7"


def test_the_summary_counts_and_goes_into_json():
    summary = run.Summary()
    summary.add(run.Outcome("a", right=7))
    summary.add(run.Outcome("b", refused="G3"))
    summary.add(run.Outcome("c", right=2, faults=["wrong"]))
    assert str(summary) == ("3 kernels, 11 cases: 9 right, 1 documented errors (G3 1), 1 faults")
    assert json.loads(json.dumps(summary.as_dict()))["documented_errors"] == {"G3": 1}


def test_an_error_that_is_not_documented_is_a_fault(monkeypatch):
    kernel = space.Kernel("int32", 1, (15,), 8, ("direct",))
    assert run.run_on_cpu(kernel).refused == "G3"
    monkeypatch.setattr(run, "refusal", lambda *_: None)
    assert "divisible by 32" in run.run_on_cpu(kernel).faults[0]


def test_a_missing_error_is_a_fault(monkeypatch):
    refusal = oracle.Refusal("G3", ValueError, ())
    monkeypatch.setattr(run, "refusal", lambda *_: refusal)
    outcome = run.run_on_cpu(space.Kernel("int32", 1, (32,), 8, ("direct",)))
    assert outcome.faults == ["not refused, though G3 says so"]


@pytest.mark.parametrize("dtype", ["int16", "float64", "bool", "complex128", "point"])
def test_a_wrong_result_is_found(dtype):
    """The sweep sees a wrong byte and in which case it is."""
    launch = next(run.launches(space.Kernel(dtype, 3, (32,), 8, space.WARP_ALGORITHMS)))
    for number in (0, 7, len(launch.cases) - 1):
        result = launch.expected()
        assert launch.wrong(result) == []
        first = launch.destination_slice + launch.table[number * 5 + 4]
        for place in (first - 1, first + 1, first + launch.kernel.values):
            changed = result.copy()
            changed.view(np.uint8)[place * launch.kernel.itemsize] ^= 1
            assert launch.wrong(changed) == [launch.cases[number]]
