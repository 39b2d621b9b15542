# A plan as a picture.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plan as a picture in SVG: bytes from left to right, time downwards."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree

from .plan import Barrier, Plan, Slice, UserArray

__all__ = ["plan_svg"]

_NAMESPACE = "http://www.w3.org/2000/svg"
_LEFT, _TOP, _ROW, _BOTTOM, _RIGHT = 90, 48, 26, 16, 16
_FONT = {"font-family": "monospace", "font-size": "11"}
_COLOURS = ("#8ecae6", "#ffb703", "#b7e4c7", "#f4acb7", "#cdb4db", "#ffd6a5", "#a0c4ff", "#d9d9d9")


@dataclass(frozen=True)
class _Scale:
    """Pixels of bytes and points.

    Attributes
    ----------
    bytes : int
        All that is drawn side by side.
    points : int
        All that is drawn one below the other.
    width : int
        Pixels of the bytes.
    """

    bytes: int
    points: int
    width: int

    def x(self, byte: int) -> float:
        return _LEFT + self.width * byte / max(self.bytes, 1)

    def y(self, point: float) -> float:
        return _TOP + _ROW * point


def plan_svg(plan: Plan, width: int) -> str:
    """Return a plan as SVG text; see :meth:`Plan.svg`."""
    beside = [*plan.arrays]
    if plan.launch_dynamic:
        beside.append(UserArray("dynamic memory of the launch", plan.launch_dynamic))
    total = plan.total + sum(array.size for array in beside)
    scale = _Scale(total, max(plan.points, 1), width)
    root = _root(scale)
    _add_heading(root, plan)
    _add_axis(root, plan, scale)
    for one in plan.slices:
        _add_slice(root, one, scale)
    start = plan.total
    for array in beside:
        _add_array(root, array, start, scale)
        start += array.size
    for barrier in plan.barriers:
        _add_barrier(root, barrier, scale)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _root(scale: _Scale) -> ElementTree.Element:
    width = _LEFT + scale.width + _RIGHT
    height = int(scale.y(scale.points)) + _BOTTOM
    return ElementTree.Element(
        "svg",
        {
            "xmlns": _NAMESPACE,
            "width": str(width),
            "height": str(height),
            "viewBox": f"0 0 {width} {height}",
        },
    )


def _add(parent, tag: str, text: str | None = None, **attributes) -> ElementTree.Element:
    names = {name.rstrip("_").replace("_", "-"): str(value) for name, value in attributes.items()}
    element = ElementTree.SubElement(parent, tag, names)
    element.text = None if text is None else _printable(text)
    return element


def _printable(text: str) -> str:
    """Return the text without characters that XML can't hold."""
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


def _label(parent, x: float, y: float, text: str, **attributes) -> None:
    _add(parent, "text", text, x=_pixels(x), y=_pixels(y), **_FONT, **attributes)


def _pixels(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _add_heading(root, plan: Plan) -> None:
    kind = "dynamic" if plan.dynamic else "static"
    text = f"{plan.total} bytes of {kind} scratch" if plan.slices else "no scratch"
    _label(root, _LEFT, 16, text)


def _add_axis(root, plan: Plan, scale: _Scale) -> None:
    """Add the first byte of each storage above, and the line of each point on the left."""
    starts = {one.offset for one in plan.slices} | ({plan.total} if plan.slices else set())
    for byte in sorted(starts):
        _label(root, scale.x(byte), _TOP - 6, str(byte), text_anchor="middle")
    for event in (*plan.slices, *plan.barriers):
        point = event.first if isinstance(event, Slice) else event.point
        text = "" if event.line is None else f"line {event.line}"
        _label(root, _LEFT - 8, scale.y(point) + _ROW * 0.65, text, text_anchor="end")


def _add_rectangle(root, kind: str, span: tuple[int, int], rows: tuple[int, int], scale, colour):
    """Add the rectangle of bytes [begin, end) at points first to last."""
    (begin, end), (first, last) = span, rows
    x, y = scale.x(begin), scale.y(first)
    return _add(
        root,
        "rect",
        class_=kind,
        x=_pixels(x),
        y=_pixels(y),
        width=_pixels(scale.x(end) - x),
        height=_pixels(scale.y(last + 1) - y),
        fill=colour,
        stroke="#333333",
        data_offset=begin,
        data_size=end - begin,
        data_first=first,
        data_last=last,
    )


def _add_slice(root, one: Slice, scale: _Scale) -> None:
    colour = _COLOURS[one.storage % len(_COLOURS)]
    span, rows = (one.offset, one.end), (one.first, one.last)
    rectangle = _add_rectangle(root, "slice", span, rows, scale, colour)
    rectangle.set("data-storage", str(one.storage))
    groups = "the block" if one.group == "block" else f"{one.count} x {one.group}"
    place = "" if one.location is None else f", {one.location.quoted('')}"
    title = (
        f"{one.op} of the {groups}{place}\nbytes [{one.offset}, {one.end}), align {one.alignment}"
    )
    _add(rectangle, "title", title)
    _label(root, scale.x(one.offset) + 4, scale.y(one.first) + _ROW * 0.65, one.op)


def _add_array(root, array: UserArray, start: int, scale: _Scale) -> None:
    span, rows = (start, start + array.size), (0, scale.points - 1)
    rectangle = _add_rectangle(root, "array", span, rows, scale, "#eeeeee")
    place = "" if array.location is None else f", {array.location.quoted('')}"
    _add(rectangle, "title", f"the program's {array.name}{place}\n{array.size} bytes")
    _label(root, scale.x(start) + 4, _TOP - 20, array.name)


def _add_barrier(root, barrier: Barrier, scale: _Scale) -> None:
    y = _pixels(scale.y(barrier.point + 0.5))
    ends = {"x1": _pixels(_LEFT), "x2": _pixels(scale.x(scale.bytes)), "y1": y, "y2": y}
    colour = "#777777" if barrier.by_program else "#d00000"
    line = _add(root, "line", class_="barrier", stroke=colour, stroke_width=2, **ends)
    line.set("data-point", str(barrier.point))
    line.set("data-scope", barrier.scope)
    _add(line, "title", str(barrier))
