# The items of payloads: which types they may have, their bytes, and their constants.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The items of payloads: which types they may have, their bytes, and their constants.

Loads and stores move bytes. Of an item's type they need the size and what its
alignment in memory is known to be; the rest is for constants and messages.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

import numpy as np

from .host import as_dtype, types

SCALARS = (
    types.boolean,
    types.int8,
    types.int16,
    types.int32,
    types.int64,
    types.uint8,
    types.uint16,
    types.uint32,
    types.uint64,
    types.float16,
    types.bfloat16,
    types.float32,
    types.float64,
    types.complex64,
    types.complex128,
)
MAX_BYTES = 8192
"""Bytes of a payload, at most: what 1024 items of 8 bytes have."""

_WIDEST_WORD = 16


@dataclass(frozen=True)
class Layout:
    """How an item lies in memory.

    Attributes
    ----------
    size : int
        Its bytes; so far is the next one away.
    alignment : int
        A power of two, up to 16, of which each item's address is a multiple.
    """

    size: int
    alignment: int


def is_supported(dtype) -> bool:
    """Whether a payload may have items of a Numba type."""
    return dtype in SCALARS or (isinstance(dtype, types.Record) and dtype.size > 0)


def supported() -> str:
    """List the types that items may have, for messages."""
    return f"{', '.join(map(name_of, SCALARS))} and records"


def name_of(dtype) -> str:
    """Return what the user calls a type."""
    return "bfloat16" if dtype == types.bfloat16 else str(dtype)


def layout_of(dtype, aligned: bool = True) -> Layout:
    """Return the layout of items of a Numba type.

    A complex number needs the alignment of its parts, a record that of its
    NumPy type; where `aligned` is false, as for arrays at odd addresses and
    packed records, nothing is known of addresses.
    """
    size, alignment = _natural_layout(dtype)
    return Layout(size, min(alignment, _WIDEST_WORD) if aligned else 1)


def _natural_layout(dtype) -> tuple[int, int]:
    if isinstance(dtype, types.Record):
        return dtype.size, as_dtype(dtype).alignment if dtype.aligned else 1
    if isinstance(dtype, types.Boolean):
        return 1, 1
    size = dtype.bitwidth // 8
    return size, size // 2 if isinstance(dtype, types.Complex) else size


def padding_of(record) -> list[int]:
    """Return the bytes of a record that belong to no field."""
    used = set()
    for field in record.fields.values():
        start = field.offset
        used.update(range(start, start + as_dtype(field.type).itemsize))
    return [byte for byte in range(record.size) if byte not in used]


# ---------------------------------------------------------------------------
# Constants
# ---------------------------------------------------------------------------


def item_bytes(value, dtype) -> bytes:
    """Return the bytes of a Python or NumPy constant as an item of a Numba type.

    Raises
    ------
    ValueError
        When the type can't represent it. Floats may be rounded, but not to
        infinity; ints may not.
    """
    if isinstance(dtype, types.Record):
        return _record_bytes(value, dtype)
    if isinstance(dtype, types.Boolean):
        if not isinstance(value, bool):
            raise ValueError
        return bytes([value])
    if isinstance(value, bool):
        raise ValueError
    if isinstance(dtype, types.Complex):
        return _complex_bytes(value, dtype)
    if not isinstance(value, (int, float)):
        raise ValueError
    return (
        _int_bytes(value, dtype) if isinstance(dtype, types.Integer) else _float_bytes(value, dtype)
    )


def _record_bytes(value, dtype) -> bytes:
    if not isinstance(value, np.void) or value.dtype != as_dtype(dtype):
        raise ValueError
    return value.tobytes()


def _int_bytes(value, dtype) -> bytes:
    if isinstance(value, float) and not value.is_integer():
        raise ValueError
    if not dtype.minval <= int(value) <= dtype.maxval:
        raise ValueError
    return int(value).to_bytes(dtype.bitwidth // 8, "little", signed=dtype.signed)


def _complex_bytes(value, dtype) -> bytes:
    if not isinstance(value, (int, float, complex)):
        raise ValueError
    parts = (value.real, value.imag)
    return b"".join(_float_bytes(part, dtype.underlying_float) for part in parts)


def _float_bytes(value, dtype) -> bytes:
    pack, unpack = _packers(dtype)
    try:
        raw = pack(value)
    except (OverflowError, struct.error):
        raise ValueError from None
    rounded = unpack(raw)
    if isinstance(value, int) and rounded != value:
        raise ValueError
    if math.isinf(rounded) and not math.isinf(value):
        raise ValueError
    return raw


def _packers(dtype):
    """Return the functions that turn a float into bytes of a type, and back."""
    if dtype == types.bfloat16:
        return _pack_bfloat16, lambda raw: struct.unpack("<f", b"\0\0" + raw)[0]
    code = {16: "<e", 32: "<f", 64: "<d"}[dtype.bitwidth]
    return lambda value: struct.pack(code, value), lambda raw: struct.unpack(code, raw)[0]


def _pack_bfloat16(value) -> bytes:
    """Return the nearest bfloat16, ties to even."""
    bits = int.from_bytes(struct.pack("<f", value), "little")
    if math.isnan(value):
        return struct.pack("<H", bits >> 16 | 0x40)
    return struct.pack("<H", bits + 0x7FFF + (bits >> 16 & 1) >> 16)
