# Kernels with the verdict that participation analysis must give.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with their verdicts; importing this package registers them all.

Each module is a family. A kernel that must be refused stands beside the
nearest legal one, or is made from it in ``twins``. The comment ``# call`` marks
the line that the error names, ``# branch`` and ``# value`` mark lines that its
notes name.
"""

from . import (  # noqa: F401  (each module registers its cases)
    data,
    guards,
    helpers,
    loops,
    memory,
    mixtures,
    operands,
    ranges,
    returns,
    shapes,
    syncs,
    tricks,
    votes,
    warps,
    while_loops,
)
from .registry import CASES, Case
from .twins import add_twins

__all__ = ["CASES", "Case"]

add_twins()
