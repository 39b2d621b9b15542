# Operations that threads execute together.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations that threads execute together, and who must be there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .batch import WARP
from .findings import CoopCheckError
from .registry import Slots
from .values import spread, take, unsigned

__all__ = ["Meeting", "complete", "missing"]


@dataclass(eq=False)
class Meeting:
    """An operation that waits for all members of a group of threads.

    Attributes
    ----------
    name : str
        What messages call it.
    slots : Slots
        Its registers.
    act : callable
        What happens to a frame of whole groups.
    width : int or None
        Consecutive threads of a group, None for the block.
    mask : int or None
        The register of the lanes that take part, for those that say it.
    """

    name: str
    slots: Slots
    act: Callable
    width: int | None = None
    mask: int | None = None

    @property
    def scope(self) -> str:
        """What messages call the group."""
        if self.width is None:
            return "block"
        return "warp" if self.width == WARP else f"group of {self.width} threads"


def complete(meeting: Meeting, lanes, regs, batch) -> np.ndarray:
    """Return for each of the lanes that wait whether all of its group do."""
    if meeting.mask is not None:
        return _complete_by_mask(meeting, lanes, regs, batch)
    if lanes.size == batch.lanes:
        return np.ones(lanes.size, bool)
    groups = batch.group_of(meeting.width)
    counts = np.bincount(groups[lanes], minlength=int(groups[-1]) + 1)
    return (counts == np.bincount(groups))[groups[lanes]]


def _masks(meeting, lanes, regs) -> np.ndarray:
    return spread(unsigned(take(regs[meeting.mask], lanes)), lanes.size).astype(np.uint32)


def _complete_by_mask(meeting, lanes, regs, batch):
    masks = _masks(meeting, lanes, regs)
    bits = _bit(batch, lanes)
    if (outside := (masks & bits) == 0).any():
        at = int(np.argmax(outside))
        raise CoopCheckError(
            "participation",
            f"{batch.name(int(lanes[at]))} executes '{meeting.name}' with the mask "
            f"{int(masks[at]):#010x}, which leaves it out",
            meeting.slots.location,
        )
    warps = batch.group_of(WARP)[lanes]
    done = np.zeros(lanes.size, bool)
    for mask in np.unique(masks):
        same = masks == mask
        present = np.zeros(int(batch.group_of(WARP)[-1]) + 1, np.uint32)
        np.bitwise_or.at(present, warps[same], bits[same])
        wanted = _existing(batch) & mask
        done[same] = (present == wanted)[warps[same]]
    return done


def _bit(batch, lanes):
    return np.uint32(1) << (batch.rank[lanes] % WARP).astype(np.uint32)


def _existing(batch):
    """Return the lanes that exist, by warp."""
    present = np.zeros(int(batch.group_of(WARP)[-1]) + 1, np.uint32)
    np.bitwise_or.at(present, batch.group_of(WARP), _bit(batch, batch.all))
    return present


def missing(meeting: Meeting, lanes, regs, batch) -> tuple[int, np.ndarray]:
    """Return a lane that waits in vain, and the members of its group that it misses."""
    first = int(lanes[0])
    width = WARP if meeting.mask is not None else meeting.width
    groups = batch.group_of(width)
    members = np.flatnonzero(groups == groups[first])
    if meeting.mask is not None:
        mask = _masks(meeting, lanes, regs)
        wanted = (_bit(batch, members) & mask[0]) != 0
        members = members[wanted]
        lanes = lanes[mask == mask[0]]
    return first, np.setdiff1d(members, lanes)
