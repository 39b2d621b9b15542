# The memory of a launch: arrays, shared and local memory.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The objects in memory: arrays, shared arrays and arrays of one thread.

An object knows which byte of its storage a lane means by an offset, and which
bytes were written. Values go in and out as words of their size.
"""

from __future__ import annotations

import numpy as np

__all__ = ["GlobalObject", "LocalObject", "MemoryObject", "SharedObject"]

_WORDS = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)} | {16: np.dtype("c16")}
_WRITTEN = {size: np.frombuffer(b"\x01" * size, word)[0] for size, word in _WORDS.items()}


class MemoryObject:
    """Some bytes that threads can address.

    Attributes
    ----------
    name : str
        What messages call it.
    size : int
        Bytes that one thread can address.
    location : SourceLocation or None
        Where it was made.
    start : int
        Its address, given by the address map.
    written : array or None
        For each byte of the storage whether it was written, None when all count
        as written.
    """

    space = "global"
    writable = True
    #: Finds races, for shared memory with the checker on.
    shadow = None

    def __init__(self, name, size, storage, location=None, track=True):
        self.name = name
        self.size = size
        self.location = location
        self.start = 0
        self.data = storage
        self.written = np.zeros_like(storage) if track else None
        self._words = {}

    def _byte_at(self, offsets, lanes):
        """Return the byte of the storage that each lane means by its offset."""
        raise NotImplementedError

    def _word_at(self, offsets, lanes, size):
        """Return the word of the storage, None when some word isn't aligned."""
        raise NotImplementedError

    def read(self, offsets, lanes, dtype):
        """Return the values at offsets, and which of them weren't written (or None)."""
        at = self._word_at(offsets, lanes, dtype.itemsize)
        value = self._gather(self.data, at, offsets, lanes, dtype.itemsize).view(dtype)
        if self.written is None:
            return value, None
        marks = self._gather(self.written, at, offsets, lanes, dtype.itemsize)
        unwritten = marks != _WRITTEN[dtype.itemsize]
        return value, unwritten if unwritten.any() else None

    def write(self, offsets, lanes, value, unwritten=None):
        """Write values at offsets; where `unwritten` they count as not written."""
        size = value.dtype.itemsize
        at = self._word_at(offsets, lanes, size)
        self._put(self.data, at, offsets, lanes, value.view(_WORDS[size]))
        if self.written is not None:
            marks = np.array([_WRITTEN[size]])
            if unwritten is not None:
                marks = np.where(unwritten, np.zeros_like(marks), marks)
            self._put(self.written, at, offsets, lanes, marks)

    def _gather(self, storage, at, offsets, lanes, size):
        if at is None:
            raw = storage[self._bytes_at(offsets, lanes, size)]
            return raw.view(_WORDS[size])[..., 0]
        words = self._view(storage, size)
        return words[at].copy() if isinstance(at, slice) else words[at]

    def _put(self, storage, at, offsets, lanes, words):
        if at is not None:
            self._view(storage, words.dtype.itemsize)[at] = words
            return
        where = self._bytes_at(offsets, lanes, words.dtype.itemsize)
        words = np.ascontiguousarray(np.broadcast_to(words, where.shape[:-1]))
        storage[where] = words[..., None].view(np.uint8)

    def _bytes_at(self, offsets, lanes, size):
        return np.stack([self._byte_at(offsets + i, lanes) for i in range(size)], axis=-1)

    def _view(self, storage, size):
        key = (size, storage is self.data)
        if key not in self._words:
            whole = storage[: storage.size // size * size]
            self._words[key] = whole.view(_WORDS[size])
        return self._words[key]


class GlobalObject(MemoryObject):
    """An array of the host or a global of the module, the same for all lanes."""

    def __init__(self, name, storage, location=None, writable=True):
        super().__init__(name, storage.size, storage, location, track=False)
        self.writable = writable

    def _byte_at(self, offsets, lanes):
        return offsets

    def _word_at(self, offsets, lanes, size):
        return _words(offsets, size)

    def write(self, offsets, lanes, value, unwritten=None):
        """Write values; where all lanes mean one place the last one's stays."""
        if offsets.shape[-1] == 1:
            value = value[..., -1:]
        super().write(offsets, lanes, value)


class SharedObject(MemoryObject):
    """An array that each block has one of."""

    space = "shared"

    def __init__(self, name, size, batch, location=None, track=True):
        self.pitch = -(-max(size, 1) // 16) * 16
        storage = np.zeros(self.pitch * batch.blocks, np.uint8)
        super().__init__(name, size, storage, location, track)
        self._row = batch.block_of

    def _byte_at(self, offsets, lanes):
        return self._row[lanes] * self.pitch + offsets

    def _word_at(self, offsets, lanes, size):
        words = _words(offsets, size)
        return None if words is None else self._row[lanes] * (self.pitch // size) + words


class LocalObject(MemoryObject):
    """An array that each thread has one of, stored by element and then lane."""

    space = "local"

    def __init__(self, name, size, element, batch, location=None, track=True):
        self.element = element
        self.lanes = batch.lanes
        rows = -(-size // element)
        storage = np.zeros(rows * element * batch.lanes, np.uint8)
        super().__init__(name, size, storage, location, track)

    def _byte_at(self, offsets, lanes):
        rows, rest = np.divmod(offsets, self.element)
        return (rows * self.lanes + lanes) * self.element + rest

    def _word_at(self, offsets, lanes, size):
        rows = _words(offsets, size)
        if rows is None or size != self.element:
            return None
        if rows.shape == (1,) and lanes.size == self.lanes:
            first = int(rows[0]) * self.lanes
            return slice(first, first + self.lanes)
        return rows * self.lanes + lanes

    def forget(self, lanes):
        """Make the lanes' arrays new ones: nothing of them is written."""
        if self.written is not None:
            self.written.reshape(-1, self.lanes, self.element)[:, lanes] = 0


def _words(offsets, size):
    """Return byte offsets as word offsets, None when some aren't aligned."""
    if size == 1:
        return offsets
    words = offsets // size
    return words if np.array_equal(words * size, offsets) else None
