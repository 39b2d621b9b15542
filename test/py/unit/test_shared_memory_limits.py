# Shared memory at its limits.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared memory at its limits: what fits exactly is planned, one byte more is an error."""

from __future__ import annotations

import re

import pytest
from coop_mlir import ir, passmanager
from coop_mlir._compile._context import own_context

LIMITS = {
    "sm_75": 64,
    "sm_80": 163,
    "sm_86": 99,
    "sm_87": 163,
    "sm_89": 99,
    "sm_90": 227,
    "sm_90a": 227,
    "sm_100": 227,
    "sm_103": 227,
    "sm_120": 99,
}
"""KiB of shared memory that a block may have, by NVIDIA's table of technical specifications."""

STATIC = 48 * 1024
SPACE = "#gpu.address_space<workgroup>"


def kernel(scratch: int, own: int = 0, dynamic: bool = False) -> str:
    """Return a kernel with bytes of scratch, a static array and the launch's memory."""
    body = ["%c0 = arith.constant 0 : index", "%g = coop.group : !coop.group<block>"]
    array = f"memref<{own}xi8, {SPACE}>"
    if own:
        body.append(f"%own = memref.get_global @own : {array}")
    if dynamic:
        body.append(f"%dynamic = gpu.dynamic_shared_memory : memref<?xi8, {SPACE}>")
    body.append(
        f"%v = coop.load transpose %g, %src[%c0] layout(<{scratch}, 16>) "
        ": !coop.group<block>, memref<?xi32> -> vector<4xi32>"
    )
    lines = "\n    ".join([*body, "gpu.return"])
    symbol = f'memref.global "private" @own : {array}' if own else ""
    return f"""
gpu.module @m {{
  {symbol}
  gpu.func @k(%src: memref<?xi32>) kernel
      attributes {{gpu.known_block_size = array<i32: 128, 1, 1>}} {{
    {lines}
  }}
}}"""


def plan(text: str, target: str = "sm_90", launch: int = 0):
    """Return whether the arena is dynamic, its bytes and those that the launch takes; or errors."""
    passes = f"coop-plan-shared-memory{{target={target} launch-dynamic-bytes={launch}}}"
    with own_context():
        module = ir.Module.parse(text)
        manager = passmanager.PassManager.parse(f"builtin.module(gpu.module({passes}))")
        try:
            manager.run(module.operation)
        except ir.MLIRError as error:
            (found,) = error.error_diagnostics
            return [found.message, *(note.message for note in found.notes)]
        size, dynamic = re.search(
            r"coop.arena @k_scratch (\d+) align \d+( dynamic)?", str(module)
        ).groups()
        needed = int(re.search(r"needed = (\d+)", str(module))[1])
        return bool(dynamic), int(size), needed


def too_much(needed: int, target: str) -> str:
    limit = 1024 * LIMITS[target]
    return f"kernel 'k' needs {needed} bytes of shared memory; the limit on {target} is {limit}"


@pytest.mark.parametrize("own", [0, 16, 1024, STATIC - 2048])
def test_S7_static_up_to_48_kibibytes(own):
    room = STATIC - own
    assert plan(kernel(room, own)) == (False, room, STATIC)
    assert plan(kernel(room + 1, own)) == (True, room + 1, STATIC + 1)


@pytest.mark.parametrize("launch", [0, 512, 4096])
@pytest.mark.parametrize("own", [0, 1024])
@pytest.mark.parametrize("target", LIMITS)
def test_S8_all_bytes_of_the_launch_count(target, own, launch):
    limit = 1024 * LIMITS[target]
    scratch = limit - own - launch
    for dynamic in (False, True):
        exact = plan(kernel(scratch, own, dynamic), target, launch)
        assert exact == (True, scratch, limit)
        message, *notes = plan(kernel(scratch + 1, own, dynamic), target, launch)
        # The program's dynamic array begins at a multiple of 16.
        more = 16 if dynamic else 1
        assert message == too_much(limit + more, target)
        assert notes[0] == f"the largest storage, {scratch + 1} bytes, belongs to this call"
        assert (f"{own} of the bytes are the program's own shared memory" in notes) == (own > 0)
        asked = f"{launch} of the bytes are the dynamic shared memory that the launch asks for"
        assert (asked in notes) == (launch > 0)
        assert ("15 of the bytes are there for alignment" in notes) == dynamic


def test_S8_a_launch_beside_static_scratch_counts_too():
    limit = 1024 * LIMITS["sm_90"]
    text = kernel(2048, dynamic=True)
    assert plan(text, launch=limit - 2048) == (False, 2048, limit)
    message, *_ = plan(text, launch=limit - 2047)
    assert message == too_much(limit + 1, "sm_90")


def test_S8_a_larger_launch_is_told_its_largest_storages():
    message, *notes = plan(kernel(60000), "sm_86", launch=64000)
    assert message == too_much(124000, "sm_86")
    assert notes[:2] == [
        "the largest storage, 60000 bytes, belongs to this call",
        "64000 of the bytes are the dynamic shared memory that the launch asks for",
    ]
