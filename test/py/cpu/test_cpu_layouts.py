# The layouts of scratch are those that the CUDA compiler gives.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layouts of the reference semantics are those that the CUDA compiler gives for CUB's types."""

from __future__ import annotations

import cuda_wrappers
import pytest
from coop_mlir.cpu.stages import parse_name
from cuda_wrappers import Wrapper

pytest.importorskip("cuda.bindings.nvrtc")

from coop_mlir._cub import provider

ITEMS = ("b8", "b16", "b32", "b64", "b64a4", "b128a8", "b96a4", "b104a1", "b384a8")
COUNTS = (1, 3, 4, 5, 8, 16)
SCOPES = [
    ("transpose", (128, 1, 1), 0),
    ("warp_transpose", (64, 2, 1), 0),
    ("warp_transpose_timesliced", (128, 1, 1), 0),
    ("transpose", (24, 1, 1), 0),
    ("transpose", (128, 1, 1), 32),
    ("transpose", (128, 1, 1), 8),
    ("transpose", (128, 1, 1), 1),
]


def test_layouts():
    wrappers = [
        Wrapper("load", algorithm, item, items, dims, width, False, False)
        for algorithm, dims, width in SCOPES
        for item in ITEMS
        for items in COUNTS
    ]
    source, probes = cuda_wrappers.source(wrappers), cuda_wrappers.probes(wrappers)
    compiled = provider.compile_wrappers(source, probes, (9, 0))
    assert len(compiled.layouts) == len(wrappers)
    wrong = {
        name: (layout, parse_name(name).layout())
        for name, layout in compiled.layouts.items()
        if parse_name(name).layout() != tuple(layout)
    }
    assert not wrong
