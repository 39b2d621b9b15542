# The adapter's part for the CPU target: a kernel's module as the front end emits it.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The adapter's part for the CPU target: a kernel's module as the front end emits it."""

from __future__ import annotations

from numba_cuda_mlir import mlir_compiler, tools
from numba_cuda_mlir.lowering_utilities.context import get_context
from numba_cuda_mlir.numba_cuda import types
from numba_cuda_mlir.numba_cuda.core import errors as numba_errors
from numba_cuda_mlir.numba_cuda.core.compiler_lock import global_compiler_lock
from numba_cuda_mlir.numba_cuda.typing.typeof import typeof

from .._options import settings_of, with_options
from . import host
from .reach import is_dispatcher

__all__ = ["configure", "emit", "settings"]

# What the module is emitted for; nothing that runs on the CPU depends on it.
_CC = (9, 0)


def emit(kernel, args, *, grid, block, shared_bytes) -> str:
    """Return the text of a kernel's module, before any pass.

    Parameters
    ----------
    kernel : function or dispatcher
        The kernel.
    args : sequence
        The arguments of a launch, for their types and, where the kernel needs
        a constant, their values.
    grid, block, shared_bytes
        The launch.
    """
    function, options = _parts(kernel)
    options = with_options(function, options)
    launch = {"grid": grid, "block": block, "sharedmem": shared_bytes, "cluster": None}
    options |= {"chip": tools.format_arch(_CC), host.LAUNCH_CONFIG: launch}
    argtypes = [typeof(arg) for arg in args]
    while True:
        try:
            return _emit(function, tuple(argtypes), options)
        except numba_errors.ForceLiteralArg as error:
            for position in error.requested_args:
                argtypes[position] = types.literal(args[position])


def _emit(function, argtypes, options) -> str:
    from .._compile import bridge

    located = host.locate_all.set(True)
    try:
        with global_compiler_lock, host._pinned_cc(_CC):
            cres = mlir_compiler.compile_mlir(function, types.none, argtypes, options)
    finally:
        host.locate_all.reset(located)
    with get_context():
        return bridge.export_module(cres.metadata["mlir_module"]).text


def settings(kernel):
    """Return what coop's passes are told of a kernel."""
    function, options = _parts(kernel)
    return settings_of(with_options(function, options))


def _parts(kernel):
    """Return a kernel's Python function and its target options."""
    return (kernel.py_func, kernel.targetoptions) if is_dispatcher(kernel) else (kernel, {})


def configure(original, dispatcher, griddim, blockdim, stream=None, sharedmem=None, cluster=None):
    """Make a launcher that runs the kernel on the CPU."""
    from ..cpu.launch import Launcher

    return Launcher(dispatcher, griddim, blockdim, sharedmem or 0)
