# Launches of all kinds: shapes, streams, shared bytes, threads and processes.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of all kinds: shapes, streams, shared bytes, threads and processes."""

import json
import multiprocessing
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")

import coop_mlir as coop
from numba_cuda_mlir import cuda, types

coop.register("numba-cuda-mlir")

ITEMS = 4
BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "launch_overhead.py"


def copy_tiles(src, dst):
    """Copy a tile for each block; the rest of the last one stays."""
    block = coop.this_block()
    items = coop.ThreadData(ITEMS)
    tile = block.size * ITEMS
    start = (cuda.blockIdx.x + cuda.blockIdx.y * cuda.gridDim.x) * tile
    valid = max(0, min(tile, src.size - start))
    coop.load(block, src, items, offset=start, valid_items=valid, algorithm="transpose")
    coop.store(block, dst, items, offset=start, valid_items=valid, algorithm="transpose")


FOR_BLOCKS, FOR_GRIDS = cuda.jit(copy_tiles), cuda.jit(copy_tiles)


def large_scratch(src, dst):
    """Copy a tile by a transpose whose scratch is too large to be static."""
    block = coop.this_block()
    items = coop.ThreadData(16)
    coop.load(block, src, items, algorithm="transpose")
    coop.store(block, dst, items, algorithm="transpose")


def large_scratch_and_own(src, dst):
    """As `large_scratch`, with the tile's first value on its way through own shared memory."""
    own = cuda.shared.array(0, types.float64)
    block = coop.this_block()
    items = coop.ThreadData(16)
    rank = block.rank()
    own[rank] = src[rank]
    coop.load(block, src, items, algorithm="transpose")
    coop.store(block, dst, items, algorithm="transpose")
    cuda.syncthreads()
    dst[block.size * 16 + rank] = own[block.size - 1 - rank]


def pair(size=4096, dtype=np.int32):
    """Return a device array of numbers, and one to copy them to."""
    return cuda.to_device(np.arange(size, dtype=dtype)), cuda.to_device(np.zeros(size, dtype))


def check_copied(src, dst, size=None):
    before, after = src.copy_to_host(), dst.copy_to_host()
    size = before.size if size is None else size
    np.testing.assert_array_equal(after[:size], before[:size])
    assert not after[size:].any()


@pytest.mark.parametrize("block", [32, 64, 128, 256, (16, 4), (4, 4, 8)], ids=str)
def test_blocks_of_one_kernel(block):
    src, dst = pair(4000)
    FOR_BLOCKS[4096 // (int(np.prod(block)) * ITEMS), block](src, dst)
    check_copied(src, dst)


@pytest.mark.parametrize("grid", [1, 3, 8, (2, 3)], ids=str)
def test_grids_of_one_kernel(grid):
    src, dst = pair(4096)
    FOR_GRIDS[grid, 128](src, dst)
    check_copied(src, dst, int(np.prod(grid)) * 128 * ITEMS)
    assert len(set(map(id, FOR_GRIDS.launch_config_overloads.values()))) == 1


def test_launchers_in_turns():
    kernel = cuda.jit(copy_tiles)
    launchers = {size: kernel[1, size] for size in (32, 64, 32, 128)}
    for size, launcher in [*launchers.items()] * 2:
        src, dst = pair()
        launcher(src, dst)
        check_copied(src, dst, size * ITEMS)


def test_forall():
    src, dst = pair(4096 * ITEMS)
    cuda.jit(copy_tiles).forall(4096, tpb=128)(src, dst)
    check_copied(src, dst)


def test_streams():
    kernel = cuda.jit(copy_tiles)
    pairs = [pair() for _ in range(4)]
    streams = [cuda.stream() for _ in pairs]
    for stream, (src, dst) in zip(streams, pairs, strict=True):
        kernel[8, 128, stream](src, dst)
    for stream, (src, dst) in zip(streams, pairs, strict=True):
        stream.synchronize()
        check_copied(src, dst)


def test_host_arrays():
    src, dst = np.arange(4096, dtype=np.int32), np.zeros(4096, np.int32)
    cuda.jit(copy_tiles)[8, 128](src, dst)
    np.testing.assert_array_equal(src, dst)


# ---------------------------------------------------------------------------
# Dynamic shared memory
# ---------------------------------------------------------------------------


def test_S7_the_launch_gets_the_bytes():
    src, dst = pair(512 * 16, np.float64)
    kernel = cuda.jit(large_scratch)
    for grid in (1, 2):
        kernel[grid, 512](src, dst)
        check_copied(src, dst)


def test_S8_dynamic_bytes_are_added():
    kernel = cuda.jit(large_scratch_and_own)
    for size in (512, 256, 512):
        src, dst = pair(size * 17, np.float64)
        kernel[1, size, 0, size * 8](src, dst)
        numbers = np.arange(size * 16, dtype=np.float64)
        want = np.concatenate([numbers, numbers[:size][::-1]])
        np.testing.assert_array_equal(dst.copy_to_host(), want)


# ---------------------------------------------------------------------------
# Threads, processes
# ---------------------------------------------------------------------------


def test_threads():
    kernel = cuda.jit(copy_tiles)

    def launch(number):
        src, dst = pair()
        for size in (64, 128, 256):
            kernel[4096 // (size * ITEMS), size](src, dst)
        cuda.synchronize()
        check_copied(src, dst)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(launch, range(32)))


def _in_a_child():
    src, dst = pair()
    cuda.jit(copy_tiles)[8, 128](src, dst)
    check_copied(src, dst)


def test_a_spawned_process():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        pool.apply(_in_a_child)


# ---------------------------------------------------------------------------
# Disk cache and overhead
# ---------------------------------------------------------------------------

CACHED = """
import json
import coop_mlir as coop
import numpy as np
from numba_cuda_mlir import cuda
from coop_mlir._compile import pipeline

coop.register("numba-cuda-mlir")
runs, run = [], pipeline.run
pipeline.run = lambda *args, **options: (runs.append(1), run(*args, **options))[1]

@cuda.jit(cache=True)
def copy(src, dst):
    block = coop.this_block()
    items = coop.ThreadData(16)
    coop.load(block, src, items, algorithm="transpose")
    coop.store(block, dst, items, algorithm="transpose")

src = cuda.to_device(np.arange(8192.0))
dst = cuda.device_array_like(src)
copy[1, 512](src, dst)
print(json.dumps([len(runs), bool((dst.copy_to_host() == src.copy_to_host()).all())]))
"""


def test_C6_a_second_process_compiles_nothing(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(CACHED)

    def run():
        done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    assert run() == [1, True]
    assert run() == [0, True]
