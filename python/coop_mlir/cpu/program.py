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

__all__ = ["Branch", "Exit", "Jump", "Meet", "Parameter", "Program", "Step", "arrange"]


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
    block : tuple of int or None
        The shape of the block that the kernel is compiled for.
    """

    name: str
    steps: list
    parameters: list
    constants: dict
    registers: int
    objects: list
    block: tuple | None = None
    location: object = None


def arrange(entry: Step, constants) -> list[Step]:
    """Number the steps that can be reached, and find what passes between them."""
    steps = _order(entry)
    for number, step in enumerate(steps):
        step.number = number
        step.reads.update(step.end.reads)
    defined = {register: step for step in steps for register in step.writes}
    for step in steps:
        step.inputs = [r for r in step.reads if r not in step.writes and r not in constants]
        for register in step.inputs:
            owner = defined.get(register)
            if owner is not None and owner is not step and register not in owner.outputs:
                owner.outputs.append(register)
    for step in steps:
        if isinstance(step.end, Meet):
            results = step.end.meeting.slots.results
            step.outputs = [r for r in step.outputs if r not in results]
    return steps


def _order(entry: Step) -> list[Step]:
    """Return the steps in reverse post-order, loops before what follows them.

    Of a step's edges the ones that stay in its loop are visited last, so that
    they come first.
    """
    components = _components(entry)
    done: list[Step] = []
    seen = {entry}
    stack = [(entry, iter(_edges_out_first(entry, components)))]
    while stack:
        step, targets = stack[-1]
        target = next(targets, None)
        if target is None:
            done.append(step)
            stack.pop()
        elif target not in seen:
            seen.add(target)
            stack.append((target, iter(_edges_out_first(target, components))))
    return done[::-1]


def _edges_out_first(step, depth_of):
    targets = [edge.target for edge in step.end.edges]
    return sorted(targets, key=lambda target: len(depth_of[target] & depth_of[step]))


def _components(entry: Step) -> dict:
    """Return for each step the loops that it is in, each named by its header."""
    headers = {step: set() for step in _reachable(entry)}
    predecessors = {step: [] for step in headers}
    for step in headers:
        for edge in step.end.edges:
            predecessors[edge.target].append(step)
    for source, header in _back_edges(entry):
        body, work = {header}, [source]
        while work:
            step = work.pop()
            if step not in body:
                body.add(step)
                work.extend(predecessors[step])
        for step in body:
            headers[step].add(header)
    return headers


def _reachable(entry):
    found, work = {entry: None}, [entry]
    while work:
        for edge in work.pop().end.edges:
            if edge.target not in found:
                found[edge.target] = None
                work.append(edge.target)
    return found


def _back_edges(entry):
    """Yield (step, header) for each edge to a step of the path that leads to it."""
    path, seen = {entry}, {entry}
    stack = [(entry, iter(entry.end.edges))]
    while stack:
        step, edges = stack[-1]
        edge = next(edges, None)
        if edge is None:
            path.discard(step)
            stack.pop()
        elif edge.target in path:
            yield step, edge.target
        elif edge.target not in seen:
            seen.add(edge.target)
            path.add(edge.target)
            stack.append((edge.target, iter(edge.target.end.edges)))
