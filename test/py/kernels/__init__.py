# Kernels with what NumPy says they do, for the compile and the runtime tests.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with what NumPy says they do.

`CASES` lists them. A case knows nothing of how its kernel is run, so that the same list serves compilation without a GPU,
launches on one, and other targets.
"""

from . import copies, dtypes, groups, guide, local_arrays, loops, payloads, storage, unrolled
from .case import Case

CASES: list[Case] = [
    *copies.CASES,
    *dtypes.CASES,
    *groups.CASES,
    *guide.CASES,
    *local_arrays.CASES,
    *loops.CASES,
    *payloads.CASES,
    *storage.CASES,
    *unrolled.CASES,
]

__all__ = ["CASES", "Case"]
