# What planned scratch and placed barriers are worth on a GPU.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What planned scratch and placed barriers are worth on a GPU.

    python scratch_throughput.py [--json FILE]              needs a GPU
    python scratch_throughput.py --dry-run [--json FILE]    needs none

A kernel loads a tile by transpose, stores it by transpose, and does the same with the next tile:
four calls that use scratch. Its versions differ in who provides scratch and barriers:

* ``ours``: no descriptor; the compiler plans scratch and places barriers.
* ``auto_sync``: one descriptor, whose barriers the compiler places.
* ``trailing``: one descriptor and a barrier of the group behind every call, as is today's practice.
* ``per_call``: scratch of its own for each call, no barrier.
* ``per_call_trailing``: scratch of its own for each call, and a barrier behind it.

The versions of a kernel take turns in one process (see ``timing``); a figure is the median over the
rounds of the ratio of two times of one round, with its extremes. ``--dry-run`` compiles every
kernel, counts the barriers in its machine code and runs it on the CPU target under the checker,
against NumPy.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass

import coop_mlir as coop
import copies
import numpy as np
import timing
from coop_mlir import cpu
from coop_mlir._cub import disassemble
from numba_cuda_mlir import cuda, types

coop.register("numba-cuda-mlir")

BASE = "trailing"


@cuda.jit(device=True)
def sync_block():
    cuda.syncthreads()


@cuda.jit(device=True)
def sync_warp():
    cuda.syncwarp()


SCOPES = {"block": (coop.this_block, sync_block), "warp": (coop.this_warp, sync_warp)}
PAYLOADS = (("int8", 16), ("int16", 8), ("int32", 4), ("int32", 16), ("float64", 4), ("float64", 8))


@dataclass(frozen=True)
class Config:
    """Who calls, and what a thread owns."""

    scope: str
    dtype: str
    items: int
    threads: int

    def __str__(self) -> str:
        return f"{self.scope} {self.dtype} {self.threads}x{self.items}"

    @property
    def tile(self) -> int:
        """Elements of a block's tile."""
        return self.threads * self.items


# ---------------------------------------------------------------------------
# The kernels
# ---------------------------------------------------------------------------


def ours(config: Config) -> Callable:
    """No descriptor."""
    (this_group, _), items_per_thread, tile = SCOPES[config.scope], config.items, config.tile

    def kernel(source, destination):
        group = this_group()
        items = coop.ThreadData(items_per_thread)
        start = cuda.blockIdx.x * 2 * tile
        coop.load(group, source, items, algorithm="transpose", offset=start)
        coop.store(group, destination, items, algorithm="transpose", offset=start)
        start += tile
        coop.load(group, source, items, algorithm="transpose", offset=start)
        coop.store(group, destination, items, algorithm="transpose", offset=start)

    return kernel


def described(config: Config, sharing: str, auto_sync: bool) -> Callable:
    """One descriptor and no barrier of the program."""
    (this_group, _), items_per_thread, tile = SCOPES[config.scope], config.items, config.tile

    def kernel(source, destination):
        group = this_group()
        items = coop.ThreadData(items_per_thread)
        temp = coop.TempStorage(sharing=sharing, auto_sync=auto_sync)
        start = cuda.blockIdx.x * 2 * tile
        coop.load(group, source, items, algorithm="transpose", offset=start, temp_storage=temp)
        coop.store(
            group, destination, items, algorithm="transpose", offset=start, temp_storage=temp
        )
        start += tile
        coop.load(group, source, items, algorithm="transpose", offset=start, temp_storage=temp)
        coop.store(
            group, destination, items, algorithm="transpose", offset=start, temp_storage=temp
        )

    return kernel


def trailing(config: Config, sharing: str) -> Callable:
    """One descriptor and a barrier of the program behind each call."""
    (this_group, sync), items_per_thread, tile = SCOPES[config.scope], config.items, config.tile

    def kernel(source, destination):
        group = this_group()
        items = coop.ThreadData(items_per_thread)
        temp = coop.TempStorage(sharing=sharing)
        start = cuda.blockIdx.x * 2 * tile
        coop.load(group, source, items, algorithm="transpose", offset=start, temp_storage=temp)
        sync()
        coop.store(
            group, destination, items, algorithm="transpose", offset=start, temp_storage=temp
        )
        sync()
        start += tile
        coop.load(group, source, items, algorithm="transpose", offset=start, temp_storage=temp)
        sync()
        coop.store(
            group, destination, items, algorithm="transpose", offset=start, temp_storage=temp
        )
        sync()

    return kernel


VERSIONS: dict[str, Callable[[Config], Callable]] = {
    "ours": ours,
    "auto_sync": lambda config: described(config, "shared", True),
    "trailing": lambda config: trailing(config, "shared"),
    "per_call": lambda config: described(config, "exclusive", False),
    "per_call_trailing": lambda config: trailing(config, "exclusive"),
}


# ---------------------------------------------------------------------------
# With a GPU
# ---------------------------------------------------------------------------


def measure(options) -> dict:
    """Time all versions of all configurations."""
    buffers = copies.Buffers(options.bytes)
    rows = []
    for config in configs(options):
        jobs = {version: _job(config, version, buffers) for version in VERSIONS}
        times = timing.take_turns(jobs, options.rounds, options.launches)
        moved = 2 * (options.bytes // _block_bytes(config)) * _block_bytes(config)
        rows += [_row(config, version, times, moved) for version in VERSIONS]
    return {
        "mode": "throughput",
        "gpu": timing.gpu_name(),
        "bytes": options.bytes,
        "rounds": options.rounds,
        "launches": options.launches,
        "base": BASE,
        "results": rows,
    }


def _row(config: Config, version: str, times: dict[str, list[float]], moved: int) -> dict:
    return asdict(config) | {
        "version": version,
        "gb_per_s": moved / statistics.median(times[version]) / 1e9,
        "spread": timing.spread(times[version]),
        "speed_to_base": timing.ratio(times[BASE], times[version]),
    }


def _job(config: Config, version: str, buffers: copies.Buffers) -> Callable[[], None]:
    """Compile a kernel, check what it copies, and return its launch."""
    blocks = buffers.size // _block_bytes(config)
    launch = copies.launcher(VERSIONS[version](config), blocks, config.threads)
    arguments = buffers.arrays(config.dtype)
    written = blocks * _block_bytes(config)
    return buffers.checked(lambda: launch(*arguments), written, f"{version} of {config}")


def _block_bytes(config: Config) -> int:
    """Return the bytes that a block copies: those of two tiles."""
    return 2 * config.tile * np.dtype(config.dtype).itemsize


def print_throughput(result: dict) -> None:
    """Print the ratios."""
    print(
        f"{result['gpu']}, {result['bytes'] / 2**20:.0f} MiB, median of {result['rounds']} rounds "
        f"of {result['launches']} launches"
    )
    for row in result["results"]:
        speed = row["speed_to_base"]
        print(
            f"{_name(row):44}{row['gb_per_s']:8.0f} GB/s, spread {row['spread']:5.1%}; "
            f"{speed['median']:.3f} of {BASE} ({speed['least']:.3f} to {speed['most']:.3f})"
        )
    for version in VERSIONS:
        if version != BASE:
            speeds = [
                row["speed_to_base"]["median"]
                for row in result["results"]
                if row["version"] == version
            ]
            print(
                f"{version}: {min(speeds):.3f} to {max(speeds):.3f} times as fast as {BASE}, "
                f"median {statistics.median(speeds):.3f}"
            )


def _name(row: dict) -> str:
    return f"{row['scope']} {row['dtype']} {row['threads']}x{row['items']} {row['version']}"


# ---------------------------------------------------------------------------
# Without one
# ---------------------------------------------------------------------------


def dry_run(options) -> dict:
    """Compile all kernels, count their barriers, and run them on the CPU."""
    rows = []
    for config in configs(options):
        for version in VERSIONS:
            print(f"\r{config} {version:30}", end="", file=sys.stderr)
            rows.append(inspect(config, version, options.cc))
    print(f"\r{'':60}\r", end="", file=sys.stderr)
    return {"mode": "dry-run", "cc": list(options.cc), "results": rows}


def inspect(config: Config, version: str, cc: tuple[int, int]) -> dict:
    """Return the scratch and the barriers of a kernel that copies rightly on the CPU."""
    kernel = VERSIONS[version](config)
    _run_on_cpu(kernel, config, version)
    array = types.Array(getattr(types, config.dtype), 1, "C")
    result = coop.compile(kernel, [array, array], block=config.threads, cc=cc)
    code = disassemble.sass(result.cubin)
    return asdict(config) | {
        "version": version,
        "scratch_bytes": result.plan.total,
        "barriers_inserted": len(result.barriers),
        "bar_sync": len(re.findall(r"\bBAR\.SYNC", code)),
        "warpsync": len(re.findall(r"\bWARPSYNC", code)),
    }


def _run_on_cpu(kernel: Callable, config: Config, version: str) -> None:
    blocks = 2
    noise = np.random.default_rng(0).integers(0, 256, blocks * _block_bytes(config), dtype=np.uint8)
    source = noise.view(config.dtype)
    destination = np.zeros_like(source)
    cpu.launch(kernel, blocks, config.threads, source, destination)
    if source.tobytes() != destination.tobytes():
        raise AssertionError(f"{version} of {config} copies wrongly on the CPU")


def print_dry_run(result: dict) -> None:
    """Print scratch and barriers."""
    line = "{:44}{:>14}{:>10}{:>10}{:>10}".format
    print(line("kernel", "scratch bytes", "inserted", "BAR.SYNC", "WARPSYNC"))
    for row in result["results"]:
        numbers = "scratch_bytes", "barriers_inserted", "bar_sync", "warpsync"
        print(line(_name(row), *(row[name] for name in numbers)))


# ---------------------------------------------------------------------------


def configs(options) -> list[Config]:
    """Return the configurations that the options ask for."""
    return [
        Config(scope, dtype, items, options.threads)
        for scope in options.scopes
        for dtype, items in options.payloads
    ]


def main(argv=None) -> None:
    """Run the command line."""
    options = _parser().parse_args(argv)
    run, show = (dry_run, print_dry_run) if options.dry_run else (measure, print_throughput)
    result = run(options)
    show(result)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(result, file, indent=2)


def _payload(text: str) -> tuple[str, int]:
    dtype, _, items = text.partition(":")
    return dtype, int(items)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--dry-run", action="store_true", help="compile, count and run on the CPU only")
    add("--json", metavar="FILE", help="write the result there too")
    add("--bytes", type=int, default=1 << 28, help="size of the array (default 256 MiB)")
    add("--rounds", type=int, default=31)
    add("--launches", type=int, default=5, help="launches between two events")
    add("--threads", type=int, default=128, help="threads of a block (default 128)")
    add("--scopes", nargs="+", choices=SCOPES, default=list(SCOPES))
    add("--payloads", nargs="+", type=_payload, default=PAYLOADS, metavar="DTYPE:ITEMS")
    add(
        "--cc",
        type=lambda text: tuple(map(int, text.split("."))),
        default=(9, 0),
        help="for the dry run (default 9.0)",
    )
    return parser


if __name__ == "__main__":
    main()
