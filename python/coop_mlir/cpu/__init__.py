# Kernels on a machine without a GPU.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run kernels on a machine without a GPU, under a checker that a GPU doesn't have.

:func:`launch` compiles a kernel as the GPU's way does and runs the module.
:func:`execute` runs the text of a module at any stage.
"""

from .execute import execute
from .findings import CoopCheckError, UnsupportedError
from .launch import launch

__all__ = ["CoopCheckError", "UnsupportedError", "execute", "launch"]
