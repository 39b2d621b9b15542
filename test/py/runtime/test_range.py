# Ranges at run time: a valid count outside the tile traps, an offset may exceed 32 bits.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranges at run time: a valid count outside the tile traps, an offset may exceed 32 bits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")

import coop_mlir as coop
from numba_cuda_mlir import cuda

coop.register("numba-cuda-mlir")

# A trap ends the CUDA context, so each count has a process of its own.
TRAP = """
import sys
import numpy as np
import coop_mlir as coop
from kernels import copies
from numba_cuda_mlir import cuda
coop.register("numba-cuda-mlir")
arrays = cuda.to_device(np.zeros(1024, np.float32)), cuda.to_device(np.zeros(1024, np.float32))
cuda.jit(copies.prefix)[1, 128](arrays[0], np.int64(sys.argv[1]), arrays[1])
try:
    cuda.synchronize()
except Exception as error:
    sys.exit(f"trapped: {error}")
"""


@pytest.mark.parametrize("valid", [-1, 513, 2**32, 2**32 + 512, -(2**63)])
def test_L7_a_count_outside_the_tile_traps(valid):
    command = [sys.executable, "-c", TRAP, str(valid)]
    done = subprocess.run(
        command,
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1 and "trapped: " in done.stderr, done.stderr


def at(source, start, destination):
    block = coop.this_block()
    items = coop.ThreadData(4)
    coop.load(block, source, items, algorithm="vectorize", offset=start)
    coop.store(block, destination, items, algorithm="transpose", offset=start)


def test_L3_an_offset_may_exceed_32_bits():
    start = 2**32 + 4096
    source, destination = (cuda.device_array(start + 512, np.uint8) for _ in range(2))
    values = np.arange(512).astype(np.uint8)
    source[start:].copy_to_device(values)
    cuda.jit(at)[1, 128](source, np.int64(start), destination)
    np.testing.assert_array_equal(destination[start:].copy_to_host(), values)
