# The translator's CUDA C++ against that of the independent writer.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The translator's CUDA C++ against that of the independent writer."""

from __future__ import annotations

from itertools import product
from math import gcd

import cuda_wrappers
import pytest
from cuda_wrappers import BLOCK_ALGORITHMS, ITEMS, WARP_ALGORITHMS, Wrapper

pytest.importorskip("coop_mlir._mlir_libs._coop")

from coop_mlir import ir
from coop_mlir._compile._context import own_context
from coop_mlir._mlir_libs import _coop

SHAPES = [((128, 1, 1), 4), ((16, 4, 2), 3), ((1, 32, 4), 16)]
WIDTHS = (0, 32, 16, 8, 4, 2, 1)


def module(wrapper: Wrapper) -> str:
    """Return a module that wants one wrapper."""
    scope = (
        "block"
        if not wrapper.width
        else "warp"
        if wrapper.width == 32
        else f"warp, {wrapper.width}"
    )
    size, alignment = wrapper.size, wrapper.item.partition("a")[2]
    word = f"i{8 * gcd(size, 8)}"
    words = size // gcd(size, 8)
    group, vector = f"!coop.group<{scope}>", f"vector<{wrapper.items * words}x{word}>"
    default_type = word if words == 1 else f"vector<{words}x{word}>"
    memory = f"memref<?x{word}>"
    item = ""
    if alignment:
        memory = f"memref<?xi8, strided<[{size}], offset: ?>>"
        item = f" item(<{size}, {alignment}>)"
    valid = " valid(%n)" * wrapper.guarded
    if wrapper.collective == "load":
        default = f" default(%d : {default_type})" * wrapper.default
        op = f"%v = coop.load {wrapper.algorithm} %g, %m[%i]{valid}{default}{item} : {group}, {memory} -> {vector}"
    else:
        op = f"coop.store {wrapper.algorithm} %g, %p, %m[%i]{valid}{item} : {group}, {vector}, {memory}"
    shape = ", ".join(map(str, wrapper.dims))
    return f"""
gpu.module @m {{
  gpu.func @k(%m: {memory}, %p: {vector}, %i: index, %n: index, %d: {default_type}) kernel
      attributes {{gpu.known_block_size = array<i32: {shape}>}} {{
    %g = coop.group : {group}
    {op}
    gpu.return
  }}
}}"""


def wrappers(width: int) -> list[Wrapper]:
    forms = [
        ("load", False, False),
        ("load", True, False),
        ("load", True, True),
        ("store", False, False),
        ("store", True, False),
    ]
    return [
        Wrapper(collective, algorithm, item, items, dims, width, guarded, default)
        for algorithm, item, (dims, items), (collective, guarded, default) in product(
            WARP_ALGORITHMS if width else BLOCK_ALGORITHMS, ITEMS, SHAPES, forms
        )
    ]


def definitions(text: str) -> str:
    """Return a unit without its headers, which have a test of their own."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("#include"))


@pytest.mark.parametrize("width", WIDTHS)
def test_the_translator_prints_what_the_writer_writes(width):
    with own_context():
        for wrapper in wrappers(width):
            op = ir.Module.parse(module(wrapper)).operation
            assert definitions(_coop.cuda_source(op)) == definitions(
                cuda_wrappers.source([wrapper])
            )
            assert [tuple(probe) for probe in _coop.layout_probes(op)] == cuda_wrappers.probes(
                [wrapper]
            )


def test_every_unit_has_the_same_headers():
    """Else a precompiled header would serve few requests."""
    with own_context():
        for wrapper in (Wrapper("load", "direct"), Wrapper("store", "transpose", width=8)):
            text = _coop.cuda_source(ir.Module.parse(module(wrapper)).operation)
            assert text.startswith(cuda_wrappers.BANNER)
