# Real kernels cross to our MLIR and back, and give the same PTX.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each module of the corpus travels there and back with no pass in between."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("numba_cuda_mlir")
own_ir = pytest.importorskip("coop_mlir.ir")

from coop_mlir._compile import bridge  # noqa: E402
from coop_mlir._compile._context import own_context  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from corpus import CORPUS  # noqa: E402
from corpus.host import emit, host_context, to_ptx  # noqa: E402

MINIMUM = 200

_seen: dict[str, str] = {}


def through_ours(text: str) -> str:
    with own_context():
        return bridge.print_module(own_ir.Module.parse(text))


def without_locations(module) -> str:
    with host_context():
        return str(module)


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case.name)
def test_there_and_back(case):
    emitted = emit(case)
    before = bridge.print_module(emitted.module)
    _seen[case.name] = without_locations(emitted.module)

    exported = bridge.export_module(emitted.module)
    returned = bridge.import_module(through_ours(exported.text), exported)

    assert bridge.print_module(returned) == before
    ptx = to_ptx(emitted.module, emitted.target_options)
    assert to_ptx(returned, emitted.target_options) == ptx


def test_names_are_unique():
    assert len({case.name for case in CORPUS}) == len(CORPUS)


def test_the_corpus_is_large():
    """Counts distinct modules, not cases; needs the tests above in this process."""
    if len(_seen) < len(CORPUS):
        pytest.skip(f"only {len(_seen)} of {len(CORPUS)} cases ran in this process")
    assert len(set(_seen.values())) >= MINIMUM
