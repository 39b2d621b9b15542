# The order of a program's steps.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The order of a program's steps, and what passes between them."""

from __future__ import annotations

from .program import Meet, Step

__all__ = ["arrange"]


def arrange(entry: Step, constants) -> list[Step]:
    """Number the steps that can be reached, and find what passes between them."""
    steps = _order(entry)
    for number, step in enumerate(steps):
        step.number = number
        step.reads.update(step.end.reads)
    defined = {register: step for step in steps for register in step.writes}
    for step in steps:
        step.inputs = [r for r in step.reads if r not in step.writes and r not in constants]
        for register in step.inputs:
            owner = defined.get(register)
            if owner is not None and owner is not step and register not in owner.outputs:
                owner.outputs.append(register)
    for step in steps:
        if isinstance(step.end, Meet):
            results = step.end.meeting.slots.results
            step.outputs = [r for r in step.outputs if r not in results]
    return steps


def _order(entry: Step) -> list[Step]:
    """Return the steps in reverse post-order, loops before what follows them.

    Of a step's edges the ones that stay in its loop are visited last, so that
    they come first.
    """
    components = _components(entry)
    done: list[Step] = []
    seen = {entry}
    stack = [(entry, iter(_edges_out_first(entry, components)))]
    while stack:
        step, targets = stack[-1]
        target = next(targets, None)
        if target is None:
            done.append(step)
            stack.pop()
        elif target not in seen:
            seen.add(target)
            stack.append((target, iter(_edges_out_first(target, components))))
    return done[::-1]


def _edges_out_first(step, depth_of):
    targets = [edge.target for edge in step.end.edges]
    return sorted(targets, key=lambda target: len(depth_of[target] & depth_of[step]))


def _components(entry: Step) -> dict:
    """Return for each step the loops that it is in, each named by its header."""
    headers = {step: set() for step in _reachable(entry)}
    predecessors = {step: [] for step in headers}
    for step in headers:
        for edge in step.end.edges:
            predecessors[edge.target].append(step)
    for source, header in _back_edges(entry):
        body, work = {header}, [source]
        while work:
            step = work.pop()
            if step not in body:
                body.add(step)
                work.extend(predecessors[step])
        for step in body:
            headers[step].add(header)
    return headers


def _reachable(entry):
    found, work = {entry: None}, [entry]
    while work:
        for edge in work.pop().end.edges:
            if edge.target not in found:
                found[edge.target] = None
                work.append(edge.target)
    return found


def _back_edges(entry):
    """Yield (step, header) for each edge to a step of the path that leads to it."""
    path, seen = {entry}, {entry}
    stack = [(entry, iter(entry.end.edges))]
    while stack:
        step, edges = stack[-1]
        edge = next(edges, None)
        if edge is None:
            path.discard(step)
            stack.pop()
        elif edge.target in path:
            yield step, edge.target
        elif edge.target not in seen:
            seen.add(edge.target)
            path.add(edge.target)
            stack.append((edge.target, iter(edge.target.end.edges)))
