# The llvm dialect: no builders.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The llvm dialect has no builders here; with this module the bindings look for them only once."""
