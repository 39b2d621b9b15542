# The sweep as a program.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sweep as a program: ``python -m sweep --target gpu --json sweep.json``."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

from .oracle import around_the_limit, refused
from .run import CPU_CC, Summary, run_all
from .space import Kernel, chosen


def all_kernels(size: str, cc: tuple[int, int]) -> list[Kernel]:
    """Return the kernels of a size, and those that are refused."""
    return [*chosen(size), *refused(), *around_the_limit(cc)]


def main(arguments: list[str] | None = None) -> int:
    """Run the sweep; return 1 when there is a fault."""
    parser = argparse.ArgumentParser(prog="sweep", description=__doc__)
    parser.add_argument("--target", choices=("cpu", "gpu"), default="cpu")
    parser.add_argument("--size", default="cover", help="cover, all, or a number of kernels")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--json", type=Path, help="where to write the summary")
    options = parser.parse_args(arguments)
    kernels = all_kernels(options.size, _cc(options.target))
    print(f"{len(kernels)} kernels in {options.processes} processes", flush=True)
    summary, start = Summary(), time.monotonic()
    for outcome in run_all(kernels, options.target, options.processes):
        summary.add(outcome)
        for fault in outcome.faults[:3]:
            print(f"{outcome.kernel}: {fault}", flush=True)
    seconds = round(time.monotonic() - start)
    print(f"{summary}; {seconds} s")
    if options.json:
        facts = {"target": options.target, "size": options.size, "seconds": seconds}
        options.json.write_text(json.dumps(facts | summary.as_dict(), indent=1) + "\n")
    return bool(summary.faults)


def _cc(target: str) -> tuple[int, int]:
    """Return the compute capability that a target compiles for."""
    if target == "cpu":
        return CPU_CC
    from numba_cuda_mlir import cuda

    return tuple(cuda.get_current_device().compute_capability)


if __name__ == "__main__":
    sys.exit(main())
