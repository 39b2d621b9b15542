# The benchmarks, as far as they go without a GPU.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The benchmarks, as far as they go without a GPU: what they compile, count and print."""

from __future__ import annotations

import ctypes
import json
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")
sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))

import algorithm_sweep
import copies
import copy_bandwidth
import instruction_counts
import scratch_throughput
import timing
from coop_mlir import CoopError, cpu
from coop_mlir._cub import disassemble
from numba_cuda_mlir import cuda

CC = (9, 0)


@pytest.fixture
def disassembler():
    try:
        disassemble.find_disassembler()
    except CoopError as error:
        pytest.skip(str(error))


# -- without a GPU, as users run them ----------------------------------------


@pytest.mark.parametrize("scope, saved", [("block", 1), ("warp", 0)])
def test_S3_fewer_barriers_than_behind_each_call(disassembler, scope, saved):
    config = scratch_throughput.Config(scope, "int32", 4, 128)
    rows = {v: scratch_throughput.inspect(config, v, CC) for v in scratch_throughput.VERSIONS}
    assert rows["ours"]["barriers_inserted"] == rows["auto_sync"]["barriers_inserted"] == 3
    assert rows["trailing"]["bar_sync"] - rows["ours"]["bar_sync"] == saved
    assert rows["per_call_trailing"]["bar_sync"] == rows["trailing"]["bar_sync"]
    assert rows["ours"]["scratch_bytes"] == rows["trailing"]["scratch_bytes"]
    assert rows["per_call"]["scratch_bytes"] == 4 * rows["ours"]["scratch_bytes"]


def test_parts_and_whole_collectives(disassembler):
    config = copies.Config("transpose", "int32", 128, 4)
    parts = instruction_counts.count(config, "parts", CC)
    with instruction_counts.whole_collectives():
        whole = instruction_counts.count(config, "whole", CC)
    assert parts.block_barriers == whole.block_barriers - 1
    assert parts.scratch_bytes < whole.scratch_bytes
    assert 0 < parts.registers <= 255 and 0 < whole.registers <= 255
    assert parts.calls_and_local == whole.calls_and_local == 0


def test_a_wrapper_of_other_parts_is_not_counted_as_whole():
    with (
        instruction_counts.whole_collectives(),
        pytest.raises(Exception, match="does not have the parts that are known"),
    ):
        config = copies.Config("warp_transpose", "int32", 128, 4)
        instruction_counts.count(config, "whole", CC)


def test_the_sweep_compiles_a_set_in_other_processes(tmp_path, capsys):
    file = tmp_path / "result.json"
    words = ["--sizes", "4", "--items", "4", "--workers", "1", "--json", str(file)]
    assert copy_bandwidth.main(["algorithms", "--dry-run", *words]) == 0
    result = json.loads(file.read_text())
    count = len(copies.ALGORITHMS)
    assert result["kernels"] == 2 * count and not result["refused"] and not result["failed"]
    assert {row["algorithm"] for row in result["results"]} == set(copies.ALGORITHMS)
    assert all(row["cubin_bytes"] > 0 for row in result["results"])
    assert f"{count} of {2 * count} kernels" in capsys.readouterr().out


def test_the_sweep_has_all_sizes_items_and_blocks():
    options = copy_bandwidth._parser().parse_args(["algorithms"])
    work = algorithm_sweep.sets(options)
    assert [np.dtype(d).itemsize for d in algorithm_sweep.DTYPES.values()] == [1, 2, 4, 8, 16]
    assert len(work) == 5 * 10 * 2
    assert all([c.algorithm for c in configs] == list(copies.ALGORITHMS) for configs in work)


def test_a_worker_that_ends_is_an_error():
    plan = algorithm_sweep.Plan(0, 1, 1, CC)
    with (
        algorithm_sweep._workers(plan, [[]], 1) as (worker,),
        pytest.raises(RuntimeError, match="a worker ended by -15"),
    ):
        assert worker.ask() == ({}, {})
        worker._process.terminate()
        worker.ask("measure")


# -- what a GPU would run, on stand-ins ----------------------------------------


class Array(np.ndarray):
    """An array in the place of one of the device."""

    def copy_to_host(self):
        return np.array(self)

    @property
    def device_ctypes_pointer(self):
        return ctypes.c_void_p(self.ctypes.data)


def _ok(action):
    def call(*args):
        action(*args[:-1])
        return (SimpleNamespace(value=0, name="CUDA_SUCCESS"),)

    return call


def _launcher(kernel, blocks, threads):
    """Return what launches a kernel on the CPU."""

    def launch(*args):
        plain = [a.view(np.ndarray) if isinstance(a, Array) else a for a in args]
        cpu.launch(kernel, blocks, threads, *plain)

    return launch


@pytest.fixture
def on_cpu(monkeypatch):
    """Let the benchmarks find NumPy and the CPU target where they look for a GPU."""
    driver = SimpleNamespace(
        cuMemcpyDtoDAsync=_ok(ctypes.memmove), cuMemsetD8Async=_ok(ctypes.memset)
    )

    def seconds(job, launches):
        start = time.perf_counter()
        for _ in range(launches):
            job()
        return (time.perf_counter() - start) / launches

    monkeypatch.setattr(cuda, "to_device", lambda array: array.copy().view(Array))
    monkeypatch.setattr(cuda, "device_array", lambda n, dtype: np.zeros(n, dtype).view(Array))
    monkeypatch.setattr(copies, "driver", lambda: driver)
    monkeypatch.setattr(copies, "launcher", _launcher)
    monkeypatch.setattr(timing, "seconds", seconds)
    monkeypatch.setattr(timing, "gpu_name", lambda: "a stand-in")


SMALL = ["--rounds", "3", "--json"]


def test_bandwidth_of_copies(on_cpu, tmp_path, capsys):
    file = tmp_path / "result.json"
    words = ["--bytes", "16384", "--dtypes", "int32", "--algorithms", "direct", "striped"]
    assert copy_bandwidth.main(["bandwidth", *words, "--launches", "1", *SMALL, str(file)]) == 0
    rows = json.loads(file.read_text())["results"]
    assert [row["algorithm"] for row in rows] == ["direct", "striped"]
    assert all(row["gb_per_s"] > 0 and row["ratio_to_memcpy"] > 0 for row in rows)
    assert "a stand-in" in capsys.readouterr().out


def test_a_copy_that_is_wrong_is_no_result(on_cpu):
    buffers = copies.Buffers(4096)
    source, destination = buffers.arrays("uint8")

    def copied(count):
        destination[:count] = source[:count]

    assert buffers.checked(lambda: copied(4000), 4000, "right")
    with pytest.raises(AssertionError, match="short copied wrongly"):
        buffers.checked(lambda: copied(3999), 4000, "short")
    with pytest.raises(AssertionError, match="long wrote past its end"):
        buffers.checked(lambda: copied(4001), 4000, "long")


def test_throughput_of_scratch(on_cpu, tmp_path, capsys):
    file = tmp_path / "result.json"
    words = ["--bytes", "16384", "--payloads", "int32:4", "--launches", "1", *SMALL, str(file)]
    scratch_throughput.main(words)
    result = json.loads(file.read_text())
    assert len(result["results"]) == 2 * len(scratch_throughput.VERSIONS)
    for row in result["results"]:
        speed = row["speed_to_base"]
        assert 0 < speed["least"] <= speed["median"] <= speed["most"]
        assert row["version"] != "trailing" or speed["median"] == 1
    printed = capsys.readouterr().out
    assert "times as fast as trailing" in printed


def test_sweep_of_algorithms(on_cpu, monkeypatch, capsys):
    plan = algorithm_sweep.Plan(16384, 3, 1)
    work = [[copies.Config(a, d, 128, 4) for a in copies.ALGORITHMS] for d in ("int32", "int64")]
    work[1][0] = copies.Config("direct", "int24", 128, 4)
    share = algorithm_sweep._Share(plan, work)
    rows = share.measure()
    assert len(rows) == 2 * len(copies.ALGORITHMS) - 1 and list(share.failed) == [
        "direct int24 128x4"
    ]
    best = [row for row in rows if row["ratio_to_best"] == 1]
    assert {row["dtype"] for row in best} == {"int32", "int64"}
    assert all(0 < row["ratio_to_best"] <= 1 and row["ratio_to_memcpy"] > 0 for row in rows)
    algorithm_sweep.show(
        {
            "gpu": "x",
            "results": rows,
            "kernels": len(rows) + 1,
            "refused": {},
            "failed": share.failed,
        }
        | {"seconds_compiling": 1, "seconds_measuring": 1}
    )
    printed = capsys.readouterr().out
    assert "int64 128x4" in printed and printed.count("*") == len(best)
