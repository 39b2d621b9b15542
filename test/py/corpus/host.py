# What corpus tests ask of the host: a module before optimisation, PTX after it.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drive numba-cuda-mlir without a GPU, a driver or a linker."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from dataclasses import dataclass

import numba_cuda_mlir.mlir_optimization as host_optimization
from numba_cuda_mlir import cuda, mlir_compiler, tools
from numba_cuda_mlir._mlir import ir
from numba_cuda_mlir._mlir.passmanager import PassManager
from numba_cuda_mlir.descriptor import mlir_target
from numba_cuda_mlir.lowering_utilities import context
from numba_cuda_mlir.optimization import run_pre_codegen_patterns

from .registry import Case

__all__ = ["Emitted", "emit", "host_context", "to_ptx"]

TARGET = (9, 0)


@dataclass(frozen=True)
class Emitted:
    """A module as the host's front end leaves it, and what codegen needs."""

    module: ir.Module
    target_options: dict


@contextmanager
def host_context():
    """Enter the host's one context; unregistered (coop) ops are allowed."""
    host = context.get_context()
    host.allow_unregistered_dialects = True
    with host, ir.Location.unknown():
        yield host


def emit(case: Case) -> Emitted:
    """Compile a case down to the module that the optimizer would get."""
    tools._cached_cc = TARGET
    mlir_target.ensure_initialized()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dispatcher = cuda.jit(**case.options)(case.kernel)
        dispatcher._resolve_target_options()
        cres = mlir_compiler.compile_mlir(
            dispatcher.py_func,
            return_type=None,
            args=case.signature,
            targetoptions=dispatcher.targetoptions,
        )
    return Emitted(cres.metadata["mlir_module"], cres.metadata["targetoptions"])


def to_ptx(module: ir.Module, target_options: dict) -> bytes:
    """Run the host's own pipeline on a module, in place, up to PTX."""
    with host_context():
        PassManager.parse(host_optimization.get_base_pipeline()).run(module.operation)
        if target_options.get("debug"):
            host_optimization._emit_deferred_dbg_declares(module)
        run_pre_codegen_patterns(module)
        return host_optimization._call_llvm70_capi(module, target_options)
