# Settings of all Python tests: those of test/py/runtime need a GPU.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Settings of all Python tests: those of ``runtime`` are skipped, with the reason, where there is no GPU."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

RUNTIME = Path(__file__).parent / "runtime"


@cache
def no_gpu_because() -> str:
    """Return why no kernel can be launched, empty when one can."""
    try:
        from cuda.bindings import driver
    except ImportError:
        return "cuda-bindings is not installed"
    try:
        (status,) = driver.cuInit(0)
    except RuntimeError:
        return "there is no CUDA driver"
    if status != driver.CUresult.CUDA_SUCCESS:
        return f"the CUDA driver can't start: {status.name}"
    return "" if driver.cuDeviceGetCount()[1] else "there is no CUDA device"


def pytest_collection_modifyitems(items):
    runtime = [item for item in items if RUNTIME in item.path.parents]
    if runtime and (reason := no_gpu_because()):
        for item in runtime:
            item.add_marker(pytest.mark.skip(reason=f"needs a GPU: {reason}"))
