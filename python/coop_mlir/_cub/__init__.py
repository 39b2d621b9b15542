# CUB: from the CUDA text of the wrappers to LTO-IR and scratch layouts.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA headers, NVRTC, the cache of compiled wrappers, and the disassemblers."""
