# Which combinations are refused, and by which rule.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which combinations are refused, and by which rule of ``docs/semantics.md``.

Written from the rules alone: it asks neither the front end nor the passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import coop_mlir as coop

from .space import ALGORITHMS, DTYPES, ITEMS, SHAPES, WARP, WARP_ALGORITHMS, WIDTHS, Kernel

#: Bytes of shared memory that a block may have, by compute capability: CUDA's table.
SHARED_BYTES = {
    **dict.fromkeys([(7, 0), (7, 2)], 96 << 10),
    (7, 5): 64 << 10,
    **dict.fromkeys([(8, 0), (8, 7)], 163 << 10),
    **dict.fromkeys([(8, 6), (8, 9), (12, 0), (12, 1)], 99 << 10),
    **dict.fromkeys([(9, 0), (10, 0), (10, 1), (10, 3), (11, 0)], 227 << 10),
}
_BANKS = 32


@dataclass(frozen=True)
class Refusal:
    """A documented error.

    Attributes
    ----------
    rule : str
        The row of the contract.
    error : type
        The class of the exception.
    says : tuple of str
        What its message names.
    """

    rule: str
    error: type
    says: tuple[str, ...]


def refusal(kernel: Kernel, cc: tuple[int, int]) -> Refusal | None:
    """Return the error that a kernel of one algorithm gets, None when it is right."""
    (algorithm,) = kernel.algorithms
    by_warps = algorithm not in WARP_ALGORITHMS
    if kernel.width is not None and kernel.threads % WARP:
        return Refusal("G3", coop.CoopTypingError, (f"divisible by {WARP}", str(kernel.threads)))
    if by_warps and kernel.width is not None:
        return Refusal("L5", coop.CoopTypingError, (algorithm, "'transpose'"))
    if by_warps and kernel.threads % WARP:
        return Refusal("L5", coop.CoopTypingError, (f"divisible by {WARP}", str(kernel.threads)))
    needed, limit = scratch_bytes(kernel, algorithm), SHARED_BYTES[cc]
    if needed > limit:
        return Refusal("S7", coop.CoopStorageError, (str(needed), str(limit)))
    return None


def scratch_bytes(kernel: Kernel, algorithm: str) -> int:
    """Return the bytes of a block's scratch: values, and CUB's padding against bank conflicts."""
    if "transpose" not in algorithm:
        return 0
    values = (WARP if algorithm == "warp_transpose_timesliced" else kernel.group) * kernel.items
    if kernel.items > 4 and kernel.items & (kernel.items - 1) == 0:
        values += values // _BANKS
    if kernel.width is not None:
        return kernel.threads // kernel.width * (values + 1) * kernel.itemsize
    return -(-values * kernel.itemsize // 16) * 16


def refused() -> Iterator[Kernel]:
    """Yield a kernel for each group and algorithm that no GPU takes; items and types take turns."""
    for turn, (shape, width, algorithm) in enumerate(product(SHAPES, (None, *WIDTHS), ALGORITHMS)):
        items, dtype = ITEMS[turn % len(ITEMS)], DTYPES[turn % len(DTYPES)]
        kernel = Kernel(dtype, items, shape, width, (algorithm,))
        if refusal(kernel, (9, 0)) is not None:
            yield kernel


def around_the_limit(cc: tuple[int, int]) -> Iterator[Kernel]:
    """Yield the kernels with the most scratch that fits and the least that doesn't."""
    for algorithm, items in product(("transpose", "warp_transpose"), range(1, 32)):
        here = Kernel("float64", items, (1024,), None, (algorithm,))
        more = replace(here, items=items + 1)
        if refusal(here, cc) is None and refusal(more, cc) is not None:
            yield here
            yield more
