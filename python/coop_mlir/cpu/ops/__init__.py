# What each dialect's operations do.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each dialect's operations do; a module for each dialect."""

import functools
import importlib

__all__ = ["load"]

_DIALECTS = (
    "arith",
    "cf",
    "complex",
    "coop",
    "func",
    "gpu",
    "index",
    "llvm",
    "math",
    "memref",
    "nvvm",
    "scf",
    "ub",
    "vector",
)


@functools.cache
def load() -> None:
    """Fill the tables of :mod:`coop_mlir.cpu.registry`."""
    for dialect in _DIALECTS:
        importlib.import_module(f"{__name__}.{dialect}")
