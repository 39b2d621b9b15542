# Bytes and barriers of the corpus are the fewest, or their rows say why not.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytes and barriers of ``test/corpus/plan`` are the fewest, or their rows say why not."""

from __future__ import annotations

import dataclasses
import re
import sys
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))

import plan_table
from barrier_optimum import kernels
from coop_mlir import cpu

PAGE = Path(__file__).parents[3] / "docs" / "plan-table.md"
NAMES = [
    (path.name, name)
    for path in sorted(plan_table.CORPUS.glob("*.mlir"))
    for name in re.findall(r"gpu\.func @(\w+)", path.read_text())
]
ROW = plan_table.Row("k", 64, 64, 128, 2, 2, 3, 2, 2, True, "")


@cache
def planned(file: str) -> dict:
    return {one.name: one for one in plan_table.planned(plan_table.CORPUS / file)}


@pytest.mark.parametrize("file, name", NAMES)
def test_S3_S6_the_fewest_or_a_reason(file, name):
    kernel = planned(file)[name]
    row = kernel.row()
    assert row.fewest is not None and not row.faults(kernel.alignment)
    written = [known for known in plan_table.read_markdown(PAGE.read_text()) if known == row]
    assert written, f"{kernel} changed; run benchmarks/plan_table.py --markdown {PAGE}"


def test_the_page_has_all_kernels_and_their_sums():
    page = PAGE.read_text()
    rows = plan_table.read_markdown(page)
    assert [row.kernel for row in rows] == [f"{Path(f).stem}/{name}" for f, name in NAMES]
    assert plan_table.markdown(rows) == page


def test_barriers_were_tried():
    rows = plan_table.read_markdown(PAGE.read_text())
    assert sum(row.weakened for row in rows) > 50


@pytest.mark.parametrize(
    "change, fault",
    [
        ({"fewest": 1}, "does not say why"),
        ({"bytes": 80}, "does not say why"),
        ({"reason": "so"}, "says why not: so"),
        ({"races": 1}, "1 weaker kernels do not race"),
    ],
)
def test_a_row_that_is_wrong(change, fault):
    (found,) = dataclasses.replace(ROW, **change).faults(16)
    assert fault in found


@pytest.mark.parametrize(
    "change", [{}, {"fewest": 1, "reason": "so"}, {"bytes": 79}, {"fewest": None, "reason": "so"}]
)
def test_a_row_that_is_right(change):
    assert dataclasses.replace(ROW, **change).faults(16) == []


BARRIER = re.compile(r"^ *coop\.barrier %\w+ reason\(.*\n", re.M)
OF_THE_BLOCK = """%block = coop.group : !coop.group<block>
coop.barrier %block reason("for the test") : !coop.group<block>
"""


def copy_with(file, change):
    """Return the kernel ``copy`` of a file, the barriers of all its kernels changed."""
    text, count = BARRIER.subn(change, planned(file)["copy"].kernel.text)
    assert count > 1
    return next(kernel for kernel in kernels(text) if kernel.name == "copy")


def test_a_barrier_too_many_is_found():
    kernel = copy_with("straight.mlir", lambda found: 2 * found[0])
    kernel.check()
    assert kernel.ours == 2 and kernel.fewest() == 1
    assert [races for _, races in kernel.weakened()] == [False, False]


def test_a_barrier_too_few_is_found():
    kernel = copy_with("straight.mlir", "")
    with pytest.raises(cpu.CoopCheckError) as caught:
        kernel.check()
    assert caught.value.kind == "race"


def test_a_barrier_too_wide_is_found():
    text = BARRIER.sub("", planned("warps.mlir")["copy"].kernel.text)
    start = text.index("coop.store transpose", text.index("@copy("))
    wide = text[:start] + OF_THE_BLOCK + text[start:]
    kernel = next(kernel for kernel in kernels(wide) if kernel.name == "copy")
    kernel.check()
    assert kernel.weakened() == [
        ("barrier 0 taken out", True),
        ("barrier 0 narrowed to 32 threads", False),
    ]
