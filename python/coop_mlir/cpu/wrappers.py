# Calls of wrappers, in the lowered form.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the declared functions that implement cooperative operations."""

from __future__ import annotations

import re
from math import gcd

import numpy as np

from .batch import WARP
from .collectives import Collective, TileCall, check_same, check_uniform
from .meeting import Meeting

__all__ = ["meeting", "parse_wrapper"]

_WIDEST_WORD = 8


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
        **_words(int(find(r"item = <(\d+)"))),
        algorithm=find(r"algorithm = <?(\w+)"),
    )
    return kind, find(r"guarded = (true)") is not None, find(r"defaulted = (true)") is not None


def _words(size: int) -> dict:
    """Return the words of which items of a size consist, as wide as can be."""
    width = gcd(size, _WIDEST_WORD)
    return {"dtype": np.dtype(f"u{width}"), "words": size // width}


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
    uniform = {"the memory's address": memory, "valid_items": valid}

    def act(frame):
        call = TileCall(kind, frame, slots, name)
        if frame.run.check:
            for use, register in uniform.items():
                if register is not None:
                    check_uniform(frame, register, use, kind.width, slots, name)
        elements = call.elements()
        mask = call.valid(valid, elements)
        addresses = frame.env[memory] + elements * kind.item_bytes
        payload = _places(frame.env[items], kind, kind.items)
        exchange = None if scratch is None else frame.env[scratch]
        if kind.collective == "load":
            given = None if default is None else _default(call, frame.env[default])
            values, unwritten = call.read(addresses, mask, given)
            _exchange(call, exchange)
            _write_payload(frame, payload, values, unwritten, slots)
        else:
            _exchange(call, exchange)
            values, unwritten = _read_payload(frame, payload, kind, slots)
            call.write(addresses, mask, values, unwritten, None)

    return Meeting(name, slots, act, kind.width)


def _places(base, kind, items: int) -> np.ndarray:
    """Return the addresses of the words of some items."""
    return base + np.arange(items * kind.words)[:, None] * kind.dtype.itemsize


def _default(call, address) -> np.ndarray:
    """Return the words of the default, on which the group must agree."""
    frame, kind, slots = call.frame, call.kind, call.slots
    words, unwritten = _read_payload(frame, _places(address, kind, 1), kind, slots)
    if frame.run.check:
        if unwritten is not None:
            frame.run.refuse_read(frame.lanes, unwritten, slots.location)
        check_same(frame, words, "oob_default", kind.width, slots, call.name)
    return words


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
