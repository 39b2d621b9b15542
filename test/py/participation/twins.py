# Illegal twins of legal kernels: one expression differs, or the place of the call.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Illegal twins of legal kernels: one expression differs, or the place of the call.

A twin is the text of its sibling with a part replaced. It is at the same lines.
"""

from __future__ import annotations

import inspect
import linecache
import types

from .registry import CASES, Case

__all__ = ["add_twins", "twin_of"]

_WARP = "this_warp()", "this_block()"
_INTO_THE_BRANCH = (
    "    load(this_block(), src, items)\n",
    "        load(this_block(), src, items)\n",
)

# By verdict: the legal kernel, what is replaced, by what, and facts of the run.
TWINS = {
    "diverges": [
        ("guards.first_block_only", "blockIdx.x == 0", "grid(1) == 0"),
        ("guards.scalar_guard", "n > 3", "n > cuda.threadIdx.x"),
        ("guards.scalar_guard_in_arithmetic", "gridDim.x // 2", "threadIdx.x // 2"),
        ("guards.condition_true_for_every_thread", "< 128", "< 64"),
        ("guards.condition_false_for_every_thread", ">= 128", ">= 96"),
        ("guards.condition_by_block_dim", "cuda.blockDim.x", "(cuda.blockDim.x - 1)"),
        ("guards.and_of_uniform_conditions", "blockIdx.x < 7", "threadIdx.x < 7"),
        (
            "guards.or_of_uniform_conditions",
            "n > 3 or cuda.blockIdx.x < 7 or src.shape[0] > 12",
            "n > 9 or cuda.threadIdx.x < 7 or src.shape[0] < 12",
        ),
        ("guards.flag_set_by_a_uniform_branch", "n == 3", "cuda.threadIdx.x == 3"),
        (
            "guards.flag_set_alike_in_both_branches",
            "else:\n        limit = n + 1",
            "else:\n        limit = n - 4",
        ),
        (
            "guards.conditional_expression_on_a_scalar",
            "if n > 3 else",
            "if cuda.laneid > 3 else",
            3,
        ),
        ("guards.user_barrier_under_a_uniform_guard", "blockIdx.x < n", "grid(1) < n"),
        ("guards.rejoined_before_the_call", *_INTO_THE_BRANCH),
        ("loops.scalar_bound", "range(n)", "range(n + cuda.threadIdx.x // 64)"),
        ("loops.grid_stride_by_blocks", "n, cuda.gridDim", "n + cuda.laneid, cuda.gridDim", 6),
        ("loops.per_thread_loop_before_the_call", *_INTO_THE_BRANCH),
        ("loops.same_number_of_passes_for_all", "1024", "1000"),
        ("loops.break_together", "j == 12", "j == cuda.threadIdx.x"),
        ("loops.call_after_the_break_of_some", *_INTO_THE_BRANCH),
        ("loops.count_of_a_common_loop", "j == 7", "j == cuda.threadIdx.x"),
        ("loops.warps_loop_differently", *_WARP),
        ("loops.eights_loop_differently", "group_by(8)", "group_by(16)"),
        ("loops.uniform_break_and_divergent_continue", "j > 10", "j > tid"),
        ("loops.loop_over_warp_tiles", "warp, n, warps", "warp, n + cuda.laneid, warps"),
        ("while_loops.scalar_test", "j < n", "j < cuda.threadIdx.x"),
        ("while_loops.forever_until_a_common_break", "j > n", "j > cuda.threadIdx.x"),
        ("while_loops.call_after_a_while_of_some", *_INTO_THE_BRANCH),
        ("while_loops.common_flag_ends_the_loop", "done = j > n", "done = j > cuda.laneid"),
        ("while_loops.warps_count_down", *_WARP),
        ("while_loops.while_else", "j == 12", "j == cuda.threadIdx.x"),
        (
            "while_loops.continue_together_before_the_call",
            "j % 3 == 0",
            "j % 3 == cuda.threadIdx.x % 3",
        ),
        ("returns.return_of_whole_blocks", "blockIdx.x * 128 >= n", "grid(1) >= n"),
        ("returns.return_in_a_nested_uniform_branch", "if n > 7", "if n > tid", 6),
        ("returns.return_from_a_loop_together", "j == 3", "j == cuda.threadIdx.x"),
        ("returns.warps_return_whole", *_WARP),
        ("returns.lanes_return_by_eights", "group_by(8)", "group_by(32)"),
        ("returns.no_thread_returns", "> 200", "> 100"),
        ("warps.one_warp_works", *_WARP),
        ("warps.warp_by_floor_division", *_WARP, 1),
        ("warps.warp_by_shift", *_WARP),
        ("warps.half_warps_decide_for_sixteen", "group_by(16)", "group_by(32)"),
        ("warps.eights_by_a_runtime_table", "group_by(8)", "group_by(16)", 6),
        ("warps.single_threads", "group_by(1)", "group_by(4)"),
        ("warps.grid_warps_by_a_runtime_bound", *_WARP, 1),
        ("warps.bound_of_whole_warps", *_WARP, 1),
        ("warps.half_warps_by_their_bound", "group_by(16)", "group_by(32)", 1),
        ("warps.min_and_max_of_ids", "group_by(2)", "group_by(4)"),
        ("warps.siblings_part_and_a_block_meets", "tid < 96", "tid < 92"),
        ("shapes.rows_are_warps", *_WARP, 1),
        ("shapes.planes_are_warps", *_WARP, 2),
        ("shapes.whole_image_tiles", "cuda.blockIdx.y * 8 < n", "cuda.threadIdx.y < n"),
        ("shapes.extent_of_one", "threadIdx.y == 0", "threadIdx.x == 0"),
        ("helpers.helper_tells_the_warp", *_WARP, 1),
        ("helpers.helper_calls", "range(cuda.blockIdx.x", "range(cuda.threadIdx.x"),
        ("mixtures.uniform_by_a_tuple", "n + 1, 7", "cuda.threadIdx.x, 7"),
        ("mixtures.swapped_buffers", "range(n)", "range(cuda.threadIdx.x)"),
        ("mixtures.wide_integers", *_WARP, 1),
    ],
    "differs": [
        ("operands.valid_items_of_the_block", "cuda.blockIdx.x * 256", "cuda.threadIdx.x", 200),
        ("operands.default_of_the_block", "np.int32(cuda.blockIdx.x)", "np.int32(cuda.laneid)"),
    ],
    "unproven": [
        ("mixtures.reduction_in_shared_memory", "if sums[0] > n", "if sums[tid] > n"),
        ("data.bound_by_common_data", "src[cuda.blockIdx.x]", "src[cuda.grid(1)]"),
    ],
    "unproven operand": [
        ("operands.valid_items_by_common_data", "src[cuda.blockIdx.x]", "src[cuda.threadIdx.x]"),
    ],
}


def twin_of(kernel, old: str, new: str):
    """Return the kernel that has `new` in the place of `old`, which it has once."""
    lines, first = inspect.getsourcelines(kernel)
    decorators = next(n for n, line in enumerate(lines) if line.startswith("def "))
    text = "".join(lines[decorators:])
    assert text.count(old) == 1, (kernel.__name__, old)
    text = "\n" * (first + decorators - 1) + text.replace(old, new)
    name = f"<twin of {kernel.__module__}.{kernel.__name__}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names = dict(kernel.__globals__, __name__=__name__)
    exec(compile(text, name, "exec"), names)
    made = names[kernel.__name__]
    assert isinstance(made, types.FunctionType)
    return made


def add_twins() -> None:
    """Register the twins of the cases that are registered."""
    legal = {case.name: case for case in CASES if case.verdict == "legal"}
    for verdict, twins in TWINS.items():
        for name, old, new, *n in twins:
            case = legal[name]
            facts = {"n": n[0]} if n else {}
            CASES.append(Case(twin_of(case.kernel, old, new), verdict, case.block, **facts))
