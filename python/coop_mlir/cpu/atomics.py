# Atomic operations.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomic operations: lanes that mean one address take turns, in the order of their ranks."""

from __future__ import annotations

import numpy as np

from .access import require
from .values import spread, unsigned

__all__ = ["COMBINERS", "atomic", "serial"]


def _bits(function):
    return lambda old, new: function(unsigned(old), unsigned(new)).view(old.dtype)


#: What an atomic operation makes of the old value and the operand.
COMBINERS = {
    "xchg": lambda old, new: new,
    "add": np.add,
    "sub": np.subtract,
    "and": np.bitwise_and,
    "nand": lambda old, new: ~(old & new),
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "max": np.maximum,
    "min": np.minimum,
    "umax": _bits(np.maximum),
    "umin": _bits(np.minimum),
    "mul": np.multiply,
    "fadd": np.add,
    "fsub": np.subtract,
    "fmax": np.fmax,
    "fmin": np.fmin,
    "fmaximum": np.maximum,
    "fminimum": np.minimum,
    "uinc_wrap": lambda old, new: np.where(unsigned(old) >= unsigned(new), 0, old + 1),
    "udec_wrap": lambda old, new: np.where(
        (old == 0) | (unsigned(old) > unsigned(new)), new, old - 1
    ),
}


def atomic(frame, slots, address, dtype, operands, combine, used=True):
    """Replace what lies at addresses; the result is what lay there.

    Without a use of the result the operands of one address may be combined
    first.
    """
    for register in operands:
        require(frame, register, "the operand of an atomic operation", slots.location)
    values = [spread(frame.env[register], frame.count) for register in operands]
    if not used and combine in _ASSOCIATIVE:
        _at_once(frame, slots, address, values[0], combine)
        return

    def replace(old, rows):
        return combine(old, *[value[rows] for value in values])

    _in_turns(frame, slots, address, dtype, replace)


#: Functions whose operands may be combined in any order.
_ASSOCIATIVE = (np.add, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.maximum, np.minimum)


def _at_once(frame, slots, address, value, combine):
    """Combine the operands of each address, and that with what lies there."""
    memory, location = frame.run.memory, slots.location
    address = spread(address, frame.count)
    keys = memory.keys(address, frame.lanes)
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=keys[order[0]] - 1))
    rows = order[starts]
    lanes = frame.lanes[rows]
    old, unwritten = memory.read(address[rows], lanes, value.dtype, location, atomic=True)
    if unwritten is not None:
        frame.run.refuse_read(lanes, unwritten, location)
    new = combine(old, combine.reduceat(value[order], starts, dtype=value.dtype))
    memory.write(address[rows], lanes, new, None, location, atomic=True)
    for register in slots.results:
        frame.env[register] = value  # Nobody looks at it.
        frame.mark(register, None)


def serial(frame, slots, address, dtype, reads, combine_in):
    """Like :func:`atomic`, for an operation that is a region of the program."""
    outer = frame.env, frame.lanes

    def replace(old, rows):
        frame.env, frame.lanes = list(outer[0]), outer[1][rows]
        for register in reads:
            value = outer[0][register]
            if isinstance(value, np.ndarray) and value.shape[-1] != 1:
                frame.env[register] = value[..., rows]
        try:
            return combine_in(frame)(old)
        finally:
            frame.env, frame.lanes = outer

    _in_turns(frame, slots, address, dtype, replace)


def _in_turns(frame, slots, address, dtype, replace):
    """Let lanes that mean one address take turns, in the order of their ranks."""
    memory, location = frame.run.memory, slots.location
    address = spread(address, frame.count)
    result = np.empty(frame.count, dtype)
    for rows in _turns(memory.keys(address, frame.lanes)):
        lanes = frame.lanes[rows]
        old, unwritten = memory.read(address[rows], lanes, dtype, location, atomic=True)
        if unwritten is not None:
            frame.run.refuse_read(lanes, unwritten, location)
        new = np.broadcast_to(replace(old, rows), old.shape).astype(dtype)
        memory.write(address[rows], lanes, new, None, location, atomic=True)
        result[rows] = old
    for register in slots.results:
        frame.env[register] = result
        frame.mark(register, None)


def _turns(address):
    """Yield rows with different addresses until each row had its turn."""
    order = np.argsort(address, kind="stable")
    ordered = address[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    place = np.arange(address.size) - np.repeat(starts, np.diff(np.r_[starts, address.size]))
    by_turn = np.argsort(place, kind="stable")
    ends = np.cumsum(np.bincount(place))
    for first, last in zip(np.r_[0, ends[:-1]], ends, strict=True):
        yield np.sort(order[by_turn[first:last]])
