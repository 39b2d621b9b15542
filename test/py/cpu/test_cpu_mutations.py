# A barrier that is taken out is missed.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Taking any one barrier out that the compiler put in makes the checker object."""

from __future__ import annotations

from functools import cache

import pytest

pytest.importorskip("numba_cuda_mlir")

from coop_mlir import cpu, register
from coop_mlir.cpu.execute import shape
from kernels import CASES
from support import all_stages, copied, inserted_barriers, without_barrier


@cache
def module_of(name: str) -> str:
    """Return the module of a case after the insertion of barriers."""
    register("numba-cuda-mlir")
    from coop_mlir._numba import host_cpu

    case = next(case for case in CASES if case.name == name)
    launch = {"grid": shape("grid", case.grid), "block": shape("block", case.block)}
    text = host_cpu.emit(case.kernel, case.args(), shared_bytes=case.dynamic_bytes, **launch)
    return all_stages(text)["insert-barriers"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_barrier_is_needed(case):
    text = module_of(case.name)
    for number, reason in enumerate(inserted_barriers(text)):
        with pytest.raises(cpu.CoopCheckError) as caught:
            cpu.execute(
                without_barrier(text, number),
                None,
                case.grid,
                case.block,
                copied(case.args()),
                shared_bytes=case.dynamic_bytes,
            )
        assert caught.value.kind == "race", reason


def test_there_are_barriers_to_take_out():
    assert sum(len(inserted_barriers(module_of(case.name))) for case in CASES) > 10
