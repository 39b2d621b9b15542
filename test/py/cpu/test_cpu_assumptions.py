# What a program states to be uniform is checked.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program states to be uniform is checked."""

from __future__ import annotations

import numpy as np
import pytest
from coop_mlir import cpu

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
