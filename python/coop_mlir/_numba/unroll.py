# Loops over literal_unroll -> a copy of the body for each value.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over ``literal_unroll`` -> a copy of the body for each value.

The host unrolls such loops, too, but after the planner, into a switch inside of
a loop. In a kernel with cooperative calls each value becomes a constant of its
own copy of the loop's body:

    for k in literal_unroll((1, 2)):        k.1 = 1
        items = coop.ThreadData(k)          items.1 = coop.ThreadData(k.1)
        ...                                 ...
                                            k = 2
                                            items = coop.ThreadData(k)
                                            ...

A variable that is neither carried from turn to turn nor used behind the loop
gets a name of its own in each copy, so that it may have a type of its own.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

from .calls import call_statements
from .host import (
    build_definitions,
    control_flow,
    literal_unroll,
    numba_ir,
    post_process,
    rename_labels,
    replace_var_names,
    types,
)
from .static import UNKNOWN, StaticValues
from .variables import live_in, uses

__all__ = ["unroll_literal_loops"]

_CONSTANTS = (bool, int, float, str, type(None))
_PURE = ("build_list", "build_tuple", "cast", "getattr", "getiter")


def unroll_literal_loops(func_ir, args) -> bool:
    """Unroll the loops over ``literal_unroll``, outer ones first.

    Parameters
    ----------
    func_ir : FunctionIR
        The kernel, with helpers inlined; changed in place.
    args : sequence of Numba types
        The types of its arguments.

    Returns
    -------
    bool
        Whether there was such a loop.
    """
    changed = False
    while (loop := _find(func_ir, args)) is not None:
        func_ir.blocks = rename_labels(_Unroller(func_ir.blocks, loop).run())
        func_ir._definitions = build_definitions(func_ir.blocks)
        post_process(func_ir)
        changed = True
    return changed


# ---------------------------------------------------------------------------
# Which loops
# ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Loop:
    """A loop over ``literal_unroll``.

    Attributes
    ----------
    header : int
        The label of the block that asks for the next value.
    body : frozenset of int
        The labels of all its blocks, the header's included.
    iterator : str
        The variable that the header takes values from.
    container : Var
        What the result of the call is assigned to.
    values : list
        The value of each turn, `UNKNOWN` where it is one of run time.
    """

    header: int
    body: frozenset[int]
    iterator: str
    container: numba_ir.Var
    values: list


def _find(func_ir, args) -> _Loop | None:
    """Return the outermost loop that can be unrolled, None when there is none."""
    values = StaticValues(func_ir, args)
    loops = sorted(control_flow(func_ir.blocks).loops().values(), key=lambda one: -len(one.body))
    for loop in loops:
        if (found := _unroll_call(func_ir.blocks[loop.header], values)) is None:
            continue
        call, iterator = found
        if (elements := _elements(call, values, args)) is not None:
            container = _container(func_ir, call)
            return _Loop(loop.header, frozenset(loop.body), iterator, container, elements)
    return None


def _unroll_call(header, values: StaticValues):
    """Return the call of ``literal_unroll`` that a loop is over, and the iterator's name."""
    steps = list(header.find_exprs("iternext"))
    if len(steps) != 1:
        return None
    iterators = values.roots(steps[0].value)
    if len(iterators) != 1 or getattr(iterators[0], "op", None) != "getiter":
        return None
    calls = values.roots(iterators[0].value)
    if len(calls) != 1 or getattr(calls[0], "op", None) != "call" or len(calls[0].args) != 1:
        return None
    if values.value(calls[0].func) is not literal_unroll:
        return None
    return calls[0], steps[0].value.name


def _container(func_ir, call):
    """Put the argument of ``literal_unroll`` in the place of the call; return what gets it."""
    for stmt in call_statements(func_ir):
        if stmt.value is call:
            stmt.value = call.args[0]
            return stmt.target
    raise AssertionError("the call is not one of the function's")


def _elements(call, values: StaticValues, args) -> list | None:
    """Return what ``literal_unroll`` is given, None when not even their number is known."""
    roots = values.roots(call.args[0])
    if len(roots) != 1:
        return None
    (root,) = roots
    if getattr(root, "op", None) in ("build_tuple", "build_list"):
        found = [values.value(item) for item in root.items]
        return None if root.op == "build_list" and UNKNOWN in found else found
    if isinstance(root, numba_ir.Arg) and isinstance(args[root.index], types.BaseTuple):
        return [UNKNOWN] * len(args[root.index])
    value = values.value(call.args[0])
    return list(value) if isinstance(value, (tuple, list)) else None


# ---------------------------------------------------------------------------
# How they are unrolled
# ---------------------------------------------------------------------------


class _Unroller:
    """Unrolls one loop of a function's blocks."""

    def __init__(self, blocks, loop: _Loop):
        self._blocks = dict(blocks)
        self._loop = loop
        self._old = {label: blocks[label] for label in loop.body}
        self._stride = max(blocks) + 1

    def run(self) -> dict:
        """Return the function's blocks without the loop."""
        turns = len(self._loop.values)
        for label in self._loop.body:
            del self._blocks[label]
        for turn, value in enumerate(self._loop.values):
            for label, block in self._old.items():
                self._blocks[self._label(label, turn)] = self._copy(block, turn, value)
        self._blocks[self._label(self._loop.header, turns)] = self._exhausted()
        self._drop_iterator()
        live = live_in(self._blocks)
        for turn in range(turns):
            self._rename(turn, live)
        return self._blocks

    def _label(self, label, turn):
        """Return where a block of the loop, or one outside, is in a turn."""
        return label + turn * self._stride if label in self._loop.body else label

    def _next(self, label, turn):
        """Return where a jump of a turn to a label goes: to the header is on to the next turn."""
        return self._label(label, turn + (label == self._loop.header))

    def _copy(self, block, turn, value):
        """Return a block of the loop for one turn."""
        made = numba_ir.Block(block.scope, block.loc)
        pair = None
        for stmt in block.body:
            op = getattr(getattr(stmt, "value", None), "op", None)
            if isinstance(stmt, numba_ir.Del):
                continue
            if op == "iternext" and stmt.value.value.name == self._loop.iterator:
                pair = stmt.target.name
            elif op in ("pair_first", "pair_second") and stmt.value.value.name == pair:
                got = self._element(turn, value, stmt.loc)
                got = got if op == "pair_first" else numba_ir.Const(True, stmt.loc)
                made.append(numba_ir.Assign(got, stmt.target, stmt.loc))
            else:
                made.append(copy.deepcopy(stmt, {id(block.scope): block.scope}))
        made.body[-1] = self._terminator(made.body[-1], turn, header=pair is not None)
        return made

    def _element(self, turn, value, loc):
        if value is UNKNOWN:
            return numba_ir.Expr.static_getitem(self._loop.container, turn, None, loc)
        if type(value) in _CONSTANTS:
            return numba_ir.Const(value, loc)
        return numba_ir.Global("literal_unroll", value, loc)

    def _terminator(self, end, turn, header):
        if isinstance(end, numba_ir.Branch) and header:
            return numba_ir.Jump(self._next(end.truebr, turn), end.loc)
        if isinstance(end, numba_ir.Branch):
            ways = (self._next(label, turn) for label in (end.truebr, end.falsebr))
            return numba_ir.Branch(end.cond, *ways, end.loc)
        if isinstance(end, numba_ir.Jump):
            return numba_ir.Jump(self._next(end.target, turn), end.loc)
        return end

    def _exhausted(self):
        """Return the header as it is when there are no more values."""
        old = self._old[self._loop.header]
        made = numba_ir.Block(old.scope, old.loc)
        made.append(numba_ir.Jump(old.body[-1].falsebr, old.loc))
        return made

    def _drop_iterator(self) -> None:
        """Drop what only the iterator was made for; not all types of tuples have one."""
        pending = {self._loop.iterator}
        while pending:
            pending -= {var.name for stmt in self._statements() for var in uses(stmt)}
            dropped = [stmt for stmt in self._statements() if _only_makes(stmt, pending)]
            for block in self._blocks.values():
                block.body = [
                    stmt for stmt in block.body if not any(stmt is one for one in dropped)
                ]
            pending = {var.name for stmt in dropped for var in uses(stmt)}

    def _statements(self):
        for block in self._blocks.values():
            yield from block.body

    def _rename(self, turn, live) -> None:
        """Give the variables that live in one turn only a name for it."""
        labels = {self._label(label, turn) for label in self._loop.body}
        blocks = {label: self._blocks[label] for label in labels}
        fixed = set(live[self._label(self._loop.header, turn)])
        for block in blocks.values():
            for target in block.terminator.get_targets():
                if target not in labels:
                    fixed |= live[target]
        new = {}
        for block in blocks.values():
            for stmt in block.body:
                if isinstance(stmt, numba_ir.Assign) and stmt.target.name not in fixed | new.keys():
                    name = stmt.target.name
                    new[name] = block.scope.redefine(name, stmt.loc).name
        replace_var_names(blocks, new)


def _only_makes(stmt, names) -> bool:
    """Whether all that a statement does is to give one of some variables a value."""
    if not isinstance(stmt, numba_ir.Assign) or stmt.target.name not in names:
        return False
    return getattr(stmt.value, "op", None) in _PURE or not isinstance(stmt.value, numba_ir.Expr)
