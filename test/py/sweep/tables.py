# The cases of one kernel, and what NumPy says of them.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of one kernel, and what NumPy says of them.

Each block of a launch is a case: it moves the same source to a region of its own, with canaries
around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from kernels.case import noise, untouched

from .space import Kernel

#: How a tile is moved: without a guard; guarded; guarded with a default, then stored whole.
WHOLE, GUARDED, PADDED = range(3)
COLUMNS = 5
OFFSETS = range(5)
#: Elements by which a launch's source and destination start behind an aligned address.
SLICES = ((0, 0), (1, 3), (2, 1), (3, 4), (4, 2))
_ALIGNED = 16  # elements; a region starts at a multiple


def fills(values: int) -> dict[str, int]:
    """Return the valid counts of a block of so many values."""
    return {"full": values, "partial": values - values // 3 - 1, "empty": 0, "one": 1}


@dataclass(frozen=True)
class Case:
    """One block of a launch.

    Attributes
    ----------
    algorithm : str
        By which it loads and stores.
    way : int
        WHOLE, GUARDED or PADDED.
    fill : str
        The name of the valid count.
    count : int
        The valid prefix of the block's values.
    start, to : int
        ``offset`` of the load and of the store, from its region on.
    """

    algorithm: str
    way: int
    fill: str
    count: int
    start: int
    to: int


@dataclass(frozen=True)
class Launch:
    """The cases of a launch, each in a region of the destination.

    Attributes
    ----------
    kernel : Kernel
        What is launched.
    source_slice, destination_slice : int
        Elements that the arrays given to the kernel lack at their start.
    cases : tuple of Case
        One for each block of the grid.
    """

    kernel: Kernel
    source_slice: int
    destination_slice: int
    cases: tuple[Case, ...]

    @property
    def pitch(self) -> int:
        """Elements from one region to the next; they hold a tile, an offset and a gap."""
        return (self.kernel.values + 2 * _ALIGNED) // _ALIGNED * _ALIGNED

    @cached_property
    def table(self) -> np.ndarray:
        """What the kernel reads of its cases."""
        names = self.kernel.algorithms
        rows = [
            (names.index(case.algorithm), case.way, case.start, case.count, self._to(number))
            for number, case in enumerate(self.cases)
        ]
        return np.array(rows, np.int64).reshape(-1)

    @cached_property
    def source(self) -> np.ndarray:
        """Random bits, for floats also NaNs and infinities, from an aligned address on."""
        size = self.source_slice + self.kernel.values + max(OFFSETS)
        if self.kernel.element.kind == "b":
            return noise(np.uint8, size) % 2 == 1
        return noise(self.kernel.element, size)

    @property
    def default(self) -> np.generic:
        """What stands for invalid items, when asked for: no canary, and no NaN.

        Of float16, the host's launch takes only numbers that are not subnormal.
        """
        return np.ones(1, self.kernel.element)[0]

    def destination(self) -> np.ndarray:
        """Return canaries, from an aligned address on."""
        return untouched(
            self.kernel.element,
            _ALIGNED + self.destination_slice + self.pitch * len(self.cases),
        )

    def expected(self) -> np.ndarray:
        """Return what the destination holds after the launch."""
        wanted, source = self.destination(), self.source[self.source_slice :]
        default = np.full(self.kernel.values, self.default)
        for number, case in enumerate(self.cases):
            first = self.destination_slice + self._to(number)
            if case.way == PADDED:
                wanted[first : first + self.kernel.values] = default
            end = case.start + case.count
            wanted[first : first + case.count] = source[case.start : end]
        return wanted

    def wrong(self, got: np.ndarray) -> list[Case]:
        """Return the cases in whose regions some byte isn't what NumPy says."""
        differs = got.view(np.uint8) != self.expected().view(np.uint8)
        if not differs.any():
            return []
        itemsize = self.kernel.itemsize
        places = np.flatnonzero(differs) // itemsize - self.destination_slice
        numbers = np.clip((places - _ALIGNED // 2) // self.pitch, 0, len(self.cases) - 1)
        return [self.cases[number] for number in np.unique(numbers)]

    def _to(self, number: int) -> int:
        """Return where a case's tile starts in the array that the kernel is given."""
        return _ALIGNED + number * self.pitch + self.cases[number].to


def launches(kernel: Kernel) -> Iterator[Launch]:
    """Yield the launches of a kernel.

    Each algorithm, way and valid count meets all pairs of offsets of the load and the store, and
    all pairs of slices.
    """
    for turn, (source_slice, destination_slice) in enumerate(SLICES):
        cases = tuple(
            Case(algorithm, way, fill, count, start, (2 * start + turn) % len(OFFSETS))
            for algorithm in kernel.algorithms
            for way in (WHOLE, GUARDED, PADDED)
            for fill, count in fills(kernel.values).items()
            if way != WHOLE or fill == "full"
            for start in OFFSETS
        )
        yield Launch(kernel, source_slice, destination_slice, cases)
