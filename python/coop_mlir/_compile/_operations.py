# All operations of a module.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All operations of a module, for Python code that looks at each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["operations"]


def operations(op: Any) -> Iterator[Any]:
    """Yield an operation and all in its regions, in their order in the text.

    MLIR's own walk calls back from C++, where an interrupt turns into a RuntimeError. The
    attributes of what is yielded may change, and the operation itself may not go.
    """
    yield op
    for region in op.regions:
        for block in region:
            for inner in block:
                yield from operations(inner.operation)
