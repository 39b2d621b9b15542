# What operations do with memory.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operations do with memory: addresses, loads, stores and atomics."""

from __future__ import annotations

import numpy as np

from .findings import CoopCheckError
from .program import ObjectSpec
from .values import spread, unsigned

__all__ = [
    "COMBINERS",
    "ObjectSpec",
    "atomic",
    "element_address",
    "load",
    "local_array",
    "require",
    "serial",
    "store",
]


def local_array(slots, size, element, view):
    """Return the function of a frame that makes a new array of each lane.

    `view` makes the result of the array's address.
    """
    spec = ObjectSpec("local", "the local array", size, element, location=slots.location)
    number = slots.builder.object(spec)
    (result,) = slots.results

    def run(frame):
        frame.run.objects[number].forget(frame.lanes)
        base = frame.run.address(number)
        frame.env[result] = view(base)
        frame.mark(result, None)

    return run


def require(frame, register, use, location) -> None:
    """Refuse a use of values that no one has given."""
    frame.run.require(frame, register, use, location)


def element_address(frame, memory, indices, size, slots):
    """Return the addresses of a memref's elements; refuse indices out of range."""
    view = frame.env[memory]
    element = view.offset
    for dimension, register in enumerate(indices):
        if frame.unspecified:
            require(frame, register, "an index", slots.location)
        index = frame.env[register]
        _check_index(frame, index, view.sizes[dimension], dimension, slots)
        element = element + index * view.strides[dimension]
    return view.base + element * size


def _check_index(frame, index, size, dimension, slots):
    if unsigned(index).max() < size.min():
        return
    bad = unsigned(index) >= unsigned(size)
    if not bad.any():
        return
    at = int(np.argmax(spread(bad, frame.count)))
    name = frame.run.batch.name(int(frame.lanes[at]))
    number, bound = (int(spread(a, frame.count)[at]) for a in (index, size))
    which = f" in dimension {dimension}" if len(slots.operands) > 3 else ""
    raise CoopCheckError(
        "bounds",
        f"{name} uses index {number}{which} of an array of {bound} elements",
        slots.location,
    )


def load(frame, result, address, dtype, location):
    """Read what lies at addresses into a register."""
    value, unwritten = frame.run.memory.read(address, frame.lanes, dtype, location)
    frame.env[result] = value
    if unwritten is not None:
        frame.run.origins[result] = location
    frame.mark(result, unwritten)


def store(frame, register, address, location):
    """Write a register's value to addresses."""
    marks = frame.marks(register)
    value = frame.env[register]

    def refuse(unwritten):
        frame.run.refuse_unwritten(frame, register, unwritten, "a value that is stored", location)

    frame.run.memory.write(address, frame.lanes, value, marks, location, refuse)


# ---------------------------------------------------------------------------
# Atomics
# ---------------------------------------------------------------------------


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


def atomic(frame, slots, address, dtype, operands, combine):
    """Replace what lies at addresses; the result is what lay there."""
    for register in operands:
        require(frame, register, "the operand of an atomic operation", slots.location)
    values = [spread(frame.env[register], frame.count) for register in operands]

    def replace(old, rows):
        return combine(old, *[value[rows] for value in values])

    _in_turns(frame, slots, address, dtype, replace)


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
