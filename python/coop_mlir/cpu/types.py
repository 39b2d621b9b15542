# The types of a module as NumPy's.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of a module as NumPy's, and the layout of LLVM's aggregates."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from coop_mlir import ir

from .findings import UnsupportedError

__all__ = [
    "POINTER",
    "ArrayType",
    "StructType",
    "alignment_of",
    "dtype_of",
    "field_offset",
    "layout_of",
    "leaves",
    "payload_shape",
    "size_of",
]

_SCALARS = {
    "i1": np.dtype(np.bool_),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "index": np.dtype(np.int64),
    # NumPy has no bfloat16: its bits, the only unsigned ones.
    "bf16": np.dtype(np.uint16),
    "f16": np.dtype(np.float16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "complex<f32>": np.dtype(np.complex64),
    "complex<f64>": np.dtype(np.complex128),
}
POINTER = np.dtype(np.int64)


@dataclass(frozen=True)
class ArrayType:
    """An array of LLVM: `count` times `element` (a dtype or an aggregate)."""

    count: int
    element: object


@dataclass(frozen=True)
class StructType:
    """A struct of LLVM, packed or with its members aligned."""

    members: tuple
    packed: bool = False


@functools.cache
def _layout(text: str):
    return _Parser(text).parse()


def layout_of(mlir_type):
    """Return a type's dtype, :class:`ArrayType` or :class:`StructType`."""
    return _layout(str(mlir_type))


def dtype_of(mlir_type) -> np.dtype:
    """Return the dtype of a scalar, of a pointer or of a vector's elements."""
    if isinstance(mlir_type, ir.VectorType):
        mlir_type = mlir_type.element_type
    found = layout_of(mlir_type)
    if not isinstance(found, np.dtype):
        raise UnsupportedError(f"type '{mlir_type}' isn't a scalar on the CPU target")
    return found


def payload_shape(mlir_type) -> tuple[int, ...]:
    """Return a vector's shape, () for a scalar."""
    return tuple(mlir_type.shape) if isinstance(mlir_type, ir.VectorType) else ()


def alignment_of(layout) -> int:
    """Return the bytes that a layout is aligned to."""
    if isinstance(layout, ArrayType):
        return alignment_of(layout.element)
    if isinstance(layout, StructType):
        return 1 if layout.packed else max(map(alignment_of, layout.members), default=1)
    return layout.itemsize


def size_of(layout) -> int:
    """Return the bytes of a layout, padding included."""
    if isinstance(layout, ArrayType):
        return layout.count * size_of(layout.element)
    if isinstance(layout, StructType):
        end = field_offset(layout, len(layout.members))
        return _align(end, alignment_of(layout))
    return layout.itemsize


def field_offset(layout, index: int) -> int:
    """Return the byte at which a member of an array or a struct starts."""
    if isinstance(layout, ArrayType):
        return index * size_of(layout.element)
    offset = 0
    for member in layout.members[:index]:
        offset = _place(offset, member, layout.packed) + size_of(member)
    if index < len(layout.members):
        offset = _place(offset, layout.members[index], layout.packed)
    return offset


def leaves(layout, offset: int = 0):
    """Yield the offset and dtype of each scalar in a layout."""
    if isinstance(layout, np.dtype):
        yield offset, layout
        return
    is_array = isinstance(layout, ArrayType)
    for index in range(layout.count if is_array else len(layout.members)):
        member = layout.element if is_array else layout.members[index]
        yield from leaves(member, offset + field_offset(layout, index))


def _place(offset: int, member, packed: bool) -> int:
    return offset if packed else _align(offset, alignment_of(member))


def _align(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


class _Parser:
    """Reads the text of a type; LLVM's have no Python bindings here."""

    def __init__(self, text: str):
        self.text = text
        self.rest = text.replace(" ", "").replace("!llvm.", "")

    def parse(self):
        found = self.type()
        if self.rest:
            self.fail()
        return found

    def fail(self):
        raise UnsupportedError(f"type '{self.text}' isn't supported on the CPU target")

    def take(self, prefix: str) -> bool:
        if not self.rest.startswith(prefix):
            return False
        self.rest = self.rest[len(prefix) :]
        return True

    def type(self):
        if self.take("array<"):
            return self.array()
        if self.take("struct<"):
            return self.struct()
        if self.take("ptr"):
            if self.take("<"):
                self.number()
                self.take(">")
            return POINTER
        for name in sorted(_SCALARS, key=len, reverse=True):
            if self.take(name):
                return _SCALARS[name]
        return self.fail()

    def number(self) -> int:
        digits = len(self.rest) - len(self.rest.lstrip("0123456789"))
        value, self.rest = int(self.rest[:digits] or self.fail()), self.rest[digits:]
        return value

    def array(self):
        count = self.number()
        self.take("x")
        element = self.type()
        return ArrayType(count, element) if self.take(">") else self.fail()

    def struct(self):
        packed = self.take("packed")
        members = []
        if not self.take("("):
            self.fail()
        while not self.take(")"):
            members.append(self.type())
            self.take(",")
        return StructType(tuple(members), packed) if self.take(">") else self.fail()
