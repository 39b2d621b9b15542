# Attributes of the host's MLIR that ours can't read, and their stand-ins.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Swap the debug-info attributes of a module's text for stand-ins, and back.

The two MLIRs print ``#llvm.di_*`` differently (fields come and go with each
release), and our passes never look into them. Their text therefore stays at
home: each definition that the host prints,

    #di_subprogram = #llvm.di_subprogram<id = distinct[1]<>, ...>

travels as a string with a number, ``#di_subprogram = "coop.foreign:7"``, and
comes back as the original. It works on the text because the printer gives each
such attribute an alias, defined on a line of its own: replacing those lines
costs microseconds, replacing the location of each operation milliseconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

__all__ = ["Foreign", "UnknownStandIn", "take_out"]

_DEFINITION = re.compile(r"^#(di_\w+) = (#llvm\.(di_\w+)(?:<.*>)?)$", re.M)
_STRING_OR_NAME = re.compile(r'"(?:[^"\\]|\\.)*"|#(\w+)|distinct\[(\d+)\]')

# Numbers of distinct attributes hold for one text; added to those of the
# originals, this keeps them apart from any that the rest of the text has.
_DISTINCT_BASE = 1_000_000

# Where an operation demands a certain kind of attribute, the stand-in is the
# smallest attribute of that kind that our MLIR accepts, with the name inside.
# (Those of global variables have none: our MLIR refuses such a module.)
_TYPED = {
    "di_local_variable": '#llvm.di_local_variable<scope = #llvm.di_file<"" in "">, name = {}>',
    "di_label": '#llvm.di_label<scope = #llvm.di_file<"" in "">, name = {}, line = 0>',
}

# Both MLIRs read and write these alike, and operations hold them inline.
_SHARED = frozenset({"di_expression", "di_expression_elem"})


class UnknownStandIn(ValueError):
    """A text names a stand-in that was never handed out."""


@dataclass(frozen=True)
class Foreign:
    """What was taken out of a text.

    Attributes
    ----------
    tag : str
        The start of each stand-in; it occurs nowhere else in the text.
    values : tuple of str
        The attributes taken out; a stand-in's number is its index.
    names : dict
        For each alias of the original text, its index in ``values``.
    """

    tag: str = ""
    values: tuple[str, ...] = ()
    names: dict[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.values)

    def put_back(self, text: str) -> str:
        """Return the text with each stand-in replaced by its original.

        Raises
        ------
        UnknownStandIn
            If the text holds a stand-in that isn't one of these.
        """
        if not self:
            return text
        text = self._typed().sub(lambda match: self._alias(match[1]), text)
        text = self._string().sub(lambda match: self._alias(match[1]), text)
        if self.tag in text:
            raise UnknownStandIn(f"a stand-in '{self.tag}' can't be put back")
        return self._definitions() + text

    def _typed(self) -> re.Pattern:
        """The right-hand side of an alias whose value is a typed stand-in."""
        kinds = "|".join(_TYPED)
        return re.compile(
            rf'(?<= = )#llvm\.(?:{kinds})<[^\n]*"{re.escape(self.tag)}:(\d+)"[^\n]*>$',
            re.M,
        )

    def _string(self) -> re.Pattern:
        return re.compile(rf'"{re.escape(self.tag)}:(\d+)"')

    def _alias(self, number: str) -> str:
        if int(number) >= len(self.values):
            raise UnknownStandIn(f"'{self.tag}:{number}' stands for nothing")
        return f"#coop_foreign_{number}"

    def _definitions(self) -> str:
        """The originals as alias definitions that can't clash with others."""
        return "".join(
            f"#coop_foreign_{index} = {_STRING_OR_NAME.sub(self._rename, value)}\n"
            for index, value in enumerate(self.values)
        )

    def _rename(self, match: re.Match) -> str:
        alias, distinct = match[1], match[2]
        if distinct:
            return f"distinct[{int(distinct) + _DISTINCT_BASE}]"
        return f"#coop_foreign_{self.names[alias]}" if alias in self.names else match[0]


def take_out(text: str) -> tuple[str, Foreign]:
    """Replace the debug-info attributes of a module's text by stand-ins.

    Returns
    -------
    text : str
        The text that our MLIR can read.
    foreign : Foreign
        What :meth:`Foreign.put_back` needs; false when nothing was taken out.
    """
    if "#llvm.di_" not in text:
        return text, Foreign()
    tag = _unused_tag(text)
    values: list[str] = []
    names: dict[str, int] = {}

    def replace(match: re.Match) -> str:
        alias, value, kind = match[1], match[2], match[3]
        if kind in _SHARED:
            return match[0]
        names[alias] = len(values)
        stand_in = _TYPED.get(kind, "{}").format(f'"{tag}:{len(values)}"')
        values.append(value)
        return f"#{alias} = {stand_in}"

    text = _DEFINITION.sub(replace, text)
    return text, Foreign(tag, tuple(values), names)


def _unused_tag(text: str) -> str:
    tag = "coop.foreign"
    while tag in text:
        tag += "_"
    return tag
