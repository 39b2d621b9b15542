# Threads that part, meet, wait and take turns.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that part, meet, wait and take turns."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")

from coop_mlir import cpu
from kernels import CASES
from numba_cuda_mlir import cuda, types
from support import copied


def steps_of_collatz(numbers, steps):
    i = cuda.grid(1)
    x = numbers[i]
    count = 0
    while x > 1:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        count += 1
    steps[i] = count


def collatz(x: int) -> int:
    count = 0
    while x > 1:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        count += 1
    return count


def test_loops_of_different_lengths():
    numbers = np.arange(1, 257)
    steps = np.zeros(256, np.int64)
    cpu.launch(steps_of_collatz, 2, 128, numbers, steps)
    assert steps.tolist() == [collatz(x) for x in range(1, 257)]


def wait_for_the_last_warp(flags, order):
    i = cuda.threadIdx.x
    if i < 96:
        while cuda.atomic.add(flags, 0, 0) == 0:
            pass
    else:
        cuda.atomic.max(flags, 0, 1)
    order[i] = cuda.atomic.add(flags, 1, 1)


def test_waiting_threads_let_others_go_on():
    flags, order = np.zeros(2, np.int32), np.zeros(128, np.int32)
    cpu.launch(wait_for_the_last_warp, 1, 128, flags, order, max_steps=10_000)
    assert sorted(order.tolist()) == list(range(128))


def histogram(values, counts):
    cuda.atomic.add(counts, values[cuda.grid(1)], 1)


def test_atomics_on_few_addresses():
    values = np.random.default_rng(0).integers(0, 4, 2048).astype(np.int32)
    counts = np.zeros(4, np.int32)
    cpu.launch(histogram, 16, 128, values, counts)
    assert counts.tolist() == np.bincount(values, minlength=4).tolist()


def warp_sums(values, sums):
    i = cuda.grid(1)
    x = values[i]
    offset = 16
    while offset > 0:
        x += cuda.shfl_down_sync(0xFFFFFFFF, x, offset)
        offset >>= 1
    if cuda.laneid == 0:
        sums[i // 32] = x


def test_shuffles():
    values, sums = np.arange(256, dtype=np.int32), np.zeros(8, np.int32)
    cpu.launch(warp_sums, 2, 128, values, sums)
    assert np.array_equal(sums, values.reshape(8, 32).sum(1))


def even_lanes_meet(values, result):
    tile = cuda.shared.array(128, types.int32)
    i = cuda.threadIdx.x
    if i % 2 == 0:
        tile[i] = values[i]
        cuda.syncwarp(0x55555555)
        result[i] = tile[i ^ 2]


def test_a_barrier_of_some_lanes():
    values, result = np.arange(128, dtype=np.int32), np.zeros(128, np.int32)
    cpu.launch(even_lanes_meet, 1, 128, values, result)
    lanes = np.arange(0, 128, 2)
    assert np.array_equal(result[lanes], lanes ^ 2)


def wrong_mask(result):
    if cuda.threadIdx.x % 2 == 0:
        cuda.syncwarp(0x55555555 << 1)
    result[cuda.threadIdx.x] = 1


def test_a_mask_without_the_caller():
    with pytest.raises(cpu.CoopCheckError, match="which leaves it out") as caught:
        cpu.launch(wrong_mask, 1, 32, np.zeros(32, np.int32))
    assert caught.value.kind == "participation"


def counted_votes(flags, counts):
    counts[cuda.threadIdx.x] = cuda.syncthreads_count(flags[cuda.threadIdx.x])


def test_a_barrier_that_counts():
    flags = (np.arange(64) % 3 == 0).astype(np.int32)
    counts = np.zeros(64, np.int32)
    cpu.launch(counted_votes, 1, 64, flags, counts)
    assert (counts == flags.sum()).all()


def two_dimensional(result):
    x, y = cuda.grid(2)
    result[y, x] = 100 * y + x


@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_two_dimensions(order):
    result = np.zeros((6, 8), np.int64, order=order)
    cpu.launch(two_dimensional, (2, 3), (4, 2), result)
    y, x = np.indices((6, 8))
    assert np.array_equal(result, 100 * y + x)


def test_a_view_that_is_not_contiguous():
    whole = np.zeros((12, 16), np.int64)
    cpu.launch(two_dimensional, (2, 3), (4, 2), whole[::2, ::2])
    y, x = np.indices((6, 8))
    assert np.array_equal(whole[::2, ::2], 100 * y + x)
    assert not whole[1::2].any() and not whole[:, 1::2].any()


def printing(value):
    if cuda.threadIdx.x < 2:
        print("thread", cuda.threadIdx.x, "has", value)


def test_printing(capsys):
    cpu.launch(printing, 1, 32, np.int64(7))
    assert capsys.readouterr().out == "thread 0 has 7\nthread 1 has 7\n"


def test_a_read_only_array():
    values = np.zeros(128, np.int32)
    values.flags.writeable = False
    with pytest.raises(cpu.CoopCheckError, match="can't be written"):
        cpu.launch(histogram, 1, 128, np.zeros(128, np.int32), values)


def progress(flags, seen):
    lane, warp = cuda.laneid, cuda.threadIdx.x // 32
    for _ in range(8):
        if lane == 0:
            cuda.atomic.add(flags, warp, 1)
        cuda.syncwarp()
    if lane == 0:
        for other in range(4):
            seen[warp * 4 + other] = cuda.atomic.add(flags, other, 0)


def _seen(schedule):
    flags, seen = np.zeros(4, np.int32), np.zeros(16, np.int32)
    cpu.launch(progress, 1, 128, flags, seen, schedule=schedule)
    assert (flags == 8).all()
    return seen.reshape(4, 4)


def test_by_default_all_warps_go_on_at_once():
    assert (_seen(None) == 8).all()


def test_a_seed_lets_warps_drift_apart_the_same_way_each_time():
    drawn = [_seen(seed) for seed in range(3)]
    assert all((np.diag(seen) == 8).all() for seen in drawn)
    assert any((seen < 8).any() for seen in drawn)
    assert all(np.array_equal(_seen(seed), seen) for seed, seen in enumerate(drawn))
    assert len({seen.tobytes() for seen in drawn}) > 1


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_drawn_turns_change_no_result(case):
    before = case.args()
    after = copied(before)
    launch = {"shared_bytes": case.dynamic_bytes, "schedule": 1}
    cpu.launch(case.kernel, case.grid, case.block, *after, **launch)
    case.check(before, after)
