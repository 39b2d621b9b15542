# Printing from kernels.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Printing from kernels, one line after the other in the order of the threads."""

from __future__ import annotations

import re

from .values import spread

__all__ = ["print_lanes"]

_CONVERSION = re.compile(r"%(?:%|[-+ #0]*\d*(?:\.\d+)?(?:hh|h|ll|l|z)?([a-zA-Z]))")


def print_lanes(frame, text, slots) -> None:
    """Print a format with each lane's values, as C's ``printf`` does."""
    columns = [spread(frame.env[register], frame.count) for register in slots.operands]
    for lane in range(frame.count):
        values = [column[lane] for column in columns]
        print(_formatted(frame, text, values), end="")


def _formatted(frame, text, values) -> str:
    following = iter(values)

    def replace(match):
        if match.group(1) is None:
            return "%"
        value = next(following)
        if match.group(1) == "s":
            return _string(frame, int(value))
        return re.sub("hh|h|ll|l|z", "", match.group()) % value.item()

    return _CONVERSION.sub(replace, text)


def _string(frame, address) -> str:
    """Return the C string at an address."""
    memory, offset = frame.run.memory.object_at(address)
    raw = memory.data[offset:].tobytes() if memory is not None else b"?"
    return raw.split(b"\0")[0].decode(errors="replace")
