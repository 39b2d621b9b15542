# Disassembles cubins with NVIDIA's tools.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SASS of a cubin, through nvdisasm or cuobjdump of a package or the PATH."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from coop_mlir.errors import CoopError

__all__ = ["find_disassembler", "sass"]

_TOOLS = {
    "nvdisasm": (("nvidia-cuda-nvdisasm", "nvidia-cuda-nvcc-cu12"), ("-c",)),
    "cuobjdump": (("nvidia-cuda-cuobjdump",), ("--dump-sass",)),
}


def sass(cubin: bytes) -> str:
    """Return the SASS of a cubin.

    Raises
    ------
    CoopError
        When no disassembler is found, or when it refuses the cubin.
    """
    tool, options = find_disassembler()
    with tempfile.TemporaryDirectory(prefix="coop-") as folder:
        path = Path(folder, "kernel.cubin")
        path.write_bytes(cubin)
        done = subprocess.run([tool, *options, path], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CoopError(f"'{tool}' could not disassemble the cubin: {done.stderr.strip()}")
    return done.stdout


def find_disassembler() -> tuple[str, tuple[str, ...]]:
    """Return the path of a disassembler and its options.

    Raises
    ------
    CoopError
        When there is none; the message names what to install.
    """
    for name, (packages, options) in _TOOLS.items():
        for candidate in _candidates(name, packages):
            if os.access(candidate, os.X_OK):
                return candidate, options
    raise CoopError(
        "found no disassembler (nvdisasm or cuobjdump) in the installed packages, on the PATH or below CUDA_PATH; "
        "install 'nvidia-cuda-nvdisasm' (the extra 'coop-mlir[test]' brings it)"
    )


def _candidates(name: str, packages: tuple[str, ...]) -> Iterator[str]:
    for package in packages:
        yield from _in_package(name, package)
    yield shutil.which(name) or ""
    for root in filter(None, map(os.environ.get, ("CUDA_PATH", "CUDA_HOME", "CUDA_ROOT"))):
        yield os.path.join(root, "bin", name)


def _in_package(name: str, package: str) -> Iterator[str]:
    try:
        files = metadata.distribution(package).files or ()
    except metadata.PackageNotFoundError:
        return
    yield from (
        str(file.locate()) for file in files if file.stem == name and file.parent.name == "bin"
    )
