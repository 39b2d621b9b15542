# What the passes decided, as data.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the passes decided: the plan of shared memory and the barriers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from coop_mlir import ir

from ..errors import SourceLocation
from ._operations import operations
from .diagnostics import source_location

__all__ = ["Barrier", "Plan", "Slice", "read_barriers", "read_plan"]


@dataclass(frozen=True)
class Slice:
    """The scratch of one operation.

    Attributes
    ----------
    op : str
        The operation, such as ``coop.load``.
    offset, size : int
        Its bytes in the arena.
    alignment : int
        The alignment in bytes that it needs.
    location : SourceLocation or None
        The user's call.
    """

    op: str
    offset: int
    size: int
    alignment: int
    location: SourceLocation | None

    @property
    def line(self) -> int | None:
        """The line of the call."""
        return None if self.location is None else self.location.line


@dataclass(frozen=True)
class Plan:
    """What lies where in shared memory.

    Attributes
    ----------
    slices : tuple of Slice
        One for each operation that uses scratch.
    total : int
        Bytes of the arena, 0 when nothing uses scratch.
    dynamic : bool
        Whether the launch provides the bytes.
    """

    slices: tuple[Slice, ...] = ()
    total: int = 0
    dynamic: bool = False

    def __iter__(self):
        return iter(self.slices)

    def __len__(self) -> int:
        return len(self.slices)

    def __getitem__(self, index):
        return self.slices[index]

    def __str__(self) -> str:
        kind = "dynamic" if self.dynamic else "static"
        lines = [f"{self.total} bytes of {kind} scratch"]
        for one in self.slices:
            end = one.offset + one.size
            lines.append(f"[{one.offset:>6}, {end:>6})  {one.op:<12} line {one.line}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Barrier:
    """A barrier that the compiler placed.

    Attributes
    ----------
    scope : str
        The group whose threads wait: ``block``, ``warp`` or ``warp, 8``.
    why : str
        The hazard that it is for.
    location : SourceLocation or None
        The call that needs it.
    """

    scope: str
    why: str
    location: SourceLocation | None

    @property
    def line(self) -> int | None:
        """The line of the call that needs it."""
        return None if self.location is None else self.location.line

    def __str__(self) -> str:
        return f"{self.scope} barrier, line {self.line}: {self.why}"


def read_plan(module: ir.Module) -> Plan:
    """Read the plan off a module after ``coop-plan-shared-memory``."""
    found = list(operations(module.operation))
    arenas = [op for op in found if op.name == "coop.arena"]
    slices = [slice_ for op in found for slice_ in _slices_of(op)]
    return Plan(
        slices=tuple(slices),
        total=sum(_integer(op, "size") for op in arenas),
        dynamic=any("dynamic" in op.attributes for op in arenas),
    )


def read_barriers(module: ir.Module) -> tuple[Barrier, ...]:
    """Read the barriers off a module after ``coop-eliminate-barriers``."""
    return tuple(
        Barrier(_scope_of(op), _text(op, "reason"), source_location(op.location))
        for op in operations(module.operation)
        if op.name == "coop.barrier" and "reason" in op.attributes
    )


def _slices_of(op: Any):
    for operand in op.operands:
        owner = operand.owner
        if not isinstance(owner, ir.Block) and owner.name == "coop.scratch_slice":
            offset, size = _integer(owner, "offset"), _integer(owner, "size")
            yield Slice(op.name, offset, size, _alignment(op), source_location(op.location))


def _alignment(op: Any) -> int:
    """The second number of the operation's ``layout``."""
    return int(str(op.attributes["layout"]).rpartition(",")[2].strip(" >"))


def _scope_of(op: Any) -> str:
    group = str(op.operands[0].type)
    return group.partition("<")[2].rstrip(">")


def _integer(op: Any, name: str) -> int:
    return ir.IntegerAttr(op.attributes[name]).value


def _text(op: Any, name: str) -> str:
    return ir.StringAttr(op.attributes[name]).value
