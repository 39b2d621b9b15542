# What a kernel states with coop.uniform, checked when it runs.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel states with ``coop.uniform``, checked when it runs.

A trap ends the CUDA context, so each launch is this file run by a process of its own.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")

import coop_mlir as coop
from numba_cuda_mlir import cuda

coop.register("numba-cuda-mlir")


@coop.options(check_assumptions=True)
@cuda.jit
def copy_if(source, least, destination):
    items = coop.ThreadData(4)
    if coop.uniform(source[cuda.threadIdx.x] >= least):
        coop.load(coop.this_block(), source, items)
        coop.store(coop.this_block(), destination, items)


def launch(least: int) -> None:
    """Copy 512 numbers if the first 128, all of 0 to 127, are at least `least`."""
    numbers = np.arange(512, dtype=np.int32)
    source, destination = cuda.to_device(numbers), cuda.to_device(np.zeros_like(numbers))
    copy_if[1, 128](source, np.int64(least), destination)
    try:
        cuda.synchronize()
    except Exception as error:
        sys.exit(f"trapped: {error}")
    copied = destination.copy_to_host()
    sys.exit(int(not np.array_equal(copied, numbers if least <= 0 else np.zeros_like(numbers))))


@pytest.mark.parametrize("least, holds", [(0, True), (128, True), (60, False), (1, False)])
def test_P4_a_wrong_statement_traps(least, holds):
    done = subprocess.run(
        [sys.executable, __file__, str(least)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ("trapped: " in done.stderr) == (not holds), done.stderr
    assert (done.returncode == 0) == holds


if __name__ == "__main__":
    launch(int(sys.argv[1]))
