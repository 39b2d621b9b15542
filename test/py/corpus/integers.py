# Corpus: bit operations and the host's integer intrinsics.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shifts, masks, counting and selection on integers."""

from numba_cuda_mlir import cuda

from .dtypes import INTEGERS, WIDE, boolean, int32, int64
from .registry import cases


@cases(*[(t[:], t[:], t[:]) for t in INTEGERS])
def bitwise(a, b, out):
    i = cuda.grid(1)
    out[i] = (a[i] & b[i]) | (a[i] ^ b[i]) | ~a[i]


@cases(*[(t[:], t[:]) for t in INTEGERS])
def shifts(a, out):
    i = cuda.grid(1)
    out[i] = (a[i] << 3) | (a[i] >> 2)


@cases(*[(t[:], int64[:]) for t in WIDE])
def count_bits(a, out):
    i = cuda.grid(1)
    out[i] = cuda.popc(a[i]) + cuda.clz(a[i])


@cases(*[(t[:], t[:]) for t in WIDE])
def reverse_bits(a, out):
    i = cuda.grid(1)
    out[i] = cuda.brev(a[i])


@cases((int32[:], int32[:]), (int64[:], int64[:]))
def first_set(a, out):
    i = cuda.grid(1)
    out[i] = cuda.ffs(a[i])


@cases(*[(boolean[:], t[:], t[:]) for t in WIDE])
def select(mask, a, out):
    i = cuda.grid(1)
    out[i] = cuda.selp(mask[i], a[i], out[i])


@cases(*[(t[:], t[:], t[:]) for t in WIDE])
def minimum_maximum(a, b, out):
    i = cuda.grid(1)
    out[i] = min(a[i], b[i]) + max(a[i], b[i])
