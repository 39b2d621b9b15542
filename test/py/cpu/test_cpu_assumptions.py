# What a program states to be uniform is checked.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program states to be uniform is checked."""

from __future__ import annotations

import numpy as np
import pytest
from coop_mlir import cpu, ir
from coop_mlir._compile._context import own_context
from coop_mlir.passmanager import PassManager

KERNEL = """gpu.module @m {{ gpu.func @k(%flags: memref<?xi32>, %out: memref<?xi32>) kernel {{
  %i = gpu.thread_id x
  %g = coop.group : {group}
  %flag = memref.load %flags[%i] : memref<?xi32>
  %same = coop.assume_uniform %flag over %g : i32, {group}
  memref.store %same, %out[%i] : memref<?xi32>
  gpu.return }} }}"""


@pytest.mark.parametrize("group, width", [("<block>", 64), ("<warp>", 32), ("<warp, 8>", 8)])
def test_a_statement(group, width):
    text = KERNEL.format(group=f"!coop.group{group}")
    flags = np.arange(64, dtype=np.int32) // width
    out = np.zeros_like(flags)
    cpu.execute(text, "k", 1, 64, [flags, out])
    assert np.array_equal(out, flags)
    flags[width - 1] += 1
    with pytest.raises(cpu.CoopCheckError, match=f"1 in thread {width - 1} of block 0") as caught:
        cpu.execute(text, "k", 1, 64, [flags, out])
    assert caught.value.kind == "uniformity"
    cpu.execute(text, "k", 1, 64, [flags, out], check=False)


CHECKED = """gpu.module @m {{ gpu.func @k(%values: memref<?x{type}>, %out: memref<?x{type}>) kernel
  attributes {{gpu.known_block_size = array<i32: 32, 2, 1>}} {{
  %c32 = arith.constant 32 : index
  %x = gpu.thread_id x
  %y = gpu.thread_id y
  %row = arith.muli %y, %c32 : index
  %i = arith.addi %x, %row : index
  %g = coop.group : {group}
  %value = memref.load %values[%i] : memref<?x{type}>
  %same = coop.assume_uniform %value over %g : {type}, {group}
  %again = coop.assume_uniform %value over %g : {type}, {group}
  memref.store %again, %out[%i] : memref<?x{type}>
  gpu.return }} }}"""
DTYPES = {"i8": np.int8, "i32": np.int32, "i64": np.int64, "f32": np.float32, "f64": np.float64}


def with_checks(text):
    """Return a module with run-time checks in place of the statements."""
    with own_context():
        module = ir.Module.parse(text)
        PassManager.parse("builtin.module(gpu.module(coop-check-assumptions))").run(
            module.operation
        )
        return str(module)


@pytest.mark.parametrize("type_", DTYPES)
@pytest.mark.parametrize("group, width", [("<block>", 64), ("<warp>", 32), ("<warp, 8>", 8)])
def test_P4_the_run_time_check_traps_where_values_differ(group, width, type_):
    text = with_checks(CHECKED.format(group=f"!coop.group{group}", type=type_))
    values = (np.arange(64) // width + 1).astype(DTYPES[type_])
    out = np.zeros_like(values)
    cpu.execute(text, "k", 1, (32, 2), [values, out], check=False)
    assert np.array_equal(out, values)
    # In the last bit, and in the first, of one thread's value alone.
    for byte in (0, values.itemsize - 1):
        unlike = values.copy()
        unlike.view(np.uint8)[(width - 1) * values.itemsize + byte] ^= 1
        with pytest.raises(cpu.CoopCheckError) as caught:
            cpu.execute(text, "k", 1, (32, 2), [unlike, out], check=False)
        assert caught.value.kind == "trap"


def test_P4_the_run_time_check_takes_alike_nans():
    text = with_checks(CHECKED.format(group="!coop.group<block>", type="f32"))
    values = np.full(64, np.nan, np.float32)
    out = np.zeros_like(values)
    cpu.execute(text, "k", 1, (32, 2), [values, out], check=False)
    assert np.isnan(out).all()
