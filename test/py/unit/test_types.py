# Type checkers and the public modules, and user code.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Type checkers accept the public modules and user code, and refuse wrong calls."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SOURCES = ROOT / "python"
PUBLIC = ("__init__", "_options", "_register", "api", "compile", "errors", "_compile/result")
CHECKED = [
    ROOT / "test/py/typing/user_code.py",
    SOURCES / "cuda/coop/__init__.py",
    *(SOURCES / "coop_mlir" / f"{name}.py" for name in PUBLIC),
]


def test_the_package_says_that_it_is_typed():
    assert (SOURCES / "coop_mlir" / "py.typed").exists()


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_mypy(tmp_path):
    options = ["--strict", "--explicit-package-bases", "--follow-imports=silent"]
    options += ["--python-version=3.10", "--no-error-summary", f"--cache-dir={tmp_path}"]
    check([sys.executable, "-m", "mypy", *options, *map(str, CHECKED)], MYPYPATH=str(SOURCES))


PYRIGHT = shutil.which("pyright") or shutil.which("basedpyright")


@pytest.mark.skipif(PYRIGHT is None, reason="pyright is not installed")
def test_pyright(tmp_path):
    settings = {
        "include": list(map(str, CHECKED)),
        "extraPaths": [str(SOURCES)],
        "typeCheckingMode": "standard",
        "pythonVersion": "3.10",
        "reportUnnecessaryTypeIgnoreComment": "error",
    }
    path = tmp_path / "pyrightconfig.json"
    path.write_text(json.dumps(settings))
    check([PYRIGHT, "-p", str(path), "--pythonpath", sys.executable])


def check(command, **environment):
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | environment, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr
