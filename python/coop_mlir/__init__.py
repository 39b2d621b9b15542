# Cooperative primitives for GPU kernels written in Python.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cooperative primitives for GPU kernels written in Python.

Importing this package needs no GPU, no driver and no kernel compiler. When
``numba_cuda_mlir`` is already imported the backend registers by itself; in any
other order call :func:`register`. The environment variable
``CUDA_COOP_DISABLE_AUTO_DSL_REGISTRATION`` turns the automatic part off.
"""

from ._options import options
from ._register import auto_register, register
from .api import (
    Group,
    TempStorage,
    TempStorageLike,
    ThreadData,
    ThreadDataLike,
    load,
    store,
    this_block,
    this_warp,
    uniform,
)
from .compile import CompileResult, compile
from .errors import (
    CoopError,
    CoopInternalError,
    CoopParticipationError,
    CoopParticipationWarning,
    CoopProviderError,
    CoopStorageError,
    CoopTypingError,
    CoopWarning,
    Note,
    SourceLocation,
)

__version__ = "0.1.0"

__all__ = [
    "CompileResult",
    "CoopError",
    "CoopInternalError",
    "CoopParticipationError",
    "CoopParticipationWarning",
    "CoopProviderError",
    "CoopStorageError",
    "CoopTypingError",
    "CoopWarning",
    "Group",
    "Note",
    "SourceLocation",
    "TempStorage",
    "TempStorageLike",
    "ThreadData",
    "ThreadDataLike",
    "compile",
    "load",
    "options",
    "register",
    "store",
    "this_block",
    "this_warp",
    "uniform",
]

auto_register()
