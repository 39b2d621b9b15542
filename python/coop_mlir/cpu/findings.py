# What the checker reports.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the checker reports, and where a module's operations come from."""

from __future__ import annotations

from ..errors import CoopError, Note, SourceLocation

__all__ = ["CoopCheckError", "Note", "SourceLocation", "UnsupportedError", "source_of"]


class CoopCheckError(CoopError):
    """A fault of a kernel that its run on the CPU brought to light.

    Attributes
    ----------
    kind : str
        One of ``participation``, ``uniformity``, ``bounds``, ``valid_items``,
        ``unwritten``, ``race``, ``hang``, ``assertion`` and ``trap``.
    """

    def __init__(self, kind, message, location=None, notes=()):
        super().__init__(message, location, notes)
        self.kind = kind


class UnsupportedError(CoopError):
    """An operation or a type that the CPU target doesn't know."""


def source_of(location) -> SourceLocation | None:
    """Return the file and line of an MLIR location, None when it has none.

    A call site is where the called code was written; a fused location is its
    first part with a line.
    """
    if location.is_a_file():
        return SourceLocation(location.filename, location.start_line, location.start_col)
    if location.is_a_name():
        return source_of(location.child_loc)
    if location.is_a_callsite():
        return source_of(location.callee)
    if location.is_a_fused():
        return next(filter(None, map(source_of, location.locations)), None)
    return None
