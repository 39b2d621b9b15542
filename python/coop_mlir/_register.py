# Registration of the kernel compilers that coop can extend.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Registration of the kernel compilers that coop can extend."""

from __future__ import annotations

import importlib
import os
import sys
import warnings

from .errors import CoopWarning

_BACKENDS = {"numba-cuda-mlir": "numba_cuda_mlir"}
_DISABLE = "CUDA_COOP_DISABLE_AUTO_DSL_REGISTRATION"
_FALSE = {"", "0", "false", "no", "off"}


def register(name: str) -> None:
    """Teach a kernel compiler the operations of coop.

    Safe to repeat, and in any order of imports.

    Parameters
    ----------
    name : str
        ``"numba-cuda-mlir"`` or ``"numba_cuda_mlir"``.

    Raises
    ------
    ValueError
        For a name that is not known.
    ImportError
        When the compiler is missing or its version is not supported.
    """
    if name.replace("_", "-") not in _BACKENDS:
        known = ", ".join(repr(backend) for backend in _BACKENDS)
        raise ValueError(f"unknown backend {name!r}; the known ones are {known}")
    importlib.import_module("coop_mlir._numba.register").register()


def auto_register() -> None:
    """Register each compiler that is already imported, unless disabled."""
    if os.environ.get(_DISABLE, "").strip().lower() not in _FALSE:
        return
    for name, module in _BACKENDS.items():
        if module not in sys.modules:
            continue
        try:
            register(name)
        except ImportError as error:
            warnings.warn(f"{name} was not registered: {error}", CoopWarning, stacklevel=3)
