# A kernel as steps for many lanes.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel as steps that many lanes run at once.

A step is a run of operations that never part or wait, with an end that says
where its lanes go. Regions and calls are flattened to steps. Steps are numbered
such that those of a loop come before what follows it: lanes that take the
earliest step first meet again as soon as they can.
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Branch", "Exit", "Jump", "Meet", "ObjectSpec", "Parameter", "Program", "Step"]


@dataclass
class Jump:
    """Go to a step, with values for its arguments: pairs (from, to) of registers."""

    target: Step
    moves: list = field(default_factory=list)

    @property
    def edges(self):
        """The one edge."""
        return [self]

    reads = property(lambda self: [source for source, _ in self.moves])


@dataclass
class Branch:
    """Go to one of several steps: to edge number 0 where `condition` is true, else 1.

    With `cases`, to the edge after that of the case which equals the condition,
    else to edge 0.
    """

    condition: int
    edges: list
    location: object = None
    cases: tuple | None = None

    @property
    def reads(self):
        """The registers that the end needs."""
        return [self.condition, *(r for edge in self.edges for r in edge.reads)]


@dataclass(eq=False)
class Meet:
    """Wait for the other members of the group, act together, and go on."""

    meeting: object
    edge: Jump

    @property
    def edges(self):
        """The one edge."""
        return [self.edge]

    @property
    def reads(self):
        """The registers that the end needs."""
        return [*self.meeting.slots.operands, *self.edge.reads]


@dataclass
class Exit:
    """The lane is done."""

    location: object = None
    edges = ()
    reads = ()


@dataclass(eq=False)
class Step:
    """Operations that lanes run together.

    Attributes
    ----------
    ops : list
        Functions of a frame.
    end : Jump, Branch, Meet or Exit
        Where the lanes go.
    reads, writes : set of int
        Registers.
    inputs, outputs : list of int
        Those that come from other steps, and that other steps read.
    number : int
        The place in the program.
    location : SourceLocation or None
        The first operation's line.
    """

    ops: list = field(default_factory=list)
    end: object = None
    reads: set = field(default_factory=set)
    writes: set = field(default_factory=set)
    inputs: list = field(default_factory=list)
    outputs: list = field(default_factory=list)
    number: int = -1
    location: object = None


@dataclass(frozen=True)
class ObjectSpec:
    """Memory that a kernel needs.

    Attributes
    ----------
    space : str
        ``global``, ``shared`` or ``local``.
    name : str
        What messages call it.
    size : int or None
        Bytes; None for those that the launch adds.
    element : int
        Bytes of an element of a local array.
    initial : bytes or None
        What it holds at first, None when it isn't written.
    location : SourceLocation or None
        Where it was made.
    writable : bool
        Whether the kernel may write it.
    """

    space: str
    name: str
    size: int | None
    element: int = 1
    initial: bytes | None = None
    location: object = None
    writable: bool = True


@dataclass(frozen=True)
class Parameter:
    """A kernel's parameter.

    Attributes
    ----------
    register : int
        Where its value goes.
    dtype : dtype
        The scalar, or the element of an array.
    rank : int or None
        The dimensions of an array, None for a scalar.
    text : str
        The type as the module spells it.
    """

    register: int
    dtype: object
    rank: int | None
    text: str


@dataclass
class Program:
    """A kernel that is ready to run.

    Attributes
    ----------
    name : str
        The kernel's symbol.
    steps : list of Step
        In the order in which lanes take them; the first is the entry.
    parameters : list of Parameter
        What the kernel takes.
    constants : dict of int to value
        Registers whose value is known.
    objects : list of ObjectSpec
        Memory that the kernel needs.
    scratch_bytes : int
        Dynamic shared memory that the kernel needs beside what a launch asks for.
    block : tuple of int or None
        The shape of the block that the kernel is compiled for.
    """

    name: str
    steps: list
    parameters: list
    constants: dict
    registers: int
    objects: list
    scratch_bytes: int = 0
    block: tuple | None = None
    location: object = None
