# The coop dialect.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The coop dialect: groups, scratch, loads, stores and barriers."""

from __future__ import annotations

import re

import numpy as np

from ..batch import WARP
from ..collectives import Collective, TileCall, check_uniform, group_barrier
from ..findings import CoopCheckError, UnsupportedError, source_of
from ..meeting import Meeting
from ..program import ObjectSpec
from ..registry import effect, pure, sync
from ..types import dtype_of
from ..values import spread, uniform
from .memref import dynamic_shared_memory, whole

_NOTHING = uniform(0, np.int8)


def width_of(group_type) -> int | None:
    """Return the threads of a group of warp scope, None for the block's."""
    text = str(group_type)
    if "block" in text:
        return None
    width = re.search(r"\d+", text)
    return int(width.group()) if width else WARP


@pure("coop.group", "coop.temp_storage")
def _nothing(op):
    return lambda: _NOTHING


@effect("coop.scratch_slice")
def _slice(op, slots):
    name = op.attributes["arena"].value
    offset = op.attributes["offset"].value
    shape = tuple(op.results[0].type.shape)
    number = _arena(slots.builder, name)
    (result,) = slots.results

    def run(frame):
        frame.env[result] = whole(frame.run.address(number) + offset, shape)

    return run


def _arena(builder, name):
    op = builder.symbols[name]
    size = op.attributes["size"].value
    if "dynamic" in op.attributes:
        builder.scratch_bytes = size
        return dynamic_shared_memory(builder, source_of(op.location))
    spec = ObjectSpec("shared", "the kernel's scratch", size, location=source_of(op.location))
    return builder.object(spec, key=name)


@effect("coop.assume_uniform")
def _assume_uniform(op, slots):
    width = width_of(op.operands[1].type) if len(slots.operands) > 1 else None
    value, (result,) = slots.operands[0], slots.results

    def run(frame):
        if frame.run.check:
            use = "the value that is said to be the same"
            check_uniform(frame, value, use, width, slots, "coop.assume_uniform")
        frame.env[result] = frame.env[value]
        frame.mark(result, None)

    return run


@sync("coop.barrier")
def _barrier(op, slots):
    width = width_of(op.operands[0].type)
    return Meeting("coop.barrier", slots, lambda frame: group_barrier(frame, width), width)


# ---------------------------------------------------------------------------
# Load and store
# ---------------------------------------------------------------------------


class _Operands:
    """The operands of a load or store by name, None where it has none."""

    def __init__(self, op, slots, names):
        counts = list(op.attributes["operandSegmentSizes"])
        values = iter(zip(op.operands, slots.operands, strict=True))
        self.types = {}
        for name, count in zip(names, counts, strict=True):
            value, register = next(values) if count else (None, None)
            setattr(self, name, register)
            self.types[name] = None if value is None else value.type


def _kind(op, operands, payload, block):
    algorithm = "direct"
    if "algorithm" in op.attributes:
        algorithm = re.search(r"<(\w+)>", str(op.attributes["algorithm"])).group(1)
    if block is None:
        raise UnsupportedError(f"'{op.name}' needs the kernel's gpu.known_block_size")
    dtype = dtype_of(payload)
    words = 1
    if "item" in op.attributes:
        words = int(re.search(r"\d+", str(op.attributes["item"])).group()) // dtype.itemsize
    return Collective(
        collective=op.name.removeprefix("coop."),
        width=width_of(operands.types["group"]),
        block=tuple(block),
        items=payload.shape[0] // words,
        dtype=dtype,
        words=words,
        algorithm=algorithm,
    )


def _scratch_bytes(op, kind) -> int:
    """Return the bytes of one group's scratch."""
    if "layout" in op.attributes:
        return int(re.search(r"\d+", str(op.attributes["layout"])).group())
    return kind.layout()[0]


@sync("coop.load")
def _load(op, slots):
    names = (
        "group", "memory", "offset", "valid_items", "oob_default", "temp_storage", "scratch"
    )  # fmt: skip
    operands = _Operands(op, slots, names)
    kind = _kind(op, operands, op.results[0].type, slots.builder.block)
    size = _scratch_bytes(op, kind)
    (result,) = slots.results

    def act(frame):
        call = TileCall(kind, frame, slots, op_name)
        addresses, valid = _tile(call, operands)
        default = None if operands.oob_default is None else frame.env[operands.oob_default]
        payload, unwritten = call.read(addresses, valid, default)
        if kind.uses_scratch:
            call.exchange(_scratch_address(frame, operands), size)
        frame.env[result] = payload
        if unwritten is not None:
            frame.run.origins[result] = slots.location
        frame.mark(result, unwritten)

    op_name = op.name
    return Meeting(op_name, slots, act, kind.width)


@sync("coop.store")
def _store(op, slots):
    names = ("group", "value", "memory", "offset", "valid_items", "temp_storage", "scratch")
    operands = _Operands(op, slots, names)
    kind = _kind(op, operands, op.operands[1].type, slots.builder.block)
    size = _scratch_bytes(op, kind)
    op_name = op.name

    def act(frame):
        call = TileCall(kind, frame, slots, op_name)
        if kind.uses_scratch:
            call.exchange(_scratch_address(frame, operands), size)
        addresses, valid = _tile(call, operands)
        payload, marks = frame.env[operands.value], frame.marks(operands.value)
        origin = frame.run.origins.get(operands.value)
        call.write(addresses, valid, payload, marks, origin)

    return Meeting(op_name, slots, act, kind.width)


def _scratch_address(frame, operands):
    if operands.scratch is None:
        return None
    view = frame.env[operands.scratch]
    return view.base + view.offset


def _tile(call, operands):
    """Return the addresses of a tile's items and which of them are valid."""
    frame, width = call.frame, call.kind.width
    if frame.run.check:
        for name in ("offset", "valid_items", "oob_default"):
            register = getattr(operands, name, None)
            if register is not None:
                check_uniform(frame, register, name, width, call.slots, call.name)
    elements = call.elements()
    valid = call.valid(operands.valid_items, elements)
    view = frame.env[operands.memory]
    index = frame.env[operands.offset] + elements
    _check_tile(call, index, valid, view.sizes[0])
    unit = dtype_of(operands.types["memory"].element_type).itemsize
    return view.base + view.offset * unit + index * call.kind.item_bytes, valid


def _check_tile(call, index, valid, size):
    if index.min() >= 0 and index.max() < size.min():
        return
    bad = (index < 0) | (index >= size)
    if valid is not None:
        bad &= valid
    if not bad.any():
        return
    slot, lane = (int(i[0]) for i in np.nonzero(bad))
    frame = call.frame
    raise CoopCheckError(
        "bounds",
        f"'{call.name}' accesses element {int(index[slot, lane])} of an array of "
        f"{int(spread(size, frame.count)[lane])} elements, in slot {slot} of "
        f"{frame.run.batch.name(int(frame.lanes[lane]))}",
        call.slots.location,
    )


__all__ = ["width_of"]
