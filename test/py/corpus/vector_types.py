# Corpus: CUDA's vector types and cached loads.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""float32x4 and its kin."""

from numba_cuda_mlir import cuda

from .dtypes import float32, float64, int32, int64
from .registry import cases


@cases((float32[:],))
def construct_and_read(out):
    i = cuda.grid(1)
    v = cuda.float32x4(1.0, 2.0, 3.0, out[i])
    out[i] = v.x + v.y + v.z + v.w


@cases((int32[:],))
def integer_vectors(out):
    i = cuda.grid(1)
    v = cuda.int32x2(i, out[i])
    out[i] = v.x * v.y


@cases((float64[:],))
def three_elements(out):
    i = cuda.grid(1)
    v = cuda.float64x3(out[i], 1.0, 2.0)
    out[i] = v.x + v.z


@cases(*[(t[:], t[:]) for t in (int32, int64, float32, float64)])
def cached_loads(a, out):
    i = cuda.grid(1)
    out[i] = cuda.ldca(a, i) + cuda.ldcg(a, i) + cuda.ldcs(a, i) + cuda.ldcv(a, i)


@cases(*[(t[:], t[:]) for t in (int32, float64)])
def cached_stores(a, out):
    i = cuda.grid(1)
    cuda.stcg(out, i, a[i])
    cuda.stcs(out, i, a[i])
    cuda.stwt(out, i, a[i])
