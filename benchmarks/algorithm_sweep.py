# Which algorithm copies fastest, by type, items and block.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which algorithm copies fastest, by type, items and block: ``copy_bandwidth.py algorithms``.

Processes share the kernels and compile them side by side. When all are done they measure one after
the other, with the machine otherwise at rest. All algorithms for one type, number of items and
block are of one process and take turns there with the driver's copy.

``--dry-run`` compiles the first such set without a GPU and runs it on the CPU target, in the same
processes.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import product
from multiprocessing import get_context

import coop_mlir as coop
import numpy as np
import timing
from coop_mlir import cpu
from copies import Buffers, Config, make_kernel
from numba_cuda_mlir import types

__all__ = ["add_options", "measure", "show"]

#: A type of each size; those that coop does not know are left out, with its reason.
DTYPES = {1: "int8", 2: "int16", 4: "int32", 8: "int64", 16: "complex128"}
ITEMS = (1, 2, 3, 4, 5, 7, 8, 11, 16, 32)
THREADS = (128, 256)
MOST_WORKERS = 16


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this mode."""
    add = parser.add_argument_group("for algorithms").add_argument
    add("--sizes", nargs="+", type=int, choices=DTYPES, default=list(DTYPES), help="of elements")
    add("--items", nargs="+", type=int, default=ITEMS)
    add("--threads", nargs="+", type=int, default=THREADS)
    add("--sweep-bytes", type=int, default=1 << 28, help="size of the array (default 256 MiB)")
    add("--sweep-launches", type=int, default=5, help="launches between two events")
    add("--workers", type=int, default=min(os.cpu_count() or 1, MOST_WORKERS))
    add("--dry-run", action="store_true", help="compile one set of kernels and run it on the CPU")


def sets(options) -> list[list[Config]]:
    """Return for each type, number of items and block the copies by all algorithms."""
    return [
        [Config(algorithm, DTYPES[size], threads, items) for algorithm in options.algorithms]
        for size, items, threads in product(options.sizes, options.items, options.threads)
    ]


def measure(options) -> dict:
    """Measure all algorithms for all types, items and blocks."""
    work = sets(options)
    total = sum(map(len, work))
    if options.dry_run:
        work = work[:1]
    plan = Plan(
        options.sweep_bytes,
        options.rounds,
        options.sweep_launches,
        tuple(options.cc) if options.dry_run else None,
    )
    start = time.perf_counter()
    with _workers(plan, work, options.workers) as workers:
        left_out = [worker.ask() for worker in workers]
        compiled = time.perf_counter()
        answers = [answer for worker in workers for answer in worker.ask("measure")]
    return {
        "mode": "algorithms",
        "gpu": None if options.dry_run else timing.gpu_name(),
        **asdict(plan),
        "kernels": total,
        "seconds_compiling": compiled - start,
        "seconds_measuring": time.perf_counter() - compiled,
        "refused": {name: why for refused, _ in left_out for name, why in refused.items()},
        "failed": {name: why for _, failed in left_out for name, why in failed.items()},
        "results": sorted(answers, key=lambda row: list(map(row.get, ("dtype", *_PLACE)))),
    }


_PLACE = ("threads", "items", "algorithm")


@dataclass(frozen=True)
class Plan:
    """How a worker measures.

    Attributes
    ----------
    bytes : int
        The size of the arrays.
    rounds, launches : int
        How often, and how many launches between two events.
    cc : tuple of int or None
        For a dry run, the compute capability to compile for.
    """

    bytes: int
    rounds: int
    launches: int
    cc: tuple[int, int] | None = None


# ---------------------------------------------------------------------------
# Processes
# ---------------------------------------------------------------------------


class _Worker:
    """A process that compiles its share of the kernels and measures it when told to."""

    def __init__(self, plan: Plan, work: list[list[Config]]):
        context = get_context("spawn")  # A fork would share the parent's use of CUDA.
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, plan, work), daemon=True)
        self._process.start()
        theirs.close()

    def ask(self, question: str | None = None):
        """Return the process's next answer, to a question if one is given."""
        try:
            if question is not None:
                self._pipe.send(question)
            failed, answer = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            raise RuntimeError(f"a worker ended by {self._process.exitcode}") from None
        if failed:
            raise RuntimeError(f"a worker failed:\n{answer}")
        return answer

    def stop(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.join()


@contextmanager
def _workers(plan: Plan, work: list[list[Config]], count: int) -> Iterator[list[_Worker]]:
    """Start workers with shares of the work, and end them."""
    shares = [share for n in range(count) if (share := work[n::count])]
    workers: list[_Worker] = []
    try:
        workers += [_Worker(plan, share) for share in shares]
        yield workers
    finally:
        for worker in workers:
            worker.stop()


def _work(pipe, plan: Plan, work: list[list[Config]]) -> None:
    """Compile, tell what was refused, wait for the word, measure."""
    import traceback

    try:
        share = _Share(plan, work)
        pipe.send((False, (share.refused, share.failed)))
        pipe.recv()
        pipe.send((False, share.measure()))
    except Exception:
        pipe.send((True, traceback.format_exc()))


class _Share:
    """The kernels of one process.

    Attributes
    ----------
    refused : dict of str to str
        Why coop refuses a kernel: those of types that it doesn't know.
    failed : dict of str to str
        What else went wrong with a kernel; the others are measured all the same.
    """

    def __init__(self, plan: Plan, work: list[list[Config]]):
        self._plan = plan
        self._buffers = Buffers(plan.bytes) if plan.cc is None else None
        self.refused: dict[str, str] = {}
        self.failed: dict[str, str] = {}
        self._jobs = [jobs for configs in work if (jobs := self._compile(configs))]

    def _compile(self, configs: list[Config]) -> dict[Config, Callable]:
        make = self._buffers.job if self._buffers else self._without_gpu
        jobs: dict[Config, Callable] = {}
        for config in configs:
            try:
                jobs[config] = make(config)
            except coop.CoopTypingError as error:
                self.refused[str(config)] = str(error).partition("\n")[0]
            except Exception as error:
                self.failed[str(config)] = f"{type(error).__name__}: {error}"
        return jobs

    def _without_gpu(self, config: Config) -> Callable:
        """Compile a kernel and check it on the CPU."""
        kernel, dtype = make_kernel(config), np.dtype(config.dtype)
        count = 2 * config.threads * config.items - 1
        source = np.arange(count * dtype.itemsize, dtype=np.uint8).view(dtype)
        destination = np.zeros_like(source)
        cpu.launch(kernel, 2, config.threads, source, destination, np.int64(count))
        if source.tobytes() != destination.tobytes():
            raise AssertionError(f"{config} copied wrongly")
        array = types.Array(getattr(types, config.dtype), 1, "C")
        signature = [array, array, types.int64]
        result = coop.compile(kernel, signature, block=config.threads, cc=self._plan.cc)
        return lambda: len(result.cubin)

    def measure(self) -> list[dict]:
        """Return a row for each kernel."""
        measure = self._times if self._buffers else self._sizes
        return [row for jobs in self._jobs for row in measure(jobs)]

    def _times(self, jobs: dict[Config, Callable]) -> Iterator[dict]:
        named = {"memcpy": self._buffers.memcpy} | {str(config): jobs[config] for config in jobs}
        times = timing.take_turns(named, self._plan.rounds, self._plan.launches)
        rates = {
            config: 2e-9
            * self._buffers.count(config)
            * np.dtype(config.dtype).itemsize
            / statistics.median(times[str(config)])
            for config in jobs
        }
        memcpy = 2e-9 * self._plan.bytes / statistics.median(times["memcpy"])
        for config, rate in rates.items():
            yield asdict(config) | {
                "gb_per_s": rate,
                "ratio_to_memcpy": rate / memcpy,
                "ratio_to_best": rate / max(rates.values()),
                "spread": timing.spread(times[str(config)]),
            }

    def _sizes(self, jobs: dict[Config, Callable]) -> Iterator[dict]:
        for config, job in jobs.items():
            yield asdict(config) | {"cubin_bytes": job()}


# ---------------------------------------------------------------------------


def show(result: dict) -> None:
    """Print for each type, block and number of items how good the algorithms are."""
    print(
        f"{result['gpu'] or 'no GPU'}: {len(result['results'])} of {result['kernels']} kernels, "
        f"{len(result['refused'])} refused, {len(result['failed'])} failed, "
        f"{result['seconds_compiling']:.0f} s to compile, "
        f"{result['seconds_measuring']:.0f} s to measure"
    )
    for why in sorted(set(result["refused"].values())):
        print(f"refused: {why}")
    for name, why in result["failed"].items():
        print(f"failed: {name}: {why}")
    if result["gpu"] is None:
        for row in result["results"]:
            config = Config(row["algorithm"], row["dtype"], row["threads"], row["items"])
            print(f"{config!s:44}{row['cubin_bytes']:8} bytes of cubin")
        return
    names = list(dict.fromkeys(row["algorithm"] for row in result["results"]))
    print(f"{'':22}" + "".join(f"{name.replace('warp_transpose', 'wt'):>16}" for name in names))
    rows: dict[str, dict[str, dict]] = {}
    for row in result["results"]:
        place = f"{row['dtype']} {row['threads']}x{row['items']}"
        rows.setdefault(place, {})[row["algorithm"]] = row
    for place, found in rows.items():
        print(f"{place:22}" + "".join(_share(found.get(name)) for name in names))


def _share(row: dict | None) -> str:
    """Show a part of memcpy's rate; a star marks the best of a line."""
    if row is None:
        return f"{'-':>16}"
    return f"{row['ratio_to_memcpy']:15.1%}" + ("*" if row["ratio_to_best"] == 1 else " ")
