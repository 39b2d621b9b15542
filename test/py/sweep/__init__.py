# The sweep over all parameters of load and store.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sweep over all parameters of load and store: every case is right, or a documented error.

`space` says which kernels there are, `tables` which cases a launch of one has and what NumPy says
they do, `oracle` which combinations are refused and by which rule, `kernels` makes the kernels, and
`run` runs them on the CPU or on a GPU.
``python -m sweep`` in this folder's parent prints a summary and writes it as JSON.
"""
