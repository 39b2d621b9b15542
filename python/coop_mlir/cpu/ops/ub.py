# The ub dialect, and LLVM's values without a value.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ub dialect, and LLVM's values without a value."""

from __future__ import annotations

import numpy as np

from ..registry import effect
from ..types import ArrayType, StructType, layout_of, payload_shape
from ..values import full


def zero(mlir_type):
    """Return the zero of a scalar, vector or aggregate."""
    if shape := payload_shape(mlir_type):
        return full(shape, layout_of(mlir_type.element_type))
    return _zero(layout_of(mlir_type))


def _zero(layout):
    if isinstance(layout, ArrayType):
        return tuple(_zero(layout.element) for _ in range(layout.count))
    if isinstance(layout, StructType):
        return tuple(map(_zero, layout.members))
    return np.zeros(1, layout)


@effect("ub.poison", "llvm.mlir.undef", "llvm.mlir.poison")
def _poison(op, slots):
    value = zero(op.results[0].type)
    marks = None if isinstance(value, tuple) else np.ones(value.shape, bool)
    (result,) = slots.results

    def run(frame):
        frame.env[result] = value
        frame.mark(result, marks if frame.run.check else None)
        frame.run.origins.setdefault(result, slots.location)

    return run


@effect("llvm.mlir.zero", "llvm.mlir.none")
def _null(op, slots):
    value = zero(op.results[0].type)
    (result,) = slots.results

    def run(frame):
        frame.env[result] = value
        frame.mark(result, None)

    return run
