# Planned scratch against all plans there are.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Planned scratch against the best of all plans there are."""

from __future__ import annotations

from itertools import combinations

import pytest
from coop_mlir._mlir_libs import _coop
from hypothesis import given, settings
from hypothesis import strategies as st

UNIT = 16
"""All sizes and alignments are multiples, so all offsets of a best plan are too."""


def allowed(relation: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two spans (offset, size) satisfy their relation."""
    if relation == "a" or (relation == "s" and one[0] == other[0]):
        return True
    return one[0] + one[1] <= other[0] or other[0] + other[1] <= one[0]


def exists(items, relations, total: int) -> bool:
    """Whether there is a plan of at most `total` bytes, by trying all offsets of all items."""
    placed: list[tuple[int, int]] = []

    def place(i: int) -> bool:
        if i == len(items):
            return True
        size, alignment = items[i]
        for offset in range(0, total - size + 1, alignment):
            span = offset, size
            if all(allowed(relations[i][j], span, placed[j]) for j in range(i)):
                placed.append(span)
                if place(i + 1):
                    return True
                placed.pop()
        return False

    return place(0)


@st.composite
def problems(draw):
    """Draw up to six items of different alignments, and how each two of them may lie."""
    count = draw(st.integers(1, 6))
    items = [
        (UNIT * draw(st.integers(1, 6)), UNIT * draw(st.sampled_from((1, 1, 2, 4))))
        for _ in range(count)
    ]
    letters = st.sampled_from(draw(st.sampled_from(("ad", "adds", "ds", "d"))))
    relations = [["a"] * count for _ in items]
    for i, j in combinations(range(count), 2):
        relations[i][j] = relations[j][i] = draw(letters)
    return items, relations


def heaviest(items, relations) -> int:
    """Return the largest sum of items that all must be disjoint."""
    return max(
        sum(items[i][0] for i in some)
        for count in range(1, len(items) + 1)
        for some in combinations(range(len(items)), count)
        if all(relations[i][j] == "d" for i, j in combinations(some, 2))
    )


@settings(deadline=None, max_examples=400)
@given(problems())
def test_S6_no_plan_is_smaller(problem):
    items, relations = problem
    plan = _coop.plan_scratch(items, "".join(map("".join, relations)))
    spans = [(offset, size) for offset, (size, _) in zip(plan["offsets"], items, strict=True)]
    assert all(
        offset % align == 0 for offset, (_, align) in zip(plan["offsets"], items, strict=True)
    )
    for i, j in combinations(range(len(items)), 2):
        assert allowed(relations[i][j], spans[i], spans[j])
    assert plan["size"] == max(map(sum, spans))
    assert plan["alignment"] == max(align for _, align in items)
    assert plan["optimal"] and plan["lower_bound"] == heaviest(items, relations)
    assert plan["size"] == plan["lower_bound"] or not exists(items, relations, plan["size"] - UNIT)


def test_S6_items_that_start_together_need_not_lie_lowest():
    """Items 0, 2 and 3 share bytes at 64, where the first two lie higher than they might alone."""
    items = [(96, 16), (48, 64), (96, 32), (48, 16)]
    relations = ["adss", "daad", "saaa", "sdaa"]
    plan = _coop.plan_scratch(items, "".join(relations))
    assert plan["optimal"] and plan["size"] == 160
    assert not exists(items, relations, plan["size"] - UNIT)


@pytest.mark.parametrize(
    "items, relations, message",
    [
        ([(16, 16)], "ad", "a letter for each pair"),
        ([(16, 3)], "a", "a power of two"),
        ([(0, 16)], "a", "a positive size"),
    ],
)
def test_wrong_problems_are_refused(items, relations, message):
    with pytest.raises(ValueError, match=message):
        _coop.plan_scratch(items, relations)
