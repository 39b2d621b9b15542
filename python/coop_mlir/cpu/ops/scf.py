# The scf dialect.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The scf dialect: its regions become steps."""

from __future__ import annotations

import numpy as np

from ..findings import source_of
from ..program import Branch, Step
from ..registry import control
from ..values import unsigned


@control("scf.if")
def _if(builder, op):
    after = Step()
    results = [builder.register(result) for result in op.results]
    sides = [Step(), Step()]
    builder.end(_branch(builder, op, sides))
    for region, side in zip(op.regions, sides, strict=True):
        _body(builder, region, side, (), after, results)
    builder.begin(after)


def _branch(builder, op, sides):
    edges = [builder.jump(side) for side in sides]
    return Branch(builder.of(op.operands[0]), edges, source_of(op.location))


def _body(builder, region, entry, arguments, after, results):
    """Put a region of one block into the program; what it yields goes to `results`."""
    if not len(region.blocks):
        builder.begin(entry)
        builder.end(builder.jump(after))
        return
    builder.yields.append((after, results))
    builder.region(region, entry, arguments)
    builder.yields.pop()


@control("scf.yield", "memref.atomic_yield")
def _yield(builder, op):
    after, results = builder.yields[-1]
    builder.end(builder.jump(after, builder.values(op.operands), results))


@control("scf.while")
def _while(builder, op):
    before, body, after = Step(), Step(), Step()
    arguments = [builder.register() for _ in op.operands]
    passed = [builder.register() for _ in op.regions[1].blocks[0].arguments]
    results = [builder.register(result) for result in op.results]
    builder.end(builder.jump(before, builder.values(op.operands), arguments))
    builder.conditions.append((body, passed, after, results))
    builder.region(op.regions[0], before, arguments)
    builder.conditions.pop()
    _body(builder, op.regions[1], body, passed, before, arguments)
    builder.begin(after)


@control("scf.condition")
def _condition(builder, op):
    body, passed, after, results = builder.conditions[-1]
    flag, *values = builder.values(op.operands)
    edges = [builder.jump(body, values, passed), builder.jump(after, values, results)]
    builder.end(Branch(flag, edges, source_of(op.location)))


@control("scf.for")
def _for(builder, op):
    lower, upper, step, *initial = builder.values(op.operands)
    head, body, advance, after = Step(), Step(), Step(), Step()
    results = [builder.register(result) for result in op.results]
    index = builder.register()
    carried = [builder.register() for _ in initial]
    builder.end(builder.jump(head, [lower, *initial], [index, *carried]))

    flag = builder.register()
    less = _less(op)
    builder.begin(head)
    head.ops.append(lambda frame: _set(frame, flag, less(frame.env[index], frame.env[upper])))
    head.reads.update([index, upper])
    head.writes.add(flag)
    edges = [builder.jump(body), builder.jump(after, carried, results)]
    builder.end(Branch(flag, edges, source_of(op.location)))

    yielded = [builder.register() for _ in initial]
    _body(builder, op.regions[0], body, [index, *carried], advance, yielded)

    following = builder.register()
    builder.begin(advance)
    advance.ops.append(lambda frame: _set(frame, following, frame.env[index] + frame.env[step]))
    advance.reads.update([index, step])
    advance.writes.add(following)
    builder.end(builder.jump(head, [following, *yielded], [index, *carried]))
    builder.begin(after)


def _less(op):
    if "unsignedCmp" in op.attributes:
        return lambda a, b: unsigned(a) < unsigned(b)
    return np.less


def _set(frame, register, value):
    frame.env[register] = value
    frame.mark(register, None)


@control("scf.execute_region")
def _execute(builder, op):
    after, entry = Step(), Step()
    results = [builder.register(result) for result in op.results]
    builder.end(builder.jump(entry))
    _body(builder, op.regions[0], entry, (), after, results)
    builder.begin(after)


@control("scf.index_switch")
def _index_switch(builder, op):
    after = Step()
    results = [builder.register(result) for result in op.results]
    sides = [Step() for _ in op.regions]
    cases = tuple(op.attributes["cases"])
    edges = [builder.jump(side) for side in sides]
    location = source_of(op.location)
    builder.end(Branch(builder.of(op.operands[0]), edges, location, cases))
    for region, side in zip(op.regions, sides, strict=True):
        _body(builder, region, side, (), after, results)
    builder.begin(after)
