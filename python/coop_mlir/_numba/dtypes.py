# The element types of payloads.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The element types of payloads.

A payload has the type that its constructor names, else that of the arrays it is
loaded from and stored to, else that of typed assignments to its slots.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..errors import CoopTypingError, Note, SourceLocation
from .calls import Call
from .host import from_dtype, numba_errors, numba_ir, partial_types, source_location, types
from .layouts import MAX_BYTES, is_supported, layout_of, name_of, supported
from .resolve import Resolver
from .static import UNKNOWN
from .typing import payload_type

_ITEM_KINDS = (types.Number, types.Boolean, types.Record)


@dataclass(frozen=True)
class _Source:
    """A place that says what a payload's element type is.

    ``dtype()`` gives it, or None as long as it isn't known.
    """

    what: str
    location: SourceLocation
    dtype: Callable[[], Any]


class DtypeInference:
    """Finds the element type of every payload of a kernel.

    Parameters
    ----------
    resolver : Resolver
        Knows the kernel's calls.
    state : compiler state
        The host's; asked for types where the arguments don't suffice.
    known : dict
        The types of variables that the host can't infer yet.
    """

    def __init__(self, resolver: Resolver, state, known):
        self._resolver = resolver
        self._state = state
        self._known = known
        self._typemap = {}
        self._payloads = [call for call in resolver.calls if call.name == "ThreadData"]
        self._accesses = {call: [] for call in self._payloads}
        self._casts = {call: [] for call in self._payloads}
        self._assignments = {call: [] for call in self._payloads}

    def run(self) -> dict[Call, Any]:
        """Return the Numba type of the elements of each ``ThreadData`` call."""
        self._collect_accesses()
        self._collect_assignments()
        found = {}
        while True:
            before = len(found)
            for call in self._payloads:
                if call not in found and (dtype := self._dtype(call)) is not None:
                    found[call] = dtype
            if len(found) == len(self._payloads):
                break
            if self._typemap and len(found) == before:
                self._refuse_unknown(found)
            self._infer(found)
        if any(isinstance(dtype, types.Record) for dtype in found.values()):
            self._infer(found)  # assignments of records are checked
        self._check_sources(found)
        return found

    def _infer(self, found) -> None:
        """Infer the types that the payloads found so far allow."""
        payloads = {
            call.stmt.target.name: payload_type(dtype, self._resolver.items_per_thread(call))
            for call, dtype in found.items()
        }
        self._typemap = partial_types(self._state, self._known | payloads)

    # -- sources -----------------------------------------------------------

    def _collect_accesses(self) -> None:
        for call in self._resolver.calls:
            if call.name not in ("load", "store"):
                continue
            role = "source" if call.name == "load" else "destination"
            element = partial(self._element_type, call.arguments[role])
            source = _Source(f"the {role} of this {call.name}", call.location, element)
            for payload in self._resolver.payload_sites(call.arguments["items"]):
                self._accesses[payload].append(source)

    def _collect_assignments(self) -> None:
        for block in self._state.func_ir.blocks.values():
            for stmt in block.body:
                if isinstance(stmt, (numba_ir.SetItem, numba_ir.StaticSetItem)):
                    self._collect_assignment(stmt)

    def _collect_assignment(self, stmt) -> None:
        roots = self._resolver.values.roots(stmt.value)
        if all(isinstance(root, numba_ir.Const) for root in roots):
            return  # an untyped literal takes the payload's type
        casts = {self._cast_type(root) for root in roots}
        cast = casts.pop() if len(casts) == 1 else None
        kind = self._assignments if cast is None else self._casts
        dtype = partial(self._value_type, stmt.value) if cast is None else lambda: cast
        source = _Source("this assignment", source_location(stmt.loc), dtype)
        for payload in self._resolver.payload_sites(stmt.target):
            kind[payload].append(source)

    def _cast_type(self, node):
        """Return the type that a call such as ``types.int32(x)`` casts to, else None."""
        if getattr(node, "op", None) != "call":
            return None
        function = self._resolver.values.value(node.func)
        # complex(x, y) is of the type of its parts.
        return None if function is complex else _item_type(function)

    def _element_type(self, var):
        ty = self._type_of(var)
        return ty.dtype if isinstance(ty, types.Array) else None

    def _value_type(self, var):
        ty = self._type_of(var)
        is_typed = isinstance(ty, _ITEM_KINDS) and not isinstance(ty, types.Literal)
        return ty if is_typed else None

    # -- types -------------------------------------------------------------

    def _dtype(self, call: Call):
        """Return the element type of a payload, None when it isn't known yet."""
        if (explicit := self._explicit(call)) is not None:
            return explicit
        for sources in (self._accesses[call], self._casts[call], self._assignments[call]):
            found = [(s, t) for s in sources if (t := s.dtype()) is not None]
            if found:
                _agree(found)
                return found[0][1]
            if sources and not self._typemap:
                return None
        return None

    def _explicit(self, call: Call):
        """Return the type that the constructor names, None when it names none."""
        var = call.arguments.get("dtype")
        if var is None:
            return None
        value = self._resolver.values.value(var)
        if value is None:
            return None
        dtype = self._attribute_dtype(var) if value is UNKNOWN else _item_type(value)
        if dtype is None:
            shown = "a run-time value" if value is UNKNOWN else repr(value)
            raise CoopTypingError(
                "coop.ThreadData: dtype must be a type known at compile time, one of "
                f"{supported()}, not {shown}",
                call.location,
            )
        return dtype

    def _attribute_dtype(self, var):
        """Return the type that ``array.dtype`` or a type given as argument is."""
        for root in self._resolver.values.roots(var):
            if isinstance(root, numba_ir.Arg):
                return getattr(self._state.args[root.index], "dtype", None)
            if getattr(root, "op", None) == "getattr" and root.attr == "dtype":
                return getattr(self._type_of(root.value), "dtype", None)
        return None

    def _type_of(self, var):
        """Return the type of a variable, None when it isn't known."""
        roots = self._resolver.values.roots(var)
        if len(roots) == 1 and isinstance(roots[0], numba_ir.Arg):
            return self._state.args[roots[0].index]
        return self._typemap.get(var.name)

    # -- errors ------------------------------------------------------------

    def _refuse_unknown(self, found) -> None:
        call = next(call for call in self._payloads if call not in found)
        raise CoopTypingError(
            "coop.ThreadData: the element type can't be inferred; pass dtype=, load the payload "
            "from an array, or assign a typed scalar such as types.int32(0)",
            call.location,
        )

    def _check_sources(self, found) -> None:
        """Refuse types that aren't supported, and sources that disagree."""
        for call, dtype in found.items():
            sources = [*self._accesses[call], *self._casts[call]]
            known = [(s, t) for s in sources if (t := s.dtype()) is not None]
            if not is_supported(dtype):
                location = known[0][0].location if known else call.location
                raise CoopTypingError(
                    f"a payload of {dtype} is not supported; the element types are {supported()}",
                    location,
                )
            self._check_size(call, dtype)
            known += self._records(call, dtype)
            if self._explicit(call) is not None:
                here = _Source("the constructor", call.location, partial(self._explicit, call))
                known.insert(0, (here, dtype))
            _agree(known)

    def _records(self, call: Call, dtype) -> list:
        """Return the assignments that have or need a record: those are never converted."""
        found = [(s, t) for s in self._assignments[call] if (t := s.dtype()) is not None]
        return [(s, t) for s, t in found if types.Record in (type(t), type(dtype))]

    def _check_size(self, call: Call, dtype) -> None:
        count, size = self._resolver.items_per_thread(call), layout_of(dtype).size
        if count * size > MAX_BYTES:
            raise CoopTypingError(
                f"coop.ThreadData: {count} items of {size} bytes are {count * size} bytes; a "
                f"thread owns at most {MAX_BYTES}, so give the kernel more threads or loop over "
                "tiles",
                call.location,
            )


def _agree(found) -> None:
    """Refuse sources of one payload whose types differ, naming both places."""
    first, expected = found[0] if found else (None, None)
    for source, dtype in found:
        if dtype != expected:
            raise CoopTypingError(
                f"{source.what} makes the payload {name_of(dtype)}, but it is "
                f"{name_of(expected)}; cast the value, or use a payload for each type",
                source.location,
                [Note(f"{first.what} makes it {name_of(expected)}", first.location)],
            )


def _item_type(value):
    """Return a type of Numba or NumPy as a Numba type, None for all else."""
    if isinstance(value, _ITEM_KINDS):
        return value
    if not isinstance(value, (str, np.dtype, type)):
        return None
    try:
        return from_dtype(np.dtype(value))
    except (TypeError, NotImplementedError, numba_errors.NumbaError):
        return None
