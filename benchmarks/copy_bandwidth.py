# Bandwidth of guarded tile copies, by algorithm too, and where compile time goes.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bandwidth of guarded tile copies against the driver's copy, and where compile time goes.

    python copy_bandwidth.py bandwidth [--json FILE]              needs a GPU
    python copy_bandwidth.py algorithms [--json FILE]             needs a GPU; see algorithm_sweep
    python copy_bandwidth.py algorithms --dry-run [--json FILE]   needs none
    python copy_bandwidth.py compile [--json FILE]                needs none

Bandwidth counts each byte read and each byte written. Kernels and cuMemcpyDtoDAsync take turns;
how they are timed is written in ``timing``.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from unittest import mock

import algorithm_sweep
import coop_mlir as coop
import numpy as np
import timing
from copies import ALGORITHMS, Buffers, Config, make_kernel
from numba_cuda_mlir import types

DTYPES = ("int8", "int16", "int32", "int64", "float32", "float64")


def configs(algorithms, dtypes) -> list[Config]:
    """Return each algorithm and type at 128x4, and the int32 transposes at 256x16."""
    made = [Config(algorithm, dtype, 128, 4) for dtype in dtypes for algorithm in algorithms]
    wide = [a for a in ("transpose", "warp_transpose") if a in algorithms and "int32" in dtypes]
    return made + [Config(algorithm, "int32", 256, 16) for algorithm in wide]


# ---------------------------------------------------------------------------
# Bandwidth
# ---------------------------------------------------------------------------


def measure_bandwidth(options) -> dict:
    buffers = Buffers(options.bytes)
    jobs: dict[str, Callable[[], None]] = {"memcpy": buffers.memcpy}
    chosen = configs(options.algorithms, options.dtypes)
    for number, config in enumerate(chosen):
        print(f"\rcompiling {number + 1} of {len(chosen)}", end="", file=sys.stderr)
        jobs[str(config)] = buffers.job(config)
    print("\r", end="", file=sys.stderr)
    seconds = timing.take_turns(jobs, options.rounds, options.launches)
    moved = {"memcpy": 2 * options.bytes} | {
        str(c): 2 * buffers.count(c) * np.dtype(c.dtype).itemsize for c in chosen
    }
    rates = {name: moved[name] / statistics.median(times) / 1e9 for name, times in seconds.items()}
    return {
        "mode": "bandwidth",
        "gpu": timing.gpu_name(),
        "bytes": options.bytes,
        "rounds": options.rounds,
        "launches": options.launches,
        "memcpy_gb_per_s": rates["memcpy"],
        "results": [_row(config, rates, seconds) for config in chosen],
    }


def _row(config: Config, rates: dict[str, float], seconds: dict[str, list[float]]) -> dict:
    times, rate = seconds[str(config)], rates[str(config)]
    return asdict(config) | {
        "gb_per_s": rate,
        "ratio_to_memcpy": rate / rates["memcpy"],
        "spread": timing.spread(times),
    }


def print_bandwidth(result: dict) -> None:
    print(
        f"{result['gpu']}, {result['bytes'] / 2**20:.0f} MiB, "
        f"median of {result['rounds']} rounds of {result['launches']}"
    )
    print(f"{'memcpy':44}{result['memcpy_gb_per_s']:8.0f} GB/s")
    for row in result["results"]:
        name = str(Config(row["algorithm"], row["dtype"], row["threads"], row["items"]))
        print(
            f"{name:44}{row['gb_per_s']:8.0f} GB/s  {row['ratio_to_memcpy']:6.1%} of memcpy, "
            f"spread {row['spread']:.1%}"
        )


# ---------------------------------------------------------------------------
# Compile time
# ---------------------------------------------------------------------------

# What is timed: a name, the module, and the function in it. A time is that of the function less
# those inside it.
_STAGES = (
    ("host, LLVM and link", "numba_cuda_mlir.mlir_optimization", "optimize"),
    ("coop passes", "coop_mlir._compile.pipeline", "run"),
    ("to our MLIR", "coop_mlir._compile.bridge", "export_module"),
    ("back to the host", "coop_mlir._compile.bridge", "import_module"),
    ("find headers", "coop_mlir._cub.headers", "resolve"),
    ("NVRTC", "coop_mlir._cub.nvrtc", "compile_source"),
)
_REST = "host front end"


def measure_compilation(options) -> dict:
    """Compile one kernel in several states of the caches."""
    from coop_mlir._cub import provider

    algorithm = "transpose" if "transpose" in options.algorithms else options.algorithms[0]
    first, second, third = (Config(algorithm, "int32", 128, items) for items in (4, 5, 6))
    states = [
        ("first kernel of the process", first, False),
        ("second: makes the precompiled header", second, False),
        ("third: uses the precompiled header", third, False),
        ("the same again: wrappers from memory", third, True),
    ]
    results = []
    for state, config, keep in states:
        if not keep:
            provider.clear()
        results.append(
            {
                "state": state,
                "kernel": str(config),
                "milliseconds": _stage_times(config, options.cc),
            }
        )
    return {"mode": "compile", "cc": list(options.cc), "results": results}


def _stage_times(config: Config, cc: tuple[int, int]) -> dict[str, float]:
    array = types.Array(getattr(types, config.dtype), 1, "C")
    clock = _StageClock()
    with clock.patched(), clock.stage(_REST):
        coop.compile(make_kernel(config), [array, array, types.int64], block=config.threads, cc=cc)
    return {
        name: clock.seconds.get(name, 0.0) * 1e3
        for name in (_REST, *(stage for stage, *_ in _STAGES))
    }


class _StageClock:
    """Charges time to the innermost stage that runs."""

    def __init__(self):
        self.seconds: dict[str, float] = {}
        self._stack: list[str] = []
        self._since = 0.0

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self._charge()
        self._stack.append(name)
        try:
            yield
        finally:
            self._charge()
            self._stack.pop()

    def _charge(self) -> None:
        now = time.perf_counter()
        if self._stack:
            self.seconds[self._stack[-1]] = (
                self.seconds.get(self._stack[-1], 0.0) + now - self._since
            )
        self._since = now

    @contextmanager
    def patched(self) -> Iterator[None]:
        """Time the functions of `_STAGES` while the body runs."""
        import importlib

        with ExitStack() as stack:
            for name, module, function in _STAGES:
                owner = importlib.import_module(module)
                stack.enter_context(
                    mock.patch.object(owner, function, self._timed(name, getattr(owner, function)))
                )
            yield

    def _timed(self, name: str, function: Callable) -> Callable:
        def timed(*args, **kwargs):
            with self.stage(name):
                return function(*args, **kwargs)

        return timed


def print_compilation(result: dict) -> None:
    for row in result["results"]:
        total = sum(row["milliseconds"].values())
        print(f"{row['state']} ({row['kernel']}): {total:.0f} ms")
        for stage, milliseconds in row["milliseconds"].items():
            print(f"    {stage:24}{milliseconds:8.1f} ms")


# ---------------------------------------------------------------------------


def main(argv=None) -> int:
    options = _parser().parse_args(argv)
    measure, show = {
        "bandwidth": (measure_bandwidth, print_bandwidth),
        "algorithms": (algorithm_sweep.measure, algorithm_sweep.show),
        "compile": (measure_compilation, print_compilation),
    }[options.mode]
    result = measure(options)
    show(result)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(result, file, indent=2)
    return 1 if result.get("failed") else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("mode", nargs="?", choices=("bandwidth", "algorithms", "compile"), default="bandwidth")
    add("--json", metavar="FILE", help="write the result there too")
    add("--bytes", type=int, default=1 << 30, help="size of the array (default 1 GiB)")
    add("--rounds", type=int, default=7)
    add("--launches", type=int, default=10, help="launches between two events")
    add("--algorithms", nargs="+", choices=ALGORITHMS, default=ALGORITHMS)
    add("--dtypes", nargs="+", choices=DTYPES, default=DTYPES, help="for bandwidth")
    add(
        "--cc",
        type=lambda text: tuple(map(int, text.split("."))),
        default=(9, 0),
        help="for compile and --dry-run (default 9.0)",
    )
    algorithm_sweep.add_options(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
