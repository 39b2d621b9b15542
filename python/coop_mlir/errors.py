# The exceptions that coop raises, with the user's source line.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions of coop and the source locations that they carry."""

from __future__ import annotations

import linecache
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = [
    "CoopError",
    "CoopInternalError",
    "CoopParticipationError",
    "CoopParticipationWarning",
    "CoopProviderError",
    "CoopStorageError",
    "CoopTypingError",
    "CoopWarning",
    "Note",
    "SourceLocation",
]


@dataclass(frozen=True)
class SourceLocation:
    """A place in the user's source.

    Attributes
    ----------
    filename : str
        Path of the Python (or MLIR) file.
    line : int
        1-based line number.
    column : int
        1-based column, 0 when unknown.
    """

    filename: str
    line: int
    column: int = 0

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}"

    @property
    def source(self) -> str:
        """The stripped source text of the line, empty when it can't be read."""
        return linecache.getline(self.filename, self.line).strip()

    def quoted(self, indent: str = "    ") -> str:
        """Return the place and, below it, its source text."""
        text = self.source
        return f"{self}\n{indent}{text}" if text else str(self)


@dataclass(frozen=True)
class Note:
    """A remark that explains an error: a message and where it points."""

    message: str
    location: SourceLocation | None = None

    def __str__(self) -> str:
        if self.location is None:
            return f"note: {self.message}"
        return f"note: {self.message}\n  at {self.location.quoted()}"


class CoopError(Exception):
    """Base of all errors that coop raises.

    Parameters
    ----------
    message : str
        What is wrong, with the number and its bound, then the remedy.
    location : SourceLocation, optional
        The user's line that is at fault.
    notes : sequence of Note, optional
        The causes, each at its own line.
    """

    def __init__(
        self,
        message: str,
        location: SourceLocation | None = None,
        notes: Iterable[Note] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.location = location
        self.notes = tuple(notes)

    def __str__(self) -> str:
        head = self.message
        if self.location is not None:
            head = f"{head}\n  at {self.location.quoted()}"
        return "\n".join([head, *map(str, self.notes)])


class CoopTypingError(CoopError, TypeError):
    """A cooperative call whose arguments can't be accepted."""


class CoopParticipationError(CoopError):
    """A cooperative call that some threads of its group skip, or, in strict mode, may skip."""


class CoopStorageError(CoopError):
    """A shared-memory request that can't be met."""


class CoopProviderError(CoopError):
    """The CUDA compiler or its headers failed or were not found.

    Attributes
    ----------
    log : str
        The compiler's log, empty when there is none.
    """

    def __init__(
        self,
        message: str,
        location: SourceLocation | None = None,
        notes: Iterable[Note] = (),
        log: str = "",
    ) -> None:
        super().__init__(message, location, notes)
        self.log = log

    def __str__(self) -> str:
        text = super().__str__()
        return f"{text}\n{self.log}" if self.log else text


class CoopInternalError(CoopError):
    """A fault of coop itself, never the user's.

    Attributes
    ----------
    ir : str
        The module that was being compiled.
    """

    def __init__(
        self,
        message: str,
        location: SourceLocation | None = None,
        notes: Iterable[Note] = (),
        ir: str = "",
    ) -> None:
        super().__init__(message, location, notes)
        self.ir = ir


class CoopWarning(UserWarning):
    """Base of the warnings that coop gives at compile time."""


class CoopParticipationWarning(CoopWarning):
    """A cooperative call whose participation can't be proved."""
