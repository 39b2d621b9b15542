# Corpus: arrays of one to three dimensions, layouts, local and constant arrays.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Array access through memrefs of each layout."""

import numpy as np
from numba_cuda_mlir import cuda

from .dtypes import FLOATS, SCALARS, float32, float64, int32, int64
from .registry import cases

TABLE = np.arange(16, dtype=np.float32)
MATRIX = np.arange(12, dtype=np.int32).reshape(3, 4)


@cases(*[(t[:], t[:]) for t in SCALARS])
def copy(a, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i]


@cases(*[(t[::1], t[::1]) for t in FLOATS])
def copy_contiguous(a, out):
    i = cuda.grid(1)
    if i < a.shape[0]:
        out[i] = a[i]


@cases(*[(t[:, :], t[:, :]) for t in SCALARS])
def transpose(a, out):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        out[j, i] = a[i, j]


@cases((float32[:, ::1], float32[::1, :]), (float64[::1, :], float64[:, ::1]))
def mixed_layouts(a, out):
    i, j = cuda.grid(2)
    out[i, j] = a[i, j] + a.shape[0] - out.shape[1]


@cases(*[(t[:, :, :], t) for t in (*FLOATS, int32, int64)])
def fill_3d(out, value):
    i, j, k = cuda.grid(3)
    if i < out.shape[0] and j < out.shape[1] and k < out.shape[2]:
        out[i, j, k] = value


@cases((float32[:, :], float32[:]), (int64[:, :], int64[:]))
def row_slices(a, out):
    i = cuda.grid(1)
    row = a[i]
    part = row[1:5]
    for j in range(part.size):
        out[i] += part[j] + row[-1]


@cases((float32[:, :], float32[:, :], float32[:, :]), (float64[:, :], float64[:, :], float64[:, :]))
def matrix_multiply(a, b, out):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        total = out[i, j] * 0
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        out[i, j] = total


@cases((float32[:],), (float64[:],))
def local_array(out):
    i = cuda.grid(1)
    scratch = cuda.local.array(8, float32)
    for j in range(8):
        scratch[j] = out[i] + j
    out[i] = scratch[i % 8]


@cases((int32[:],))
def local_array_2d(out):
    i = cuda.grid(1)
    scratch = cuda.local.array((3, 4), int32)
    for j in range(3):
        for k in range(4):
            scratch[j, k] = j * k
    out[i] = scratch[i % 3, i % 4]


@cases((float32[:],))
def constant_array(out):
    i = cuda.grid(1)
    table = cuda.const.array_like(TABLE)
    out[i] = table[i % 16]


@cases((int32[:],))
def constant_array_2d(out):
    i = cuda.grid(1)
    table = cuda.const.array_like(MATRIX)
    out[i] = table[i % 3, i % 4]


@cases((float32[:],), (float64[:],))
def global_array(out):
    i = cuda.grid(1)
    out[i] = TABLE[3] + MATRIX[1, 2]
