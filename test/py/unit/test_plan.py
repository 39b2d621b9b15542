# Plans as data, as a table and as a picture.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans as data, as a table and as a picture."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from coop_mlir import SourceLocation
from coop_mlir._compile.plan import Barrier, Plan, Slice, Storage, UserArray
from hypothesis import given, settings
from hypothesis import strategies as st

SVG = "{http://www.w3.org/2000/svg}"
GROUPS = (("block", 1), ("warp", 4), ("warp, 8", 16))
TEXT = st.text(st.characters(codec="utf-8"), max_size=12)


@st.composite
def locations(draw):
    if draw(st.booleans()):
        return None
    name = draw(TEXT).replace("\0", "") or "kernel.py"  # no file has a NUL in its name
    return SourceLocation(name, draw(st.integers(1, 999)))


@st.composite
def plans(draw):
    """Draw plans, not sensible ones: a picture shows what it is given."""
    count = draw(st.integers(0, 5))
    storages, slices, point = [], [], 0
    for index in range(count):
        offset, size = 16 * draw(st.integers(0, 200)), draw(st.integers(1, 5000))
        kind = draw(st.sampled_from(("call", "shared", "exclusive")))
        storages.append(Storage(offset, size, 16, kind, draw(st.booleans()), draw(locations())))
        for _ in range(1 if kind == "call" else draw(st.integers(1, 3))):
            group, groups = draw(st.sampled_from(GROUPS))
            last = point + draw(st.integers(0, 3))
            slices.append(
                Slice(
                    draw(st.sampled_from(("coop.load", "coop.store"))),
                    offset,
                    size,
                    16,
                    draw(locations()),
                    group,
                    groups,
                    size // groups,
                    index,
                    point,
                    last,
                )
            )
            point += 1 + draw(st.integers(0, 2))
    barriers = tuple(
        Barrier("block", draw(TEXT), draw(locations()), draw(st.integers(0, point)))
        for _ in range(draw(st.integers(0, 3)))
    )
    arrays = tuple(
        UserArray(draw(TEXT), draw(st.integers(1, 4096)), draw(locations()))
        for _ in range(draw(st.integers(0, 2)))
    )
    return Plan(
        tuple(slices),
        max((storage.end for storage in storages), default=0),
        draw(st.booleans()),
        tuple(storages),
        arrays,
        barriers,
        launch_dynamic=draw(st.sampled_from((0, 512))),
    )


def picture(plan, width=720):
    """Return the parsed picture, its rectangles by class and its barrier lines."""
    root = ElementTree.fromstring(plan.svg(width))
    assert root.tag == f"{SVG}svg"
    found = {"slice": [], "array": []}
    for rectangle in root.iter(f"{SVG}rect"):
        found[rectangle.get("class")].append(rectangle)
    return root, found["slice"], found["array"], list(root.iter(f"{SVG}line"))


def geometry(element):
    return tuple(float(element.get(name)) for name in ("x", "y", "width", "height"))


@settings(deadline=None, max_examples=150)
@given(plans(), st.sampled_from((200, 720)))
def test_a_picture_is_the_plan(plan, width):
    root, slices, arrays, lines = picture(plan, width)
    beside = [array.size for array in plan.arrays] + [plan.launch_dynamic] * (
        plan.launch_dynamic > 0
    )
    everything = plan.total + sum(beside)
    assert [int(one.get("data-size")) for one in arrays] == beside
    assert len(slices) == len(plan.slices) and len(lines) == len(plan.barriers)
    left, top = 90, 48
    for one, rectangle in zip(plan.slices, slices, strict=True):
        data = [
            int(rectangle.get(f"data-{n}")) for n in ("offset", "size", "first", "last", "storage")
        ]
        assert data == [one.offset, one.size, one.first, one.last, one.storage]
        assert geometry(rectangle) == pytest.approx(
            (
                left + width * one.offset / everything,
                top + 26 * one.first,
                width * one.size / everything,
                26 * (one.last + 1 - one.first),
            ),
            abs=0.002,
        )
        assert rectangle.find(f"{SVG}title").text.startswith(one.op)
    for barrier, line in zip(plan.barriers, lines, strict=True):
        assert float(line.get("y1")) == float(line.get("y2")) == top + 26 * (barrier.point + 0.5)
        assert line.get("data-scope") == barrier.scope
    _, _, full_width, full_height = map(float, root.get("viewBox").split())
    for element in (*slices, *arrays):
        x, y, wide, high = geometry(element)
        assert left - 0.01 <= x and x + wide <= full_width and y + high <= full_height


@settings(deadline=None, max_examples=50)
@given(plans())
def test_a_table_has_a_row_for_each_storage_and_aligned_columns(plan):
    lines = str(plan).splitlines()
    assert lines[0].startswith(f"{plan.total} bytes of {'dynamic' if plan.dynamic else 'static'}")
    rows = len(plan.storages) + len(plan.arrays) + (plan.launch_dynamic > 0)
    if not rows:
        assert len(lines) == 1
        return
    title = lines[1]
    for index, storage in enumerate(plan.storages):
        row = lines[2 + index]
        assert row.startswith(f"[{storage.offset}, {storage.end})")
        assert row[title.index("size") :].startswith(f"{storage.size} ")
        first, last = plan.lifetime(index)
        shown = f"{first}" if first == last else f"{first}-{last}"
        assert row[title.index("live") :].startswith(f"{shown} ")


def test_an_empty_plan():
    plan = Plan()
    assert str(plan) == "0 bytes of static scratch"
    root, slices, arrays, lines = picture(plan)
    assert not slices and not arrays and not lines
    assert [text.text for text in root.iter(f"{SVG}text")] == ["no scratch"]
    assert len(plan) == 0 and plan.live_at(0) == () and plan.points == 0


def test_names_are_escaped():
    where = SourceLocation('<a>&"b".py', 3)
    plan = Plan(
        (Slice("coop.load", 0, 64, 16, where),),
        64,
        storages=(Storage(0, 64, 16, location=where),),
        arrays=(UserArray("<&\x00>", 8),),
        barriers=(Barrier("block", "'a' < 'b' & \x1b", where, 1),),
    )
    _, (one,), (array,), (line,) = picture(plan)
    assert '<a>&"b".py:3' in one.find(f"{SVG}title").text
    assert "<&\N{REPLACEMENT CHARACTER}>" in array.find(f"{SVG}title").text
    assert "'a' < 'b' & \N{REPLACEMENT CHARACTER}" in line.find(f"{SVG}title").text


def test_lifetimes_and_lines():
    here, there = SourceLocation("k.py", 3), SourceLocation("k.py", 9)
    plan = Plan(
        (
            Slice("coop.load", 0, 64, 16, here, storage=0, first=0, last=0),
            Slice("coop.load", 64, 64, 16, here, storage=1, first=1, last=3),
            Slice("coop.store", 0, 64, 16, there, storage=0, first=3, last=3),
        ),
        128,
        storages=(Storage(0, 64, 16, "shared", location=here), Storage(64, 64, 16)),
    )
    assert plan.lifetime(0) == (0, 3) and plan.lines(0) == (3, 9)
    assert [one.op for one in plan.uses(0)] == ["coop.load", "coop.store"]
    assert [one.offset for one in plan.live_at(3)] == [64, 0]
    assert str(plan).splitlines()[2].endswith("coop.load, coop.store in a descriptor of line 3")
