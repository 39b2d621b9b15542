# Who accessed each byte of shared memory last.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who accessed each byte of shared memory last, and whether that was in order.

For each cell (some bytes that are always accessed together) of each block a
shadow has the last write and up to two reads, by threads of different warps. An
*entry* says who: the warp and the lanes of it, or the whole block; and when: the
number of the block's barriers before it and the time of the warp.
"""

from __future__ import annotations

from math import gcd

import numpy as np

from .batch import WARP
from .findings import CoopCheckError, Note

__all__ = ["LANES", "Shadow"]

_NO_ONE, _ALL = -1, -2
_WIDEST_CELL = 16
#: The bit of each lane in a mask.
LANES = np.uint32(1) << np.arange(WARP, dtype=np.uint32)
_WHOLE_WARP = np.uint32(0xFFFFFFFF)


class _Entries:
    """Who accessed each cell of each block last, when and where."""

    def __init__(self, blocks, cells):
        shape = (blocks, cells)
        self.epoch = np.full(shape, -1, np.int32)
        self.warp = np.full(shape, _NO_ONE, np.int16)
        self.mask = np.zeros(shape, np.uint32)
        self.time = np.zeros(shape, np.int32)
        self.place = np.zeros(shape, np.int32)
        self.atomic = np.zeros(shape, bool)

    def split(self, parts) -> None:
        """Make `parts` cells of each one."""
        for name, cells in vars(self).items():
            setattr(self, name, np.repeat(cells, parts, axis=1))

    def alike(self, at) -> bool:
        """Whether the entries of each row of places are the same."""
        fields = (self.epoch, self.warp, self.mask, self.time)
        first = tuple(part[:, :1] for part in at)
        return all((field[at] == field[first]).all() for field in fields)

    def set(self, at, epoch, warp, mask, time, place, atomic=False):
        """Make an access the last one."""
        self.epoch[at], self.warp[at], self.mask[at] = epoch, warp, mask
        self.time[at], self.place[at], self.atomic[at] = time, place, atomic


class Shadow:
    """The accesses to one shared object.

    Parameters
    ----------
    detector : RaceDetector
        Knows what is in order.
    memory : SharedObject
        The object.
    """

    def __init__(self, detector, memory):
        self._detector = detector
        self._memory = memory
        self._cell = _WIDEST_CELL
        self._places = []
        self._made = None

    @property
    def _entries(self):
        if self._made is None:
            shape = (self._detector.batch.blocks, -(-self._memory.pitch // self._cell))
            self._made = [_Entries(*shape) for _ in range(3)]
        return self._made

    # -- accesses of single threads ------------------------------------------

    def read(self, offsets, lanes, size, where, atomic=False) -> None:
        """Note that lanes read at offsets; refuse a read of what may yet be written."""
        if atomic:
            return  # The write that follows looks for both.
        written, *_ = self._entries
        for offset, lane in self._cells(offsets, lanes, size):
            at = self._at(offset, lane)
            self._conflict(written, at, lane, offset, where, "reads", "wrote")
            self._note_read(at, lane, self._place(where))

    def write(self, offsets, lanes, value, where, atomic=False) -> None:
        """Note that lanes write at offsets; refuse a write of what others may use."""
        written, first, second = self._entries
        place = self._place(where)
        quiet = self._changes_nothing(offsets, lanes, value)
        for offset, lane in self._cells(offsets, lanes, value.dtype.itemsize):
            at = self._at(offset, lane)
            loud = ~quiet if quiet is not None else None
            self._conflict(written, at, lane, offset, where, "writes", "wrote", atomic, loud)
            self._conflict(first, at, lane, offset, where, "writes", "read")
            self._conflict(second, at, lane, offset, where, "writes", "read")
            self._note_write(written, at, lane, place, atomic)
            if not atomic:
                self._same_moment(written, at, lane, offset, value, where)

    def _cells(self, offsets, lanes, size):
        """Yield the cells that accesses touch: their numbers and the lanes."""
        self._fit(size, int(np.gcd.reduce(offsets, axis=None)))
        first, lanes = np.broadcast_arrays(offsets // self._cell, lanes)
        for step in range(size // self._cell):
            yield first + step, lanes

    def _fit(self, *edges) -> None:
        """Make the cells so small that accesses begin and end where cells do."""
        cell = gcd(self._cell, *edges)
        if cell != self._cell:
            for entries in self._made or ():
                entries.split(self._cell // cell)
            self._cell = cell

    def _at(self, cells, lanes):
        return self._detector.batch.block_of[lanes], cells

    def _place(self, where) -> int:
        if where not in self._places:
            self._places.append(where)
        return self._places.index(where)

    def _changes_nothing(self, offsets, lanes, value):
        """Return where a write leaves the bytes as they are, None if never asked for."""
        if value.dtype.itemsize < self._cell:
            return None
        old, _ = self._memory.read(offsets, lanes, value.dtype)
        return np.broadcast_to(old == value, np.broadcast_shapes(old.shape, lanes.shape))

    def _conflict(
        self, entries, at, lanes, cells, where, now, before, atomic=False, loud=None
    ) -> None:
        """Refuse accesses that aren't in order with those of the entries."""
        detector = self._detector
        recent = entries.epoch[at] == detector.epoch[at[0]]
        if not recent.any():
            return
        warp, mask = entries.warp[at], entries.mask[at]
        own = LANES[detector.batch.rank[lanes] % WARP]
        same_warp = warp == detector.batch.warp[lanes]
        others = np.where(same_warp, mask & ~own, mask)
        bad = recent & (warp != _NO_ONE) & (others != 0)
        if atomic:
            bad &= ~entries.atomic[at]
        if loud is not None and loud.shape == bad.shape:
            bad &= loud
        near = bad & same_warp
        if near.any():
            bad[near] = ~detector.knows(lanes[near], others[near], entries.time[at][near])
        if bad.any():
            one = tuple(int(i[0]) for i in np.nonzero(bad))
            self._refuse(entries, at, one, lanes, cells, where, now, before)

    def _refuse(self, entries, at, one, lanes, cells, where, now, before):
        batch = self._detector.batch
        block, cell = int(at[0][one]), int(cells[one])
        lane = int(lanes[one])
        entry = (block, cell)
        who = self._who(entries.warp[entry], int(entries.mask[entry]), block, lane)
        byte = cell * self._cell
        name = self._memory.name
        raise CoopCheckError(
            "race",
            f"{batch.name(lane)} {now} byte {byte} of {name}, which {who} {before}, "
            "with no barrier between",
            where,
            [Note(f"it {before} the byte here", self._places[int(entries.place[entry])])],
        )

    def _who(self, warp, mask, block, lane) -> str:
        batch = self._detector.batch
        if warp == _ALL:
            return "the block"
        own = lane % batch.threads
        ranks = [warp * WARP + i for i in range(WARP) if mask >> i & 1]
        rank = next(r for r in ranks if r != own)
        return batch.name(block * batch.threads + int(rank))

    def _note_write(self, entries, at, lanes, place, atomic):
        detector = self._detector
        entries.set(
            at,
            detector.epoch[at[0]],
            detector.batch.warp[lanes],
            LANES[detector.batch.rank[lanes] % WARP],
            detector.time(lanes),
            place,
            atomic,
        )

    def _same_moment(self, entries, at, lanes, cells, value, where):
        """Refuse different values that lanes write to one cell at once."""
        own = LANES[self._detector.batch.rank[lanes] % WARP]
        lost = (entries.mask[at] != own) | (entries.warp[at] != self._detector.batch.warp[lanes])
        if not lost.any():
            return
        value = np.broadcast_to(value, lanes.shape) if value.ndim <= lanes.ndim else value
        if value.shape != lanes.shape:
            return
        final = np.zeros(entries.epoch.shape, value.dtype)
        final[at] = value
        different = lost & (final[at] != value)
        if different.any():
            one = tuple(int(i[0]) for i in np.nonzero(different))
            self._refuse(entries, at, one, lanes, cells, where, "writes", "wrote")

    def _note_read(self, at, lanes, place):
        _, first, second = self._entries
        detector = self._detector
        epoch, time = detector.epoch[at[0]], detector.time(lanes)
        warp = detector.batch.warp[lanes].astype(np.int16)
        own = LANES[detector.batch.rank[lanes] % WARP]
        stale = (first.epoch[at] != epoch) | (first.warp[at] == _NO_ONE)
        if stale.any():
            old = tuple(part[stale] for part in at)
            first.set(old, epoch[stale], warp[stale], 0, time[stale], place)
        same = first.warp[at] == warp
        later = same & (first.time[at] != time)
        if later.any():
            again = tuple(part[later] for part in at)
            first.set(again, epoch[later], warp[later], 0, time[later], place)
        np.bitwise_or.at(first.mask, tuple(part[same] for part in at), own[same])
        if not same.all():
            other = tuple(part[~same] for part in at)
            second.set(other, epoch[~same], warp[~same], own[~same], time[~same], place)

    # -- accesses of groups --------------------------------------------------

    def claim(self, blocks, begin, end, where, warp=_ALL, mask=_WHOLE_WARP) -> None:
        """Note that groups write all of their scratch; refuse it while others may use it.

        Parameters
        ----------
        blocks : array
            The block of each group.
        begin, end : array
            Its bytes.
        warp, mask : array or int
            The group's warp and lanes; the whole block by default.
        """
        self._each_span(blocks, begin, end, where, warp, mask, write=True)

    def release(self, blocks, begin, end, where, warp=_ALL, mask=_WHOLE_WARP) -> None:
        """Note that groups read all of their scratch."""
        self._each_span(blocks, begin, end, where, warp, mask, write=False)

    def _each_span(self, blocks, begin, end, where, warp, mask, write):
        self._fit(int(np.gcd.reduce(begin)), int(np.gcd.reduce(end)))
        first = begin // self._cell
        cells = int((end - begin)[0]) // self._cell
        columns = np.asarray(first)[..., None] + np.arange(cells)
        rows = np.asarray(blocks)[..., None]
        at = np.broadcast_arrays(rows, columns)
        at = tuple(at)
        warps = np.broadcast_to(np.asarray(warp, np.int16)[..., None], at[0].shape)
        masks = np.broadcast_to(np.asarray(mask, np.uint32)[..., None], at[0].shape)
        place = self._place(where)
        written, read, second = self._entries
        epoch = self._detector.epoch[at[0]]
        if write:
            for entries, verb in ((written, "wrote"), (read, "read"), (second, "read")):
                self._group_conflict(entries, at, warps, masks, where, verb)
        time = 0
        if warp is not _ALL:
            time = self._detector.time_of(at[0], warps)
        (written if write else read).set(at, epoch, warps, masks, time, place)

    def _group_conflict(self, entries, at, warps, masks, where, verb):
        detector = self._detector
        recent = entries.epoch[at] == detector.epoch[at[0]]
        if not recent.any():
            return
        if entries.alike(at):
            at, warps, masks, recent = (
                tuple(part[:, :1] for part in at), warps[:, :1], masks[:, :1], recent[:, :1]
            )  # fmt: skip
        bad = recent & (entries.warp[at] != _NO_ONE)
        same = bad & (entries.warp[at] == warps) & (warps != _ALL)
        if same.any():
            bad[same] = ~self._all_know(entries, at, warps, masks, same)
        if not bad.any():
            return
        one = tuple(int(i[0]) for i in np.nonzero(bad))
        entry = (int(at[0][one]), int(at[1][one]))
        warp = int(warps[one])
        first = 0 if warp == _ALL else warp * WARP + _lowest(int(masks[one]))
        lane = entry[0] * detector.batch.threads + first
        who = self._who_of(entries, entry, lane)
        raise CoopCheckError(
            "race",
            f"the call of {detector.batch.name(lane)} writes byte {entry[1] * self._cell} of "
            f"{self._memory.name}, which {who} {verb}, with no barrier between",
            where,
            [Note(f"it {verb} the byte here", self._places[int(entries.place[entry])])],
        )

    def _who_of(self, entries, entry, lane):
        warp, mask = int(entries.warp[entry]), int(entries.mask[entry])
        if warp == _ALL:
            return "another call of the block"
        rank = warp * WARP + _lowest(mask)
        return f"a call or an access of warp {warp}" if rank >= 0 else "another call"

    def _all_know(self, entries, at, warps, masks, same):
        """Return whether all lanes of the groups know the entries' times."""
        detector = self._detector
        batch = detector.batch
        blocks, warps, masks = at[0][same], warps[same].astype(np.int64), masks[same]
        mask, time = entries.mask[at][same], entries.time[at][same]
        knows = np.ones(blocks.shape, bool)
        for lane in range(WARP):
            member = (masks & LANES[lane]) != 0
            rank = np.minimum(warps * WARP + lane, batch.threads - 1)
            others = mask & ~LANES[lane]
            knows &= ~member | detector.knows(blocks * batch.threads + rank, others, time)
        return knows


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1
