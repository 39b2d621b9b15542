# What the checker reports.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the checker reports."""

from __future__ import annotations

from .._compile.diagnostics import source_location as source_of
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
