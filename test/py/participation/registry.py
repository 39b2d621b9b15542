# The registry of participation cases.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Register kernels with the verdict that they must get."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["CASES", "Case", "differs", "diverges", "legal", "unproven", "unproven_operand"]

CASES: list[Case] = []


@dataclass(frozen=True)
class Case:
    """A kernel ``(src, dst, n)``, its launch and its verdict.

    Attributes
    ----------
    kernel : function
        Takes two int32 arrays and an int64.
    verdict : str
        ``legal``, ``diverges``, ``unproven``, ``differs`` (an operand does) or
        ``unproven operand``.
    block : int or tuple of int
        The block's shape.
    """

    kernel: Callable
    verdict: str
    block: int | tuple[int, ...]

    @property
    def name(self) -> str:
        family = self.kernel.__module__.rpartition(".")[2]
        return f"{family}.{self.kernel.__name__}"

    def lines(self, marker: str) -> list[int]:
        """Return the lines of the kernel that end in a comment `marker`."""
        code = self.kernel.__code__
        last = max(line for *_, line in code.co_lines() if line is not None)
        text = linecache.getlines(code.co_filename)
        return [
            number
            for number in range(code.co_firstlineno, last + 1)
            if text[number - 1].rstrip().endswith(f"# {marker}")
        ]


def _register(verdict):
    def with_block(block=128):
        def register(kernel):
            CASES.append(Case(kernel, verdict, block))
            return kernel

        return register

    return with_block


legal = _register("legal")
diverges = _register("diverges")
unproven = _register("unproven")
differs = _register("differs")
unproven_operand = _register("unproven operand")
