# Registration with numba-cuda-mlir.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Registration with numba-cuda-mlir."""

from __future__ import annotations

import importlib
import importlib.util
import re
import threading
import warnings

from ..errors import CoopWarning

OLDEST = (0, 5)
NEWEST = (0, 6)
SUPPORTED = "numba-cuda-mlir 0.5.x and 0.6.x"
_INSTALL = 'install the extra for your CUDA: pip install "coop-mlir[cu13]" (or [cu12])'

_lock = threading.RLock()
_registered = False


def register() -> None:
    """Extend numba-cuda-mlir, once for the process.

    Raises
    ------
    ImportError
        When it is not installed or older than what is supported.
    """
    global _registered
    with _lock:
        if _registered:
            return
        check_version(_version())
        for module in ("host", "typing", "lowering", "planner"):
            importlib.import_module(f"{__package__}.{module}")
        importlib.import_module(f"{__package__}.host").install()
        _registered = True


def check_version(version: str) -> None:
    """Refuse a `version` that is too old; warn of one that is unknown."""
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    if numbers < OLDEST:
        raise ImportError(
            f"numba-cuda-mlir {version} is not supported; {SUPPORTED} are. {_INSTALL}"
        )
    if numbers > NEWEST:
        warnings.warn(
            f"numba-cuda-mlir {version} is newer than what coop was checked with ({SUPPORTED})",
            CoopWarning,
            stacklevel=2,
        )


def _version() -> str:
    """Return the version of the host that is installed."""
    if importlib.util.find_spec("numba_cuda_mlir") is None:
        raise ImportError(
            f"numba-cuda-mlir is not installed; {SUPPORTED} are supported. {_INSTALL}"
        )
    return importlib.import_module("numba_cuda_mlir").__version__
