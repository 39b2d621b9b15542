# The element types that corpus families are parametrised by.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numba scalar types, grouped as the families need them."""

from numba_cuda_mlir.types import (
    boolean,
    complex64,
    complex128,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)

SIGNED = (int8, int16, int32, int64)
UNSIGNED = (uint8, uint16, uint32, uint64)
INTEGERS = SIGNED + UNSIGNED
FLOATS = (float32, float64)
COMPLEX = (complex64, complex128)
REALS = INTEGERS + FLOATS
SCALARS = (*REALS, boolean)
WIDE = (int32, int64, uint32, uint64)
