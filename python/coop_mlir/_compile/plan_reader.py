# Reads the plan and the barriers off a module.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Read the plan and the barriers off a module."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from coop_mlir import ir

from ..errors import SourceLocation
from ._operations import operations
from .diagnostics import source_location
from .plan import Barrier, Plan, Slice, Storage, UserArray

__all__ = ["read_barriers", "read_plan"]

_BLOCK_BARRIERS = ("gpu.barrier", "nvvm.barrier0", "nvvm.barrier")
_WARP_BARRIER = "nvvm.bar.warp.sync"


def read_plan(module: ir.Module) -> Plan:
    """Read the plan off a module with one kernel, after ``coop-plan-shared-memory``.

    Barriers and points are those of the module as it is.
    """
    found = list(operations(module.operation))
    arenas = [op for op in found if op.name == "coop.arena"]
    barriers = _all_barriers(found)
    if not arenas:
        return Plan(barriers=barriers)
    (arena,) = arenas
    report = arena.attributes["coop.plan"]
    return Plan(
        slices=_slices(found, report),
        total=_integer(arena, "size"),
        dynamic="dynamic" in arena.attributes,
        storages=tuple(map(_storage, report["storages"])),
        arrays=tuple(map(_array, report["arrays"])),
        barriers=barriers,
        optimal="optimal" in report,
        **{
            name: report[name].value
            for name in ("lower_bound", "needed", "limit", "launch_dynamic", "padding")
        },
    )


def read_barriers(module: ir.Module) -> tuple[Barrier, ...]:
    """Read the barriers that the compiler has put off a module."""
    return tuple(
        one for one in _all_barriers(list(operations(module.operation))) if not one.by_program
    )


# ---------------------------------------------------------------------------
# Points of time
# ---------------------------------------------------------------------------


def _points(found) -> dict[int, int]:
    """Return the point of each operation that uses scratch or is a barrier, by its place."""
    events = [i for i, op in enumerate(found) if _slice_of(op) or _barrier_scope(op)]
    return {place: point for point, place in enumerate(events)}


def _all_barriers(found) -> tuple[Barrier, ...]:
    points = _points(found)
    barriers = []
    for place, op in enumerate(found):
        if scope := _barrier_scope(op):
            why = _text(op, "reason") if "reason" in op.attributes else ""
            location = source_location(op.location)
            barriers.append(Barrier(scope, why, location, points[place]))
    return tuple(barriers)


def _slices(found, report) -> tuple[Slice, ...]:
    """Return the slices; the report's uses are in the same order."""
    points = _points(found)
    places = [i for i, op in enumerate(found) if _slice_of(op)]
    slices = [
        _slice(found[place], use, points[place])
        for place, use in zip(places, report["uses"], strict=True)
    ]
    ends = [slices[use["live_until"].value].first for use in report["uses"]]
    return tuple(replace(one, last=end) for one, end in zip(slices, ends, strict=True))


# ---------------------------------------------------------------------------
# Operations and attributes
# ---------------------------------------------------------------------------


def _slice(op: Any, use: Any, point: int) -> Slice:
    slice_ = _slice_of(op)
    return Slice(
        op=op.name,
        offset=_integer(slice_, "offset"),
        size=_integer(slice_, "size"),
        alignment=_alignment(op),
        location=source_location(op.location),
        group=_group_name(use["group"].value),
        count=use["count"].value,
        group_bytes=use["group_bytes"].value,
        storage=use["storage"].value,
        first=point,
    )


def _storage(entry: Any) -> Storage:
    return Storage(
        offset=entry["offset"].value,
        size=entry["size"].value,
        alignment=entry["alignment"].value,
        kind=entry["kind"].value,
        user_sync="user_sync" in entry,
        location=_location(entry),
    )


def _array(entry: Any) -> UserArray:
    return UserArray(entry["name"].value, entry["size"].value, _location(entry))


def _location(entry: Any) -> SourceLocation | None:
    """Return where the entry of a report says that it is from."""
    if "loc" not in entry:
        return None
    place = entry["loc"]
    return SourceLocation(place["file"].value, place["line"].value, place["column"].value)


def _slice_of(op: Any):
    """Return the ``coop.scratch_slice`` that an operation uses, or None."""
    for operand in op.operands:
        owner = operand.owner
        if not isinstance(owner, ir.Block) and owner.name == "coop.scratch_slice":
            return owner
    return None


def _barrier_scope(op: Any) -> str:
    """Return the group whose threads wait at an operation; empty if none do."""
    if op.name == "coop.barrier":
        return _group_name(op.operands[0].type)
    if op.name in _BLOCK_BARRIERS:
        return "block"
    return "warp" if op.name == _WARP_BARRIER else ""


def _group_name(group: Any) -> str:
    return str(group).partition("<")[2].rstrip(">")


def _alignment(op: Any) -> int:
    """The second number of the operation's ``layout``."""
    return int(str(op.attributes["layout"]).rpartition(",")[2].strip(" >"))


def _integer(op: Any, name: str) -> int:
    return ir.IntegerAttr(op.attributes[name]).value


def _text(op: Any, name: str) -> str:
    return ir.StringAttr(op.attributes[name]).value
