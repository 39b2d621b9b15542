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
from .host import from_dtype, numba_ir, partial_types, source_location, types
from .resolve import Resolver
from .static import UNKNOWN
from .typing import PayloadType

ELEMENT_TYPES = (
    types.int8,
    types.int16,
    types.int32,
    types.int64,
    types.uint8,
    types.uint16,
    types.uint32,
    types.uint64,
    types.float32,
    types.float64,
)


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
        self._check_sources(found)
        return found

    def _infer(self, found) -> None:
        """Infer the types that the payloads found so far allow."""
        payloads = {
            call.stmt.target.name: PayloadType(dtype, self._resolver.items_per_thread(call))
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
        dtype = partial(self._number_type, stmt.value) if cast is None else lambda: cast
        source = _Source("this assignment", source_location(stmt.loc), dtype)
        for payload in self._resolver.payload_sites(stmt.target):
            kind[payload].append(source)

    def _cast_type(self, node):
        """Return the type that a call such as ``types.int32(x)`` casts to, else None."""
        if getattr(node, "op", None) != "call":
            return None
        return _scalar_type(self._resolver.values.value(node.func))

    def _element_type(self, var):
        ty = self._type_of(var)
        return ty.dtype if isinstance(ty, types.Array) else None

    def _number_type(self, var):
        ty = self._type_of(var)
        return ty if isinstance(ty, types.Number) and not isinstance(ty, types.Literal) else None

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
        dtype = self._attribute_dtype(var) if value is UNKNOWN else _scalar_type(value)
        if dtype is None:
            shown = "a run-time value" if value is UNKNOWN else repr(value)
            raise CoopTypingError(
                f"coop.ThreadData: dtype must be a scalar type known at compile time, not {shown}",
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
            if dtype not in ELEMENT_TYPES:
                location = known[0][0].location if known else call.location
                raise CoopTypingError(
                    f"a payload of {dtype} is not supported; the element types are "
                    f"{', '.join(map(str, ELEMENT_TYPES))}",
                    location,
                )
            if self._explicit(call) is not None:
                here = _Source("the constructor", call.location, partial(self._explicit, call))
                known.insert(0, (here, dtype))
            _agree(known)


def _agree(found) -> None:
    """Refuse sources of one payload whose types differ, naming both places."""
    first, expected = found[0] if found else (None, None)
    for source, dtype in found:
        if dtype != expected:
            raise CoopTypingError(
                f"{source.what} makes the payload {dtype}, but it is {expected}; cast the value, "
                "or use a payload for each type",
                source.location,
                [Note(f"{first.what} makes it {expected}", first.location)],
            )


def _scalar_type(value):
    """Return a scalar type of Numba or NumPy as a Numba type, None for all else."""
    if isinstance(value, types.Number):
        return value
    if not isinstance(value, (str, np.dtype, type)):
        return None
    try:
        return from_dtype(np.dtype(value))
    except (TypeError, NotImplementedError):
        return None
