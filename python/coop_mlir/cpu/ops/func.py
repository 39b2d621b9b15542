# Calls and returns.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls and returns: called functions become a part of the kernel's program."""

from __future__ import annotations

import math

import numpy as np

from .. import wrappers
from ..findings import CoopCheckError, UnsupportedError, source_of
from ..program import Exit, Step
from ..registry import control
from .math import by_element


@control("func.call", "llvm.call")
def _call(builder, op):
    name = op.attributes["callee"].value
    function = builder.symbols.get(name)
    if function is None or not function.regions or not len(function.regions[0].blocks):
        _call_declared(builder, op, name, function)
        return
    after = Step()
    results = [builder.register(result) for result in op.results]
    builder.inline(function, builder.values(op.operands), results, after, source_of(op.location))
    builder.begin(after)


#: Functions of the CUDA math library that the host calls by name, for arrays, without
#: their prefix and the suffix of single precision.
_LIBRARY = {
    "erfc": by_element(math.erfc),
    "fmod": np.fmod,
    "hypot": np.hypot,
    "lgamma": by_element(math.lgamma),
    "tgamma": by_element(math.gamma),
}


def _call_declared(builder, op, name, function):
    library = name.removeprefix("__nv_").removesuffix("f")
    if name.startswith("__nv_") and library in _LIBRARY:
        builder.pure(op, _LIBRARY[library])
        return
    if function is None or "coop.wrapper" not in function.attributes:
        raise UnsupportedError(f"the function '{name}' that is called has no body")
    builder.meet(wrappers.meeting(function, builder.slots(op)))


@control("func.return", "gpu.return", "llvm.return")
def _return(builder, op):
    builder.exit(op)


@control("llvm.unreachable", "ub.unreachable")
def _unreachable(builder, op):
    location = source_of(op.location)

    def run(frame):
        name = frame.run.batch.name(int(frame.lanes[0]))
        raise CoopCheckError("trap", f"{name} reaches code that can't be reached", location)

    builder.step.ops.append(run)
    builder.end(Exit(location))
