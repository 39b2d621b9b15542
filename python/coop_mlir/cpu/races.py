# Which accesses to shared memory are in order.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which accesses to shared memory are in order.

Two accesses are in order if a barrier of the block lies between. Within a warp
they also are if the later lane *knows* the earlier one's time: the lanes of a
warp barrier learn from each other what each of them knows. A warp's time is the
number of its barriers.
"""

from __future__ import annotations

import numpy as np

from .batch import WARP
from .shadow import LANES, Shadow

__all__ = ["RaceDetector"]


class RaceDetector:
    """The order of the threads' accesses.

    Attributes
    ----------
    epoch : array
        By block, the barriers of the block so far.
    """

    def __init__(self, batch):
        self.batch = batch
        self.epoch = np.zeros(batch.blocks, np.int32)
        self._time = np.zeros((batch.blocks, batch.warps), np.int32)
        # What each lane knows of each lane of its warp; None before the first warp barrier.
        self._known = None

    def shadow(self, memory):
        """Return the shadow of a shared object."""
        return Shadow(self, memory)

    def block_barrier(self, lanes) -> None:
        """Put all accesses of the lanes' blocks so far before all later ones."""
        if lanes.size == self.batch.lanes:
            self.epoch += 1
        else:
            self.epoch[np.unique(self.batch.block_of[lanes])] += 1

    def lanes_barrier(self, lanes, groups) -> None:
        """Put accesses of lanes with the same group (all of a warp) in order."""
        batch = self.batch
        if self._known is None:
            self._known = np.full((batch.lanes, WARP), -1, np.int32)
        blocks, warps = batch.block_of[lanes], batch.warp[lanes]
        _, member_of = np.unique(groups, return_inverse=True)
        order = np.argsort(member_of, kind="stable")
        starts = np.flatnonzero(np.diff(member_of[order], prepend=-1))
        known = np.maximum.reduceat(self._known[lanes[order]], starts, axis=0)
        # Time only grows, so a lane's own is the latest that anyone knows of it.
        known[member_of, batch.rank[lanes] % WARP] = self._time[blocks, warps]
        self._known[lanes] = known[member_of]
        touched = np.unique(blocks * batch.warps + warps)
        self._time.reshape(-1)[touched] += 1

    def time_of(self, blocks, warps) -> np.ndarray:
        """Return the present time of warps."""
        return self._time[blocks, warps]

    def time(self, lanes) -> np.ndarray:
        """Return the present time of the lanes' warps."""
        return self._time[self.batch.block_of[lanes], self.batch.warp[lanes]]

    def knows(self, lanes, mask, when) -> np.ndarray:
        """Return whether a lane knows the time `when` of all lanes in `mask`."""
        if self._known is None:
            return np.broadcast_to(mask == 0, lanes.shape)
        behind = self._known[lanes] < when[..., None]
        return ~(behind & ((mask[..., None] & LANES) != 0)).any(-1)
