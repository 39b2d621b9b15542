# Corpus: static and dynamic shared memory.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in workgroup memory, of each rank and kind."""

from numba_cuda_mlir import cuda

from .dtypes import FLOATS, INTEGERS, float32, float64, int8, int32, int64
from .registry import cases


def _reverse(dtype):
    def reverse_in_block(out):
        tile = cuda.shared.array(128, dtype)
        i = cuda.threadIdx.x
        tile[i] = out[i]
        cuda.syncthreads()
        out[i] = tile[127 - i]

    reverse_in_block.__name__ = f"reverse_{dtype}"
    return reverse_in_block


for _dtype in INTEGERS + FLOATS:
    cases((_dtype[:],))(_reverse(_dtype))


@cases((float32[:, :],), (float64[:, :],))
def tile_transpose(out):
    tile = cuda.shared.array((16, 17), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    tile[y, x] = out[y, x]
    cuda.syncthreads()
    out[x, y] = tile[x, y]


@cases((int32[:, :, :],))
def tile_3d(out):
    tile = cuda.shared.array(shape=(4, 4, 4), dtype=int32)
    x, y, z = cuda.threadIdx.x, cuda.threadIdx.y, cuda.threadIdx.z
    tile[z, y, x] = out[z, y, x]
    cuda.syncthreads()
    out[x, y, z] = tile[x, y, z]


@cases((float32[:],), (int32[:],))
def block_reduction(out):
    tile = cuda.shared.array(256, float32)
    i = cuda.threadIdx.x
    tile[i] = out[i]
    cuda.syncthreads()
    step = 128
    while step > 0:
        if i < step:
            tile[i] += tile[i + step]
        cuda.syncthreads()
        step //= 2
    if i == 0:
        out[0] = tile[0]


@cases((float32[:],), (int64[:],))
def dynamic_shared(out):
    tile = cuda.shared.array(0, float32)
    i = cuda.threadIdx.x
    tile[i] = out[i]
    cuda.syncthreads()
    out[i] = tile[cuda.blockDim.x - i - 1]


@cases((float32[:],))
def dynamic_and_static(out):
    fixed = cuda.shared.array(32, int8)
    free = cuda.shared.array(0, float64)
    i = cuda.threadIdx.x
    fixed[i % 32] = i
    free[i] = out[i]
    cuda.syncthreads()
    out[i] = free[i] + fixed[31 - i % 32]


@cases((int32[:],))
def two_tiles(out):
    first = cuda.shared.array(64, int32)
    second = cuda.shared.array(64, int64)
    i = cuda.threadIdx.x
    first[i] = out[i]
    second[i] = out[i]
    cuda.syncthreads()
    out[i] = first[63 - i] + second[63 - i]


@cases((float32[:],), fastmath=True)
def stencil(out):
    tile = cuda.shared.array(130, float32)
    i = cuda.threadIdx.x
    tile[i + 1] = out[i]
    if i == 0:
        tile[0] = 0.0
        tile[129] = 0.0
    cuda.syncthreads()
    out[i] = 0.25 * tile[i] + 0.5 * tile[i + 1] + 0.25 * tile[i + 2]
