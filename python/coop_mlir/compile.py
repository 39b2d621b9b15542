# Compilation without a launch, with all that happens on the way.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compilation without a launch, with all that happens on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ._compile.result import CompileResult
from ._options import Options, Participation

__all__ = ["CompileResult", "compile"]


def compile(
    kernel: Callable[..., Any],
    signature: Any,
    *,
    block: int | Sequence[int],
    grid: int | Sequence[int] | None = None,
    cc: tuple[int, int] | None = None,
    options: Mapping[str, Any] | None = None,
    participation: Participation | None = None,
    keep_user_barriers: bool | None = None,
    check_assumptions: bool | None = None,
) -> CompileResult:
    """Compile a kernel; no GPU and no driver are needed when `cc` is given.

    Parameters
    ----------
    kernel : function or dispatcher
        A Python function, or one decorated with ``@cuda.jit``.
    signature : sequence
        The Numba type of each argument; a plain int or bool where the argument
        is a constant that specializes the kernel.
    block, grid : int or tuple of int
        The shape of the launch, in one to three dimensions.
    cc : tuple of int, optional
        The compute capability, such as ``(9, 0)``; by default that of the
        present GPU.
    options : dict, optional
        Options of ``@cuda.jit`` in addition to the kernel's own.
    participation, keep_user_barriers, check_assumptions : optional
        Those of :func:`coop_mlir.options`, before the kernel's own.

    Returns
    -------
    CompileResult
        The stages of the module, the CUDA source, PTX, cubin, plan and barriers.

    Raises
    ------
    CoopError
        For whatever a launch would raise, and when `cc` is None and there is
        no GPU.
    ValueError
        For a block, a grid or an option that can't be.
    """
    from ._register import register

    register("numba-cuda-mlir")
    from ._numba import offline

    return offline.compile(
        kernel,
        signature,
        block=_shape("block", block),
        grid=_shape("grid", 1 if grid is None else grid),
        cc=cc,
        options=options or {},
        given=Options(participation, keep_user_barriers, check_assumptions),
    )


def _shape(name: str, value: int | Sequence[int]) -> tuple[int, int, int]:
    """Return one to three positive ints as three."""
    sizes = (value,) if isinstance(value, int) else tuple(value)
    if not 1 <= len(sizes) <= 3 or not all(type(size) is int and size > 0 for size in sizes):
        raise ValueError(f"{name} must be one to three positive ints, not {value!r}")
    x, y, z, *_ = (*sizes, 1, 1)
    return x, y, z
