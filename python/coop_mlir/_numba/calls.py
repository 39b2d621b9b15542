# The cooperative calls of a kernel.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cooperative calls of a kernel: where they are and what they are given."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

from .. import api
from ..errors import CoopTypingError, Note, SourceLocation
from .host import local_array, numba_ir, source_location
from .reach import is_dispatcher, is_operation, operation_name, uses_coop
from .static import UNKNOWN, StaticValues

_GROUP_METHODS = ("group_by", "rank", "index", "sync")
_GROUP_MAKERS = (api.this_block, api.this_warp)


def _signature(function) -> inspect.Signature:
    """Return a signature without its annotations, as errors show it."""
    shown = inspect.signature(function).parameters.values()
    bare = [one.replace(annotation=one.empty) for one in shown if one.kind != one.VAR_KEYWORD]
    return inspect.Signature(bare)


_SIGNATURES = {operation_name(f): _signature(f) for f in api.DEVICE_FUNCTIONS} | {
    name: _signature(getattr(api.Group, name)) for name in _GROUP_METHODS
}

_LOCAL_ARRAY = _signature(local_array)

CONSTANTS = {
    "ThreadData": ("items_per_thread", "alignment"),
    "TempStorage": ("size_in_bytes", "alignment", "auto_sync", "sharing"),
    "load": ("algorithm",),
    "store": ("algorithm",),
    "group_by": ("width",),
}
"""The parameters that must be known at compile time."""


@dataclass(frozen=True, eq=False)
class Call:
    """A cooperative call.

    Attributes
    ----------
    name : str
        The operation, or the method of a group.
    stmt : Assign
        The statement whose value the call is.
    arguments : dict
        The variables given, by parameter; ``self`` is the group of a method.
    location : SourceLocation
        The user's line.
    """

    name: str
    stmt: numba_ir.Assign
    arguments: dict
    location: SourceLocation


class CallFinder:
    """Finds cooperative calls by what their callees are known to be."""

    def __init__(self, func_ir, values: StaticValues):
        self._func_ir = func_ir
        self._values = values

    def find(self) -> list[Call]:
        """Return the function's cooperative calls, in program order."""
        calls = []
        for stmt in call_statements(self._func_ir):
            if (call := self._as_call(stmt)) is not None:
                calls.append(call)
        return calls + self._local_payloads(calls)

    def _local_payloads(self, calls: list[Call]) -> list[Call]:
        """Return the constructors of local arrays that are payloads, as those of payloads."""
        statements = {id(stmt.value): stmt for stmt in call_statements(self._func_ir)}
        found = {}
        for call in calls:
            items = call.arguments.get("items")
            for root in [] if items is None else self._values.roots(items):
                if not self._makes_local_array(root):
                    continue
                if self._values.value(call.stmt.value.func) not in api.QUALIFIED:
                    raise _not_common(call, root)
                found[id(root)] = statements[id(root)]
        return [self._as_payload(stmt) for stmt in found.values()]

    def _makes_local_array(self, node) -> bool:
        return getattr(node, "op", None) == "call" and self._values.value(node.func) is local_array

    def _as_payload(self, stmt) -> Call:
        """Return the call of ``local.array`` as one of ``ThreadData``."""
        location = source_location(stmt.loc)
        given = _bind_to(_LOCAL_ARRAY, "local.array", stmt.value, location)
        shape = self._values.roots(given["shape"])
        if len(shape) == 1 and getattr(shape[0], "op", None) == "build_tuple":
            if len(shape[0].items) != 1:
                raise CoopTypingError(
                    f"local.array: a payload has one dimension, not {len(shape[0].items)}",
                    location,
                )
            given["shape"] = shape[0].items[0]
        names = {"shape": "items_per_thread", "dtype": "dtype", "alignas": "alignment"}
        arguments = {names[name]: var for name, var in given.items()}
        return Call("ThreadData", stmt, arguments, location)

    def refuse_outlined_helpers(self) -> None:
        """Raise for a call of a helper that has cooperative calls and isn't inlined."""
        for stmt in call_statements(self._func_ir):
            helper = self._values.value(stmt.value.func)
            if is_dispatcher(helper) and uses_coop(helper.py_func):
                raise CoopTypingError(
                    f"the helper '{helper.py_func.__name__}' has cooperative calls but is not "
                    "inlined, so its group and payload can't be known; declare it with "
                    "@cuda.jit(device=True, inline='always')",
                    source_location(stmt.loc),
                    [Note("the helper", _definition(helper.py_func))],
                )

    def is_group(self, var) -> bool:
        """Whether every definition of `var` makes a group."""
        roots = self._values.roots(var)
        return bool(roots) and all(self._makes_group(root) for root in roots)

    def _makes_group(self, node) -> bool:
        if getattr(node, "op", None) != "call":
            return False
        if self._values.value(node.func) in _GROUP_MAKERS:
            return True
        method = self._method(node)
        return method is not None and method.attr == "group_by"

    def _method(self, expr):
        """Return the ``group.method`` expression that a call calls, else None."""
        roots = self._values.roots(expr.func)
        if len(roots) != 1 or getattr(roots[0], "op", None) != "getattr":
            return None
        method = roots[0]
        if method.attr in _GROUP_METHODS and self.is_group(method.value):
            return method
        return None

    def _as_call(self, stmt) -> Call | None:
        expr, location = stmt.value, source_location(stmt.loc)
        callee = self._values.value(expr.func)
        if callee is not UNKNOWN and is_operation(callee):
            name = operation_name(callee)
            return Call(name, stmt, _bind(name, expr, location), location)
        method = self._method(expr)
        if method is None:
            return None
        arguments = _bind(method.attr, expr, location, method.value)
        return Call(method.attr, stmt, arguments, location)


def call_statements(func_ir):
    """Yield the statements of a function that assign the result of a call."""
    for block in func_ir.blocks.values():
        for stmt in block.body:
            if isinstance(stmt, numba_ir.Assign) and getattr(stmt.value, "op", None) == "call":
                yield stmt


def _bind(name, expr, location, *bound) -> dict:
    """Return the variables that a call gives to the parameters of operation `name`."""
    if expr.vararg is not None or expr.varkwarg is not None:
        raise CoopTypingError(f"coop.{name} can't be called with * or **", location)
    return _bind_to(_SIGNATURES[name], f"coop.{name}", expr, location, *bound)


def _bind_to(parameters, name, expr, location, *bound) -> dict:
    try:
        return dict(parameters.bind(*bound, *expr.args, **dict(expr.kws)).arguments)
    except TypeError as error:
        shown = str(parameters).replace("self, /, ", "").replace("self", "")
        raise CoopTypingError(f"{name}: {error}; it takes {shown}", location) from None


def _not_common(call: Call, array) -> CoopTypingError:
    return CoopTypingError(
        f"coop.{call.name}: the items are a local array; use a coop.ThreadData, or {call.name} of "
        "cuda.coop.numba_mlir",
        call.location,
        [Note("the array", source_location(array.loc))],
    )


def _definition(function) -> SourceLocation:
    code = function.__code__
    return SourceLocation(code.co_filename, code.co_firstlineno)
