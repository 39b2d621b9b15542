# The registry of participation cases.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Register kernels with the verdict that they must get."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = [
    "CASES",
    "Case",
    "alike",
    "ascending",
    "by_warps",
    "differs",
    "diverges",
    "legal",
    "mixed",
    "unproven",
    "unproven_operand",
]

CASES: list[Case] = []

SIZE = 8192
"""Elements of the arrays of a run."""

_FAULTS = {
    "legal": "clean",
    "diverges": "participation",
    "unproven": "participation",
    "differs": "uniformity",
    "unproven operand": "uniformity",
}


def mixed(size: int) -> np.ndarray:
    """Return numbers from 0 to 10 that differ within any few."""
    return ((np.arange(size) * 7919 >> 3) + 3) % 11


def alike(size: int) -> np.ndarray:
    """Return equal numbers, which part no threads."""
    return np.full(size, 4)


def ascending(size: int) -> np.ndarray:
    """Return even numbers, 0, 2, 4 and so on."""
    return np.arange(size) * 2


def by_warps(size: int) -> np.ndarray:
    """Return numbers that are the same for each 32, and differ between these."""
    return np.arange(size) // 32 % 2 * 9


@dataclass(frozen=True)
class Case:
    """A kernel ``(src, dst, n)``, its launch and its verdict.

    Attributes
    ----------
    kernel : function
        Takes two int32 arrays and an int64.
    verdict : str
        ``legal``, ``diverges``, ``unproven``, ``differs`` (an operand does) or
        ``unproven operand``.
    block : int or tuple of int
        The block's shape.
    n : int
        The third argument of a run in which the fault shows, if there is one.
    source : function
        Makes the first argument of such a run from its size.
    grid : int
        The blocks of a run.
    shared_bytes : int
        Dynamic shared memory of a run.
    calm_n : int or None
        The third argument of a run on equal data, in which nothing is wrong
        where only data decides; by default `n`.
    found : str
        What is found in such a run if it isn't what the verdict says: another
        kind of fault, or ``clean``. Needs a reason.
    why : str
        The reason.
    """

    kernel: Callable
    verdict: str
    block: int | tuple[int, ...] = 128
    n: int = 5
    source: Callable[[int], np.ndarray] = mixed
    grid: int = 2
    shared_bytes: int = 0
    calm_n: int | None = None
    found: str = ""
    why: str = ""

    def __post_init__(self):
        assert bool(self.found) == bool(self.why), "what is found instead needs a reason"

    @property
    def name(self) -> str:
        family = self.kernel.__module__.rpartition(".")[2]
        return f"{family}.{self.kernel.__name__}"

    def arguments(self, calm: bool = False) -> tuple:
        """Return new arguments of a run: one that shows the fault, or a calm one."""
        source = (alike if calm else self.source)(SIZE).astype(np.int32)
        n = self.calm_n if calm and self.calm_n is not None else self.n
        return source, np.zeros(SIZE, np.int32), n

    @property
    def fault(self) -> str:
        """What a run must find: ``clean``, ``participation``, ``uniformity`` or another."""
        return self.found or _FAULTS[self.verdict]

    def lines(self, marker: str) -> list[int]:
        """Return the lines of the kernel that end in a comment `marker`."""
        code = self.kernel.__code__
        last = max(line for *_, line in code.co_lines() if line is not None)
        text = linecache.getlines(code.co_filename)
        return [
            number
            for number in range(code.co_firstlineno, last + 1)
            if text[number - 1].rstrip().endswith(f"# {marker}")
        ]


def _register(verdict):
    def with_facts(block=128, **facts):
        def register(kernel):
            CASES.append(Case(kernel, verdict, block, **facts))
            return kernel

        return register

    return with_facts


legal = _register("legal")
diverges = _register("diverges")
unproven = _register("unproven")
differs = _register("differs")
unproven_operand = _register("unproven operand")
