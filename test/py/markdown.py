# Runs the examples of a Markdown page.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run the examples of a Markdown page, in order, in a folder of their own.

A fenced block is an example by its info string:

``python``
    Code. All such blocks of a page are one program, in one file.
``python file=NAME``, ``mlir file=NAME``
    A file for the commands that follow.
``console``
    Lines after ``$ `` are commands; the lines below must be what they print.
    A line ``...`` stands for any lines.

Other blocks, such as ``text``, are not run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class Example:
    """A fenced block: its language, its options and its text."""

    language: str
    options: str
    text: str

    @property
    def file(self) -> str | None:
        found = re.search(r"file=(\S+)", self.options)
        return found and found.group(1)


def examples(page: Path) -> list[Example]:
    """Return the fenced blocks of a page."""
    return [Example(*found.groups()) for found in _FENCE.finditer(page.read_text())]


def run_page(page: Path, folder: Path) -> int:
    """Run all examples of a page; return how many there were."""
    program, count = "", 0
    for example in examples(page):
        if example.file:
            (folder / example.file).write_text(example.text)
        elif example.language == "python":
            program += example.text
        elif example.language == "console":
            _run_console(example.text, folder)
        else:
            continue
        count += 1
    if program:
        (folder / "page.py").write_text(program)
        _run([sys.executable, "page.py"], folder)
    return count


def _run_console(text: str, folder: Path) -> None:
    for command, wanted in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M):
        printed = _run(["bash", "-c", command], folder)
        assert _matches(wanted.splitlines(), printed.splitlines()), (
            f"{command} prints\n{printed}\nthe page says\n{wanted}"
        )


def _run(command: list[str], folder: Path) -> str:
    tools = os.environ.get("COOP_TOOLS_DIR") or os.path.dirname(sys.executable)
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


def _matches(wanted: list[str], printed: list[str]) -> bool:
    """Whether the lines are the same, ``...`` standing for any number of lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"[ ]*\n"
        for line in wanted
    )
    text = "".join(f"{line}\n" for line in printed if line.strip() or "" in wanted)
    return re.fullmatch(pattern, text) is not None
