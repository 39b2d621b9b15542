# The index dialect.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The index dialect: what it doesn't share with arith."""

from __future__ import annotations

import re

from ..registry import pure
from ..values import uniform
from .arith import _INTEGER_PREDICATES

_PREDICATES = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]


@pure("index.cmp")
def _compare(op):
    name = re.search(r"\w+(?=\W*$)", str(op.attributes["pred"])).group()
    return _INTEGER_PREDICATES[_PREDICATES.index(name)]


@pure("index.sizeof")
def _size(op):
    return lambda: uniform(64, "i8")
