# What the sweep over all parameters covers.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the sweep over all parameters covers."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import pytest

pytest.importorskip("numba_cuda_mlir")

from sweep import oracle, space, tables
from sweep.space import ALGORITHMS, DTYPES, FAMILIES, ITEMS, SHAPES, WARP_ALGORITHMS, WIDTHS

CC = (9, 0)
FAMILY = {name: family for family in FAMILIES for name in family}


def single(kernels):
    """Yield kernels of one algorithm each."""
    for k in kernels:
        for name in k.algorithms:
            yield space.Kernel(k.dtype, k.items, k.shape, k.width, (name,))


EVERYTHING = set(single(space.everything()))
COVERING = list(single(space.covering()))


def test_everything_is_what_no_rule_refuses():
    points = product(DTYPES, ITEMS, SHAPES, (None, *WIDTHS), ALGORITHMS)
    kernels = [space.Kernel(*point[:4], (point[4],)) for point in points]
    refusals = {kernel: oracle.refusal(kernel, CC) for kernel in kernels}
    # How much scratch is too much depends on the GPU.
    taken = {k for k, refusal in refusals.items() if refusal is None or refusal.rule == "S7"}
    assert taken == EVERYTHING


def test_the_covering_part_is_a_part():
    assert len(set(COVERING)) == len(COVERING) and set(COVERING) < EVERYTHING


def test_blocks_are_covered_by_their_product():
    found = {
        (FAMILY[k.dtype], k.items, k.shape, *k.algorithms) for k in COVERING if k.width is None
    }
    wanted = {
        (family, items, shape, name)
        for family, items, shape in product(FAMILIES, ITEMS, SHAPES)
        for name in space.takes(shape, None)
    }
    assert found == wanted


def test_warps_are_covered_by_their_product():
    found = {(FAMILY[k.dtype], k.items, k.width, *k.algorithms) for k in COVERING if k.width}
    assert found == set(product(FAMILIES, ITEMS, WIDTHS, WARP_ALGORITHMS))


@pytest.mark.parametrize("warps", [False, True], ids=["blocks", "warps"])
def test_each_two_values_meet(warps):
    def pairs(kernels):
        for k in kernels:
            if bool(k.width) == warps:
                parts = enumerate((k.dtype, k.items, k.shape, k.width, *k.algorithms))
                yield from combinations(parts, 2)

    assert set(pairs(COVERING)) == set(pairs(EVERYTHING))


def test_launches_cover_offsets_and_slices():
    kernel = space.Kernel("int8", 3, (64,), None, ("direct", "transpose"))
    launches = list(tables.launches(kernel))
    counts = {
        (case.algorithm, case.way, case.fill, case.start, case.to)
        for launch in launches
        for case in launch.cases
    }
    fills = [(tables.WHOLE, "full"), *product((tables.GUARDED, tables.PADDED), tables.fills(192))]
    assert counts == {
        (name, way, fill, start, to)
        for name in kernel.algorithms
        for way, fill in fills
        for start, to in product(tables.OFFSETS, tables.OFFSETS)
    }
    slices = [(launch.source_slice, launch.destination_slice) for launch in launches]
    assert all(sorted(side) == list(tables.OFFSETS) for side in zip(*slices, strict=True))


def test_the_page_says_what_is_covered():
    page = (Path(__file__).parents[3] / "docs" / "semantics.md").read_text()

    def row(name, kernels):
        cases = sum(len(one.cases) for kernel in kernels for one in tables.launches(kernel))
        return f"| `{name}` | {len(kernels)} | {len(list(single(kernels)))} | {cases} |"

    assert row("all", space.everything()) in page
    assert row("cover", space.covering()) in page
    refused = len([*oracle.refused(), *oracle.around_the_limit(CC)])
    assert f"Another {refused} kernels are" in page


def test_a_sample_is_the_same_each_time():
    assert space.chosen("20") == space.chosen("20") != space.sample(20, seed=2)
    assert {len(space.chosen(size)) for size in ("all", "cover", "3")} == {
        len(space.everything()),
        len(space.covering()),
        3,
    }
