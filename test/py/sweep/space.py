# The kernels of the sweep: the whole space, and a part that covers it.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of the sweep: the whole space, and a part that covers it."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from itertools import product

import numpy as np

#: Element types, those together that one compiled wrapper serves.
FAMILIES = (
    ("int8", "uint8", "bool"),
    ("int16", "uint16", "float16"),
    ("int32", "uint32", "float32"),
    ("int64", "uint64", "float64"),
    ("complex64",),
    ("complex128",),
    ("point",),
)
DTYPES = tuple(name for family in FAMILIES for name in family)
#: Names that NumPy doesn't know.
RECORDS = {"point": np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4")])}
ITEMS = (1, 2, 3, 4, 7, 11, 16)
SHAPES = ((32,), (64,), (96,), (128,), (15,), (65,), (8, 4), (4, 4, 4), (1024,))
WIDTHS = (1, 2, 4, 8, 16, 32)
WARP = 32

WARP_ALGORITHMS = ("auto", "direct", "striped", "vectorize", "transpose")
ALGORITHMS = (*WARP_ALGORITHMS, "warp_transpose", "warp_transpose_timesliced")

#: Bytes of a block from which on each algorithm has a kernel of its own: they compile long, and
#: their scratch may be too large for some GPUs. Small elements count as of eight bytes.
LARGE = 7 * 1024 * 8


@dataclass(frozen=True)
class Kernel:
    """A kernel of the sweep: it moves a tile by each of its algorithms.

    Attributes
    ----------
    dtype : str
        The elements.
    items : int
        Items of a thread.
    shape : tuple of int
        The block.
    width : int or None
        Lanes of a logical warp; None for the block as the group.
    algorithms : tuple of str
        By which the kernel loads and stores.
    """

    dtype: str
    items: int
    shape: tuple[int, ...]
    width: int | None
    algorithms: tuple[str, ...]

    @property
    def threads(self) -> int:
        """Threads of the block."""
        return math.prod(self.shape)

    @property
    def values(self) -> int:
        """Values of the block: the tiles of all its groups."""
        return self.threads * self.items

    @property
    def group(self) -> int:
        """Threads of a group."""
        return self.width or self.threads

    @property
    def element(self) -> np.dtype:
        """The elements, for NumPy."""
        return np.dtype(RECORDS.get(self.dtype, self.dtype))

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return self.element.itemsize

    @property
    def cost(self) -> int:
        """How long it takes to compile, roughly."""
        exchanges = sum("transpose" in name for name in self.algorithms)
        return self.items * (len(self.algorithms) + exchanges * (1 + self.threads // 128))

    def __str__(self) -> str:
        group = "block" if self.width is None else f"warp{self.width}"
        shape = "x".join(map(str, self.shape))
        names = "+".join(self.algorithms)
        return f"{self.dtype}-k{self.items}-{shape}-{group}-{names}"


def takes(shape: tuple[int, ...], width: int | None) -> tuple[str, ...]:
    """Return the algorithms that a group takes; see `oracle` for those that it doesn't."""
    whole = math.prod(shape) % WARP == 0
    if width is None:
        return ALGORITHMS if whole else WARP_ALGORITHMS
    return WARP_ALGORITHMS if whole else ()


def _split(dtype, items, shape, width) -> list[Kernel]:
    """Return the kernels that together take each algorithm of a group."""
    names = takes(shape, width)
    together = Kernel(dtype, items, shape, width, names)
    if together.values * max(together.itemsize, 8) < LARGE:
        return [together] if names else []
    return [Kernel(dtype, items, shape, width, (name,)) for name in names]


def everything() -> list[Kernel]:
    """Return the kernels of the whole space: the product of all parameters less what is refused."""
    groups = product(DTYPES, ITEMS, SHAPES, (None, *WIDTHS))
    return [kernel for point in groups for kernel in _split(*point)]


def covering() -> list[Kernel]:
    """Return a part that covers the space.

    Blocks: the product of families, items, shapes and algorithms. Warps: that of families, items,
    widths and algorithms, each with one shape. Members of a family and shapes take turns, so that
    each two values of any two parameters meet.
    """
    whole = [shape for shape in SHAPES if takes(shape, WARP)]
    kernels = []
    for (f, family), (i, items) in product(enumerate(FAMILIES), enumerate(ITEMS)):
        for s, shape in enumerate(SHAPES):
            kernels += _split(family[(i + s) % len(family)], items, shape, None)
        for w, width in enumerate(WIDTHS):
            shape = whole[(i + w + f) % len(whole)]
            kernels += _split(family[(i // 2 + w) % len(family)], items, shape, width)
    return kernels


def sample(count: int, seed: int = 1) -> list[Kernel]:
    """Return some kernels of the whole space, the same for the same seed."""
    return random.Random(seed).sample(everything(), count)


def chosen(size: str) -> list[Kernel]:
    """Return the kernels for a size: ``all``, ``cover``, or how many to draw."""
    named = {"all": everything, "cover": covering}
    return named[size]() if size in named else sample(int(size))
