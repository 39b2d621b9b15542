# Real Numba kernels, in families, that travel between the two MLIRs.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A corpus of Numba kernels; importing it registers every case."""

from . import (  # noqa: F401  (each module registers its cases)
    arithmetic,
    arrays,
    atomics,
    complex_numbers,
    control_flow,
    debug_info,
    device_functions,
    errors_and_printing,
    half_precision,
    integers,
    math_functions,
    records_and_tuples,
    shared_memory,
    synchronization,
    vector_types,
    warps,
)
from .registry import CORPUS, Case

__all__ = ["CORPUS", "Case"]
