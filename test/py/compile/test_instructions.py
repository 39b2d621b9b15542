# Groups, payloads and calls against the same kernel by hand: the machine's instructions.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Groups, payloads and calls against the same kernel by hand: the machine's instructions."""

from __future__ import annotations

from collections import Counter

import pytest

pytest.importorskip("numba_cuda_mlir")

import coop_mlir as coop
from coop_mlir._cub import disassemble
from numba_cuda_mlir import cuda, types
from test_compiled_kernels import instructions

coop.register("numba-cuda-mlir")

TARGETS = [(8, 0), (9, 0), (12, 0)]
ARRAYS = (types.int32[::1], types.int32[::1])


@pytest.fixture(scope="module", autouse=True)
def disassembler():
    try:
        disassemble.find_disassembler()
    except coop.CoopError as error:
        pytest.skip(str(error))


def opcodes(kernel, cc, block=128) -> Counter:
    """Return how often each opcode is in a kernel's code; what only fills lines is left out."""
    result = coop.compile(kernel, ARRAYS, block=block, cc=cc)
    found = Counter(instructions(disassemble.sass(result.cubin)))
    return Counter({name: n for name, n in found.items() if name not in ("NOP", "BRA")})


def memory(found: Counter) -> Counter:
    """Return the accesses of memory among opcodes."""
    kinds = ("LD", "ST", "LDG", "STG", "LDL", "STL", "LDS", "STS")
    return Counter({name: n for name, n in found.items() if name.split(".")[0] in kinds})


# ---------------------------------------------------------------------------
# The same kernel with more groups and payloads
# ---------------------------------------------------------------------------


def plain(src, dst):
    items = coop.ThreadData(4)
    coop.load(coop.this_block(), src, items, algorithm="transpose")
    coop.store(coop.this_block(), dst, items, algorithm="transpose")


@cuda.jit(device=True)
def block_of(group, unused):
    return coop.this_block()


def lavish(src, dst):
    block = coop.this_block()
    warp = coop.this_warp()
    for _ in range(3):
        unused = coop.ThreadData(16, types.float64, alignment=128)
        part = warp.group_by(8)
    unused[0] = 1.0
    items = coop.ThreadData(4, alignment=64)
    coop.load(block_of(part, unused), src, items, algorithm="transpose")
    again = block_of(warp, items)
    coop.store(again if block.size > 64 else block, dst, items, algorithm="transpose")


@pytest.mark.parametrize("cc", TARGETS, ids=str)
def test_G4_groups_and_payloads_cost_nothing(cc):
    assert opcodes(lavish, cc) == opcodes(plain, cc)


# ---------------------------------------------------------------------------
# By hand
# ---------------------------------------------------------------------------


def blocked(src, dst):
    block = coop.this_block()
    items = coop.ThreadData(4)
    coop.load(block, src, items)
    for i in range(4):
        items[i] = items[i] ^ types.int32(85)
    coop.store(block, dst, items)


def blocked_by_hand(src, dst):
    first = types.uint32(cuda.threadIdx.x) * types.uint32(4)
    a, b, c, d = src[first], src[first + 1], src[first + 2], src[first + 3]
    dst[first] = a ^ types.int32(85)
    dst[first + 1] = b ^ types.int32(85)
    dst[first + 2] = c ^ types.int32(85)
    dst[first + 3] = d ^ types.int32(85)


def striped(src, dst):
    block = coop.this_block()
    items = coop.ThreadData(4)
    coop.load(block, src, items, algorithm="striped")
    for i in range(4):
        items[i] = items[i] ^ types.int32(85)
    coop.store(block, dst, items, algorithm="striped")


def striped_by_hand(src, dst):
    t = types.uint32(cuda.threadIdx.x)
    a, b, c, d = src[t], src[t + 128], src[t + 256], src[t + 384]
    dst[t] = a ^ types.int32(85)
    dst[t + 128] = b ^ types.int32(85)
    dst[t + 256] = c ^ types.int32(85)
    dst[t + 384] = d ^ types.int32(85)


def of_warps(src, dst):
    warp = coop.this_warp()
    items = coop.ThreadData(2)
    coop.load(warp, src, items, algorithm="striped")
    coop.store(warp, dst, items, algorithm="striped")


def of_warps_by_hand(src, dst):
    t = types.uint32(cuda.threadIdx.x)
    first = (t // types.uint32(32)) * types.uint32(64) + t % types.uint32(32)
    a, b = src[first], src[first + 32]
    dst[first] = a
    dst[first + 32] = b


@pytest.mark.parametrize("cc", TARGETS, ids=str)
@pytest.mark.parametrize(
    "ours, by_hand",
    [(blocked, blocked_by_hand), (striped, striped_by_hand), (of_warps, of_warps_by_hand)],
    ids=lambda f: f.__name__,
)
def test_G4_no_more_instructions_than_by_hand(ours, by_hand, cc):
    ours, by_hand = opcodes(ours, cc), opcodes(by_hand, cc)
    assert memory(ours).total() == memory(by_hand).total() > 0
    assert ours.total() <= by_hand.total()
