# How the benchmarks time work on a GPU.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the benchmarks time work on a GPU.

Jobs take turns on one stream, round after round, so that a change of clocks meets all alike; a
result is the median of the rounds. Before the clock starts a launch of the same kind keeps the
stream busy, so the host's launch time is not measured.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence

from numba_cuda_mlir import cuda

__all__ = ["done", "gpu_name", "ratio", "seconds", "spread", "take_turns"]


def take_turns(
    jobs: Mapping[str, Callable[[], None]], rounds: int, launches: int
) -> dict[str, list[float]]:
    """Return the seconds of one launch of each job in each round."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            times[name].append(seconds(job, launches))
    return times


def seconds(job: Callable[[], None], launches: int) -> float:
    """Return the time of one launch, from CUDA events around several."""
    begin, end = cuda.event(), cuda.event()
    job()  # keeps the stream busy while the host runs ahead
    begin.record()
    for _ in range(launches):
        job()
    end.record()
    end.synchronize()
    return cuda.event_elapsed_time(begin, end) / 1e3 / launches


def spread(values: Sequence[float]) -> float:
    """Return the distance of the extremes, in medians."""
    return (max(values) - min(values)) / statistics.median(values)


def ratio(base: Sequence[float], times: Sequence[float]) -> dict[str, float]:
    """Return how many times as fast as a base a job is: median and extremes over the rounds."""
    ratios = [a / b for a, b in zip(base, times, strict=True)]
    return {"median": statistics.median(ratios), "least": min(ratios), "most": max(ratios)}


def done(result: tuple) -> None:
    """Raise what the CUDA driver's answer says."""
    if result[0].value:
        raise RuntimeError(f"the CUDA driver failed: {result[0].name}")


def gpu_name() -> str:
    """Return the name of the present GPU."""
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else name
