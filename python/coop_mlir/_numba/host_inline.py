# The chain of calls behind an inlined instruction.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The chain of calls behind an inlined instruction, as the host does not keep it.

The host inlines a helper by copying its instructions, each with the location
that it has in the helper. Here they learn from where they were called.
"""

from __future__ import annotations

from numba_cuda_mlir._mlir import ir as mlir
from numba_cuda_mlir.numba_cuda.core import ir as numba_ir

__all__ = ["InlinedLoc", "callers_of", "inline_ir", "mlir_location"]


class InlinedLoc(numba_ir.Loc):
    """A place in a helper, with the places of the calls that lead to it.

    Attributes
    ----------
    callers : tuple of Loc
        The innermost call first.
    """

    callers: tuple = ()

    @classmethod
    def of(cls, loc, caller) -> InlinedLoc:
        """Return `loc` as it is when its function is called at `caller`."""
        inlined = cls(loc.filename, loc.line, loc.col, loc.maybe_decorator)
        inlined.callers = (*callers_of(loc), _plain(caller), *callers_of(caller))
        return inlined

    def with_lineno(self, line, col=None):
        inlined = super().with_lineno(line, col)
        inlined.callers = self.callers
        return inlined


def callers_of(loc) -> tuple:
    """Return the calls that lead to a place, the innermost first."""
    return getattr(loc, "callers", ())


def _plain(loc):
    return numba_ir.Loc(loc.filename, loc.line, loc.col)


def inline_ir(original, worker, caller_ir, block, i, *args, **kwargs):
    """Inline a call, and note in all that comes in from where it was called."""
    caller = block.body[i].loc
    result = original(worker, caller_ir, block, i, *args, **kwargs)
    (_, rest), *inlined = result[3]
    del rest  # what follows the call belongs to the caller
    for _, new in inlined:
        new.loc = InlinedLoc.of(new.loc, caller)
        for instruction in new.body:
            instruction.loc = InlinedLoc.of(instruction.loc, caller)
            value = getattr(instruction, "value", None)
            if isinstance(value, numba_ir.Expr):
                value.loc = InlinedLoc.of(value.loc, caller)
    return result


def mlir_location(loc):
    """Return a location of the host's MLIR, with the calls that lead to it."""
    place, *callers = map(_mlir_place, (loc, *callers_of(loc)))
    return mlir.Location.callsite(place, callers) if callers else place


def _mlir_place(loc):
    return mlir.Location.file(loc.filename, loc.line, 0 if loc.col is None else loc.col + 1)
