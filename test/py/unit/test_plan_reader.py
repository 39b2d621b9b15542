# Plans as modules tell them.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans and barriers, read off a module's text."""

from __future__ import annotations

from coop_mlir import SourceLocation, ir
from coop_mlir._compile._context import own_context
from coop_mlir._compile.plan import Barrier, Slice, Storage, UserArray
from coop_mlir._compile.plan_reader import read_barriers, read_plan

SPACE = "#gpu.address_space<workgroup>"
SLICE = f"memref<2048xi8, {SPACE}>"
LINE = 'loc("k.py":{}:5)'
MODULE = f"""
gpu.module @m {{
  coop.arena @k_scratch 2048 align 16 {{coop.plan = {{
    arrays = [{{name = "own", size = 64 : i64}}],
    launch_dynamic = 512 : i64, limit = 232448 : i64, lower_bound = 2048 : i64,
    needed = 2624 : i64, optimal, padding = 0 : i64, user_static = 64 : i64,
    storages = [{{alignment = 16 : i64, kind = "shared", offset = 0 : i64, size = 2048 : i64,
                 loc = {{column = 9 : i64, file = "k.py", line = 3 : i64}}}}],
    uses = [{{count = 1 : i64, group = !coop.group<block>, group_bytes = 2048 : i64,
             live_until = 0 : i64, storage = 0 : i64}},
            {{count = 4 : i64, group = !coop.group<warp>, group_bytes = 512 : i64,
             live_until = 1 : i64, storage = 0 : i64}}]}}}}
  gpu.func @k(%src: memref<?xi32>) kernel
      attributes {{gpu.known_block_size = array<i32: 128, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %g = coop.group : !coop.group<block>
    %w = coop.group : !coop.group<warp>
    %s = coop.scratch_slice @k_scratch[0, 2048] : {SLICE}
    %v = coop.load transpose %g, %src[%c0] layout(<2048, 16>) scratch(%s : {SLICE})
        : !coop.group<block>, memref<?xi32> -> vector<4xi32> {LINE.format(7)}
    gpu.barrier {LINE.format(8)}
    coop.barrier %w reason("a hazard") : !coop.group<warp> {LINE.format(9)}
    %x = coop.load transpose %w, %src[%c0] layout(<512, 16>) scratch(%s : {SLICE})
        : !coop.group<warp>, memref<?xi32> -> vector<4xi32> {LINE.format(9)}
    gpu.return
  }}
}}"""


def place(line: int, column: int = 5) -> SourceLocation:
    return SourceLocation("k.py", line, column)


def test_a_plan_is_read():
    with own_context():
        module = ir.Module.parse(MODULE)
        plan, barriers = read_plan(module), read_barriers(module)
    inserted = Barrier("warp", "a hazard", place(9), 2)
    assert barriers == (inserted,)
    assert plan.barriers == (Barrier("block", "", place(8), 1), inserted)
    assert plan.slices == (
        Slice("coop.load", 0, 2048, 16, place(7), "block", 1, 2048, 0, 0, 0),
        Slice("coop.load", 0, 2048, 16, place(9), "warp", 4, 512, 0, 3, 3),
    )
    assert plan.storages == (Storage(0, 2048, 16, "shared", location=place(3, 9)),)
    assert plan.arrays == (UserArray("own", 64, None),)
    assert (plan.total, plan.dynamic, plan.optimal, plan.points) == (2048, False, True, 4)
    assert (plan.lower_bound, plan.needed, plan.limit) == (2048, 2624, 232448)
    assert (plan.launch_dynamic, plan.padding) == (512, 0)


def test_a_kernel_without_scratch_has_an_empty_plan():
    with own_context():
        module = ir.Module.parse("gpu.module @m { gpu.func @k() kernel { gpu.return } }")
        plan = read_plan(module)
    assert not plan and plan.total == 0 and plan.barriers == ()
