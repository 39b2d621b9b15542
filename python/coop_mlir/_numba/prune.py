# Branches on compile-time values -> jumps.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches on compile-time values -> jumps.

The host prunes branches, too, but before it inlines helpers and unrolls loops.
What depends on a helper's parameter, or on the value of a turn, is decided here:
the way that isn't taken may hold calls that would make no sense.
"""

from __future__ import annotations

from .host import build_definitions, control_flow, numba_ir, post_process
from .static import UNKNOWN, StaticValues

__all__ = ["prune_branches"]


def prune_branches(func_ir, values: StaticValues) -> bool:
    """Make the branches that are decided at compile time jumps; drop what is never reached.

    Returns
    -------
    bool
        Whether there was one; `func_ir` is changed in place, and `values` out of date.
    """
    decided = [
        (block, target)
        for block in func_ir.blocks.values()
        if (target := _way(block, values)) is not None
    ]
    for block, target in decided:
        block.body[-1] = numba_ir.Jump(target, block.body[-1].loc)
    if decided:
        dead = control_flow(func_ir.blocks).dead_nodes()
        func_ir.blocks = {k: block for k, block in func_ir.blocks.items() if k not in dead}
        func_ir._definitions = build_definitions(func_ir.blocks)
        post_process(func_ir)
    return bool(decided)


def _way(block, values: StaticValues) -> int | None:
    """Return where a block's branch always goes, None when it has none or that isn't known."""
    branch = block.body[-1]
    if not isinstance(branch, numba_ir.Branch):
        return None
    value = values.value(branch.cond)
    if value is UNKNOWN or not isinstance(value, (bool, int, float)):
        return None
    return branch.truebr if value else branch.falsebr
