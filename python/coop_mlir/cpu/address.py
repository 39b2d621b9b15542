# One map of addresses for all memory of a launch.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One map of 64-bit addresses for all memory of a launch.

Each object has a range of its own with gaps of 32 GiB around it, so an access
that leaves its object meets no other one and is found. A shared array has the
same address in every block, a local one in every thread.
"""

from __future__ import annotations

import numpy as np

from .findings import CoopCheckError, Note

__all__ = ["AddressMap"]

_SHIFT = 36
_MIDDLE = 1 << (_SHIFT - 1)
# Objects are fewer than 2**12: above their addresses is room for a lane.
_OWN_SHIFT = _SHIFT + 12


class AddressMap:
    """Finds the object that an address means.

    Parameters
    ----------
    batch : Batch
        Names the threads in messages.
    """

    def __init__(self, batch):
        self._batch = batch
        self._objects = [None]

    def add(self, memory) -> int:
        """Give an object its address."""
        memory.start = (len(self._objects) << _SHIFT) + _MIDDLE
        self._objects.append(memory)
        return memory.start

    def address_of(self, memory) -> int:
        """Return the address of an object's first byte."""
        return memory.start

    def keys(self, addresses, lanes):
        """Return numbers that are equal where lanes mean the same bytes."""
        number = int(addresses.flat[0]) >> _SHIFT
        memory = self._objects[number] if 0 < number < len(self._objects) else None
        if memory is None or memory.space == "global":
            return addresses
        own = lanes if memory.space == "local" else self._batch.block_of[lanes]
        return addresses + (own << _OWN_SHIFT)

    def read(self, addresses, lanes, dtype, where, atomic=False):
        """Return the values at addresses, and which weren't written (or None).

        Parameters
        ----------
        addresses : array
            By lane, or one for all lanes; further axes may come first.
        lanes : array
            The lanes of the last axis.
        dtype : dtype
            What is read.
        where : SourceLocation
            The line at fault if an address is.
        atomic : bool
            Whether other atomic accesses may be made at the same time.
        """
        memory, offsets = self._single(addresses, dtype.itemsize)
        if memory is None:
            return self._read_parts(addresses, lanes, dtype, where, atomic)
        if memory.shadow is not None:
            memory.shadow.read(offsets, lanes, dtype.itemsize, where, atomic)
        return memory.read(offsets, lanes, dtype)

    def write(self, addresses, lanes, value, unwritten, where, refuse=None, atomic=False):
        """Write values at addresses; where `unwritten` they are unspecified.

        `refuse` is called with `unwritten` where that can't be.
        """
        memory, offsets = self._single(addresses, value.dtype.itemsize)
        if memory is not None:
            self._write(memory, offsets, lanes, value, unwritten, where, refuse, atomic)
            return
        addresses, lanes, value = np.broadcast_arrays(addresses, lanes, value)
        if unwritten is not None:
            unwritten = np.broadcast_to(unwritten, addresses.shape)
        for memory, mask, offsets in self._find(addresses, lanes, value.dtype.itemsize, where):
            missing = None if unwritten is None else unwritten[mask]
            part = np.ascontiguousarray(value[mask])
            self._write(memory, offsets, lanes[mask], part, missing, where, refuse, atomic)

    def _write(self, memory, offsets, lanes, value, unwritten, where, refuse, atomic):
        if not memory.writable:
            raise CoopCheckError("bounds", f"{memory.name} can't be written", where)
        if unwritten is not None and refuse is not None and memory.written is None:
            refuse(unwritten)
        if memory.shadow is not None:
            memory.shadow.write(offsets, lanes, value, where, atomic)
        memory.write(offsets, lanes, value, unwritten)

    def object_at(self, address: int):
        """Return the object that an address is in and the offset there."""
        number = address >> _SHIFT
        memory = self._objects[number] if 0 < number < len(self._objects) else None
        return memory, address - (memory.start if memory else 0)

    def _single(self, addresses, size):
        """Return the one object that addresses mean, (None, None) if there are more."""
        number = int(addresses.flat[0]) >> _SHIFT
        if not 0 < number < len(self._objects):
            return None, None
        memory = self._objects[number]
        offsets = addresses - memory.start
        if int(offsets.min()) < 0 or int(offsets.max()) > memory.size - size:
            return None, None
        return memory, offsets

    def _read_parts(self, addresses, lanes, dtype, where, atomic):
        addresses, lanes = np.broadcast_arrays(addresses, lanes)
        value = np.zeros(addresses.shape, dtype)
        unwritten = np.zeros(addresses.shape, bool)
        for memory, mask, offsets in self._find(addresses, lanes, dtype.itemsize, where):
            if memory.shadow is not None:
                memory.shadow.read(offsets, lanes[mask], dtype.itemsize, where, atomic)
            value[mask], missing = memory.read(offsets, lanes[mask], dtype)
            if missing is not None:
                unwritten[mask] = missing
        return value, unwritten if unwritten.any() else None

    def _find(self, addresses, lanes, size, where) -> list:
        """Return each object that addresses mean, where it is meant, and the offsets."""
        found = []
        numbers = addresses >> _SHIFT
        for number in np.unique(numbers):
            mask = numbers == number
            memory = self._objects[number] if 0 < number < len(self._objects) else None
            offsets = addresses[mask] - ((int(number) << _SHIFT) + _MIDDLE)
            bad = np.ones(offsets.shape, bool)
            if memory is not None:
                bad = (offsets < 0) | (offsets > memory.size - size)
            if bad.any():
                at = int(np.argmax(bad))
                lane = int(lanes[mask][at])
                self._refuse(memory, int(offsets[at]), size, lane, where)
            found.append((memory, mask, offsets))
        return found

    def _refuse(self, memory, offset, size, lane, where):
        thread = self._batch.name(lane)
        if memory is None:
            raise CoopCheckError("bounds", f"{thread} uses a pointer to no object", where)
        notes = [Note(f"{memory.name} is made here", memory.location)] if memory.location else ()
        raise CoopCheckError(
            "bounds",
            f"{thread} accesses {size} bytes at byte {offset} of {memory.name}, "
            f"which has {memory.size} bytes",
            where,
            notes,
        )
