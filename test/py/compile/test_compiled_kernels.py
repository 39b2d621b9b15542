# Every kernel of test/py/kernels, compiled with no GPU: what the machine code must and must not hold.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every kernel of ``test/py/kernels``, compiled with no GPU: what the machine code must and must not hold."""

from __future__ import annotations

import os
import random
import re

import numpy as np
import pytest

pytest.importorskip("numba_cuda_mlir")

import coop_mlir as coop
from coop_mlir._cub import disassemble
from kernels import CASES
from numba_cuda_mlir import types
from numba_cuda_mlir.numba_cuda.np.numpy_support import from_dtype

coop.register("numba-cuda-mlir")


def signature(args) -> list:
    """Return the types of the arguments; a Python int stays, as the constant that it is."""
    return [_type(arg) for arg in args]


def _type(arg):
    if isinstance(arg, np.ndarray):
        return types.Array(from_dtype(arg.dtype), 1, "C")
    return from_dtype(arg.dtype) if isinstance(arg, np.generic) else arg


def instructions(sass: str) -> list[str]:
    """Return the opcodes of a listing, predicates left out."""
    return re.findall(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)", sass)


def chosen() -> list:
    """Return a case for each compilation: some of them if ``COOP_TEST_COMPILED`` says how many."""
    by_compilation = {(c.kernel, *map(str, signature(c.args())), c.block): c for c in CASES}
    cases = list(by_compilation.values())
    count = int(os.environ.get("COOP_TEST_COMPILED", len(cases)))
    return random.Random(1).sample(cases, min(count, len(cases)))


@pytest.fixture(scope="module", autouse=True)
def disassembler():
    try:
        disassemble.find_disassembler()
    except coop.CoopError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("case", chosen(), ids=lambda case: case.name)
def test_kernel(case):
    result = coop.compile(
        case.kernel, signature(case.args()), block=case.block, grid=case.grid, cc=(9, 0)
    )
    sass = disassemble.sass(result.cubin)
    opcodes = instructions(sass)
    assert opcodes
    assert not re.search(r"CALL[^;]*coop_", sass), "a wrapper was not inlined"
    if "TempStorage" in result.cuda_source:
        assert any(op.startswith("STS") for op in opcodes) and any(
            op.startswith("LDS") for op in opcodes
        )
        assert not [op for op in opcodes if re.fullmatch(r"(LD|ST)(\.E.*)?", op)], (
            "shared memory by generic accesses"
        )
    if case.registers_only:
        assert not [op for op in opcodes if op.startswith(("LDL", "STL"))], (
            "a payload lies in local memory"
        )
