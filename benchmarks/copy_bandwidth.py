# Bandwidth of guarded tile copies against the driver's copy, and where compile time goes.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bandwidth of guarded tile copies against the driver's copy, and where compile time goes.

    python copy_bandwidth.py bandwidth [--json FILE]    needs a GPU
    python copy_bandwidth.py compile [--json FILE]      needs none

Bandwidth counts each byte read and each byte written. Kernels and cuMemcpyDtoDAsync take turns on one stream, round after
round, so that a change of clocks meets all alike; a result is the median of the rounds. Before the clock starts a launch
of the same kind keeps the stream busy, so the host's launch time is not measured.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from unittest import mock

import coop_mlir as coop
import numpy as np
from numba_cuda_mlir import cuda, types

coop.register("numba-cuda-mlir")

ALGORITHMS = (
    "direct",
    "striped",
    "vectorize",
    "transpose",
    "warp_transpose",
    "warp_transpose_timesliced",
)
DTYPES = ("int8", "int16", "int32", "int64", "float32", "float64")


@dataclass(frozen=True)
class Config:
    """A copy kernel: block size and items per thread."""

    algorithm: str
    dtype: str
    threads: int
    items: int

    def __str__(self) -> str:
        return f"{self.algorithm} {self.dtype} {self.threads}x{self.items}"


def configs(algorithms, dtypes) -> list[Config]:
    """Return each algorithm and type at 128x4, and the int32 transposes at 256x16."""
    made = [Config(algorithm, dtype, 128, 4) for dtype in dtypes for algorithm in algorithms]
    wide = [a for a in ("transpose", "warp_transpose") if a in algorithms and "int32" in dtypes]
    return made + [Config(algorithm, "int32", 256, 16) for algorithm in wide]


def make_kernel(config: Config) -> Callable:
    """Return a guarded copy of one tile a block."""
    algorithm, items_per_thread, tile = (
        config.algorithm,
        config.items,
        config.threads * config.items,
    )

    def copy(source, destination, count):
        block = coop.this_block()
        items = coop.ThreadData(items_per_thread)
        start = cuda.blockIdx.x * tile
        valid = min(tile, count - start)
        coop.load(
            block,
            source,
            items,
            algorithm=algorithm,
            offset=start,
            valid_items=valid,
            oob_default=0,
        )
        coop.store(block, destination, items, algorithm=algorithm, offset=start, valid_items=valid)

    return copy


# ---------------------------------------------------------------------------
# Bandwidth
# ---------------------------------------------------------------------------


def measure_bandwidth(options) -> dict:
    from cuda.bindings import driver

    buffers = _Buffers(options.bytes)
    jobs: dict[str, Callable[[], None]] = {
        "memcpy": lambda: _done(driver.cuMemcpyDtoDAsync(*buffers.memcpy_arguments, 0))
    }
    chosen = configs(options.algorithms, options.dtypes)
    for number, config in enumerate(chosen):
        print(f"\rcompiling {number + 1} of {len(chosen)}", end="", file=sys.stderr)
        jobs[str(config)] = buffers.job(config)
    print("\r", end="", file=sys.stderr)
    seconds = {name: [] for name in jobs}
    for _ in range(options.rounds):
        for name, job in jobs.items():
            seconds[name].append(_seconds(job, options.launches))
    moved = {"memcpy": 2 * options.bytes} | {
        str(c): 2 * buffers.count(c) * np.dtype(c.dtype).itemsize for c in chosen
    }
    rates = {name: moved[name] / statistics.median(times) / 1e9 for name, times in seconds.items()}
    return {
        "mode": "bandwidth",
        "gpu": _gpu_name(),
        "bytes": options.bytes,
        "rounds": options.rounds,
        "launches": options.launches,
        "memcpy_gb_per_s": rates["memcpy"],
        "results": [_row(config, rates, seconds) for config in chosen],
    }


def _row(config: Config, rates: dict[str, float], seconds: dict[str, list[float]]) -> dict:
    times, rate = seconds[str(config)], rates[str(config)]
    spread = (max(times) - min(times)) / statistics.median(times)
    return asdict(config) | {
        "gb_per_s": rate,
        "ratio_to_memcpy": rate / rates["memcpy"],
        "spread": spread,
    }


class _Buffers:
    """Source and destination, seen as arrays of any type."""

    def __init__(self, size: int):
        self.size = size
        pattern = np.random.default_rng(0).integers(0, 256, min(size, 1 << 26), dtype=np.uint8)
        self._source = cuda.to_device(np.resize(pattern, size))
        self._destination = cuda.device_array(size, np.uint8)

    @property
    def memcpy_arguments(self):
        return (
            self._destination.device_ctypes_pointer.value,
            self._source.device_ctypes_pointer.value,
            self.size,
        )

    def count(self, config: Config) -> int:
        """All elements but one: the last tile is partial."""
        return self.size // np.dtype(config.dtype).itemsize - 1

    def job(self, config: Config) -> Callable[[], None]:
        """Compile a kernel, check its copy, and return its launch."""
        count = self.count(config)
        blocks = -(-count // (config.threads * config.items))
        arguments = (
            self._source.view(config.dtype),
            self._destination.view(config.dtype),
            np.int64(count),
        )
        launch = cuda.jit(make_kernel(config))[blocks, config.threads]
        self._clear()
        launch(*arguments)
        self._check(config, count)
        return lambda: launch(*arguments)

    def _clear(self) -> None:
        from cuda.bindings import driver

        _done(driver.cuMemsetD8Async(self.memcpy_arguments[0], 0xA5, self.size, 0))

    def _check(self, config: Config, count: int) -> None:
        """Compare both ends; the element past the count must be as it was."""
        written, part = count * np.dtype(config.dtype).itemsize, 1 << 20
        for where in (slice(0, part), slice(max(written - part, 0), written)):
            if (
                self._source[where].copy_to_host() != self._destination[where].copy_to_host()
            ).any():
                raise AssertionError(f"{config} copied wrongly")
        if (self._destination[written:].copy_to_host() != 0xA5).any():
            raise AssertionError(f"{config} wrote past its end")


def _seconds(job: Callable[[], None], launches: int) -> float:
    """Return the time of one launch, from CUDA events around several."""
    begin, end = cuda.event(), cuda.event()
    job()  # keeps the stream busy while the host runs ahead
    begin.record()
    for _ in range(launches):
        job()
    end.record()
    end.synchronize()
    return cuda.event_elapsed_time(begin, end) / 1e3 / launches


def _done(result: tuple) -> None:
    if result[0].value:
        raise RuntimeError(f"the CUDA driver failed: {result[0].name}")


def _gpu_name() -> str:
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else name


def print_bandwidth(result: dict) -> None:
    print(
        f"{result['gpu']}, {result['bytes'] / 2**20:.0f} MiB, median of {result['rounds']} rounds of {result['launches']}"
    )
    print(f"{'memcpy':44}{result['memcpy_gb_per_s']:8.0f} GB/s")
    for row in result["results"]:
        name = str(Config(row["algorithm"], row["dtype"], row["threads"], row["items"]))
        print(
            f"{name:44}{row['gb_per_s']:8.0f} GB/s  {row['ratio_to_memcpy']:6.1%} of memcpy, spread {row['spread']:.1%}"
        )


# ---------------------------------------------------------------------------
# Compile time
# ---------------------------------------------------------------------------

# What is timed: a name, the module, and the function in it. A time is that of the function less those inside it.
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

    coop.register("numba-cuda-mlir")
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


def main(argv=None) -> None:
    options = _parser().parse_args(argv)
    measure, show = {
        "bandwidth": (measure_bandwidth, print_bandwidth),
        "compile": (measure_compilation, print_compilation),
    }[options.mode]
    result = measure(options)
    show(result)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(result, file, indent=2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mode", nargs="?", choices=("bandwidth", "compile"), default="bandwidth")
    parser.add_argument("--json", metavar="FILE", help="write the result there too")
    parser.add_argument(
        "--bytes", type=int, default=1 << 30, help="size of the array (default 1 GiB)"
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--launches", type=int, default=10, help="launches between two events")
    parser.add_argument("--algorithms", nargs="+", choices=ALGORITHMS, default=ALGORITHMS)
    parser.add_argument("--dtypes", nargs="+", choices=DTYPES, default=DTYPES)
    parser.add_argument(
        "--cc",
        type=lambda text: tuple(map(int, text.split("."))),
        default=(9, 0),
        help="for compile (default 9.0)",
    )
    return parser


if __name__ == "__main__":
    main()
