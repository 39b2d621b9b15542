# The complex dialect.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The complex dialect."""

from __future__ import annotations

import numpy as np

from ..registry import pure
from ..types import dtype_of
from .arith import elementwise

for _name, _function in {
    "abs": np.abs,
    "add": np.add,
    "angle": np.angle,
    "conj": np.conj,
    "cos": np.cos,
    "div": np.divide,
    "eq": np.equal,
    "exp": np.exp,
    "im": lambda a: np.ascontiguousarray(a.imag),
    "log": np.log,
    "mul": np.multiply,
    "neg": np.negative,
    "neq": np.not_equal,
    "pow": np.power,
    "re": lambda a: np.ascontiguousarray(a.real),
    "sin": np.sin,
    "sqrt": np.sqrt,
    "sub": np.subtract,
    "tanh": np.tanh,
}.items():
    elementwise(_function, f"complex.{_name}")


@pure("complex.create")
def _create(op):
    dtype = dtype_of(op.results[0].type)

    def create(real, imaginary):
        value = np.empty(np.broadcast_shapes(real.shape, imaginary.shape), dtype)
        value.real, value.imag = real, imaginary
        return value

    return create
