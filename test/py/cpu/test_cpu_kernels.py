# Every kernel of test/py/kernels on the CPU, at every stage, against NumPy.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every kernel of ``test/py/kernels`` on the CPU, at every stage, against NumPy."""

from __future__ import annotations

import pytest

pytest.importorskip("numba_cuda_mlir")

from coop_mlir import cpu
from coop_mlir.cpu.stages import stage_names
from kernels import CASES
from support import copied

# Scratch is planned there but nothing separates its uses yet.
STAGES = [stage for stage in stage_names() if stage != "plan-shared-memory"]


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_kernel(case, stage):
    before = case.args()
    after = copied(before)
    cpu.launch(
        case.kernel, case.grid, case.block, *after, shared_bytes=case.dynamic_bytes, stage=stage
    )
    case.check(before, after)
