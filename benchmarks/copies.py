# Copy kernels, and arrays to copy on a GPU.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copy kernels, and arrays to copy on a GPU."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import coop_mlir as coop
import numpy as np
import timing
from coop_mlir.api import ALGORITHMS
from numba_cuda_mlir import cuda

coop.register("numba-cuda-mlir")

__all__ = ["ALGORITHMS", "Buffers", "Config", "launcher", "make_kernel"]


@dataclass(frozen=True)
class Config:
    """A copy kernel: block size and items per thread."""

    algorithm: str
    dtype: str
    threads: int
    items: int

    def __str__(self) -> str:
        return f"{self.algorithm} {self.dtype} {self.threads}x{self.items}"


def make_kernel(config: Config) -> Callable:
    """Return a guarded copy of one tile a block."""
    algorithm, items_per_thread, tile = (
        config.algorithm,
        config.items,
        config.threads * config.items,
    )

    def copy(source, destination, count):
        block = coop.this_block()
        items = coop.ThreadData(items_per_thread)
        start = cuda.blockIdx.x * tile
        valid = min(tile, count - start)
        coop.load(
            block,
            source,
            items,
            algorithm=algorithm,
            offset=start,
            valid_items=valid,
            oob_default=0,
        )
        coop.store(block, destination, items, algorithm=algorithm, offset=start, valid_items=valid)

    return copy


class Buffers:
    """Source and destination, seen as arrays of any type."""

    def __init__(self, size: int):
        self.size = size
        pattern = np.random.default_rng(0).integers(0, 256, min(size, 1 << 26), dtype=np.uint8)
        self._source = cuda.to_device(np.resize(pattern, size))
        self._destination = cuda.device_array(size, np.uint8)

    def arrays(self, dtype: str) -> tuple:
        """Return source and destination as arrays of a type."""
        return self._source.view(dtype), self._destination.view(dtype)

    def memcpy(self) -> None:
        """Start the driver's copy."""
        timing.done(driver().cuMemcpyDtoDAsync(*map(_address, self._both), self.size, 0))

    def count(self, config: Config) -> int:
        """All elements but one: the last tile is partial."""
        return self.size // np.dtype(config.dtype).itemsize - 1

    def job(self, config: Config) -> Callable[[], None]:
        """Compile a guarded copy, check it, and return its launch."""
        count = self.count(config)
        blocks = -(-count // (config.threads * config.items))
        launch = launcher(make_kernel(config), blocks, config.threads)
        arguments = (*self.arrays(config.dtype), np.int64(count))
        written = count * np.dtype(config.dtype).itemsize
        return self.checked(lambda: launch(*arguments), written, str(config))

    def checked(self, job: Callable[[], None], written: int, name: str) -> Callable[[], None]:
        """Run a job and return it.

        It must copy so many bytes, of which both ends are compared, and leave those behind as they
        were.
        """
        self._clear()
        job()
        part = 1 << 20
        for where in (slice(0, min(part, written)), slice(max(written - part, 0), written)):
            source, destination = (array[where].copy_to_host() for array in self._both[::-1])
            if (source != destination).any():
                raise AssertionError(f"{name} copied wrongly")
        if written < self.size and (self._destination[written:].copy_to_host() != 0xA5).any():
            raise AssertionError(f"{name} wrote past its end")
        return job

    @property
    def _both(self) -> tuple:
        return self._destination, self._source

    def _clear(self) -> None:
        timing.done(driver().cuMemsetD8Async(_address(self._destination), 0xA5, self.size, 0))


def launcher(kernel: Callable, blocks: int, threads: int) -> Callable:
    """Return what launches a kernel on the GPU."""
    return cuda.jit(kernel)[blocks, threads]


def driver():
    """Return the bindings of the CUDA driver."""
    from cuda.bindings import driver

    return driver


def _address(array) -> int:
    return array.device_ctypes_pointer.value
