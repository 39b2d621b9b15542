# Values of all lanes at once.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of all lanes at once.

A value is an array whose last axis is the lanes: as many as take part, or one
when all lanes agree. A vector's own axes come first, so a slot of it is one
contiguous array. Aggregates are tuples of values; :class:`MemRef` is one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = [
    "MemRef",
    "full",
    "is_uniform",
    "joined",
    "scatter",
    "spread",
    "tree_map",
    "take",
    "uniform",
    "unsigned",
]


class MemRef(NamedTuple):
    """A view of memory: what a memref descriptor holds.

    Attributes
    ----------
    base : array
        The virtual address of the aligned pointer, in bytes.
    offset : array
        Elements from the base to the view's first.
    sizes, strides : tuple of array
        In elements, by dimension.
    """

    base: np.ndarray
    offset: np.ndarray
    sizes: tuple
    strides: tuple


def tree_map(function, value, *others):
    """Apply a function to the arrays of a value (and of others like it)."""
    if isinstance(value, tuple):
        parts = [tree_map(function, *each) for each in zip(value, *others, strict=True)]
        return type(value)(*parts) if isinstance(value, MemRef) else tuple(parts)
    return function(value, *others)


def uniform(value, dtype) -> np.ndarray:
    """Return the value on which all lanes agree."""
    return np.array([value], dtype)


def is_uniform(array: np.ndarray) -> bool:
    """Whether an array holds one value for all lanes."""
    return array.shape[-1] == 1


def spread(array: np.ndarray, count: int) -> np.ndarray:
    """Return a read-only array with a value for each of `count` lanes."""
    if array.shape[-1] == count:
        return array
    return np.broadcast_to(array, (*array.shape[:-1], count))


def take(value, lanes: np.ndarray):
    """Return the values of some lanes."""
    return tree_map(lambda array: array if is_uniform(array) else array[..., lanes], value)


def scatter(old, lanes: np.ndarray, new, count: int):
    """Return a value that is `new` for `lanes` and `old` for the others.

    `old` may be None or of another shape where the other lanes have no value.
    """
    if isinstance(new, tuple):
        parts = old if isinstance(old, tuple) and len(old) == len(new) else [None] * len(new)
        merged = [scatter(a, lanes, b, count) for a, b in zip(parts, new, strict=True)]
        return type(new)(*merged) if isinstance(new, MemRef) else tuple(merged)
    if old is None or isinstance(old, tuple) or old.shape[:-1] != new.shape[:-1]:
        if is_uniform(new):
            return new
        merged = np.zeros((*new.shape[:-1], count), new.dtype)
    elif is_uniform(old) and is_uniform(new) and np.array_equal(old, new):
        return new
    else:
        merged = np.empty((*new.shape[:-1], count), new.dtype)
        merged[...] = old
    merged[..., lanes] = new
    return merged


def full(shape: tuple, dtype) -> np.ndarray:
    """Return zeros of a vector's shape on which all lanes agree."""
    return np.zeros((*shape, 1), dtype)


def joined(arrays) -> np.ndarray:
    """Stack scalars to a vector."""
    return np.stack(np.broadcast_arrays(*arrays))


def unsigned(array: np.ndarray) -> np.ndarray:
    """Return integers as unsigned ones of the same bits."""
    if array.dtype.kind == "b":
        return array
    return array.view(f"u{array.dtype.itemsize}")
