# The vector dialect: payloads.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The vector dialect: what moves between payloads and scalars."""

from __future__ import annotations

import numpy as np

from ..registry import pure
from ..types import payload_shape
from ..values import joined, spread


@pure("vector.from_elements", moves=True)
def _from_elements(op):
    shape = payload_shape(op.results[0].type)

    def gather(*elements):
        stacked = joined(elements)
        return stacked.reshape((*shape, stacked.shape[-1]))

    return gather


@pure("vector.broadcast", "vector.splat", moves=True)
def _broadcast(op):
    shape = payload_shape(op.results[0].type)
    return lambda a: np.broadcast_to(a, (*shape, a.shape[-1]))


_DYNAMIC = -(1 << 63)


def _positions(static, operands):
    """Return the position of an extract or insert, by dimension."""
    dynamic = iter(operands)
    return [next(dynamic) if p == _DYNAMIC else p for p in static]


def _at(vector, positions, lanes):
    """Return an index of a vector; a dynamic position is one of each lane."""
    if all(isinstance(p, int) for p in positions):
        return tuple(positions)
    return (*(p if isinstance(p, int) else spread(p, lanes) for p in positions), np.arange(lanes))


@pure("vector.extract", moves=True)
def _extract(op):
    static = list(op.attributes["static_position"])

    def extract(vector, *dynamic):
        lanes = max(a.shape[-1] for a in (vector, *dynamic))
        positions = _positions(static, dynamic)
        if all(isinstance(p, int) for p in positions):
            return vector[tuple(positions)]
        return spread(vector, lanes)[_at(vector, positions, lanes)]

    return extract


@pure("vector.insert", moves=True)
def _insert(op):
    static = list(op.attributes["static_position"])

    def insert(scalar, vector, *dynamic):
        lanes = max(a.shape[-1] for a in (scalar, vector, *dynamic))
        changed = np.array(spread(vector, lanes))
        changed[_at(changed, _positions(static, dynamic), lanes)] = scalar
        return changed

    return insert


@pure("vector.extractelement", "llvm.extractelement", moves=True)
def _extract_element(op):
    def extract(vector, position):
        lanes = max(vector.shape[-1], position.shape[-1])
        return spread(vector, lanes)[spread(position, lanes), np.arange(lanes)]

    return extract


@pure("vector.insertelement", moves=True)
def _insert_element(op):
    def insert(scalar, vector, position):
        lanes = max(a.shape[-1] for a in (scalar, vector, position))
        changed = np.array(spread(vector, lanes))
        changed[spread(position, lanes), np.arange(lanes)] = scalar
        return changed

    return insert


@pure("vector.shape_cast", moves=True)
def _shape_cast(op):
    shape = payload_shape(op.results[0].type)
    return lambda a: a.reshape((*shape, a.shape[-1]))
