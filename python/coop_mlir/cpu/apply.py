# Functions of values as functions of frames.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of values as functions of frames, which also pass marks of unspecified values on."""

from __future__ import annotations

import numpy as np

__all__ = ["on_frame"]


def on_frame(function, operands, results, moves):
    """Return the function of a frame that applies a function to registers."""
    if len(results) != 1:
        return _call_many(function, operands, results)
    (result,) = results

    if len(operands) == 1:
        (a,) = operands

        def run(frame):
            env = frame.env
            env[result] = function(env[a])
            if frame.unspecified:
                _pass_marks(frame, function, operands, result, moves)

    elif len(operands) == 2:
        a, b = operands

        def run(frame):
            env = frame.env
            env[result] = function(env[a], env[b])
            if frame.unspecified:
                _pass_marks(frame, function, operands, result, moves)

    else:

        def run(frame):
            env = frame.env
            env[result] = function(*[env[a] for a in operands])
            if frame.unspecified:
                _pass_marks(frame, function, operands, result, moves)

    return run


def _call_many(function, operands, results):
    def run(frame):
        env = frame.env
        values = function(*[env[a] for a in operands])
        for result, value in zip(results, values, strict=True):
            env[result] = value
            frame.mark(result, None)

    return run


def _pass_marks(frame, function, operands, result, moves):
    """Mark what comes from unspecified values as unspecified."""
    marks = [frame.unspecified.get(operand) for operand in operands]
    value = frame.env[result]
    if isinstance(value, tuple) or all(mark is None for mark in marks):
        frame.mark(result, None)
    elif moves:
        shapes = [np.shape(frame.env[operand])[:-1] for operand in operands]
        known = [
            np.zeros((*shape, 1), bool) if mark is None else mark
            for mark, shape in zip(marks, shapes, strict=True)
        ]
        frame.mark(result, function(*known))
    else:
        merged = np.False_
        for mark in marks:
            if mark is not None:
                merged = merged | mark
        frame.mark(result, merged)
