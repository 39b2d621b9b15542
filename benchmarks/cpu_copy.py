# How long the CPU target takes to copy an array.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copy 1 Mi int32 by blocks of 128 threads with 4 items each, on the CPU, checker on.

Usage: python benchmarks/cpu_copy.py
Prints the best of three runs for each algorithm; exits with 1 if one takes more than two seconds.
"""

from __future__ import annotations

import sys
import time

import coop_mlir as coop
import numpy as np
from coop_mlir import cpu
from numba_cuda_mlir import cuda

COUNT = 1 << 20
THREADS, ITEMS = 128, 4
LIMIT = 2.0
ALGORITHMS = (
    "direct",
    "striped",
    "vectorize",
    "transpose",
    "warp_transpose",
    "warp_transpose_timesliced",
)


def copy_by(algorithm):
    """Make the kernel that copies by an algorithm."""

    def copy(source, destination, count):
        block = coop.this_block()
        items = coop.ThreadData(ITEMS)
        start = cuda.blockIdx.x * THREADS * ITEMS
        valid = min(count - start, THREADS * ITEMS)
        coop.load(block, source, items, algorithm=algorithm, offset=start, valid_items=valid)
        coop.store(block, destination, items, algorithm=algorithm, offset=start, valid_items=valid)

    return copy


def seconds(kernel, check) -> float:
    """Return the time of a launch, without compilation."""
    source = np.arange(COUNT, dtype=np.int32)
    times = []
    for _ in range(4):  # The first one compiles.
        destination = np.zeros_like(source)
        start = time.perf_counter()
        grid = COUNT // (THREADS * ITEMS)
        cpu.launch(kernel, grid, THREADS, source, destination, np.int64(COUNT), check=check)
        times.append(time.perf_counter() - start)
        assert np.array_equal(source, destination)
    return min(times[1:])


def main() -> int:
    """Run the benchmark."""
    slowest = 0.0
    for algorithm in ALGORITHMS:
        kernel = copy_by(algorithm)
        checked, unchecked = seconds(kernel, True), seconds(kernel, False)
        slowest = max(slowest, checked)
        print(
            f"{algorithm:26} {checked * 1e3:7.1f} ms, {unchecked * 1e3:7.1f} ms without the checker"
        )
    return int(slowest > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
