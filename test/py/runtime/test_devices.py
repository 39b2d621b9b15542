# One kernel on several GPUs.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One kernel on several GPUs: each launch has the code, scratch and arrays of its own device."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")

import coop_mlir as coop
from coop_mlir._compile import pipeline
from numba_cuda_mlir import cuda, types

coop.register("numba-cuda-mlir")

ITEMS = 4
SIZE = 4096


@pytest.fixture(autouse=True)
def two_devices():
    if len(cuda.gpus) < 2:
        pytest.skip("needs two GPUs")


@pytest.fixture
def compiled(monkeypatch):
    """The compute capabilities that coop's passes ran for."""
    found, run = [], pipeline.run

    def counting(text, **options):
        found.append(options["cc"])
        return run(text, **options)

    monkeypatch.setattr(pipeline, "run", counting)
    return found


def copy_tiles(src, dst):
    block = coop.this_block()
    items = coop.ThreadData(ITEMS)
    tile = block.size * ITEMS
    start = cuda.blockIdx.x * tile
    valid = max(0, min(tile, src.size - start))
    coop.load(block, src, items, offset=start, valid_items=valid, algorithm="transpose")
    coop.store(block, dst, items, offset=start, valid_items=valid, algorithm="warp_transpose")


def copy_by_warps(src, dst):
    warp = coop.this_warp()
    items = coop.ThreadData(ITEMS)
    start = cuda.blockIdx.x * warp.size * warp.count * ITEMS
    coop.load(warp, src, items, offset=start, algorithm="transpose")
    coop.store(warp, dst, items, offset=start, algorithm="transpose")


def large_scratch_and_own(src, dst):
    """Scratch that is too large to be static, beside dynamic shared memory of the launch."""
    own = cuda.shared.array(0, types.float64)
    block = coop.this_block()
    items = coop.ThreadData(16)
    rank = block.rank()
    own[rank] = src[rank]
    coop.load(block, src, items, algorithm="transpose")
    coop.store(block, dst, items, algorithm="transpose")
    cuda.syncthreads()
    dst[block.size * 16 + rank] = own[block.size - 1 - rank]


def numbers(device: int, dtype=np.int32, size=SIZE):
    """Return numbers that no other device has."""
    return (np.arange(size) + 100_000 * (device + 1)).astype(dtype)


def launch_and_check(kernel, block, launches=1):
    """Launch on the current device; its arrays alone must change."""
    device = cuda.get_current_device().id
    wanted = numbers(device)
    src, dst = cuda.to_device(wanted), cuda.to_device(np.zeros_like(wanted))
    for _ in range(launches):
        kernel[SIZE // (int(np.prod(block)) * ITEMS), block](src, dst)
    cuda.synchronize()
    np.testing.assert_array_equal(dst.copy_to_host(), wanted)
    np.testing.assert_array_equal(src.copy_to_host(), wanted)


@pytest.mark.parametrize("body", [copy_tiles, copy_by_warps], ids=lambda f: f.__name__)
def test_devices_in_turns(body):
    kernel = cuda.jit(body)
    for block in (128, 64, (16, 4), 256, 128):
        for gpu in [*cuda.gpus, *cuda.gpus]:
            with gpu:
                launch_and_check(kernel, block)


def test_the_last_device_first():
    kernel = cuda.jit(copy_tiles)
    for gpu in reversed([*cuda.gpus]):
        with gpu:
            launch_and_check(kernel, 128)


def test_a_device_within_another():
    kernel = cuda.jit(copy_tiles)
    with cuda.gpus[0]:
        launch_and_check(kernel, 128)
        with cuda.gpus[1]:
            launch_and_check(kernel, 128)
            launch_and_check(kernel, 64)
        launch_and_check(kernel, 64)


def test_launchers_that_were_made_before():
    kernel = cuda.jit(copy_tiles)
    launcher = kernel[SIZE // (128 * ITEMS), 128]
    for gpu in [*cuda.gpus, *cuda.gpus]:
        with gpu:
            wanted = numbers(gpu.id)
            src, dst = cuda.to_device(wanted), cuda.to_device(np.zeros_like(wanted))
            launcher(src, dst)
            np.testing.assert_array_equal(dst.copy_to_host(), wanted)


def test_S7_each_device_gets_the_bytes():
    """The permission for more than 48 KiB is one of each device."""
    kernel = cuda.jit(large_scratch_and_own)
    for gpu in [*cuda.gpus, *cuda.gpus]:
        with gpu:
            for block in (512, 256):
                wanted = numbers(gpu.id, np.float64, block * 17)
                src, dst = cuda.to_device(wanted), cuda.device_array_like(wanted)
                kernel[1, block, 0, block * 8](src, dst)
                tail = wanted[:block][::-1]
                expected = np.concatenate([wanted[: block * 16], tail])
                np.testing.assert_array_equal(dst.copy_to_host(), expected)


def test_one_compilation_for_each_capability(compiled):
    kernel = cuda.jit(copy_tiles)
    present = {tuple(gpu.compute_capability) for gpu in cuda.gpus}
    if len(present) > 1:
        pytest.skip(f"the devices differ: {present}")
    for gpu in [*cuda.gpus] * 3:
        with gpu:
            launch_and_check(kernel, 128)
            launch_and_check(kernel, 64)
    assert compiled == [*present] * 2  # one for each block


def test_streams_of_each_device():
    kernel = cuda.jit(copy_tiles)
    waiting = []
    for gpu in [*cuda.gpus, *cuda.gpus]:
        with gpu:
            stream, wanted = cuda.stream(), numbers(gpu.id)
            src, dst = cuda.to_device(wanted), cuda.to_device(np.zeros_like(wanted))
            kernel[SIZE // (128 * ITEMS), 128, stream](src, dst)
            waiting.append((gpu, stream, src, dst, wanted))
    for gpu, stream, _src, dst, wanted in waiting:
        with gpu:
            stream.synchronize()
            np.testing.assert_array_equal(dst.copy_to_host(), wanted)


def test_a_thread_for_each_device():
    kernel = cuda.jit(copy_tiles)

    def work(number):
        with cuda.gpus[number % len(cuda.gpus)]:
            for block in (64, 128, 256):
                launch_and_check(kernel, block, launches=20)

    with ThreadPoolExecutor(2 * len(cuda.gpus)) as pool:
        list(pool.map(work, range(4 * len(cuda.gpus))))


CACHED = """
import json, sys
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

right = []
for number in map(int, sys.argv[1:]):
    with cuda.gpus[number]:
        src = cuda.to_device(np.arange(8192.0) + number)
        dst = cuda.device_array_like(src)
        copy[1, 512](src, dst)
        right.append(bool((dst.copy_to_host() == src.copy_to_host()).all()))
print(json.dumps([len(runs), right]))
"""


def test_C6_devices_share_the_disk_cache(tmp_path):
    if len({tuple(gpu.compute_capability) for gpu in cuda.gpus}) > 1:
        pytest.skip("the devices differ")
    program = tmp_path / "program.py"
    program.write_text(CACHED)

    def run(*devices):
        command = [sys.executable, str(program), *map(str, devices)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    assert run(0) == [1, [True]]
    assert run(1) == [0, [True]]
    assert run(1, 0, 1) == [0, [True] * 3]
