# The room that reads Numba kernels and emits coop IR.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The room that reads Numba kernels and emits coop IR.

``host`` is the only module that touches what is private in numba-cuda-mlir.
"""
