# One kernel, its arguments and its expected results.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One kernel, its arguments and its expected results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

CANARY = 0x5A  # each byte of memory that no kernel may touch


@dataclass(frozen=True)
class Case:
    """A kernel and what it must do.

    Attributes
    ----------
    name : str
        The contract's row, then what the case shows.
    kernel : function
        Undecorated; cases with the same function share its compilation.
    args : callable
        Makes the arguments: NumPy arrays; a NumPy scalar for a run-time number; a Python int for a constant that specialises.
    expect : callable
        From the arguments before the launch, the expected contents of the last one (or of a tuple of the last ones).
    block, grid : int or tuple of int
        The launch.
    dynamic_bytes : int
        Dynamic shared memory that the launch asks for on the user's behalf.
    registers_only : bool
        Whether its payloads must stay out of local memory.
    """

    name: str
    kernel: Callable
    args: Callable[[], Sequence]
    expect: Callable
    block: int | tuple[int, ...] = 128
    grid: int = 1
    dynamic_bytes: int = 0
    registers_only: bool = True

    def check(self, before: Sequence, after: Sequence) -> None:
        """Assert that the arguments after the launch hold what NumPy says, bit by bit, and the others are unchanged."""
        wanted = self.expect(*before)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        arrays = [*before[: len(before) - len(wanted)], *wanted]
        for position, (want, got) in enumerate(zip(arrays, after, strict=True)):
            if isinstance(want, np.ndarray):
                np.testing.assert_array_equal(
                    bits(got), bits(want), f"{self.name}: argument {position}"
                )


def bits(array: np.ndarray) -> np.ndarray:
    """View an array as bytes by item, so that each NaN differs from the others and padding counts."""
    return array.view(np.uint8).reshape(array.size, array.dtype.itemsize)


def noise(dtype, size: int) -> np.ndarray:
    """Return random bits: for floats also NaNs with payloads, infinities and subnormals."""
    raw = np.random.default_rng(size).integers(
        0, 256, size * np.dtype(dtype).itemsize, dtype=np.uint8
    )
    values = raw.view(dtype)
    if values.dtype.kind in "fc" and size >= 8:
        _put_special(values.view(values.real.dtype))
    return values


def _put_special(values: np.ndarray) -> None:
    """Put zeros, infinities, a subnormal and two NaNs with payloads to the front."""
    info = np.finfo(values.dtype)
    values[:5] = [0.0, -0.0, np.inf, -np.inf, info.smallest_subnormal]
    infinity = (2**info.iexp - 1) << info.nmant
    quiet = 1 << info.nmant - 1
    values.view(f"u{values.itemsize}")[5:7] = infinity | quiet | 0x23, infinity | 0x23


def untouched(dtype, size: int) -> np.ndarray:
    """Return an array of canaries."""
    return np.full(size * np.dtype(dtype).itemsize, CANARY, np.uint8).view(dtype)


def overwritten(array: np.ndarray, start: int, values: np.ndarray) -> np.ndarray:
    """Return a copy of an array with `values` from `start` on."""
    result = raw(array).copy()
    result[start : start + values.size] = raw(np.asarray(values, array.dtype))
    return result.view(array.dtype)


def raw(array: np.ndarray) -> np.ndarray:
    """Return an array as plain bytes: in copies of records, NumPy may leave padding out."""
    return array.view(f"V{array.dtype.itemsize}")


def copied(array: np.ndarray) -> np.ndarray:
    """Return a copy of an array, padding too."""
    return raw(array).copy().view(array.dtype)


def tiles(count: int, tile: int) -> int:
    """Return how many blocks a grid needs."""
    return -(-count // tile)
