# What is known about a cooperative call at compile time.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is known about a cooperative call at compile time.

The planner folds all that must be constant into one of these records; typing
and lowering read them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ..errors import SourceLocation

WARP = 32
MAX_BLOCK = 1024
"""Threads of a block, at most, on every GPU."""
WIDTHS = (1, 2, 4, 8, 16, 32)
NUMBERS = ("offset", "valid_items", "oob_default")
CONTROLS = (*NUMBERS, "temp_storage")
"""The optional operands of a load or store, in their order in rewritten calls."""


@dataclass(frozen=True)
class Group:
    """The threads that take part in an operation.

    Attributes
    ----------
    scope : str
        ``"block"`` or ``"warp"``.
    size : int
        Threads of the group.
    block : tuple of int
        The block's shape, x, y, z.
    """

    scope: str
    size: int
    block: tuple[int, int, int]

    @classmethod
    def of_block(cls, block) -> Group:
        return cls("block", math.prod(block), block)

    @classmethod
    def of_warp(cls, block, width=WARP) -> Group:
        return cls("warp", width, block)

    @property
    def block_size(self) -> int:
        """Threads of the block."""
        return math.prod(self.block)

    @property
    def count(self) -> int:
        """Groups of the block."""
        return self.block_size // self.size

    @property
    def ir_type(self) -> str:
        """The group's type in coop IR."""
        if self.scope == "warp" and self.size != WARP:
            return f"!coop.group<warp, {self.size}>"
        return f"!coop.group<{self.scope}>"

    def __str__(self) -> str:
        if self.scope == "block":
            return f"a block of {self.size} threads"
        return f"a warp group of {self.size} threads"


@dataclass(frozen=True, eq=False)
class Payload:
    """A ``ThreadData``: `count` slots of the Numba type `dtype`."""

    count: int
    dtype: Any
    alignment: int | None
    location: SourceLocation


@dataclass(frozen=True, eq=False)
class Storage:
    """A ``TempStorage``; each constructor has its own."""

    size: int | None
    alignment: int | None
    auto_sync: bool
    sharing: str
    location: SourceLocation


@dataclass(frozen=True, eq=False)
class Access:
    """A ``load`` or ``store``.

    `constants` has those of offset, valid_items and oob_default whose value is
    known.
    """

    name: str
    algorithm: str
    location: SourceLocation
    constants: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Uniform:
    """A ``uniform``: the user's word that all threads of the block agree."""

    name: ClassVar[str] = "uniform"
    location: SourceLocation


@dataclass(frozen=True, eq=False)
class Query:
    """A method of a group: ``rank``, ``index`` or ``sync``."""

    name: str
    location: SourceLocation
