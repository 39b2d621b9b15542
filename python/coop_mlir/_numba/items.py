# The items of payloads in the host's module, and the words that coop moves.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The items of payloads in the host's module, and the words that coop moves.

A vector can't hold complex numbers or records, so a payload crosses to coop's
operations in words: an item is one or more elements of the vector. The host has
three ways to keep items; each is a class here.
"""

from __future__ import annotations

import math
import struct
from abc import ABC, abstractmethod

from .host import arith, complex_ops, llvm, memref, memref_data_pointer, mlir, types
from .layouts import layout_of, padding_of

__all__ = ["Item", "item_of", "record_pointer"]

_WIDEST_INT = 8
_DYNAMIC_INDEX = -(1 << 31)


class Item(ABC):
    """The items of one type in payloads and as values.

    Attributes
    ----------
    word : MLIR type
        An element of the vector that crosses.
    words : int
        Elements of one item.
    """

    def __init__(self, builder, dtype, word, words):
        self._builder = builder
        self._dtype = dtype
        self.word = word
        self.words = words

    def read_slots(self, payload, count: int) -> list:
        """Return the words of all slots of a payload."""
        return [word for slot in range(count) for word in self._read(payload, slot)]

    def write_slots(self, payload, words) -> None:
        """Put words into the slots of a payload."""
        for start in range(0, len(words), self.words):
            self._write(payload, start // self.words, words[start : start + self.words])

    def constant(self, raw: bytes) -> list:
        """Return the words of an item with these bytes."""
        size = len(raw) // self.words
        return [self._word(raw[i : i + size]) for i in range(0, len(raw), size)]

    def _word(self, raw: bytes):
        if isinstance(self.word, mlir.IntegerType):
            return arith.constant(self.word, int.from_bytes(raw, "little", signed=True))
        (value,) = struct.unpack("<f" if len(raw) == 4 else "<d", raw)
        return arith.constant(self.word, value)

    def prepare(self, payload, count: int) -> None:  # noqa: B027
        """Give a new payload what its slots hold without being written."""

    @abstractmethod
    def words_of(self, value) -> list:
        """Return the words of a value of the type, as variables hold it."""

    @abstractmethod
    def _read(self, payload, slot: int) -> list:
        """Return the words of a slot."""

    @abstractmethod
    def _write(self, payload, slot: int, words) -> None:
        """Put words into a slot."""


class _ScalarItem(Item):
    """An element of the host's memory is a word."""

    def __init__(self, builder, dtype):
        super().__init__(builder, dtype, builder.get_storage_type(dtype), 1)

    def words_of(self, value):
        return [self._builder.as_storage(self._dtype, value)]

    def _read(self, payload, slot):
        return [memref.load(payload, [_index(slot)])]

    def _write(self, payload, slot, words):
        memref.store(words[0], payload, [_index(slot)])


class _ComplexItem(Item):
    """An element of the host's memory has two parts, its words."""

    def __init__(self, builder, dtype):
        self._type = builder.get_storage_type(dtype)
        super().__init__(builder, dtype, mlir.ComplexType(self._type).element_type, 2)

    def words_of(self, value):
        return [complex_ops.re(value), complex_ops.im(value)]

    def _read(self, payload, slot):
        return self.words_of(memref.load(payload, [_index(slot)]))

    def _write(self, payload, slot, words):
        memref.store(complex_ops.create_(self._type, *words), payload, [_index(slot)])


class _RecordItem(Item):
    """The host's memory is bytes, its value of a record a pointer to them."""

    def __init__(self, builder, dtype):
        self._size = dtype.size
        self._width = math.gcd(dtype.size, _WIDEST_INT)
        word = mlir.IntegerType.get_signless(8 * self._width)
        super().__init__(builder, dtype, word, dtype.size // self._width)

    def prepare(self, payload, count):
        """Fill the padding of all slots with zeros, which no field ever does."""
        zero = arith.constant(_byte(), 0)
        start = memref_data_pointer(payload)
        for slot in range(count):
            for byte in padding_of(self._dtype):
                llvm.store(zero, _advanced(start, slot * self._size + byte))

    def words_of(self, value):
        return self._load(value, 0, layout_of(self._dtype, self._dtype.aligned).alignment)

    def _read(self, payload, slot):
        return self._load(memref_data_pointer(payload), slot * self._size, self._width)

    def _load(self, start, offset, alignment):
        places = range(offset, offset + self._size, self._width)
        alignment = min(alignment, self._width)
        return [llvm.load(self.word, _advanced(start, at), alignment=alignment) for at in places]

    def _write(self, payload, slot, words):
        start = memref_data_pointer(payload)
        for number, word in enumerate(words):
            place = _advanced(start, slot * self._size + number * self._width)
            llvm.store(word, place, alignment=self._width)


def item_of(builder, dtype) -> Item:
    """Return how the host keeps items of a Numba type."""
    if isinstance(dtype, types.Record):
        return _RecordItem(builder, dtype)
    if isinstance(dtype, types.Complex):
        return _ComplexItem(builder, dtype)
    return _ScalarItem(builder, dtype)


def record_pointer(payload, index, record):
    """Return a pointer to a slot of a payload of records; negative indices count from the end."""
    if not isinstance(index.type, mlir.IndexType):
        index = arith.index_cast(mlir.IndexType.get(), index)
    count = memref.dim(payload, _index(0))
    is_negative = arith.cmpi(arith.CmpIPredicate.slt, index, _index(0))
    wrapped = arith.select(is_negative, arith.addi(index, count), index)
    i64 = mlir.IntegerType.get_signless(64)
    offset = arith.muli(arith.index_cast(i64, wrapped), arith.constant(i64, record.size))
    start = memref_data_pointer(payload)
    return llvm.getelementptr(start.type, start, [offset], [_DYNAMIC_INDEX], _byte(), None)


def _advanced(pointer, offset: int):
    if offset == 0:
        return pointer
    return llvm.getelementptr(pointer.type, pointer, [], [offset], _byte(), None)


def _byte():
    return mlir.IntegerType.get_signless(8)


def _index(value: int):
    return arith.constant(mlir.IndexType.get(), value)
