# What a launch of a kernel without coop costs on the host, with and without coop registered.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a launch of a kernel without coop costs on the host, with and without coop registered.

    python launch_overhead.py [--limit 1.05] [--json FILE]

Two processes, one with coop, launch the same kernels in turns, round after round; a result is the
median of the rounds' ratios. With a GPU the launches are real and a synchronization ends each
round. Without one the native launcher is a stand-in that does nothing, so all that is measured is
the host's Python, which is what coop could slow down. Exits with 1 when a ratio is above the limit.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

CASES = ("the same launcher again", "kernel[grid, block] each time", "a new grid each time")
LAUNCHES = {CASES[0]: 3000, CASES[1]: 3000, CASES[2]: 300}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--limit", type=float, default=1.05, help="largest ratio that is fine")
    parser.add_argument("--rounds", type=int, default=41)
    parser.add_argument("--json", help="write the results to this file")
    parser.add_argument("--worker", choices=("with", "without"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return _work(options.worker == "with")
    results = _measure(options.rounds)
    for case, result in results["cases"].items():
        without, coop, ratio = result["without_us"], result["with_us"], result["ratio"]
        print(f"{case:32} {without:7.2f} us -> {coop:7.2f} us  ratio {ratio:.3f}")
    if results["gpu"]:
        print(f"a kernel with coop, to compare {results['coop_us']:9.2f} us")
    else:
        print("no GPU: a stand-in launches")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=2)
    return int(any(result["ratio"] > options.limit for result in results["cases"].values()))


def _measure(rounds: int) -> dict:
    without, coop = (_Worker(mode) for mode in ("without", "with"))
    cases = {}
    for case in CASES:
        pairs = [_turn(without, coop, case, number) for number in range(rounds)]
        cases[case] = {
            "without_us": statistics.median(a for a, _ in pairs) * 1e6,
            "with_us": statistics.median(b for _, b in pairs) * 1e6,
            "ratio": statistics.median(b / a for a, b in pairs),
        }
    gpu = without.ask("gpu")
    coop_us = min(coop.ask("coop") for _ in range(rounds)) * 1e6 if gpu else None
    return {"gpu": gpu, "rounds": rounds, "cases": cases, "coop_us": coop_us}


def _turn(without: _Worker, coop: _Worker, case: str, number: int) -> tuple[float, float]:
    """Ask both, each first in half of the rounds."""
    if number % 2:
        return without.ask(case), coop.ask(case)
    second, first = coop.ask(case), without.ask(case)
    return first, second


class _Worker:
    """A process that measures a case when asked."""

    def __init__(self, mode: str):
        command = [sys.executable, __file__, "--worker", mode]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._process = subprocess.Popen(command, text=True, **pipes)

    def ask(self, case: str):
        print(case, file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())


# ---------------------------------------------------------------------------
# In a worker
# ---------------------------------------------------------------------------


def _work(with_coop: bool) -> int:
    from numba_cuda_mlir import cuda
    from numba_cuda_mlir.numba_cuda.core import config

    config.DISABLE_PERFORMANCE_WARNINGS = 1
    gpu = cuda.is_available()
    if with_coop:
        import coop_mlir as coop

        coop.register("numba-cuda-mlir")

    @cuda.jit
    def kernel(a, b):
        pass

    if not gpu:
        _stand_in(kernel)
    synchronize = cuda.synchronize if gpu else lambda: None
    jobs = dict(zip(CASES, _jobs(kernel), strict=True))
    if with_coop and gpu:
        jobs["coop"] = _coop_job(cuda, coop)
    for job in jobs.values():
        _seconds(job, 100, synchronize)
    for line in sys.stdin:
        if (case := line.strip()) == "gpu":
            answer = gpu
        else:
            answer = _seconds(jobs[case], LAUNCHES.get(case, 3000), synchronize)
        print(json.dumps(answer), flush=True)
    return 0


def _jobs(kernel) -> tuple[Callable[[], None], ...]:
    launcher, grids = kernel[128, 128], itertools.count(1)

    def new_grid():
        grid = next(grids) % 60000
        kernel[(grid % 250 + 1, grid // 250 + 1), 128](1, 2)

    return lambda: launcher(1, 2), lambda: kernel[128, 128](1, 2), new_grid


def _coop_job(cuda, coop) -> Callable[[], None]:
    @cuda.jit
    def kernel(a, b):
        coop.this_block().sync()

    return lambda: kernel[128, 128](1, 2)


def _stand_in(kernel) -> None:
    """Compile a kernel, as its first launch would, and replace the launcher that needs a driver."""
    from numba_cuda_mlir import descriptor, tools

    tools._cached_cc = (9, 0)
    kernel.compile("void(int64, int64)")

    class Launcher:
        def __init__(self, *args):
            pass

        def __call__(self, *args):
            pass

    descriptor.LaunchConfiguration = Launcher


def _seconds(job: Callable[[], None], count: int, synchronize: Callable[[], None]) -> float:
    """Return the seconds of one launch."""
    start = time.perf_counter()
    for _ in itertools.repeat(None, count):
        job()
    synchronize()
    return (time.perf_counter() - start) / count


if __name__ == "__main__":
    sys.exit(main())
