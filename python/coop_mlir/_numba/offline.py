# Compilation without a launch.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compilation without a launch."""

from __future__ import annotations

from .._compile.result import CompileResult
from .._options import Options, with_options
from ..errors import CoopError, CoopTypingError
from . import host
from .reach import is_dispatcher


def compile(kernel, signature, *, block, grid, cc, options, given: Options) -> CompileResult:
    """Compile a kernel; see :func:`coop_mlir.compile`."""
    cc = _present_cc() if cc is None else tuple(cc)
    dispatcher = kernel if is_dispatcher(kernel) else None
    function = dispatcher.py_func if dispatcher else kernel
    own = dispatcher.targetoptions if dispatcher else {}
    targetoptions = {**own, **host.jit_options(options, own)}
    targetoptions = with_options(function, targetoptions, given)
    try:
        cres, lowered = host.compile_offline(
            function, _types(signature), targetoptions, block=block, grid=grid, cc=cc
        )
    except host.numba_errors.ForceLiteralArg as error:
        raise _not_constant(function, error.requested_args) from None
    return _result(function.__name__, cc, cres, lowered)


def _types(signature) -> tuple:
    """Return Numba types; an int or bool is a constant."""
    args = getattr(signature, "args", signature)
    return tuple(host.types.literal(arg) if isinstance(arg, (int, str)) else arg for arg in args)


def _not_constant(function, positions) -> CoopTypingError:
    names = [function.__code__.co_varnames[index] for index in sorted(positions)]
    return CoopTypingError(
        f"the arguments {', '.join(map(repr, names))} of {function.__name__} must be known at "
        "compile time; put a Python int in their place in the signature"
    )


def _present_cc() -> tuple[int, int]:
    try:
        return host.present_cc()
    except Exception as error:
        raise CoopError("there is no GPU to compile for; pass cc=, such as cc=(9, 0)") from error


def _result(name, cc, cres, lowered) -> CompileResult:
    metadata = cres.metadata
    stages = dict(lowered.stages) if lowered else {"emitted": metadata["mlir_module_str"]}
    stages["final"] = metadata["mlir_module_optimized"]
    return CompileResult(
        name=name,
        cc=cc,
        stages=stages,
        cuda_source=lowered.cuda_source if lowered else "",
        ptx=metadata["coop.ptx"],
        cubin=bytes(metadata["cubin"]),
        plan=lowered.plan if lowered else None,
        barriers=lowered.barriers if lowered else None,
        diagnostics=tuple(lowered.diagnostics) if lowered else (),
    )
