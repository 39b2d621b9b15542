# Which Python functions use coop, as far as their names tell.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which Python functions use coop, as far as their names tell.

The answer is needed before a kernel is compiled, and often: it looks at names,
not at bytecode. It may be yes for a kernel that names an operation without
calling it.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, ModuleType
from typing import Any

from .. import api

__all__ = ["helpers", "is_dispatcher", "is_operation", "operation_name", "uses_coop"]

_OPERATIONS = frozenset(api.DEVICE_FUNCTIONS)
_PACKAGES = ("coop_mlir.", "cuda.coop.")


def is_operation(value) -> bool:
    """Whether `value` is a function of coop that kernels call."""
    return (
        callable(value)
        and getattr(value, "__module__", None) == api.__name__
        and (value in _OPERATIONS)
    )


def operation_name(function) -> str:
    """Return what programs call a function for which `is_operation` is true."""
    return function.__wrapped__.__name__


def is_dispatcher(value) -> bool:
    """Whether `value` is a function that the host compiles."""
    return hasattr(value, "py_func") and hasattr(value, "targetoptions")


def uses_coop(function) -> bool:
    """Whether a Python function names coop, by itself or in helpers that it names."""
    return any(map(_is_coop, _reached(function)))


def helpers(function) -> Iterator[Any]:
    """Yield the dispatchers that a Python function, or one of them, names."""
    return filter(is_dispatcher, _reached(function))


def _reached(function) -> Iterator[Any]:
    """Yield what a function may reach by its names, through the helpers that it names, too."""
    pending, seen = [function], {function}
    while pending:
        for value in _named(pending.pop()):
            yield value
            if is_dispatcher(value) and value.py_func not in seen:
                seen.add(value.py_func)
                pending.append(value.py_func)


def _is_coop(value) -> bool:
    if isinstance(value, ModuleType):
        return f"{value.__name__}.".startswith(_PACKAGES)
    return is_operation(value)


def _named(function) -> Iterator[Any]:
    """Yield what a function may reach by its names, through modules and tuples too."""
    names = set(_names(function.__code__))
    pending = [function.__globals__[name] for name in names & function.__globals__.keys()]
    pending += _closure(function)
    modules = set()
    while pending:
        value = pending.pop()
        yield value
        if isinstance(value, tuple):
            pending += value
        elif isinstance(value, ModuleType) and value not in modules:
            modules.add(value)
            pending += [vars(value)[name] for name in names & vars(value).keys()]


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names of globals and attributes in a function and those inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _closure(function) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not assigned yet
            continue
