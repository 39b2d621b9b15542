# Does a reader's print of a text still say everything that the text said?
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare a text with what its reader printed back.

A module that one MLIR prints in generic form with locations, and another reads
and prints again, comes out as the same characters if and only if the reader
kept every operation, operand, attribute, property, type, successor, region and
location: the generic form shows them all, both printers number values and
aliases alike, and both sort attributes by name. So a comparison of strings
replaces a walk over the operations, which from Python would cost 50 times more.
Only when the strings differ are the lines taken apart, to name what was lost.

Two differences are no loss. A reader may print *more* properties than it was
given (its defaults, which the writer has no word for). And our MLIR knows the
``coop`` operations, the host doesn't: what the host holds as plain attributes,
``{size = 1 : i64}``, comes back as properties, ``<{size = 1 : i64}>``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from coop_mlir.errors import SourceLocation

__all__ = ["Loss", "first_loss"]

_OPERATION = re.compile(r'^\s*(?:%[\w:#, %]+ = )?"([\w.$-]+)"\(')
_LOCATION_ALIAS = re.compile(r"(#loc\d*)\b")
_FILE_LOCATION = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_OPENERS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_CLOSERS = frozenset(_OPENERS.values())
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|->|[()\[\]{}<>,]|[^"()\[\]{}<>,-]+|-')


@dataclass(frozen=True)
class Loss:
    """The first thing that a reader did not keep.

    Attributes
    ----------
    operation : str
        The operation's name, empty when the line belongs to none.
    detail : str
        The attribute that is missing, or both versions of the line.
    line : int
        1-based line of the text that was sent.
    location : SourceLocation, optional
        Where the user wrote what became the operation.
    """

    operation: str
    detail: str
    line: int
    location: SourceLocation | None = None

    def __str__(self) -> str:
        where = f"of '{self.operation}' " if self.operation else ""
        return f"{self.detail} {where}(line {self.line} of the module's text)"


def first_loss(
    sent: str, printed: str, same: Callable[[str, str], bool] = str.__eq__
) -> Loss | None:
    """Return what a reader lost of a text, or None.

    Parameters
    ----------
    sent : str
        The module's text in generic form with locations.
    printed : str
        The reader's own print of it.
    same : callable, optional
        Whether two spellings of a ``coop`` attribute mean the same.
    """
    if sent == printed:
        return None
    sent_lines, printed_lines = sent.splitlines(), printed.splitlines()
    for number, line in enumerate(sent_lines):
        other = printed_lines[number] if number < len(printed_lines) else ""
        detail = "" if line == other else _line_loss(line, other, same)
        if detail:
            owner, place = _owner(sent_lines, number), _location(sent_lines, line)
            return Loss(owner, detail, number + 1, place)
    if len(printed_lines) > len(sent_lines):
        extra = printed_lines[len(sent_lines)].strip()
        return Loss("", f"the reader added '{extra}'", len(sent_lines))
    return None


def _owner(lines: list[str], number: int) -> str:
    """The operation that a line belongs to.

    The attributes of an operation with regions stand after the last region, on
    the line that closes it: indentation says whose they are.
    """
    line = lines[number]
    indent = _indent(line)
    candidates = [line]
    if line.startswith("})", indent):
        candidates += (it for it in reversed(lines[:number]) if _indent(it) == indent)
    return next((match[1] for match in map(_OPERATION.match, candidates) if match), "")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _location(lines: list[str], line: str) -> SourceLocation | None:
    """The first place in a file that a line's location leads to."""
    place = line[line.rfind(" loc(") :] if " loc(" in line else ""
    while place:
        found = _FILE_LOCATION.search(place)
        if found:
            return SourceLocation(found[1], int(found[2]), int(found[3]))
        alias = _LOCATION_ALIAS.search(place)
        head = f"{alias[1]} = " if alias else None
        place = next((it[len(head) :] for it in lines if head and it.startswith(head)), "")
    return None


def _line_loss(sent: str, printed: str, same: Callable[[str, str], bool]) -> str:
    """Say what a line lost; empty when the difference is no loss."""
    before, after = _Parts.of(sent), _Parts.of(printed)
    if before.frame != after.frame:
        return f"'{sent.strip()}' came back as '{printed.strip()}'"
    known = after.properties | after.attributes
    is_coop = _is_coop(sent)
    for name, value in (before.properties | before.attributes).items():
        if name not in known:
            return f"the attribute '{_entry(name, value)}' was dropped"
        if value != known[name] and not (is_coop and same(value, known[name])):
            return f"the attribute '{_entry(name, value)}' became '{_entry(name, known[name])}'"
    if is_coop:
        return ""
    moved = before.attributes.keys() ^ after.attributes.keys()
    return f"the attribute '{min(moved)}' moved into or out of the properties" if moved else ""


def _is_coop(line: str) -> bool:
    match = _OPERATION.match(line)
    return bool(match) and match[1].startswith("coop.")


def _entry(name: str, value: str) -> str:
    return f"{name} = {value}" if value else name


@dataclass(frozen=True)
class _Parts:
    """A line of generic form: its attributes, and the frame around them."""

    frame: str
    properties: dict[str, str]
    attributes: dict[str, str]

    @classmethod
    def of(cls, line: str) -> _Parts:
        frame, properties, attributes = [], {}, {}
        for part in _top_level(line):
            if part.startswith("<{") and part.endswith("}>"):
                properties = _entries(part[2:-2])
            elif part.startswith("{") and part.endswith("}"):
                attributes = _entries(part[1:-1])
            else:
                frame.append(part.strip())
        return cls(" ".join(filter(None, frame)), properties, attributes)


def _top_level(text: str) -> Iterator[str]:
    """Split a text at its outermost brackets; they stay around their part."""
    depth, part = 0, ""
    for token in _TOKEN.findall(text):
        if token in _OPENERS:
            if depth == 0 and part:
                yield part
                part = ""
            depth += 1
        part += token
        if token in _CLOSERS:
            depth = max(depth - 1, 0)
            if depth == 0:
                yield part
                part = ""
    if part:
        yield part


def _entries(text: str) -> dict[str, str]:
    """Take the inside of an attribute dictionary apart."""
    entries, depth, entry = {}, 0, ""
    for token in (*_TOKEN.findall(text), ","):
        depth += (token in _OPENERS) - (token in _CLOSERS)
        if token == "," and depth == 0:
            name, _, value = entry.strip().partition(" = ")
            entries[name] = value
            entry = ""
        else:
            entry += token
    return entries
