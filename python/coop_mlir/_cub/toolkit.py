# The CUDA libraries in use and whether they and the headers belong together.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Identity of NVRTC and nvJitLink, and their fit with the headers.

The rule, `check`:

* the CUDA headers and NVRTC have the same major and minor version (CCCL itself refuses any other pair);
* nvJitLink has NVRTC's major version and is not older, for it has to read NVRTC's LTO-IR;
* CCCL is at least the first release for that CUDA major version: 2.0 for CUDA 12, 3.0 for CUDA 13. Each CCCL release supports a
  range of toolkits, so a newer one is fine.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

from coop_mlir.errors import CoopProviderError

from .headers import Headers, Version

__all__ = ["Toolkit", "check", "current"]

_OLDEST_CCCL = {12: (2, 0), 13: (3, 0)}


@dataclass(frozen=True)
class Toolkit:
    """The CUDA compiler libraries of this process.

    Attributes
    ----------
    nvrtc, nvjitlink : tuple of int
        Major and minor version.
    library : str
        Path, size and time of the NVRTC library, which tell builds of one version apart.
    """

    nvrtc: Version
    nvjitlink: Version
    library: str = ""

    @property
    def identity(self) -> tuple[str, ...]:
        return dotted(self.nvrtc), dotted(self.nvjitlink), self.library


@cache
def current() -> Toolkit:
    """Return the libraries that this process has loaded or would load.

    Raises
    ------
    CoopProviderError
        When cuda-bindings, NVRTC or nvJitLink is missing.
    """
    try:
        from cuda.bindings import nvjitlink, nvrtc

        status, *version = nvrtc.nvrtcVersion()
        if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            raise RuntimeError(f"nvrtcVersion failed: {status.name}")
        return Toolkit(tuple(version), tuple(nvjitlink.version()), _nvrtc_library())
    except (ImportError, RuntimeError, OSError) as error:
        raise CoopProviderError(
            "cuda-bindings with NVRTC and nvJitLink are needed to compile; "
            "install an extra of coop-mlir, 'coop-mlir[cu13]' or 'coop-mlir[cu12]'"
        ) from error


def _nvrtc_library() -> str:
    try:
        from cuda.pathfinder import load_nvidia_dynamic_lib

        path = load_nvidia_dynamic_lib("nvrtc").abs_path
        status = os.stat(path)
    except (ImportError, RuntimeError, OSError, TypeError):
        return ""  # the version alone has to do
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def check(headers: Headers, toolkit: Toolkit) -> None:
    """Raise a CoopProviderError, naming both sides, unless all belong together."""
    nvrtc = toolkit.nvrtc[:2]
    if headers.cuda_version != nvrtc:
        raise CoopProviderError(
            f"the CUDA headers in '{headers.cuda}' are {dotted(headers.cuda_version)} but NVRTC is {dotted(nvrtc)}; "
            "both must come from one toolkit"
        )
    linker = toolkit.nvjitlink[:2]
    if linker[0] != nvrtc[0] or linker < nvrtc:
        raise CoopProviderError(
            f"nvJitLink is {dotted(linker)} but NVRTC is {dotted(nvrtc)}; nvJitLink must have the same major version and "
            "not be older: take both from one toolkit"
        )
    oldest = _OLDEST_CCCL.get(nvrtc[0], max(_OLDEST_CCCL.values()))
    if headers.cccl_version < oldest:
        raise CoopProviderError(
            f"the CCCL headers in '{headers.cccl[0]}' are {dotted(headers.cccl_version)}; NVRTC {dotted(nvrtc)} needs "
            f"CCCL {dotted(oldest)} or later"
        )


def dotted(version: Version) -> str:
    """Return ``13.0`` for ``(13, 0)``."""
    return ".".join(map(str, version))
