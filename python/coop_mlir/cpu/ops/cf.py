# The cf dialect, and LLVM's branches.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cf dialect, and LLVM's branches."""

from __future__ import annotations

import numpy as np

from ..findings import CoopCheckError, source_of
from ..program import Branch
from ..registry import control, effect
from ..values import spread


@control("cf.br", "llvm.br")
def _branch(builder, op):
    builder.end(builder.edge(op.successors[0], op.operands))


@control("cf.cond_br", "llvm.cond_br")
def _conditional(builder, op):
    _, first, _ = op.attributes["operandSegmentSizes"]
    operands = list(op.operands)
    sides = operands[1 : 1 + first], operands[1 + first :]
    edges = [builder.edge(*side) for side in zip(op.successors, sides, strict=True)]
    builder.end(Branch(builder.of(operands[0]), edges, source_of(op.location)))


@control("cf.switch", "llvm.switch")
def _switch(builder, op):
    operands = list(op.operands)
    _, default, _ = op.attributes["operandSegmentSizes"]
    parts = [operands[1 : 1 + default]]
    start = 1 + default
    for count in op.attributes["case_operand_segments"]:
        parts.append(operands[start : start + count])
        start += count
    edges = [builder.edge(*part) for part in zip(op.successors, parts, strict=True)]
    cases = ()
    if "case_values" in op.attributes:
        cases = tuple(int(v) for v in np.array(op.attributes["case_values"]))
    builder.end(Branch(builder.of(operands[0]), edges, source_of(op.location), cases))


@effect("cf.assert")
def _assert(op, slots):
    message = op.attributes["msg"].value

    def run(frame):
        holds = frame.env[slots.operands[0]]
        if not holds.all():
            at = int(np.argmin(spread(holds, frame.count)))
            name = frame.run.batch.name(int(frame.lanes[at]))
            raise CoopCheckError("assertion", f"{message}, in {name}", slots.location)

    return run
