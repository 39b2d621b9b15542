# The room that takes a module through coop's passes.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The room that takes a module through coop's passes."""
