# What the cooperative operations mean.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the cooperative operations mean: the reference semantics.

Both the operations of the dialect and the calls of wrappers end up here.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd, prod

import numpy as np

from .batch import WARP
from .findings import CoopCheckError, Note
from .values import spread, unsigned

__all__ = ["Collective", "TileCall", "check_same", "check_uniform", "group_barrier"]

_TRANSPOSES = ("transpose", "warp_transpose", "warp_transpose_timesliced")
_BANKS = 32
_WIDEST_WORD = 16


@dataclass(frozen=True)
class Collective:
    """A kind of load or store, as a wrapper implements it.

    Attributes
    ----------
    collective : str
        ``load`` or ``store``.
    width : int or None
        Threads of the group, None for the block.
    block : tuple of int
        The shape of the block.
    items : int
        Items of a payload.
    dtype : dtype
        A word of an item; payloads are arrays of words.
    words : int
        Words of an item.
    algorithm : str
        How the tile moves.
    """

    collective: str
    width: int | None
    block: tuple
    items: int
    dtype: np.dtype
    words: int
    algorithm: str

    @property
    def item_bytes(self) -> int:
        """Bytes of an item."""
        return self.words * self.dtype.itemsize

    @property
    def group_size(self) -> int:
        """Threads of the group."""
        return self.width or prod(self.block)

    @property
    def tile(self) -> int:
        """Items of the group's tile."""
        return self.group_size * self.items

    @property
    def uses_scratch(self) -> bool:
        """Whether the operation exchanges elements through shared memory."""
        return self.algorithm in _TRANSPOSES

    def layout(self) -> tuple[int, int]:
        """Return the bytes and alignment of one group's scratch.

        It is that of CUB's exchanges: a padding item for each 32 when a thread
        has more than four items and a power of two of them, and for warps one
        more item. Items are aligned to the widest word that divides them.
        """
        items = self.tile
        if self.algorithm == "warp_transpose_timesliced":
            items = min(self.group_size, WARP) * self.items
        items = self._padded(items)
        if self.width is not None:
            items += 1
        alignment = 16 if self.width is None else gcd(self.item_bytes, _WIDEST_WORD)
        size = items * self.item_bytes
        return -(-size // alignment) * alignment, alignment

    @property
    def warp_share(self) -> int:
        """Bytes that each warp of a block has for itself in a warp_transpose's scratch."""
        return self._padded(WARP * self.items) * self.item_bytes

    def _padded(self, items: int) -> int:
        pads = self.items > 4 and self.items & (self.items - 1) == 0
        return items + items // _BANKS if pads else items

    def order(self, rank: np.ndarray) -> np.ndarray:
        """Return the item of the tile that is each payload slot's, by rank."""
        slots = np.arange(self.items)[:, None]
        if self.algorithm == "striped":
            return rank + slots * self.group_size
        return rank * self.items + slots


def check_uniform(frame, register, use, width, slots, name) -> None:
    """Refuse an operand that differs between members of a group that are there."""
    frame.run.require(frame, register, use, slots.location)
    check_same(frame, frame.env[register], use, width, slots, name)


def check_same(frame, value, use, width, slots, name) -> None:
    """Refuse a value that differs between members of a group that are there."""
    if value.shape[-1] == 1:
        return
    groups = frame.run.batch.group_of(width)[frame.lanes]
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    first = np.repeat(starts, np.diff(starts, append=groups.size))
    bits = _bits(value)
    differs = (bits != bits[:, first]).any(axis=0)
    if not differs.any():
        return
    other = int(np.argmax(differs))
    one = int(first[other])
    names = [frame.run.batch.name(int(frame.lanes[row])) for row in (one, other)]
    raise CoopCheckError(
        "uniformity",
        f"{use} of '{name}' differs within its group: {value[..., one]} in {names[0]}, "
        f"{value[..., other]} in {names[1]}",
        slots.location,
    )


def _bits(value) -> np.ndarray:
    """Return the bits of a value as rows of integers."""
    rows = value.reshape(-1, value.shape[-1])
    if value.dtype.kind == "c":
        rows = np.concatenate([rows.real, rows.imag])
    return unsigned(rows)


def group_barrier(frame, width) -> None:
    """Let the memory accesses of whole groups be in order."""
    races = frame.run.races
    if races is None:
        return
    if width is None:
        races.block_barrier(frame.lanes)
    elif width > 1:
        races.lanes_barrier(frame.lanes, frame.run.batch.group_of(width)[frame.lanes])


@dataclass
class TileCall:
    """One execution of a load or store by whole groups.

    Attributes
    ----------
    kind : Collective
        What is executed.
    frame : Frame
        By whom.
    slots : Slots
        The operation's place.
    name : str
        What messages call it.
    """

    kind: Collective
    frame: object
    slots: object
    name: str

    def elements(self) -> np.ndarray:
        """Return the items after the operation's address, by slot and lane."""
        kind, frame = self.kind, self.frame
        rank = frame.run.batch.rank[frame.lanes]
        if kind.width is None:
            return kind.order(rank)
        group, rank = np.divmod(rank, kind.width)
        return kind.order(rank) + group * kind.tile

    def valid(self, register, elements) -> np.ndarray | None:
        """Return which slots are within the valid prefix, None for all."""
        if register is None:
            return None
        count = self.frame.env[register]
        outside = (count < 0) | (count > self.kind.tile)
        if outside.any():
            self._refuse_valid(count, outside)
        if (count == self.kind.tile).all():
            return None
        tile = elements % self.kind.tile if self.kind.width else elements
        return tile < count

    def _refuse_valid(self, count, outside):
        lane = int(np.argmax(outside))
        thread = self.frame.run.batch.name(int(self.frame.lanes[lane]))
        raise CoopCheckError(
            "valid_items",
            f"valid_items of '{self.name}' is {int(count[lane])} in {thread}; it must lie in "
            f"[0, {self.kind.tile}]",
            self.slots.location,
        )

    def words(self, items: np.ndarray, pitch: int) -> np.ndarray:
        """Return the addresses of the words of items at addresses, by word and lane.

        `pitch` is the bytes from one word to the next.
        """
        if self.kind.words == 1:
            return items
        steps = np.arange(self.kind.words)[:, None] * pitch
        return (items[:, None, :] + steps).reshape(-1, items.shape[-1])

    def read(self, addresses, valid, default):
        """Return the payload and which of its words no one has given (or None).

        `addresses` and `valid` are by item; `default` has the words of one.
        """
        kind, frame, where = self.kind, self.frame, self.slots.location
        addresses = self.words(addresses, kind.dtype.itemsize)
        if valid is None:
            return frame.run.memory.read(addresses, frame.lanes, kind.dtype, where)
        valid = self._of_words(valid, addresses)
        payload = np.zeros(addresses.shape, kind.dtype)
        unwritten = ~valid if default is None and frame.run.check else None
        if default is not None:
            payload[...] = default if kind.words == 1 else np.tile(default, (kind.items, 1))
        if valid.any():
            lanes = np.broadcast_to(frame.lanes, addresses.shape)[valid]
            payload[valid], _ = frame.run.memory.read(addresses[valid], lanes, kind.dtype, where)
        return payload, unwritten

    def write(self, addresses, valid, payload, unwritten, origin):
        """Write the valid slots of a payload; `addresses` and `valid` are by item."""
        frame = self.frame
        addresses = self.words(addresses, self.kind.dtype.itemsize)
        payload = spread(payload, frame.count)
        lanes = frame.lanes
        if unwritten is not None:
            unwritten = np.broadcast_to(unwritten, addresses.shape)
        if valid is not None:
            valid = self._of_words(valid, addresses)
            lanes = np.broadcast_to(lanes, addresses.shape)[valid]
            addresses, payload = addresses[valid], payload[valid]
            unwritten = None if unwritten is None else unwritten[valid]
        if unwritten is not None and unwritten.any():
            self._refuse_unwritten(np.broadcast_to(lanes, addresses.shape)[unwritten], origin)
        if addresses.size:
            where = self.slots.location
            frame.run.memory.write(addresses, lanes, payload, None, where)

    def _of_words(self, valid, addresses):
        """Return which words are valid, given which items are."""
        valid = np.repeat(valid, self.kind.words, axis=0)
        return np.broadcast_to(valid, addresses.shape)

    def _refuse_unwritten(self, lanes, origin):
        lane = int(lanes[0])
        notes = [Note("the slot gets its value here", origin)] if origin else ()
        raise CoopCheckError(
            "unwritten",
            f"{self.frame.run.batch.name(lane)} stores a slot of its payload that no one has "
            "written",
            self.slots.location,
            notes,
        )

    # -- scratch -------------------------------------------------------------

    def exchange(self, address: np.ndarray | None, size: int) -> None:
        """Write and read the groups' scratch, with their barrier between.

        `size` is the bytes of one group. Without an address only the barrier
        happens.
        """
        kind, frame = self.kind, self.frame
        block_wide = kind.width is None and kind.algorithm != "warp_transpose"
        spans = None
        if address is not None and frame.run.races is not None and frame.run.batch.threads > 1:
            spans = self._spans(int(address.flat[0]), size, block_wide)
        if spans is not None:
            spans[0].claim(*spans[1])
        group_barrier(frame, None if block_wide else min(kind.width or WARP, WARP))
        if spans is not None:
            spans[0].release(*spans[1])

    def _spans(self, address, size, block_wide):
        """Return the shadow and the arguments of :meth:`Shadow.claim`."""
        kind, frame = self.kind, self.frame
        batch = frame.run.batch
        memory, offset = frame.run.memory.object_at(address)
        self._check_scratch(memory, offset, size)
        where = self.slots.location
        if block_wide:
            leaders = frame.lanes[:: batch.threads]
            blocks = batch.block_of[leaders]
            begin = np.full(blocks.shape, offset)
            return memory.shadow, (blocks, begin, begin + size, where)
        width = min(kind.width or WARP, WARP)
        leaders = frame.lanes[::width] if kind.width else _warp_leaders(frame.lanes, batch)
        blocks, rank = batch.block_of[leaders], batch.rank[leaders]
        # A layout that is written by hand may be smaller than that of CUB.
        share = size if kind.width else min(kind.warp_share, size // batch.warps)
        begin = offset + rank // width * share
        mask = np.uint32((1 << width) - 1) << (rank % WARP).astype(np.uint32)
        return memory.shadow, (blocks, begin, begin + share, where, batch.warp[leaders], mask)

    def _check_scratch(self, memory, offset, size):
        groups = self.frame.run.batch.threads // self.kind.width if self.kind.width else 1
        if (
            memory is None
            or memory.space != "shared"
            or not (0 <= offset and offset + size * groups <= memory.size)
        ):
            name = "no shared memory" if memory is None else memory.name
            raise CoopCheckError(
                "bounds",
                f"the scratch of '{self.name}', {size * groups} bytes at byte {offset}, isn't "
                f"within {name}",
                self.slots.location,
            )


def _warp_leaders(lanes, batch):
    return lanes[batch.rank[lanes] % WARP == 0]
