# What variables of untyped Numba IR are known to be.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What variables of untyped Numba IR are known to be.

Helpers are inlined before, so a variable may be a chain of copies, and control
flow may give it several definitions. All of them must agree.
"""

from __future__ import annotations

import operator
from types import ModuleType

import numpy as np

from .host import numba_ir, types

UNKNOWN = object()
"""Stands for a value that is not known at compile time."""

_FOLDED = {
    operator.add,
    operator.sub,
    operator.mul,
    operator.floordiv,
    operator.mod,
    operator.pow,
    operator.lshift,
    operator.rshift,
    operator.and_,
    operator.or_,
    operator.xor,
    operator.neg,
    operator.pos,
    operator.invert,
    operator.not_,
    operator.eq,
    operator.ne,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
}
_IDENTITY = {operator.is_, operator.is_not}
_PURE = {min, max, abs, int, bool}


class StaticValues:
    """Evaluates variables of one function.

    Parameters
    ----------
    func_ir : FunctionIR
        With definitions that are up to date.
    args : sequence of Numba types
        The types of the function's arguments; literals are known values.
    attribute : callable
        ``attribute(base_variable, name)`` gives the value of an attribute that
        only the caller knows, or `UNKNOWN`.
    """

    def __init__(self, func_ir, args, attribute=lambda base, name: UNKNOWN):
        self._definitions = func_ir._definitions
        self._args = args
        self._attribute = attribute
        self._active = set()

    def roots(self, var) -> list:
        """Return the nodes that may define `var`, behind copies and tuples."""
        found, pending, seen = [], [var], set()
        while pending:
            node = pending.pop()
            if isinstance(node, numba_ir.Var):
                if node.name not in seen:
                    seen.add(node.name)
                    pending.extend(self._definitions.get(node.name, ()))
            elif (source := self._copied(node)) is not None:
                pending.append(source)
            elif not any(node is other for other in found):
                found.append(node)
        return found

    def _copied(self, node):
        """Return the variable that an expression only passes on, else None."""
        if not isinstance(node, numba_ir.Expr):
            return None
        if node.op in ("cast", "exhaust_iter"):
            return node.value
        if node.op == "static_getitem":
            sources = self.roots(node.value)
            if len(sources) == 1 and getattr(sources[0], "op", None) == "build_tuple":
                return sources[0].items[node.index]
        return None

    def value(self, var):
        """Return the one Python object that `var` is, or `UNKNOWN`."""
        roots = self.roots(var)
        key = frozenset(map(id, roots))
        if not roots or key in self._active:
            return UNKNOWN
        self._active.add(key)
        try:
            values = [self._evaluate(root) for root in roots]
        finally:
            self._active.remove(key)
        return values[0] if all(_same(value, values[0]) for value in values) else UNKNOWN

    def _evaluate(self, node):
        if isinstance(node, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)):
            return _plain(node.value)
        if isinstance(node, numba_ir.Arg):
            return _argument_value(self._args[node.index])
        if isinstance(node, numba_ir.Expr):
            return self._evaluate_expr(node)
        return UNKNOWN

    def _evaluate_expr(self, expr):
        if expr.op == "getattr":
            return self._evaluate_getattr(expr)
        if expr.op in ("binop", "inplace_binop"):
            function = expr.fn if expr.op == "binop" else expr.immutable_fn
            if function in _IDENTITY:
                return self._fold_identity(function, expr.lhs, expr.rhs)
            return self._fold(function, [expr.lhs, expr.rhs], _FOLDED)
        if expr.op == "unary":
            return self._fold(expr.fn, [expr.value], _FOLDED)
        if expr.op == "call" and not expr.kws and expr.vararg is None:
            return self._evaluate_call(expr)
        return UNKNOWN

    def _evaluate_getattr(self, expr):
        base = self.value(expr.value)
        if isinstance(base, ModuleType):
            return _plain(getattr(base, expr.attr, UNKNOWN))
        return self._attribute(expr.value, expr.attr)

    def _evaluate_call(self, expr):
        function = self.value(expr.func)
        if function is len and len(expr.args) == 1:
            return self._attribute(expr.args[0], "__len__")
        return self._fold(function, expr.args, _PURE)

    def _fold(self, function, operands, allowed):
        """Apply a pure function to operands that are all known numbers."""
        if not any(function is pure for pure in allowed):
            return UNKNOWN
        values = [self.value(operand) for operand in operands]
        if not all(isinstance(value, (int, float)) for value in values):
            return UNKNOWN
        try:
            return function(*values)
        except (ArithmeticError, TypeError, ValueError):
            return UNKNOWN

    def _fold_identity(self, function, *operands):
        """Compare an object with None; of others, identity at run time is not that here."""
        values = [self.value(operand) for operand in operands]
        known = not any(value is UNKNOWN for value in values)
        if not known or not any(value is None for value in values):
            return UNKNOWN
        return function(*values)

    def arguments(self, var, seen=None) -> set:
        """Return the indices of the function's arguments that `var` is made from."""
        seen = set() if seen is None else seen
        found = set()
        for root in self.roots(var):
            if id(root) in seen:
                continue
            seen.add(id(root))
            if isinstance(root, numba_ir.Arg):
                found.add(root.index)
            elif isinstance(root, numba_ir.Expr):
                for operand in root.list_vars():
                    found |= self.arguments(operand, seen)
        return found


def _plain(value):
    """Return a number of NumPy as one of Python; records stay what they are."""
    if isinstance(value, np.generic) and not isinstance(value, np.void):
        return value.item()
    return value


def _same(value, other) -> bool:
    """Whether two objects are one, or equal constants."""
    if value is other:
        return True
    return (
        type(value) is type(other) and type(value) in (int, float, complex, str) and value == other
    )


def _argument_value(ty):
    """Return the value that the type of an argument tells."""
    if isinstance(ty, types.Literal):
        return ty.literal_value
    if isinstance(ty, types.Omitted):
        return ty.value
    if isinstance(ty, types.NoneType):
        return None
    return UNKNOWN
