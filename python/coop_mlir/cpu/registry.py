# The tables of what the CPU target knows, by operation.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of what the CPU target knows, by operation.

An entry turns an operation into a Python function once; the function then runs
for many lanes and many times. Modules of :mod:`coop_mlir.cpu.ops` fill the
tables.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

__all__ = [
    "CONTROL",
    "EFFECTS",
    "Frame",
    "MOVES",
    "PURE",
    "Slots",
    "SYNC",
    "control",
    "effect",
    "pure",
    "sync",
]

#: op -> function of the operands' values to the result's (or a tuple of them).
PURE: dict = {}
#: Those of `PURE` that only move values: they move marks of unspecified ones alike.
MOVES: set = set()
#: (op, slots) -> function of a frame.
EFFECTS: dict = {}
#: (op, slots) -> :class:`coop_mlir.cpu.meeting.Meeting`.
SYNC: dict = {}
#: (builder, op) -> None: puts control flow into the program.
CONTROL: dict = {}


@dataclass(frozen=True)
class Slots:
    """Where an operation's values are in a frame.

    Attributes
    ----------
    operands, results : tuple of int
        Numbers of registers.
    location : SourceLocation or None
        The operation's line.
    builder : Builder
        The program that is being built.
    """

    operands: tuple
    results: tuple
    location: object
    builder: object = field(repr=False, default=None)


class Frame:
    """The values of some lanes while they run one step of a program.

    Attributes
    ----------
    env : list
        The value of each register.
    unspecified : dict of int to array
        For a register, which of its values no one has given. Most often empty.
    lanes : array
        The lanes, ascending.
    run : Run
        The launch that the lanes belong to.
    """

    __slots__ = ("env", "lanes", "run", "unspecified")

    def __init__(self, env, unspecified, lanes, run):
        self.env = env
        self.unspecified = unspecified
        self.lanes = lanes
        self.run = run

    @property
    def count(self) -> int:
        """Lanes of the frame."""
        return self.lanes.size

    def mark(self, register, unspecified) -> None:
        """Say which values of a register no one has given; None for none of them."""
        if unspecified is None:
            if self.unspecified:
                self.unspecified.pop(register, None)
        elif np.any(unspecified):
            self.unspecified[register] = unspecified
        else:
            self.unspecified.pop(register, None)

    def marks(self, register):
        """Return which values of a register no one has given, None for none."""
        return self.unspecified.get(register) if self.unspecified else None


def pure(*names, moves=False):
    """Register a function of an operation to a function of its operands' values."""

    def register(build):
        for name in names:
            PURE[name] = build
            if moves:
                MOVES.add(name)
        return build

    return register


def _register_in(table):
    def names_to_decorator(*names):
        def register(build):
            for name in names:
                table[name] = build
            return build

        return register

    return names_to_decorator


effect = _register_in(EFFECTS)
sync = _register_in(SYNC)
control = _register_in(CONTROL)
