# Plans of random kernels and of the corpus.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of random kernels, read off their modules and drawn."""

from __future__ import annotations

import os
from itertools import combinations
from xml.etree import ElementTree

from coop_mlir import ir
from coop_mlir._compile._context import own_context
from coop_mlir._compile.plan_reader import read_barriers, read_plan
from generator import kernels
from hypothesis import HealthCheck, given, settings
from support import all_stages, inserted_barriers

COUNT = int(os.environ.get("COOP_TEST_KERNELS", "100"))
SVG = "{http://www.w3.org/2000/svg}"


def overlap(begin, end, other_begin, other_end) -> bool:
    return begin < other_end and other_begin < end


def check_plan(plan) -> None:
    """Check what holds for every plan."""
    for one in plan.slices:
        storage = plan.storages[one.storage]
        assert storage.offset <= one.offset and one.end <= storage.end <= plan.total
        assert one.size == one.count * one.group_bytes and one.offset % one.alignment == 0
        assert one.first <= one.last < plan.points
    for one, other in combinations(plan.slices, 2):
        if overlap(one.first, one.last + 1, other.first, other.last + 1):
            assert not overlap(one.offset, one.end, other.offset, other.end)
    points = [event.first for event in plan.slices] + [barrier.point for barrier in plan.barriers]
    assert sorted(points) == list(range(len(points)))
    assert plan.lower_bound <= plan.total
    if plan.optimal and plan.slices:
        assert plan.total - plan.lower_bound < sum(one.alignment for one in plan.storages)
        assert plan.needed == plan.total + plan.padding + sum(
            -(-array.size // 16) * 16 for array in plan.arrays
        )


def check_picture(plan) -> None:
    """Check that no two rectangles of a picture overlap."""
    root = ElementTree.fromstring(plan.svg())
    rectangles = [
        [float(one.get(name)) for name in ("x", "y", "width", "height")]
        for one in root.iter(f"{SVG}rect")
    ]
    assert len(rectangles) == len(plan.slices) + len(plan.arrays)
    for (x, y, wide, high), (u, v, wider, higher) in combinations(rectangles, 2):
        # Pixels are rounded to a thousandth.
        sideways = overlap(x + 0.002, x + wide - 0.002, u + 0.002, u + wider - 0.002)
        assert not (sideways and overlap(y, y + high, v, v + higher))


@settings(
    max_examples=COUNT,
    deadline=None,
    derandomize=COUNT <= 100,
    suppress_health_check=list(HealthCheck),
)
@given(kernels())
def test_S6_plans_of_random_kernels(kernel):
    text = all_stages(kernel.text)["insert-barriers"]
    with own_context():
        module = ir.Module.parse(text)
        plan, barriers = read_plan(module), read_barriers(module)
    assert [one.why for one in barriers] == inserted_barriers(text)
    assert [one for one in plan.barriers if not one.by_program] == list(barriers)
    check_plan(plan)
    check_picture(plan)
