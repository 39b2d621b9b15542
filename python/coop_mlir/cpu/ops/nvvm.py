# The nvvm dialect.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The nvvm dialect: special registers, barriers, shuffles, votes and matches."""

from __future__ import annotations

import re

import numpy as np

from ..batch import WARP
from ..collectives import group_barrier
from ..meeting import Meeting
from ..registry import effect, sync
from ..types import dtype_of
from ..values import spread, unsigned
from .gpu import special

# ---------------------------------------------------------------------------
# Special registers
# ---------------------------------------------------------------------------


def _register(name, find):
    """Register a special register of 32 bits."""

    def as_int32(batch, dimension):
        return np.asarray(find(batch)).astype(np.int32)

    build = special(as_int32)

    def build_typed(op, slots):
        run_wide = build(op, slots)
        dtype = dtype_of(op.results[0].type)
        (result,) = slots.results

        def run(frame):
            run_wide(frame)
            frame.env[result] = frame.env[result].astype(dtype)

        return run

    effect(f"nvvm.read.ptx.sreg.{name}")(build_typed)


for _number, _axis in enumerate("xyz"):
    _register(f"tid.{_axis}", lambda batch, d=_number: batch.thread_id[d])
    _register(f"ntid.{_axis}", lambda batch, d=_number: batch.block[d])
    _register(f"ctaid.{_axis}", lambda batch, d=_number: batch.block_id[d])
    _register(f"nctaid.{_axis}", lambda batch, d=_number: batch.grid[d])
_register("laneid", lambda batch: batch.rank % WARP)
_register("warpid", lambda batch: batch.warp)
_register("nwarpid", lambda batch: batch.warps)
_register("warpsize", lambda batch: WARP)
for _name, _mask in {
    "eq": lambda lane: 1 << lane,
    "lt": lambda lane: (1 << lane) - 1,
    "le": lambda lane: (2 << lane) - 1,
    "gt": lambda lane: -(2 << lane),
    "ge": lambda lane: -(1 << lane),
}.items():
    _register(f"lanemask.{_name}", lambda batch, m=_mask: m(batch.rank % WARP))


# ---------------------------------------------------------------------------
# Barriers
# ---------------------------------------------------------------------------

_REDUCTIONS = {
    "popc": lambda flags: flags.sum(1),
    "and": lambda flags: flags.all(1),
    "or": lambda flags: flags.any(1),
}


@sync("nvvm.barrier0", "nvvm.barrier")
def _barrier(op, slots):
    reduction = re.search(r"reduction<(\w+)>", str(op.attributes.get("reductionOp", "")))

    def act(frame):
        group_barrier(frame, None)
        if reduction:
            threads = frame.run.batch.threads
            flags = spread(frame.env[slots.operands[-1]], frame.count).reshape(-1, threads) != 0
            values = _REDUCTIONS[reduction.group(1)](flags).astype(np.int32)
            frame.env[slots.results[0]] = np.repeat(values, threads)

    return Meeting("nvvm.barrier", slots, act)


@sync("nvvm.bar.warp.sync")
def _warp_barrier(op, slots):
    (mask,) = slots.operands

    def act(frame):
        if frame.run.races is not None:
            frame.run.races.lanes_barrier(frame.lanes, _mask_groups(frame, mask))

    return Meeting("nvvm.bar.warp.sync", slots, act, WARP, mask)


def _mask_groups(frame, mask):
    """Return a number for each lane that is the same for those that wait together."""
    masks = spread(unsigned(frame.env[mask]), frame.count).astype(np.int64)
    return masks + (frame.run.batch.group_of(WARP)[frame.lanes] << 32)


# ---------------------------------------------------------------------------
# Shuffles, votes and matches
# ---------------------------------------------------------------------------


def _exchange_op(name, mask_at=0):
    """Register an operation of the lanes in a mask: a function of their values by warp."""

    def register(build):
        def build_meeting(op, slots):
            return Meeting(name, slots, build(op, slots), WARP, slots.operands[mask_at])

        sync(name)(build_meeting)
        return build

    return register


def _by_warp(frame, value, fill=0):
    """Return values by warp and lane, and where each lane's is; others are `fill`."""
    batch = frame.run.batch
    warps = batch.group_of(WARP)
    table = np.full((int(warps[-1]) + 1, WARP), fill, value.dtype)
    at = warps[frame.lanes], batch.rank[frame.lanes] % WARP
    table[at] = spread(value, frame.count)
    return table, at


@_exchange_op("nvvm.shfl.sync")
def _shuffle(op, slots):
    mode = re.search(r"kind (\w+)", str(op.attributes["kind"])).group(1)
    _, value, delta, clamp = slots.operands

    def act(frame):
        env = frame.env
        table, (warp, lane) = _by_warp(frame, env[value])
        source, in_range = _source_lane(mode, lane, env[delta], env[clamp])
        shuffled = table[warp, source]
        if with_flag:
            env[slots.results[0]] = (shuffled, in_range)
            frame.mark(slots.results[0], None)
            return
        env[slots.results[0]] = shuffled
        frame.mark(slots.results[0], _shuffled_marks(frame, value, warp, source))

    with_flag = str(op.results[0].type).startswith("!llvm.struct")
    return act


def _shuffled_marks(frame, register, warp, source):
    marks = frame.marks(register)
    if marks is None:
        return None
    table, _ = _by_warp(frame, np.asarray(marks))
    return table[warp, source]


def _source_lane(mode, lane, delta, clamp):
    """Return the lane to read, and whether it is in range, as PTX defines it."""
    bound, segment = clamp & 0x1F, (clamp >> 8) & 0x1F
    highest = (lane & segment) | (bound & ~segment)
    lowest = lane & segment
    delta = delta & 0x1F
    if mode == "up":
        source = lane - delta
        in_range = source >= highest
    elif mode == "down":
        source = lane + delta
        in_range = source <= highest
    elif mode == "bfly":
        source = lane ^ delta
        in_range = source <= highest
    else:
        source = lowest | (delta & ~segment)
        in_range = source <= highest
    in_range = spread(np.atleast_1d(in_range), lane.size)
    return np.where(in_range, source, lane), in_range


def _members(frame, mask):
    """Return a table by warp and lane of the lanes in each lane's mask."""
    masks = spread(unsigned(frame.env[mask]), frame.count).astype(np.uint32)
    return (masks[:, None] >> np.arange(WARP, dtype=np.uint32)) & 1 != 0


def _packed(flags) -> np.ndarray:
    """Return rows of flags as masks of lanes."""
    bits = np.where(flags, np.uint32(1) << np.arange(WARP, dtype=np.uint32), np.uint32(0))
    return np.bitwise_or.reduce(bits, axis=1).view(np.int32)


@_exchange_op("nvvm.vote.sync")
def _vote(op, slots):
    kind = re.search(r"kind (\w+)|<(\w+)>", str(op.attributes["kind"]))
    kind = kind.group(1) or kind.group(2)
    mask, predicate = slots.operands

    def act(frame):
        table, (warp, _) = _by_warp(frame, frame.env[predicate].astype(bool))
        members, votes = _members(frame, mask), table[warp]
        if kind == "ballot":
            value = _packed(votes & members)
        elif kind == "any":
            value = (votes & members).any(1)
        elif kind == "all":
            value = (votes | ~members).all(1)
        else:
            value = (votes | ~members).all(1) | ~(votes & members).any(1)
        frame.env[slots.results[0]] = value
        frame.mark(slots.results[0], None)

    return act


@_exchange_op("nvvm.match.sync")
def _match(op, slots):
    kind = re.search(r"kind (\w+)|<(\w+)>", str(op.attributes["kind"]))
    kind = kind.group(1) or kind.group(2)
    mask, value = slots.operands

    def act(frame):
        mine = spread(frame.env[value], frame.count)
        table, (warp, _) = _by_warp(frame, mine)
        members = _members(frame, mask)
        same = (table[warp] == mine[:, None]) & members
        found = _packed(same)
        if kind == "all":
            agree = (same == members).all(1)
            found = (np.where(agree, found, np.int32(0)), agree)
        frame.env[slots.results[0]] = found
        frame.mark(slots.results[0], None)

    return act


# ---------------------------------------------------------------------------
# Without an effect here
# ---------------------------------------------------------------------------


@effect("nvvm.nanosleep", "nvvm.fence.proxy", "nvvm.memory.barrier", "nvvm.breakpoint")
def _nothing(op, slots):
    return lambda frame: None
