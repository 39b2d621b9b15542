# Corpus: structured dtypes, tuples and named tuples.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Aggregates in arrays and as arguments."""

from collections import namedtuple

import numpy as np
from numba_cuda_mlir import cuda
from numba_cuda_mlir.numba_cuda.np.numpy_support import from_dtype
from numba_cuda_mlir.numba_cuda.types import NamedTuple, NamedUniTuple, Tuple, UniTuple

from .dtypes import float32, float64, int8, int32, int64
from .registry import cases

PACKED = from_dtype(np.dtype([("a", np.int8), ("b", np.float64), ("c", np.int32)]))
ALIGNED = from_dtype(np.dtype([("a", np.int8), ("b", np.float64), ("c", np.int32)], align=True))
NESTED = from_dtype(np.dtype([("xy", np.float32, (2,)), ("n", np.int64)]))

Point = namedtuple("Point", "x y")


@cases((PACKED[:],), (ALIGNED[:],))
def record_fields(out):
    i = cuda.grid(1)
    out[i].a = out[i].c + 1
    out[i].b = out[i].b * 2


@cases((PACKED[:], PACKED[:]), (ALIGNED[:], ALIGNED[:]))
def record_copy(a, out):
    i = cuda.grid(1)
    out[i].a = a[i]["a"]
    out[i].c = a[i]["c"]


@cases((NESTED[:],))
def record_with_array(out):
    i = cuda.grid(1)
    out[i].n = int(out[i].xy[0] + out[i].xy[1])


@cases((float32[:], UniTuple(float32, 3)), (int64[:], UniTuple(int64, 3)))
def uniform_tuple(out, t):
    i = cuda.grid(1)
    out[i] = t[0] + t[1] * t[2]


@cases((float64[:], Tuple((int8, float32, int64))))
def mixed_tuple(out, t):
    i = cuda.grid(1)
    a, b, c = t
    out[i] = a + b + c


@cases((float32[:], UniTuple(float32[:], 2)))
def tuple_of_arrays(out, arrays):
    i = cuda.grid(1)
    out[i] = arrays[0][i] + arrays[1][i]


@cases(
    (float32[:], NamedUniTuple(float32, 2, Point)),
    (float64[:], NamedTuple((int32, float64), Point)),
)
def named_tuple(out, p):
    i = cuda.grid(1)
    out[i] = p.x + p.y


@cases((int32[:], int32))
def tuple_in_a_loop(out, n):
    pair = (0, 1)
    for _ in range(n):
        pair = (pair[1], pair[0] + pair[1])
    out[0] = pair[0]
