# Calls of wrappers, in the lowered form.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the declared functions that implement cooperative operations."""

from __future__ import annotations

import re

import numpy as np

from .batch import WARP
from .collectives import Collective, TileCall, check_uniform
from .meeting import Meeting
from .types import layout_of

__all__ = ["meeting", "parse_wrapper"]


def parse_wrapper(text: str) -> tuple[Collective, bool, bool]:
    """Return what a ``#coop.wrapper`` says: the kind, if guarded, if defaulted."""

    def find(pattern):
        found = re.search(pattern, text)
        return found and found.group(1)

    group = find(r"group = <([^>]*)>")
    width = None if "block" in group else int((re.findall(r"\d+", group) or [WARP])[0])
    kind = Collective(
        collective=find(r'collective = "?(\w+)'),
        width=width,
        block=tuple(int(n) for n in re.findall(r"\d+", find(r"block = \[([^\]]*)\]"))),
        items=int(find(r"items = (\d+)")),
        dtype=layout_of(find(r"element = (\w+)")),
        algorithm=find(r"algorithm = <?(\w+)"),
    )
    return kind, find(r"guarded = (true)") is not None, find(r"defaulted = (true)") is not None


def meeting(function, slots) -> Meeting:
    """Return the meeting for a call of a declared wrapper."""
    kind, guarded, defaulted = parse_wrapper(str(function.attributes["coop.wrapper"]))
    registers = iter(slots.operands)
    scratch = next(registers) if kind.uses_scratch else None
    memory = next(registers)
    valid = next(registers) if guarded else None
    default = next(registers) if defaulted else None
    items = next(registers)
    name = f"coop.{kind.collective}"
    uniform = {"the memory's address": memory, "valid_items": valid, "oob_default": default}

    def act(frame):
        call = TileCall(kind, frame, slots, name)
        if frame.run.check:
            for use, register in uniform.items():
                if register is not None:
                    check_uniform(frame, register, use, kind.width, slots, name)
        elements = call.elements()
        mask = call.valid(valid, elements)
        addresses = frame.env[memory] + elements * kind.dtype.itemsize
        payload = frame.env[items] + np.arange(kind.items)[:, None] * kind.dtype.itemsize
        exchange = None if scratch is None else frame.env[scratch]
        if kind.collective == "load":
            given = None if default is None else frame.env[default]
            values, unwritten = call.read(addresses, mask, given)
            _exchange(call, exchange)
            _write_payload(frame, payload, values, unwritten, slots)
        else:
            _exchange(call, exchange)
            values, unwritten = _read_payload(frame, payload, kind, slots)
            call.write(addresses, mask, values, unwritten, None)

    return Meeting(name, slots, act, kind.width)


def _exchange(call, address):
    if address is not None:
        call.exchange(address, call.kind.layout()[0])


def _write_payload(frame, addresses, values, unwritten, slots):
    for slot in range(len(values)):
        marks = None if unwritten is None else unwritten[slot]
        frame.run.memory.write(addresses[slot], frame.lanes, values[slot], marks, slots.location)


def _read_payload(frame, addresses, kind, slots):
    parts = [
        frame.run.memory.read(address, frame.lanes, kind.dtype, slots.location)
        for address in addresses
    ]
    values = np.stack(np.broadcast_arrays(*[value for value, _ in parts]))
    if all(marks is None for _, marks in parts):
        return values, None
    blank = np.zeros(values.shape[1:], bool)
    return values, np.stack([blank if marks is None else marks | blank for _, marks in parts])
