# What operations do with memory.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operations do with memory: addresses, loads and stores."""

from __future__ import annotations

import numpy as np

from .findings import CoopCheckError
from .program import ObjectSpec
from .values import spread, unsigned

__all__ = [
    "element_address",
    "load",
    "local_array",
    "require",
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
        which = f" in dimension {dimension}" if len(indices) > 1 else ""
        _check_index(frame, index, view.sizes[dimension], which, slots)
        element = element + index * view.strides[dimension]
    return view.base + element * size


def _check_index(frame, index, size, which, slots):
    if unsigned(index).max() < size.min():
        return
    bad = unsigned(index) >= unsigned(size)
    if not bad.any():
        return
    at = int(np.argmax(spread(bad, frame.count)))
    name = frame.run.batch.name(int(frame.lanes[at]))
    number, bound = (int(spread(a, frame.count)[at]) for a in (index, size))
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
