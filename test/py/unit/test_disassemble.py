# Which disassembler is taken, and what is said when there is none.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which disassembler is taken, and what is said when there is none."""

from __future__ import annotations

import os

import pytest
from coop_mlir import CoopError
from coop_mlir._cub import disassemble

pytestmark = pytest.mark.skipif(os.name == "nt", reason="writes shell scripts")


@pytest.fixture(autouse=True)
def nothing_installed(monkeypatch, tmp_path):
    monkeypatch.setattr(disassemble, "_in_package", lambda name, package: iter(()))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    for name in ("CUDA_PATH", "CUDA_HOME", "CUDA_ROOT"):
        monkeypatch.delenv(name, raising=False)


def tool(path, script: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_none_names_what_to_install():
    with pytest.raises(CoopError, match="install 'nvidia-cuda-nvdisasm'"):
        disassemble.sass(b"")


def test_the_path_comes_before_the_toolkit(monkeypatch, tmp_path):
    tool(tmp_path / "toolkit/bin/nvdisasm", "echo toolkit")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "toolkit"))
    assert disassemble.sass(b"") == "toolkit\n"
    tool(tmp_path / "path/nvdisasm", "echo path")
    assert disassemble.sass(b"") == "path\n"


def test_cuobjdump_does_too(tmp_path):
    tool(tmp_path / "path/cuobjdump", 'echo "$1"')
    assert disassemble.sass(b"") == "--dump-sass\n"


def test_a_refusal_carries_the_reason(tmp_path):
    tool(tmp_path / "path/nvdisasm", "echo 'not a cubin' >&2; exit 1")
    with pytest.raises(CoopError, match="could not disassemble the cubin: not a cubin"):
        disassemble.sass(b"")
