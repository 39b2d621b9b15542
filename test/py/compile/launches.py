# Launches as far as they go without a driver: up to the native launcher.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches as far as they go without a driver: up to the native launcher."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pytest
from coop_mlir._compile import pipeline
from numba_cuda_mlir import descriptor, tools


@dataclass(frozen=True)
class Launch:
    """A launch that would have been: what the native launcher was made with, and the cubin."""

    grid: tuple
    block: tuple
    stream: object
    sharedmem: int
    cubin: bytes


class Array:
    """A device array, as far as the host looks at it."""

    def __init__(self, dtype=np.int32, size=1024):
        self.__cuda_array_interface__ = {
            "shape": (size,),
            "typestr": np.dtype(dtype).str,
            "data": (1 << 20, False),
            "strides": None,
            "version": 3,
        }


@contextmanager
def no_driver(cc=(9, 0)) -> Iterator[list[Launch]]:
    """Stand in for the native launcher; give the list of launches, in order.

    Only kernels that are decorated in the body can be launched there.
    """
    made: list[Launch] = []

    class Dispatcher:
        """Compiles what it has not met, as the native one does."""

        def __init__(self, compile, *_, **__):
            self._compile = compile
            self._cubins = {}

        def cubin(self, args):
            key = tuple(map(_key, args))
            if key not in self._cubins:
                self._cubins[key] = self._compile(list(args))[0]
            return self._cubins[key]

    class Launcher:
        def __init__(self, dispatcher, grid, block, stream, sharedmem, cluster):
            self._dispatcher = dispatcher
            self._launch = (tuple(grid), block, stream, sharedmem or 0)

        def __call__(self, *args):
            made.append(Launch(*self._launch, self._dispatcher.cubin(args)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tools, "_cached_cc", cc)
        patch.setattr(descriptor, "LaunchConfiguration", Launcher)
        patch.setattr(descriptor._cext, "KernelDispatcher", Dispatcher)
        patch.setattr(descriptor.cuda_config, "DISABLE_PERFORMANCE_WARNINGS", 1)
        yield made


def _key(arg):
    interface = getattr(arg, "__cuda_array_interface__", None)
    return arg if interface is None else interface["typestr"]


@contextmanager
def counted() -> Iterator[list[str]]:
    """Give the list of modules that coop's passes were run on."""
    texts, run = [], pipeline.run

    def counting(text, **options):
        texts.append(text)
        return run(text, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "run", counting)
        yield texts
