# The name cuda.coop for the package coop_mlir: the same objects.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cooperative primitives for GPU kernels: the objects of :mod:`coop_mlir`."""

from coop_mlir import *  # noqa: F403
from coop_mlir import __all__, __version__  # noqa: F401
