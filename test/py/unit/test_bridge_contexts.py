# The contexts of our MLIR: one a thread, renewed, and freed.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contexts, threads and the life of modules."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest

pytest.importorskip("numba_cuda_mlir")
pytest.importorskip("coop_mlir.ir")

from bridge_support import MODULE, through_ours
from coop_mlir._compile import _context, bridge
from numba_cuda_mlir._mlir import ir as host_ir

pytestmark = pytest.mark.usefixtures("host_context")


def test_each_thread_has_its_own_context():
    contexts = [_context.own_context()]
    thread = threading.Thread(target=lambda: contexts.append(_context.own_context()))
    thread.start()
    thread.join()
    assert contexts[0] is _context.own_context()
    assert contexts[0] is not contexts[1]


def test_a_context_is_renewed_before_it_grows(monkeypatch):
    first = _context.own_context()
    monkeypatch.setattr(_context, "RENEW_AFTER", 0)
    assert _context.own_context() is not first


def test_threads_read_at_the_same_time(module):
    exported = bridge.export_module(module)
    answers = []

    def work():
        for _ in range(20):
            answers.append(through_ours(exported) == exported.text)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 80


def test_modules_are_freed():
    """Neither side keeps a module that Python has let go."""
    module = host_ir.Module.parse(MODULE)
    alive = [weakref.ref(module)]
    for _ in range(50):
        exported = bridge.export_module(module)
        returned = bridge.import_module(through_ours(exported), exported)
        alive.append(weakref.ref(returned))
    del module, returned, exported
    gc.collect()
    assert not any(ref() for ref in alive)
