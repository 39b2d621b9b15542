# Arithmetic of bfloat16, which NumPy lacks.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic of bfloat16, which NumPy lacks.

A bfloat16 is kept as its bits. Arithmetic takes it as a float32, whose 24 bits
are enough that sums, products, quotients and square roots are rounded as if
they were never anything else.
"""

from __future__ import annotations

import numpy as np

from coop_mlir import ir

__all__ = ["from_bits", "is_bfloat", "to_bits", "with_bfloats"]


def is_bfloat(mlir_type) -> bool:
    """Whether a type, or that of a vector's elements, is bfloat16."""
    if isinstance(mlir_type, ir.VectorType):
        mlir_type = mlir_type.element_type
    return isinstance(mlir_type, ir.BF16Type)


def from_bits(bits: np.ndarray) -> np.ndarray:
    """Return bfloat16s as float32s."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def to_bits(a: np.ndarray) -> np.ndarray:
    """Round to the nearest bfloat16, ties to even; NaNs stay NaNs."""
    bits = a.astype(np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(a), (bits >> 16) | 0x40, rounded).astype(np.uint16)


def with_bfloats(op, function):
    """Return a function of floats as one of an operation's operands, bfloat16s or not."""
    inputs = [is_bfloat(operand.type) for operand in op.operands]
    rounds = is_bfloat(op.results[0].type)
    if not rounds and not any(inputs):
        return function

    def apply(*operands):
        pairs = zip(operands, inputs, strict=True)
        result = function(*[from_bits(a) if narrow else a for a, narrow in pairs])
        return to_bits(result) if rounds else result

    return apply
