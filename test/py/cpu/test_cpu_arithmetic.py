# The operations' results at their edges.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operations' results at their edges, those of C and PTX where MLIR leaves them open."""

from __future__ import annotations

import math

import numpy as np
import pytest
from coop_mlir import cpu

DTYPES = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}
LOW32, HIGH32 = -(1 << 31), (1 << 31) - 1
NAN, INF = math.nan, math.inf

# The operation, the operands' type, the result's, operands, the result.
BINARY = [
    ("arith.addi", "i32", "i32", (HIGH32, 1), LOW32),
    ("arith.addi", "i1", "i1", (True, True), False),
    ("arith.subi", "i8", "i8", (-128, 1), 127),
    ("arith.muli", "i32", "i32", (1 << 20, 1 << 20), 0),
    ("arith.divsi", "i32", "i32", (-7, 2), -3),
    ("arith.divsi", "i32", "i32", (7, -2), -3),
    ("arith.divsi", "i32", "i32", (-7, 0), -1),
    ("arith.divui", "i32", "i32", (-1, 2), HIGH32),
    ("arith.floordivsi", "i32", "i32", (-7, 2), -4),
    ("arith.ceildivsi", "i32", "i32", (7, 2), 4),
    ("arith.ceildivsi", "i32", "i32", (-7, 2), -3),
    ("arith.ceildivui", "i32", "i32", (7, 2), 4),
    ("arith.remsi", "i32", "i32", (-7, 2), -1),
    ("arith.remsi", "i32", "i32", (7, 0), 7),
    ("arith.remui", "i8", "i8", (-1, 10), 5),
    ("arith.shli", "i32", "i32", (1, 32), 0),
    ("arith.shrsi", "i32", "i32", (-8, 1), -4),
    ("arith.shrsi", "i32", "i32", (-8, 40), -1),
    ("arith.shrui", "i32", "i32", (-1, 31), 1),
    ("arith.maxui", "i32", "i32", (-1, 1), -1),
    ("arith.minsi", "i32", "i32", (-1, 1), -1),
    ("arith.cmpi ult,", "i32", "i1", (-1, 1), False),
    ("arith.cmpi slt,", "i32", "i1", (-1, 1), True),
    ("arith.cmpi slt,", "i1", "i1", (True, False), True),
    ("arith.cmpf oeq,", "f32", "i1", (NAN, NAN), False),
    ("arith.cmpf une,", "f32", "i1", (NAN, 1.0), True),
    ("arith.cmpf uno,", "f32", "i1", (NAN, 1.0), True),
    ("arith.cmpf one,", "f32", "i1", (NAN, 1.0), False),
    ("arith.cmpf ord,", "f32", "i1", (2.0, 1.0), True),
    ("arith.divf", "f64", "f64", (1.0, 0.0), INF),
    ("arith.maximumf", "f32", "f32", (NAN, 1.0), NAN),
    ("arith.maxnumf", "f32", "f32", (NAN, 1.0), 1.0),
    ("arith.remf", "f64", "f64", (-7.5, 2.0), -1.5),
    ("math.copysign", "f64", "f64", (3.0, -0.0), -3.0),
    ("math.ipowi", "i32", "i32", (2, -1), 0),
    ("math.ipowi", "i32", "i32", (-1, -3), -1),
]
UNARY = [
    ("arith.extsi", "i1", "i32", True, -1),
    ("arith.extui", "i1", "i32", True, 1),
    ("arith.extui", "i8", "i32", -1, 255),
    ("arith.trunci", "i32", "i8", 384, -128),
    ("arith.trunci", "i32", "i1", 2, False),
    ("arith.sitofp", "i8", "f32", -3, -3.0),
    ("arith.uitofp", "i8", "f32", -1, 255.0),
    ("arith.fptosi", "f64", "i32", 1e10, HIGH32),
    ("arith.fptosi", "f64", "i64", 1e30, (1 << 63) - 1),
    ("arith.fptosi", "f64", "i32", NAN, 0),
    ("arith.fptosi", "f32", "i32", -2.9, -2),
    ("arith.fptoui", "f32", "i8", -4.0, 0),
    ("arith.truncf", "f64", "f16", 65520.0, INF),
    ("math.ctlz", "i32", "i32", 1, 31),
    ("math.ctlz", "i32", "i32", 0, 32),
    ("math.cttz", "i8", "i8", 8, 3),
    ("math.ctpop", "i64", "i64", -1, 64),
    ("math.round", "f32", "f32", 2.5, 3.0),
    ("math.roundeven", "f32", "f32", 2.5, 2.0),
    ("math.absi", "i32", "i32", -5, 5),
    ("math.isnan", "f32", "i1", NAN, True),
]


def evaluate(operation: str, operand: str, result: str, values, joined: str):
    """Return an operation's result, for a value on which threads agree and for one of each."""
    operands = ", ".join(f"%v{i}" for i in range(len(values)))
    loads = "\n".join(
        f"%v{i} = memref.load %a{i}[%i] : memref<?x{operand}>" for i in range(len(values))
    )
    arrays = ", ".join(f"%a{i}: memref<?x{operand}>" for i in range(len(values)))
    text = f"""gpu.module @m {{ gpu.func @k({arrays}, %r: memref<?x{result}>) kernel {{
      %i = gpu.thread_id x
      {loads}
      %value = {operation} {operands} : {joined}
      memref.store %value, %r[%i] : memref<?x{result}>
      gpu.return }} }}"""
    found = []
    for threads in (1, 4):
        args = [np.full(threads, value, DTYPES[operand]) for value in values]
        args.append(np.zeros(threads, DTYPES[result]))
        cpu.execute(text, "k", 1, threads, args)
        found.extend(args[-1].tolist())
    assert len({str(value) for value in found}) == 1
    return found[0]


def equal(found, wanted) -> bool:
    return found == wanted or (found != found and wanted != wanted)


@pytest.mark.parametrize("case", BINARY, ids=lambda c: f"{c[0].strip(',')}-{c[1]}-{c[3]}")
def test_binary(case):
    operation, operand, result, values, wanted = case
    assert equal(evaluate(operation, operand, result, values, operand), wanted)


@pytest.mark.parametrize("case", UNARY, ids=lambda c: f"{c[0]}-{c[1]}-{c[3]}")
def test_unary(case):
    operation, operand, result, value, wanted = case
    joined = operand
    if operation.startswith("arith."):
        joined = f"{operand} to {result}"
    assert equal(evaluate(operation, operand, result, (value,), joined), wanted)


def test_an_unknown_operation_is_named():
    text = 'gpu.module @m { gpu.func @k() kernel { "test.strange"() : () -> ()\n gpu.return } }'
    with pytest.raises(cpu.UnsupportedError, match=r"'test\.strange'"):
        cpu.execute(text, "k", 1, 1, [])
