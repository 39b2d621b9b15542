# A plan as a table.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plan as a table of text."""

from __future__ import annotations

from .plan import Plan, Slice, Storage, UserArray

__all__ = ["plan_table"]

_TITLES = ("bytes", "size", "align", "groups", "live", "lines", "of")


def plan_table(plan: Plan) -> str:
    """Return the plan in lines: its totals, then a row for each storage and array.

    Columns: the bytes in the arena as a half-open range, their number, the alignment, the groups
    that have a part each, the points of the first and the last use, their lines, and what it is.
    """
    rows = [_storage_row(plan, index, one) for index, one in enumerate(plan.storages)]
    rows += [_array_row(one) for one in plan.arrays]
    if plan.launch_dynamic:
        rows.append(_row("", plan.launch_dynamic, of="dynamic memory of the launch"))
    return "\n".join([_summary(plan), *(_aligned([_TITLES, *rows]) if rows else [])])


def _summary(plan: Plan) -> str:
    kind = "dynamic" if plan.dynamic else "static"
    text = f"{plan.total} bytes of {kind} scratch"
    if not plan.storages:
        return text
    text += f", {plan.lower_bound} live at a time"
    if plan.limit:
        text += f"; the launch takes {plan.needed} of {plan.limit}"
    return text


def _storage_row(plan: Plan, index: int, storage: Storage) -> tuple[str, ...]:
    uses = plan.uses(index)
    return _row(
        f"[{storage.offset}, {storage.end})",
        storage.size,
        align=str(storage.alignment),
        groups=", ".join(_distinct(_groups(use) for use in uses)),
        live=_span(*plan.lifetime(index)),
        lines=_span(*plan.lines(index)),
        of=_owner(storage, uses),
    )


def _array_row(array: UserArray) -> tuple[str, ...]:
    line = "" if array.location is None else str(array.location.line)
    return _row("", array.size, lines=line, of=f"the program's {array.name or 'array'}")


def _row(bytes_, size, *, align="", groups="", live="", lines="", of="") -> tuple[str, ...]:
    return bytes_, str(size), align, groups, live, lines, of


def _groups(use: Slice) -> str:
    return use.group if use.group == "block" else f"{use.count} x {use.group}"


def _owner(storage: Storage, uses: tuple[Slice, ...]) -> str:
    calls = ", ".join(_distinct(use.op for use in uses))
    if storage.kind == "call":
        return calls
    line = "" if storage.line is None else f" of line {storage.line}"
    return f"{calls} in a descriptor{line}"


def _span(first, last) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _distinct(texts) -> list[str]:
    return list(dict.fromkeys(texts))


def _aligned(rows) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
