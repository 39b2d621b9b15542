# Console scripts.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Console scripts: they run the tools that lie beside the library."""

import os
import sys
from importlib.util import find_spec


def coop_opt():
    """Run ``coop-opt``, the optimizer driver."""
    _run("coop-opt")


def coop_translate():
    """Run ``coop-translate``, which prints CUDA C++."""
    _run("coop-translate")


def _run(tool):
    path = _find(tool)
    if os.name == "nt":
        import subprocess

        sys.exit(subprocess.call([path, *sys.argv[1:]]))
    os.execv(path, [tool, *sys.argv[1:]])


def _find(tool):
    """Return the tool's path; an editable install has it elsewhere than this file."""
    for directory in find_spec("coop_mlir").submodule_search_locations:
        path = os.path.join(directory, "_mlir_libs", tool)
        if os.path.exists(path):
            return path
    raise FileNotFoundError(f"{tool} is not part of this installation of coop_mlir")
