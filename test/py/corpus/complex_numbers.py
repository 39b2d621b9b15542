# Corpus: complex64 and complex128.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex arithmetic, parts and functions."""

import cmath

from numba_cuda_mlir import cuda

from .dtypes import COMPLEX, complex64, complex128, float32, float64
from .registry import cases


@cases(*[(t[:], t[:], t[:]) for t in COMPLEX])
def arithmetic(a, b, out):
    i = cuda.grid(1)
    out[i] = a[i] * b[i] + a[i] - b[i]


@cases(*[(t[:], t[:], t[:]) for t in COMPLEX])
def division(a, b, out):
    i = cuda.grid(1)
    out[i] = a[i] / b[i]


@cases((complex64[:], float32[:]), (complex128[:], float64[:]))
def parts(a, out):
    i = cuda.grid(1)
    out[i] = a[i].real - a[i].imag


@cases((complex64[:], float32[:]), (complex128[:], float64[:]))
def magnitude(a, out):
    i = cuda.grid(1)
    out[i] = abs(a[i])


@cases(*[(t[:], t[:]) for t in COMPLEX])
def exponential(a, out):
    i = cuda.grid(1)
    out[i] = cmath.exp(a[i])


@cases((complex64[:], float32, float32), (complex128[:], float64, float64))
def construct(out, re, im):
    i = cuda.grid(1)
    out[i] = complex(re, im) * 2j


@cases((complex64[:], complex64), (complex128[:], complex128))
def iterate(out, c):
    i = cuda.grid(1)
    z = out[i]
    for _ in range(20):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag > 4:
            break
    out[i] = z
