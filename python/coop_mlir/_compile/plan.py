# What the passes decided, as data.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the passes decided: the plan of shared memory and the barriers.

Time in a plan is counted in *points*: the uses of scratch and the barriers of a kernel, numbered
from 0 in the order of its text.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import SourceLocation

__all__ = ["Barrier", "Plan", "Slice", "Storage", "UserArray"]


def _line(location: SourceLocation | None) -> int | None:
    return None if location is None else location.line


@dataclass(frozen=True)
class Slice:
    """The scratch of one operation.

    Attributes
    ----------
    op : str
        The operation, such as ``coop.load``.
    offset, size : int
        Its bytes in the arena, for all groups of the block.
    alignment : int
        The alignment in bytes that it needs.
    location : SourceLocation or None
        The user's call.
    group : str
        The group that executes it: ``block``, ``warp`` or ``warp, 8``.
    count : int
        The groups of the block, each of which has `group_bytes` of the slice.
    group_bytes : int
        Bytes of one group.
    storage : int
        Which of the plan's storages it is a part of.
    first, last : int
        The point of the operation, and the last one at which some threads may
        run while others are still in the operation, before another use takes
        its bytes.
    """

    op: str
    offset: int
    size: int
    alignment: int
    location: SourceLocation | None
    group: str = "block"
    count: int = 1
    group_bytes: int = 0
    storage: int = 0
    first: int = 0
    last: int = 0

    @property
    def line(self) -> int | None:
        """The line of the call."""
        return _line(self.location)

    @property
    def end(self) -> int:
        """The byte behind its last one."""
        return self.offset + self.size


@dataclass(frozen=True)
class Storage:
    """Bytes that are planned as one: those of a call, or of a descriptor.

    Attributes
    ----------
    offset, size : int
        Its bytes in the arena.
    alignment : int
        The alignment in bytes that it has.
    kind : str
        ``call`` for a call without descriptor, else how the descriptor shares:
        ``shared`` or ``exclusive``.
    user_sync : bool
        Whether the program places the barriers between its calls.
    location : SourceLocation or None
        The call, or the descriptor's constructor.
    """

    offset: int
    size: int
    alignment: int
    kind: str = "call"
    user_sync: bool = False
    location: SourceLocation | None = None

    @property
    def line(self) -> int | None:
        """The line of the call or constructor."""
        return _line(self.location)

    @property
    def end(self) -> int:
        """The byte behind its last one."""
        return self.offset + self.size


@dataclass(frozen=True)
class UserArray:
    """A shared array of the program's own, alive from start to end.

    Attributes
    ----------
    name : str
        Its symbol.
    size : int
        Its bytes.
    location : SourceLocation or None
        Where the program makes it.
    """

    name: str
    size: int
    location: SourceLocation | None = None


@dataclass(frozen=True)
class Barrier:
    """A barrier that the compiler, or the program, placed.

    Attributes
    ----------
    scope : str
        The group whose threads wait: ``block``, ``warp`` or ``warp, 8``.
    why : str
        The hazard that it is for; empty for a barrier of the program.
    location : SourceLocation or None
        The call that needs it, or the program's barrier.
    point : int
        Where it stands in the plan's time.
    """

    scope: str
    why: str
    location: SourceLocation | None
    point: int = 0

    @property
    def line(self) -> int | None:
        """The line of the call that needs it."""
        return _line(self.location)

    @property
    def by_program(self) -> bool:
        """Whether the program placed it."""
        return not self.why

    def __str__(self) -> str:
        return f"{self.scope} barrier, line {self.line}: {self.why or 'placed by the program'}"


@dataclass(frozen=True)
class Plan:
    """What lies where in shared memory, and when.

    Attributes
    ----------
    slices : tuple of Slice
        One for each operation that uses scratch, in the order of the text.
    total : int
        Bytes of the arena, 0 when nothing uses scratch.
    dynamic : bool
        Whether the launch provides the bytes.
    storages : tuple of Storage
        What the slices are parts of.
    arrays : tuple of UserArray
        The shared arrays of the program's own, where there is scratch too.
    barriers : tuple of Barrier
        All barriers of the kernel, with their points.
    lower_bound : int
        The largest sum of bytes that are live at a time: no plan has fewer.
    optimal : bool
        Whether it is proven that no plan has fewer bytes than this one.
    needed, limit : int
        Bytes of shared memory that the launch takes, and may take at most.
    launch_dynamic : int
        Dynamic bytes of those needed that the program's own launch asks for.
    padding : int
        Bytes of those needed that are there for alignment.
    """

    slices: tuple[Slice, ...] = ()
    total: int = 0
    dynamic: bool = False
    storages: tuple[Storage, ...] = ()
    arrays: tuple[UserArray, ...] = ()
    barriers: tuple[Barrier, ...] = ()
    lower_bound: int = 0
    optimal: bool = True
    needed: int = 0
    limit: int = 0
    launch_dynamic: int = 0
    padding: int = 0

    def __iter__(self):
        return iter(self.slices)

    def __len__(self) -> int:
        return len(self.slices)

    def __getitem__(self, index):
        return self.slices[index]

    @property
    def points(self) -> int:
        """How many points of time the plan has."""
        ends = [one.last for one in self.slices] + [one.point for one in self.barriers]
        return 1 + max(ends, default=-1)

    def uses(self, storage: int) -> tuple[Slice, ...]:
        """Return the slices of a storage, by its index."""
        return tuple(one for one in self.slices if one.storage == storage)

    def lifetime(self, storage: int) -> tuple[int, int]:
        """Return the first and the last point at which a storage is live.

        Between its uses, others may have its bytes (see the slices).
        """
        uses = self.uses(storage)
        return min(use.first for use in uses), max(use.last for use in uses)

    def lines(self, storage: int) -> tuple[int | None, int | None]:
        """Return the lines of a storage's first and last use."""
        uses = self.uses(storage)
        return uses[0].line, uses[-1].line

    def live_at(self, point: int) -> tuple[Slice, ...]:
        """Return the slices that threads may be in at a point."""
        return tuple(one for one in self.slices if one.first <= point <= one.last)

    def __str__(self) -> str:
        from .plan_table import plan_table

        return plan_table(self)

    def svg(self, width: int = 720) -> str:
        """Return a picture as SVG: bytes from left to right, time downwards.

        Parameters
        ----------
        width : int
            The width that the bytes take, in pixels.

        Each use of scratch is a rectangle with its storage, line and bytes as a
        tool tip; barriers are lines across; the program's own arrays stand to
        the right, from start to end.
        """
        from .plan_svg import plan_svg

        return plan_svg(self, width)
