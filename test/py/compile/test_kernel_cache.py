# @cuda.jit(cache=True): a second process loads, and compiles nothing.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``@cuda.jit(cache=True)``: a second process loads, and compiles nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("numba_cuda_mlir")

from coop_mlir._cub import provider
from coop_mlir._numba import host_cache
from coop_mlir._numba.host_cache import LAUNCH_CONFIG
from coop_mlir._numba.host_launch import AnyGrid
from coop_mlir._options import OPTIONS as STATED
from coop_mlir._options import Options
from numba_cuda_mlir import tools

PROGRAM = """
import hashlib, json, os, sys

sys.path.insert(0, {here!r})
from launches import Array, counted, no_driver

import coop_mlir as coop
from coop_mlir._compile.pipeline import Lowered
from numba_cuda_mlir import cuda, mlir_compiler

coop.register("numba-cuda-mlir")
Lowered.dynamic_bytes = 60000
front_ends, compile_mlir = [], mlir_compiler.compile_mlir


def counting(**options):
    front_ends.append(options["args"])
    return compile_mlir(**options)


mlir_compiler.compile_mlir = counting
with no_driver() as launches, counted() as passes:

    @cuda.jit(cache=True)
    def copy(src, dst, k):
        items = coop.ThreadData(k)
        coop.load(coop.this_block(), src, items)
        coop.store(coop.this_block(), dst, items)

    @cuda.jit(cache=True)
    def fixed(src, dst):
        items = coop.ThreadData(2)
        coop.load(coop.this_block(), src, items)
        coop.store(coop.this_block(), dst, items)

    @coop.options(keep_user_barriers="KEEP_BARRIERS" not in os.environ)
    @cuda.jit(cache=True)
    def stated(src, dst):
        coop.load(coop.this_block(), src, coop.ThreadData(2))
        cuda.syncthreads()

    @cuda.jit(cache=True)
    def plain(src, dst):
        dst[cuda.grid(1)] = src[cuda.grid(1)]

    a = Array()
    for launch in sys.argv[1:]:
        eval(launch)
    result = dict(
        passes=len(passes),
        front_ends=len(front_ends),
        cubins=[hashlib.sha256(one.cubin).hexdigest() for one in launches],
        bytes=[one.sharedmem for one in launches],
        plain_hits=sum(plain.stats.cache_hits.values()),
    )
    print(json.dumps(result))
"""

FIXED = "fixed[1, 64](a, a)"
ANOTHER_GRID = "fixed[9, 64](a, a)"
ANOTHER_BLOCK = "fixed[1, 128](a, a)"
COPY = "copy[1, 64](a, a, 4)"
PLAIN = "plain[1, 64](a, a)"


@pytest.fixture
def run(tmp_path):
    """Return a function that makes launches in a process of their own."""
    path = tmp_path / "program.py"
    text = PROGRAM.format(here=str(Path(__file__).parent))
    path.write_text(text)

    def run(*launches, **environment):
        done = subprocess.run(
            [sys.executable, str(path), *launches],
            capture_output=True,
            text=True,
            env=os.environ | environment,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def test_C6_a_second_process_compiles_nothing(run, tmp_path):
    launches = FIXED, ANOTHER_BLOCK, COPY, PLAIN
    first = run(*launches)
    assert first["passes"] == 3 and first["front_ends"] == 5  # one asked for the value of k
    dump = tmp_path / "dump"
    second = run(*launches, ANOTHER_GRID, CUDA_COOP_SOURCE_DUMP_DIR=str(dump))
    assert second["passes"] == second["front_ends"] == 0 and second["plain_hits"] == 1
    assert second["cubins"] == [*first["cubins"], first["cubins"][0]]
    assert second["bytes"] == [60000, 60000, 60000, 0, 60000]
    assert len(list(dump.glob("*.cu"))) == 3  # C2: on cache hits too


# ---------------------------------------------------------------------------
# Keys
# ---------------------------------------------------------------------------

OPTIONS = {
    "chip": "sm_90",
    "cache": True,
    "debug": False,
    LAUNCH_CONFIG: {"grid": AnyGrid((1, 1, 1)), "block": (64, 1, 1), "sharedmem": 0},
}


@pytest.fixture(autouse=True)
def cc(monkeypatch):
    monkeypatch.setattr(tools, "_cached_cc", (9, 0))


def function():
    pass


def key(**options):
    codegen = SimpleNamespace(magic_tuple=lambda: ("codegen",))
    return host_cache._Cache(function, {**OPTIONS, **options})._index_key("signature", codegen)


def launch(**facts):
    return {LAUNCH_CONFIG: {**OPTIONS[LAUNCH_CONFIG], **facts}}


@pytest.mark.parametrize(
    "options",
    [
        {"chip": "sm_80"},
        {"debug": True},
        {"fastmath": True},
        {STATED: Options(participation="strict")},
        {STATED: Options(keep_user_barriers=False)},
        {STATED: Options(check_assumptions=True)},
        launch(block=(128, 1, 1)),
        launch(sharedmem=16),
        launch(cluster=(2, 1, 1)),
        launch(grid=(1, 1, 1)),
    ],
    ids=str,
)
def test_C5_the_key_holds_the_options_and_the_launch(options):
    assert key(**options) != key()


def test_C5_another_option_compiles_again(run):
    launch = "stated[1, 64](a, a)"
    assert run(launch)["passes"] == 1
    assert run(launch, KEEP_BARRIERS="no")["passes"] == 1
    assert run(launch)["passes"] == run(launch, KEEP_BARRIERS="no")["passes"] == 0


def test_C5_the_key_holds_no_grid_that_does_not_count():
    assert key(**launch(grid=AnyGrid((7, 1, 1)))) == key()


def test_C5_the_key_holds_what_options_come_to():
    stated = Options(participation="warn", keep_user_barriers=True, check_assumptions=False)
    assert key(**{STATED: stated}) == key()


def test_C5_the_key_holds_the_headers(monkeypatch):
    before = key()
    monkeypatch.setattr(provider, "identity", lambda: ("other headers",))
    assert key() != before


def test_C5_the_key_holds_our_files(monkeypatch):
    before = key()
    monkeypatch.setattr(host_cache, "_own_identity", lambda: "another version")
    assert key() != before
