# One MLIR context of ours for each thread.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contexts of our MLIR: made once per thread, renewed before they grow."""

from __future__ import annotations

import threading

from coop_mlir import ir

__all__ = ["RENEW_AFTER", "own_context"]

#: A context keeps every attribute, type and location that it has ever seen.
#: Renewing it after this many uses bounds the memory of a long-lived process.
RENEW_AFTER = 1024


class _Slot(threading.local):
    context: ir.Context | None = None
    uses: int = 0


_slot = _Slot()


def own_context() -> ir.Context:
    """Return this thread's context of our MLIR.

    Hold it for one compilation, not longer: the next call may return a new
    one. Modules keep the context that they belong to alive.
    """
    if _slot.context is None or _slot.uses >= RENEW_AFTER:
        _slot.context = _make_context()
        _slot.uses = 0
    _slot.uses += 1
    return _slot.context


def _make_context() -> ir.Context:
    context = ir.Context()
    context.allow_unregistered_dialects = True
    # One kernel is too small to share out; a pool costs a thread per core.
    context.enable_multithreading(False)
    return context
