# One MLIR context of ours for each thread.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contexts of our MLIR: made once per thread, renewed before they grow."""

from __future__ import annotations

import functools
import threading

from coop_mlir import ir
from coop_mlir._mlir_libs import _mlir

__all__ = ["RENEW_AFTER", "own_context"]

#: A context keeps every attribute, type and location that it has ever seen.
#: Renewing it after this many uses bounds the memory of a long-lived process.
RENEW_AFTER = 1024


#: The dialects of kernels; the bindings import their modules when they first show an operation.
_DIALECTS = (
    "arith",
    "builtin",
    "cf",
    "coop",
    "func",
    "gpu",
    "index",
    "llvm",
    "math",
    "memref",
    "nvvm",
    "scf",
    "ub",
    "vector",
)


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


@functools.cache
def _load_dialects() -> None:
    """Import the dialects' modules now: an interrupt of a later import could end the process."""
    for name in _DIALECTS:
        _mlir.globals._check_dialect_module_loaded(name)


def _make_context() -> ir.Context:
    _load_dialects()
    context = ir.Context()
    context.allow_unregistered_dialects = True
    # One kernel is too small to share out; a pool costs a thread per core.
    context.enable_multithreading(False)
    return context
