# Which variables statements of Numba IR read, and where they are alive.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which variables statements of Numba IR read, and where they are alive."""

from __future__ import annotations

from .host import numba_ir

__all__ = ["live_in", "uses"]


def uses(stmt) -> list:
    """Return the variables that a statement reads."""
    if not isinstance(stmt, numba_ir.Assign):
        return stmt.list_vars()
    if isinstance(stmt.value, numba_ir.Var):
        return [stmt.value]
    return stmt.value.list_vars() if isinstance(stmt.value, numba_ir.Inst) else []


def live_in(blocks) -> dict[int, set[str]]:
    """Return, for each label, the variables whose values on entry may be read later."""
    reads, writes = {}, {}
    for label, block in blocks.items():
        reads[label], writes[label] = _summary(block)
    live = {label: set(names) for label, names in reads.items()}
    changed = True
    while changed:
        changed = False
        for label, block in blocks.items():
            for target in block.terminator.get_targets():
                new = live[target] - writes[label] - live[label]
                live[label] |= new
                changed |= bool(new)
    return live


def _summary(block) -> tuple[set[str], set[str]]:
    """Return what a block reads before it writes it, and what it writes."""
    reads, writes = set(), set()
    for stmt in block.body:
        reads |= {var.name for var in uses(stmt)} - writes
        if isinstance(stmt, numba_ir.Assign):
            writes.add(stmt.target.name)
    return reads, writes
