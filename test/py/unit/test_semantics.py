# docs/semantics.md: every row has a proof that exists.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``docs/semantics.md``: every row has a proof that exists, or says that it has none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TESTS = ROOT / "test"
DOCUMENT = ROOT / "docs" / "semantics.md"
SIZES = {"R": 5, "G": 6, "T": 6, "L": 14, "P": 6, "S": 10, "C": 8, "H": 4}
NUMBERS = [f"{letter}{number}" for letter, size in SIZES.items() for number in range(1, size + 1)]


@dataclass(frozen=True)
class Row:
    number: str
    promise: str
    proofs: tuple[str, ...]
    not_yet: str


def rows() -> list[Row]:
    """Return the rows of the document's tables."""
    text = DOCUMENT.read_text().partition("## Only on a GPU")[0]
    lines = re.findall(r"^\| [A-Z]\d+ \|.*\|$", text, re.MULTILINE)
    cells = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    return [
        Row(number, promise, tuple(re.findall(r"`([^`]+)`", proofs)), not_yet)
        for number, promise, proofs, not_yet in cells
    ]


def gpu_rows() -> list[tuple[str, tuple[str, ...]]]:
    """Return the numbers of the table of what only a GPU shows, with the tests that it names."""
    text = DOCUMENT.read_text().split("## Only on a GPU", 1)[1].split("\n## ", 1)[0]
    cells = re.findall(r"^\| ([A-Z]\d+) \|.*\|(.*)\|$", text, re.MULTILINE)
    return [(number, tuple(re.findall(r"`([^`]+)`", names))) for number, names in cells]


def runtime_tests() -> list[str]:
    """Return the tests that need a GPU, as ``file::test``."""
    return [
        f"{path.stem}::{name}"
        for path in sorted((TESTS / "py" / "runtime").glob("test_*.py"))
        for name in _functions(path, "test_")
    ]


def proofs() -> Iterator[str]:
    """Yield the names of all tests and cases, in the forms that the document uses."""
    for path in (TESTS / "py").rglob("test_*.py"):
        yield from _functions(path, "test_")
    for path in (TESTS / "py" / "participation").glob("*.py"):
        yield from (f"{path.stem}.{name}" for name in _functions(path, ""))
    for path in (TESTS / "py" / "kernels").glob("*.py"):
        yield from _cases(path)
    for path in (TESTS / "lit").rglob("*.mlir"):
        yield from re.findall(r"func(?:\.func)? (@\w+)", path.read_text())


def _functions(path: Path, prefix: str) -> list[str]:
    nodes = ast.parse(path.read_text()).body
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    return [node.name for node in functions if node.name.startswith(prefix)]


def _cases(path: Path) -> Iterator[str]:
    """Yield the names of kernel cases, a star for each part that is computed."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "Case":
            name = node.args[0]
            parts = name.values if isinstance(name, ast.JoinedStr) else [name]
            yield "".join(part.value if isinstance(part, ast.Constant) else "*" for part in parts)


ROWS, PROOFS = rows(), sorted(set(proofs()))


def test_every_row_is_there_once_and_in_order():
    assert [row.number for row in ROWS] == NUMBERS


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.number)
def test_a_row_has_a_proof_or_says_that_it_has_none(row):
    assert row.promise
    assert row.proofs or row.not_yet == "all of it"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.number)
def test_each_proof_exists(row):
    missing = [name for name in row.proofs if not any(fnmatchcase(one, name) for one in PROOFS)]
    assert not missing


@pytest.mark.parametrize("number, names", gpu_rows(), ids=lambda cell: str(cell)[:12])
def test_what_only_a_gpu_shows_has_a_test_there(number, names):
    assert number in NUMBERS and names
    found = runtime_tests()
    missing = [name for name in names if not any(fnmatchcase(one, name) for one in found)]
    assert not missing


def test_each_numbered_test_on_a_gpu_has_its_row():
    found = [(re.search(r"::test_([A-Z]\d+)_", name), name) for name in runtime_tests()]
    numbered = [(match[1], name) for match, name in found if match]
    table = dict(gpu_rows())
    missing = [
        name
        for number, name in numbered
        if not any(fnmatchcase(name, one) for one in table.get(number, ()))
    ]
    assert numbered and not missing


def test_numbers_in_names_are_those_of_rows():
    numbered = re.compile(r"(?:test_|^)([A-Z]\d+)[-_]|_([A-Z]\d+)$")
    found = {name: match[1] or match[2] for name in PROOFS if (match := numbered.search(name))}
    assert not {name for name, number in found.items() if number not in NUMBERS}
    assert len(found) > 100
