# Whose turn it is.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whose turn it is: which of the lanes that are ready run next."""

from __future__ import annotations

import numpy as np

from .batch import WARP

__all__ = ["Drawn", "Earliest", "merged"]

_FAIRNESS = 64


class Earliest:
    """The earliest step, for all lanes that are ready for it; now and then the last.

    Else lanes that wait in a loop for what others do would keep these from
    doing it.
    """

    def take(self, ready: dict, turn: int) -> tuple:
        """Take a step and lanes out of those that are ready, by step."""
        number = (max if turn % _FAIRNESS == 0 else min)(ready)
        return number, merged(ready.pop(number))


class Drawn:
    """A step drawn by lot, for some warps, also drawn, of those that are ready for it.

    Warps drift apart as they may on a GPU, the same way for the same seed.

    Parameters
    ----------
    seed : int
        Which draw it is.
    batch : Batch
        Who runs.
    """

    def __init__(self, seed: int, batch):
        self._random = np.random.default_rng(seed)
        self._warp_of = batch.group_of(WARP)

    def take(self, ready: dict, turn: int) -> tuple:
        """Take a step and lanes out of those that are ready, by step."""
        number = int(self._random.choice(sorted(ready)))
        lanes = merged(ready.pop(number))
        warps = np.unique(self._warp_of[lanes])
        drawn = self._random.choice(warps, self._random.integers(1, warps.size + 1), replace=False)
        runs = np.isin(self._warp_of[lanes], drawn)
        if not runs.all():
            ready[number] = [lanes[~runs]]
        return number, lanes[runs]


def merged(parts) -> np.ndarray:
    """Return lanes of several arrays, ascending."""
    return parts[0] if len(parts) == 1 else np.sort(np.concatenate(parts))
