# The sweep over all parameters, on a GPU.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sweep over all parameters, on a GPU, in as many processes as there are cores.

``COOP_TEST_SWEEP`` is the number of kernels, ``cover`` (the default here) or ``all``.
"""

from __future__ import annotations

import os

import pytest

pytest.importorskip("numba_cuda_mlir")

from numba_cuda_mlir import cuda
from sweep import __main__ as program
from sweep import run


def test_sweep():
    size = os.environ.get("COOP_TEST_SWEEP", "cover")
    cc = tuple(cuda.get_current_device().compute_capability)
    kernels = program.all_kernels(size, cc)
    summary = run.Summary()
    for outcome in run.run_all(kernels, "gpu", os.cpu_count() or 1):
        summary.add(outcome)
    print(summary)
    assert summary.faults == []
    assert summary.kernels == len(kernels)
    assert set(summary.documented_errors) == {"G3", "L5", "S7"}
