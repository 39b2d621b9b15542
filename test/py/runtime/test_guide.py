# Host programs around the kernels of the public guide.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host programs around the kernels of the public guide: arrays of all kinds, streams, options."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")

from kernels import guide
from numba_cuda_mlir import cuda

LENGTH = 531
BLOCK = 128


def numbers(dtype=np.int32, size=LENGTH):
    return np.arange(1, size + 1, dtype=dtype)


def grid(per_thread, size=LENGTH):
    return -(-size // (BLOCK * per_thread))


@pytest.mark.parametrize("kernel", [guide.first_copy, guide.by_eighths], ids=lambda k: k.__name__)
def test_host_arrays_are_copied_there_and_back(kernel):
    kernel = cuda.jit(kernel)
    for per_thread in (1, 4):
        src = numbers()
        dst = np.full_like(src, -1)
        kernel[grid(per_thread), BLOCK](src, src.size, per_thread, dst)
        cuda.synchronize()
        np.testing.assert_array_equal(dst, src)


def test_one_kernel_serves_several_types():
    kernel = cuda.jit(guide.first_copy)
    for dtype in (np.int32, np.float64, np.uint8, np.int32):
        src = cuda.to_device(numbers(dtype))
        dst = cuda.device_array_like(src)
        kernel[grid(4), BLOCK](src, src.size, 4, dst)
        np.testing.assert_array_equal(dst.copy_to_host(), numbers(dtype))


@pytest.mark.parametrize("make", [cuda.pinned_array, cuda.mapped_array, cuda.managed_array])
def test_memory_of_other_kinds(make):
    src, dst = (make(LENGTH, np.int32) for _ in range(2))
    src[:], dst[:] = numbers(), 0
    cuda.jit(guide.first_copy)[grid(4), BLOCK](src, LENGTH, 4, dst)
    cuda.synchronize()
    np.testing.assert_array_equal(dst, numbers())


def test_a_stream_with_events():
    stream, begin, end = cuda.stream(), cuda.event(), cuda.event()
    kernel = cuda.jit(guide.first_copy)
    with stream.auto_synchronize():
        src = cuda.to_device(numbers(), stream=stream)
        dst = cuda.device_array(LENGTH, np.int32, stream=stream)
        begin.record(stream)
        for _ in range(3):
            kernel[grid(4), BLOCK, stream](src, LENGTH, 4, dst)
        end.record(stream)
    assert cuda.event_elapsed_time(begin, end) >= 0
    np.testing.assert_array_equal(dst.copy_to_host(), numbers())


def test_launches_of_one_stream_follow_each_other():
    kernel = cuda.jit(guide.doubled)
    first = cuda.to_device(numbers(np.int16, 512))
    second, third = (cuda.device_array(512, np.int16) for _ in range(2))
    with cuda.defer_cleanup():
        kernel[1, BLOCK](first, 4, second)
        kernel[1, BLOCK](second, 4, third)
    np.testing.assert_array_equal(third.copy_to_host(), numbers(np.int16, 512) * np.int16(4))


@pytest.mark.parametrize(
    "options",
    [{"fastmath": True}, {"max_registers": 32}, {"lineinfo": True}, {"launch_bounds": (256, 2)}],
    ids=lambda options: next(iter(options)),
)
def test_options_of_the_decorator(options):
    src = cuda.to_device(numbers(np.float64, 512))
    dst = cuda.device_array(384, np.float64)
    cuda.jit(**options)(guide.scalar_out_of_line)[1, BLOCK](src, dst)
    rows = numbers(np.float64, 512).reshape(-1, 4)
    np.testing.assert_array_equal(dst.copy_to_host(), ((rows[:, :3] + rows[:, 1:]) / 2).ravel())


def test_slices_of_arrays_need_not_be_aligned():
    kernel = cuda.jit(guide.both_names)
    for first, to in ((0, 0), (1, 0), (0, 1), (1, 1), (3, 2)):
        src = cuda.to_device(numbers(np.int64, 256 + first))
        dst = cuda.to_device(np.zeros(256 + to + 1, np.int64))
        kernel[1, BLOCK](src[first:], dst[to:])
        got = dst.copy_to_host()
        np.testing.assert_array_equal(got[to:-1], numbers(np.int64, 256 + first)[first:])
        assert not got[:to].any() and not got[-1]
