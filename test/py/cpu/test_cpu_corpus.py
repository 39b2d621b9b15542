# The corpus of Numba kernels on the CPU.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CPU target knows what the host emits for the corpus, and normalizing changes nothing."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")

from coop_mlir import cpu, ir
from coop_mlir._compile import bridge
from coop_mlir._compile._context import own_context
from coop_mlir.cpu.builder import build
from coop_mlir.cpu.execute import execute_program
from coop_mlir.cpu.stages import reach
from corpus import CORPUS
from corpus.host import emit, host_context
from numba_cuda_mlir import types
from numba_cuda_mlir.numba_cuda.core.errors import NumbaNotImplementedError
from numba_cuda_mlir.numba_cuda.np.numpy_support import as_dtype
from support import copied, same

UNSUPPORTED = {"synchronization.grid_barrier[0]"}  # Blocks run some at a time.
BLOCKS = {"tile_transpose": (16, 16), "tile_3d": (4, 4, 4), "tiles": (8, 16), "stencil": 128}


@cache
def text_of(name: str) -> str:
    emitted = emit(next(case for case in CORPUS if case.name == name))
    with host_context():
        return bridge.export_module(emitted.module).text


def program(name: str, stage: str):
    with own_context():
        module = ir.Module.parse(text_of(name))
        reach(module, stage)
        return build(module)


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case.name)
def test_every_operation_is_known(case):
    if case.name not in UNSUPPORTED:
        program(case.name, "coop")
        return
    with pytest.raises(cpu.UnsupportedError, match="no body") as caught:
        program(case.name, "coop")
    assert caught.value.location is not None


def argument(kind):
    """Return an argument of a Numba type, None if there is none."""
    if isinstance(kind, types.Array):
        shape = {1: (256,), 2: (64, 64), 3: (16, 16, 16)}[kind.ndim]
        try:
            array = np.zeros(shape, as_dtype(kind.dtype))
        except NumbaNotImplementedError:
            return None
        if array.dtype.fields is None:
            array[...] = (np.arange(array.size) % 7 + 1).reshape(shape)
        return np.asfortranarray(array) if kind.layout == "F" else array
    values = {types.Integer: 3, types.Float: 0.5, types.Boolean: True, types.Complex: 1 + 2j}
    return next((value for base, value in values.items() if isinstance(kind, base)), None)


def outcome(name: str, stage: str, args, block):
    """Return the arguments after a launch, or the kind of the finding."""
    args = copied(args)
    try:
        execute_program(program(name, stage), 1, block, args, shared_bytes=4096, max_steps=20_000)
    except cpu.CoopCheckError as error:
        return error.kind
    return args


RUNNABLE = [
    case
    for case in CORPUS
    if case.name not in UNSUPPORTED and all(argument(k) is not None for k in case.signature)
]


@pytest.mark.parametrize("case", RUNNABLE, ids=lambda case: case.name)
def test_normalizing_changes_nothing(case, capsys):
    args = [argument(kind) for kind in case.signature]
    if any(isinstance(arg, np.ndarray) and arg.dtype.fields for arg in args):
        pytest.skip("the padding of records isn't kept")
    block = next((b for name, b in BLOCKS.items() if f".{name}[" in case.name), 64)
    emitted, normalized = (outcome(case.name, s, args, block) for s in ("coop", "normalize"))
    if isinstance(emitted, str):
        assert normalized == emitted
    else:
        assert same(emitted, normalized)


def test_most_of_the_corpus_runs():
    assert len(RUNNABLE) > 0.9 * len(CORPUS)
