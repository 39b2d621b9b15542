# The list of real Numba kernels that tests compile, and how cases are declared.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Declare corpus cases: a kernel, one signature, and jit options."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

__all__ = ["CORPUS", "Case", "cases"]

CORPUS: list[Case] = []


@dataclass(frozen=True)
class Case:
    """A kernel that is compiled for one signature.

    Attributes
    ----------
    name : str
        Unique: family, kernel, position of the signature, options.
    kernel : callable
        The undecorated Python function.
    signature : tuple
        Numba types of the arguments.
    options : dict
        Keyword arguments of ``cuda.jit``.
    """

    name: str
    kernel: Callable
    signature: tuple
    options: dict = field(default_factory=dict)

    @property
    def family(self) -> str:
        """The name of the file that declares the case."""
        return self.name.split(".", 1)[0]


def cases(*signatures: tuple | Iterable, **options) -> Callable:
    """Register the decorated kernel once for each signature."""

    def register(kernel: Callable) -> Callable:
        family = kernel.__module__.rpartition(".")[2]
        suffix = "".join(f"-{key}" for key in options)
        for index, signature in enumerate(signatures):
            name = f"{family}.{kernel.__name__}[{index}]{suffix}"
            CORPUS.append(Case(name, kernel, tuple(signature), options))
        return kernel

    return register
