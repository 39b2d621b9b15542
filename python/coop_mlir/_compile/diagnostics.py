# Diagnostics of our MLIR as Python objects.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagnostics of our MLIR as Python objects with the user's source lines."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..errors import (
    CoopError,
    CoopParticipationError,
    CoopParticipationWarning,
    CoopStorageError,
    CoopTypingError,
    CoopWarning,
    Note,
    SourceLocation,
)

__all__ = ["Diagnostic", "collecting", "source_location", "to_error", "warn"]


@dataclass(frozen=True)
class Diagnostic:
    """What a pass said.

    Attributes
    ----------
    severity : str
        ``error``, ``warning`` or ``remark``.
    stage : str
        The stage of the pipeline that said it.
    message : str
        The text.
    location : SourceLocation or None
        The user's line.
    notes : tuple of Note
        The causes, each at its own line.
    """

    severity: str
    stage: str
    message: str
    location: SourceLocation | None
    notes: tuple[Note, ...] = ()

    @classmethod
    def of(cls, diagnostic: Any, stage: str) -> Diagnostic:
        """Make one of a diagnostic of the bindings."""
        return cls(
            severity=str(diagnostic.severity).rpartition(".")[2].lower(),
            stage=stage,
            message=diagnostic.message,
            location=source_location(diagnostic.location),
            notes=tuple(
                Note(note.message, source_location(note.location))
                for note in diagnostic.notes
                if not note.message.startswith("see current operation")
            ),
        )

    def __str__(self) -> str:
        place = "" if self.location is None else f"{self.location}: "
        return "\n".join([f"{place}{self.severity}: {self.message}", *map(str, self.notes)])


def source_location(location: Any) -> SourceLocation | None:
    """Return the file and line of a location of our MLIR, None if it has none."""
    if location.is_a_file():
        return SourceLocation(location.filename, location.start_line, location.start_col)
    for inner in _inner_locations(location):
        if (found := source_location(inner)) is not None:
            return found
    return None


def _inner_locations(location: Any) -> list:
    if location.is_a_name():
        return [location.child_loc]
    if location.is_a_callsite():
        return [location.callee, location.caller]
    if location.is_a_fused():
        return list(location.locations)
    return []


@contextmanager
def collecting(context: Any, stage: str, into: list[Diagnostic]) -> Iterator[None]:
    """Collect what the passes say in the body that is no error.

    An exception in the collector, such as an interrupt, is raised when the body has ended: the
    bindings would print it and go on.
    """
    stopped: list[BaseException] = []

    def take(diagnostic: Any) -> bool:
        try:
            into.append(Diagnostic.of(diagnostic, stage))
        except BaseException as error:
            stopped.append(error)
        return True

    handler = context.attach_diagnostic_handler(take)
    try:
        yield
    finally:
        handler.detach()
    if stopped:
        raise stopped[0]


# Whose fault an error of a stage is; of the others it is ours.
_KINDS: dict[str, type[CoopError]] = {
    "check-participation": CoopParticipationError,
    "plan-shared-memory": CoopStorageError,
}


def to_error(diagnostic: Diagnostic) -> CoopError | None:
    """Return the exception that stands for an error of a pass, None for a fault of ours.

    What an operation of coop refuses once constants are folded, such as too many valid items, is
    the program's fault.
    """
    kind = _KINDS.get(diagnostic.stage)
    if diagnostic.stage == "normalize" and diagnostic.message.startswith("'coop."):
        kind = CoopTypingError
    return kind and kind(diagnostic.message, diagnostic.location, diagnostic.notes)


def warn(diagnostic: Diagnostic) -> None:
    """Give the Python warning that stands for a warning of a pass, at the user's line."""
    participation = diagnostic.stage == "check-participation"
    category = CoopParticipationWarning if participation else CoopWarning
    text = "\n".join([diagnostic.message, *map(str, diagnostic.notes)])
    if diagnostic.location is None:
        warnings.warn(text, category, stacklevel=2)
    else:
        place = diagnostic.location
        warnings.warn_explicit(text, category, place.filename, place.line)
