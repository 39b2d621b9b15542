# Fixtures of the unit tests.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fixtures of the unit tests."""

from __future__ import annotations

import pytest


@pytest.fixture
def host_context():
    """The host's MLIR context, current."""
    from numba_cuda_mlir.lowering_utilities import context as host_contexts

    context = host_contexts.get_context()
    context.allow_unregistered_dialects = True
    with context:
        yield context


@pytest.fixture
def module(host_context):
    """A module of the host with something of all that crosses the bridge."""
    from bridge_support import MODULE
    from numba_cuda_mlir._mlir import ir as host_ir

    return host_ir.Module.parse(MODULE)
