# Real kernels cross to our MLIR and back, and give the same PTX.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each module of the corpus travels there and back, without and with our passes."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest

pytest.importorskip("numba_cuda_mlir")
own_ir = pytest.importorskip("coop_mlir.ir")

from coop_mlir._compile import bridge  # noqa: E402
from coop_mlir._compile._context import own_context  # noqa: E402
from coop_mlir._mlir_libs._coop import pipeline_stages  # noqa: E402
from coop_mlir.passmanager import PassManager  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from corpus import CORPUS  # noqa: E402
from corpus.host import Emitted, emit, host_context, to_ptx  # noqa: E402

BY_NAME = {case.name: case for case in CORPUS}
MINIMUM = 200

_seen: dict[str, str] = {}


@dataclass(frozen=True)
class Sent:
    """A case on its way: what the host had, and what went to our MLIR."""

    emitted: Emitted
    printed: str
    exported: bridge.ExportedText


@lru_cache(maxsize=1)
def send(name: str) -> Sent:
    """Compile a case to a module and export it; both tests of it use the answer."""
    emitted = emit(BY_NAME[name])
    with host_context():
        _seen[name] = str(emitted.module)
    return Sent(emitted, bridge.print_module(emitted.module), bridge.export_module(emitted.module))


def through_ours(text: str, pipelines: Iterable[str] = ()) -> str:
    with own_context():
        module = own_ir.Module.parse(text)
        for pipeline in pipelines:
            PassManager.parse(pipeline).run(module.operation)
        return bridge.print_module(module)


def one_test_each_way(test):
    """Both ways of a case in a row, so that they share one compilation."""
    ways = [(name, way) for name in BY_NAME for way in ("unchanged", "optimised")]
    return pytest.mark.parametrize("name, way", ways)(test)


@one_test_each_way
def test_there_and_back(name, way):
    sent = send(name)
    options = sent.emitted.target_options
    if way == "unchanged":
        returned = bridge.import_module(through_ours(sent.exported.text), sent.exported)
        assert bridge.print_module(returned) == sent.printed
        assert to_ptx(returned, options) == to_ptx(sent.emitted.module, options)
    else:
        text = through_ours(sent.exported.text, [passes for _, passes in pipeline_stages()])
        returned = bridge.import_module(text, sent.exported)
        assert b".visible .entry" in to_ptx(returned, options)


def test_names_are_unique():
    assert len({case.name for case in CORPUS}) == len(CORPUS)


def test_the_corpus_is_large():
    """Counts distinct modules, not cases; needs the tests above in this process."""
    if len(_seen) < len(CORPUS):
        pytest.skip(f"only {len(_seen)} of {len(CORPUS)} cases ran in this process")
    assert len(set(_seen.values())) >= MINIMUM
