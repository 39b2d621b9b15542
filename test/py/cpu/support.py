# What the tests of the CPU target share.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the CPU target share: running a module at a stage, taking barriers out."""

from __future__ import annotations

import numpy as np
from coop_mlir import cpu, ir
from coop_mlir._compile._context import own_context
from coop_mlir.cpu.stages import stages
from kernels.case import copied as copy_of

__all__ = ["all_stages", "copied", "inserted_barriers", "run", "same", "without_barrier"]


def all_stages(text: str) -> dict[str, str]:
    """Return a module's text at each stage."""
    with own_context():
        return stages(text)


def copied(args) -> list:
    """Return new arguments with the same contents."""
    return [copy_of(arg) if isinstance(arg, np.ndarray) else arg for arg in args]


def run(text: str, kernel, **options) -> list:
    """Run a generated kernel's text; return its arguments afterwards."""
    args = kernel.arguments()
    cpu.execute(text, None, kernel.grid, kernel.block, args, **options)
    return args


def same(left, right) -> bool:
    """Whether arguments are equal, bit by bit."""
    pairs = [pair for pair in zip(left, right, strict=True) if isinstance(pair[0], np.ndarray)]
    return all(a.tobytes() == b.tobytes() for a, b in pairs)


def _barriers(module) -> list:
    found = []

    def look(op):
        if op.name == "coop.barrier" and "reason" in op.attributes:
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(look)
    return found


def inserted_barriers(text: str) -> list[str]:
    """Return the reasons of the barriers that the compiler put into a module."""
    with own_context():
        module = ir.Module.parse(text)  # What a walk finds does not keep it.
        return [op.attributes["reason"].value for op in _barriers(module)]


def without_barrier(text: str, number: int) -> str:
    """Return a module without one of the barriers that the compiler put in."""
    with own_context():
        module = ir.Module.parse(text)
        _barriers(module)[number].erase()
        return module.operation.get_asm(enable_debug_info=True)
