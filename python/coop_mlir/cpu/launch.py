# Launches of kernels on the CPU.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of kernels on the CPU."""

from __future__ import annotations

import weakref

from coop_mlir import ir

from .._compile._context import own_context
from .builder import build
from .execute import MAX_STEPS, execute_program, shape
from .stages import reach

__all__ = ["Launcher", "launch"]

#: The stage whose module a launch runs: all decisions made, nothing lowered.
STAGE = "eliminate-barriers"

# By kernel: the emitted text for each kind of launch, and its program at each stage.
_known: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def launch(
    kernel,
    grid,
    block,
    *args,
    stage: str = STAGE,
    check: bool = True,
    shared_bytes: int = 0,
    max_steps: int = MAX_STEPS,
    schedule: int | None = None,
) -> None:
    """Compile a kernel and run it on the CPU; needs no GPU and no CUDA.

    Parameters
    ----------
    kernel : function or dispatcher
        A Python function, or one decorated with ``@cuda.jit``.
    grid, block : int or tuple of int
        The shape of the launch, in one to three dimensions.
    *args
        NumPy arrays, which the kernel reads and writes in place, and numbers.
    stage : str
        The stage of the pipeline whose module runs: ``coop`` as emitted,
        ``normalize``, ``check-participation``, ``plan-shared-memory``,
        ``insert-barriers``, ``eliminate-barriers`` or ``lower-to-cub``.
    check : bool
        Whether to look for races, unwritten values and operands that differ
        within a group.
    shared_bytes : int
        Bytes of dynamic shared memory that the launch asks for.
    max_steps : int
        Steps after which a kernel counts as one that doesn't end.
    schedule : int, optional
        A seed by which warps take their turns at random, instead of all at once.

    Raises
    ------
    CoopCheckError
        When the checker finds a fault, at the Python line.
    CoopError
        For whatever the compilation refuses.
    """
    grid, block = shape("grid", grid), shape("block", block)
    program, scratch_bytes = _program(kernel, grid, block, shared_bytes, stage, args)
    execute_program(
        program,
        grid,
        block,
        args,
        check=check,
        shared_bytes=shared_bytes + scratch_bytes,
        max_steps=max_steps,
        schedule=schedule,
    )


def _program(kernel, grid, block, shared_bytes, stage, args):
    """Return the program of a kernel for some arguments, and the bytes of its scratch."""
    known = _known.setdefault(kernel, {})
    key = (block, shared_bytes, tuple(map(_key, args)))
    if key not in known:
        known[key] = _emit(kernel, grid, block, shared_bytes, args)
    settings = _settings(kernel)
    if (key, stage, settings) not in known:
        with own_context():
            module = ir.Module.parse(known[key])
            scratch_bytes = reach(module, stage, settings, shared_bytes)
            known[key, stage, settings] = build(module), scratch_bytes
    return known[key, stage, settings]


def _emit(kernel, grid, block, shared_bytes, args) -> str:
    from .._register import register

    register("numba-cuda-mlir")
    from .._numba import host_cpu

    return host_cpu.emit(kernel, args, grid=grid, block=block, shared_bytes=shared_bytes)


def _settings(kernel):
    from .._numba import host_cpu

    return host_cpu.settings(kernel)


def _key(arg):
    """Return what of an argument the program depends on."""
    if hasattr(arg, "dtype") and getattr(arg, "ndim", 0):
        return (str(arg.dtype), arg.ndim, arg.flags.c_contiguous, arg.flags.f_contiguous)
    if isinstance(arg, int):
        return type(arg), arg
    return type(arg)


class Launcher:
    """What ``kernel[grid, block]`` gives when ``COOP_TARGET`` is ``cpu``."""

    def __init__(self, kernel, grid, block, shared_bytes):
        self._kernel = kernel
        self._shape = grid, block
        self._shared_bytes = shared_bytes

    def __call__(self, *args):
        """Run the kernel on the CPU."""
        launch(self._kernel, *self._shape, *args, shared_bytes=self._shared_bytes)
