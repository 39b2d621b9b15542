# What is a race and what isn't.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is a race and what isn't: one access, something between, another access."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from coop_mlir import cpu

TILE = "memref<256xi32, #gpu.address_space<workgroup>>"
BETWEEN = {
    "nothing": "",
    "block": "gpu.barrier",
    "coop_block": "%g = coop.group : !coop.group<block>\ncoop.barrier %g : !coop.group<block>",
    "warp": "%g = coop.group : !coop.group<warp>\ncoop.barrier %g : !coop.group<warp>",
    "eight": "%g = coop.group : !coop.group<warp, 8>\ncoop.barrier %g : !coop.group<warp, 8>",
    "all_lanes": "%m = arith.constant -1 : i32\nnvvm.bar.warp.sync %m : i32",
    "own_two": "%g = coop.group : !coop.group<warp, 2>\ncoop.barrier %g : !coop.group<warp, 2>",
}
# How far apart the two accesses of a byte are, in lanes, and which barriers put them in order.
DISTANCES = {
    0: set(BETWEEN),
    1: {"block", "coop_block", "warp", "eight", "all_lanes", "own_two"},
    4: {"block", "coop_block", "warp", "eight", "all_lanes"},
    16: {"block", "coop_block", "warp", "all_lanes"},
    64: {"block", "coop_block"},
}
READ = "%r{n} = memref.load %tile[{at}] : " + TILE
WRITE = "memref.store %i32, %tile[{at}] : " + TILE
ORDERS = {"write_read": (WRITE, READ), "read_write": (READ, WRITE), "write_write": (WRITE, WRITE)}


def module(first: str, between: str, second: str, distance: int) -> str:
    return f"""gpu.module @m {{
    memref.global "private" @tile : {TILE}
    gpu.func @k() kernel attributes {{gpu.known_block_size = array<i32: 128, 1, 1>}} {{
      %i = gpu.thread_id x
      %i32 = arith.index_cast %i : index to i32
      %d = arith.constant {distance} : index
      %other = arith.xori %i, %d : index
      %tile = memref.get_global @tile : {TILE}
      {first.format(at="%i", n=1)}
      {between}
      {second.format(at="%other", n=2)}
      gpu.return }} }}"""


@pytest.mark.parametrize(
    "order, between, distance", list(itertools.product(ORDERS, BETWEEN, DISTANCES)), ids=str
)
def test_two_accesses(order, between, distance):
    text = module(ORDERS[order][0], BETWEEN[between], ORDERS[order][1], distance)
    if between in DISTANCES[distance]:
        cpu.execute(text, "k", 2, 128, [])
        return
    with pytest.raises(cpu.CoopCheckError) as caught:
        cpu.execute(text, "k", 2, 128, [])
    assert caught.value.kind == "race"


def test_many_may_read_at_once():
    text = module(READ, "", READ, 1)
    cpu.execute(text, "k", 1, 128, [])


def test_equal_writes_at_once_are_no_race():
    first = "%one = arith.constant 1 : i32\nmemref.store %one, %tile[%d] : " + TILE
    cpu.execute(module(first, "gpu.barrier", READ, 0), "k", 1, 128, [])


@pytest.mark.parametrize("second", ["atomic", "plain"])
def test_atomics_race_with_plain_accesses_only(second):
    atomic = "%a{n} = memref.atomic_rmw addi %i32, %tile[%d] : (i32, " + TILE + ") -> i32"
    zero = "memref.store %i32, %tile[%i] : " + TILE + "\ngpu.barrier\n"
    other = atomic if second == "atomic" else "%p = memref.load %tile[%d] : " + TILE
    text = module(zero + atomic, "", other, 3)
    if second == "atomic":
        cpu.execute(text, "k", 1, 128, [])
    else:
        with pytest.raises(cpu.CoopCheckError, match="no barrier"):
            cpu.execute(text, "k", 1, 128, [])


def test_blocks_have_shared_memory_of_their_own():
    text = module(WRITE, "gpu.barrier", READ, 5)
    cpu.execute(text, "k", (4, 2), 128, [])


def test_bytes_of_a_word_count_alone():
    text = f"""gpu.module @m {{
    memref.global "private" @tile : {TILE}
    gpu.func @k(%out: memref<?xi8>) kernel {{
      %i = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %n = arith.constant 64 : index
      %tile = memref.get_global @tile : {TILE}
      %p = memref.extract_aligned_pointer_as_index %tile : {TILE} -> index
      %a = arith.addi %p, %i : index
      %a64 = arith.index_cast %a : index to i64
      %ptr = llvm.inttoptr %a64 : i64 to !llvm.ptr
      %v = arith.index_cast %i : index to i8
      llvm.store %v, %ptr : i8, !llvm.ptr
      %r = llvm.load %ptr : !llvm.ptr -> i8
      memref.store %r, %out[%i] : memref<?xi8>
      gpu.return }} }}"""
    out = np.zeros(64, np.int8)
    cpu.execute(text, "k", 1, 64, [out])
    assert np.array_equal(out, np.arange(64))
