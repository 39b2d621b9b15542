# Bytes and barriers of planned scratch, against the fewest and against today's practice.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytes and barriers of planned scratch, against the fewest and against today's practice.

    python benchmarks/plan_table.py [--coop-opt PATH] [--no-search] [--json] [FILE.mlir ...]
    python benchmarks/plan_table.py --markdown docs/plan-table.md

Needs no GPU. Without files it takes ``test/corpus/plan``. Columns:

* bytes of the plan; their bound, the largest sum of bytes that are live at a time; those of one
  allocation for each call;
* barriers that the compiler puts in; the fewest that are enough, found by running the kernel with
  barriers at all sets of places (see ``barrier_optimum.py``; a dash for kernels of more than 8);
  those of one behind each call;
* how many kernels with one barrier less, or a narrower one, race, of how many that were tried;
* whether the passes themselves proved that their bytes and barriers are the fewest by their rules.

A row that differs from its bound by more than alignment, or from the fewest barriers, must say why,
in the line ``// plan-table: REASON`` before the kernel. Exits with 1 where a reason lacks or is not
needed, and where a kernel races that should not, or the other way round.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass, fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import barrier_optimum

CORPUS = Path(__file__).parent.parent / "test" / "corpus" / "plan"
MOST_BARRIERS = 8
PIPELINE = (
    "builtin.module(gpu.module(gpu.func(coop-test-print-plan),coop-plan-shared-memory,"
    "gpu.func(coop-test-print-hazards,coop-insert-barriers)))"
)
PLAN = re.compile(
    r"^@(\w+): (\d+) bytes align (\d+), live at most (\d+), sum (\d+) of (\d+) uses(, optimal)?",
    re.MULTILINE,
)
HAZARDS = re.compile(r"^@(\w+): \d+ hazards, \d+ barriers(, optimal)?", re.MULTILINE)
REASON = re.compile(r"^ *// plan-table: (.*)\n *gpu\.func @(\w+)", re.MULTILINE)
MODULE = re.compile(r"^module\b", re.MULTILINE)
HEADINGS = {
    "kernel": "kernel",
    "bytes": "bytes",
    "bound": "bound",
    "bytes_per_call": "one per call",
    "barriers": "barriers",
    "fewest": "fewest",
    "barriers_per_call": "one per call",
    "races": "races",
    "weakened": "of",
    "proven": "proven",
    "reason": "why not fewer",
}


@dataclass(frozen=True)
class Row:
    """One kernel's numbers; None for those that were not looked for."""

    kernel: str
    bytes: int
    bound: int
    bytes_per_call: int
    barriers: int
    fewest: int | None
    barriers_per_call: int
    races: int | None
    weakened: int | None
    proven: bool
    reason: str

    def faults(self, alignment: int) -> list[str]:
        """Return what is wrong with the row."""
        found = []
        above = self.bytes - self.bound >= alignment
        differs = above or self.fewest not in (None, self.barriers)
        if differs and not self.reason:
            found.append("differs from the fewest and does not say why")
        if self.reason and not differs and self.fewest is not None:
            found.append(f"equals the fewest, but says why not: {self.reason}")
        if self.races != self.weakened:
            found.append(f"{self.weakened - self.races} weaker kernels do not race")
        return [f"{self.kernel} {fault}" for fault in found]


@dataclass(frozen=True)
class Planned:
    """A kernel of a file, planned.

    Attributes
    ----------
    file : Path
        Where it is from.
    name : str
        Its symbol.
    plan : tuple of str
        What the passes printed: bytes, alignment, bound, bytes and number of the calls, optimal.
    proven : bool
        Whether the passes say that bytes and barriers are the fewest.
    reason : str
        Why it differs from the fewest, empty when it should not.
    kernel : barrier_optimum.Kernel
        The kernel with its barriers.
    """

    file: Path
    name: str
    plan: tuple[str, ...]
    proven: bool
    reason: str
    kernel: barrier_optimum.Kernel

    @property
    def alignment(self) -> int:
        """The arena's alignment in bytes."""
        return int(self.plan[1])

    def __str__(self) -> str:
        return f"{self.file.stem}/{self.name}"

    def row(self, search: bool = True) -> Row:
        """Return the kernel's row; try barriers if `search` is set."""
        size, _alignment, bound, total, uses, _optimal = self.plan
        search = search and self.kernel.ours <= MOST_BARRIERS
        if search:
            self.kernel.check()
        raced = [races for _, races in self.kernel.weakened()] if search else None
        return Row(
            kernel=str(self),
            bytes=int(size),
            bound=int(bound),
            bytes_per_call=int(total),
            barriers=self.kernel.ours,
            fewest=self.kernel.fewest() if search else None,
            barriers_per_call=int(uses),
            races=None if raced is None else sum(raced),
            weakened=None if raced is None else len(raced),
            proven=self.proven,
            reason=self.reason,
        )


def planned(path: Path, coop_opt: str | None = None) -> list[Planned]:
    """Return the kernels of a file, planned."""
    command = [coop_opt or tool(), str(path), "-mlir-disable-threading"]
    output = subprocess.run(
        [*command, f"-pass-pipeline={PIPELINE}"], check=True, text=True, capture_output=True
    ).stdout
    reasons = {name: reason for reason, name in REASON.findall(path.read_text())}
    hazards = {name: bool(flag) for name, flag in HAZARDS.findall(output)}
    plans = {name: tuple(plan) for name, *plan in PLAN.findall(output)}
    module = output[MODULE.search(output).start() :]
    return [
        Planned(
            path,
            kernel.name,
            plans[kernel.name],
            bool(plans[kernel.name][-1]) and hazards[kernel.name],
            reasons.get(kernel.name, ""),
            kernel,
        )
        for kernel in barrier_optimum.kernels(module)
    ]


def tool() -> str:
    """Return the path of coop-opt: of the build, beside this Python, or on the PATH."""
    beside = os.path.dirname(sys.executable)
    folders = filter(None, (os.environ.get("COOP_TOOLS_DIR"), beside, os.environ.get("PATH")))
    found = shutil.which("coop-opt", path=os.pathsep.join(folders))
    if found is None:
        raise FileNotFoundError("found no coop-opt; name it by --coop-opt or COOP_TOOLS_DIR")
    return found


# ---------------------------------------------------------------------------
# Tables
# ---------------------------------------------------------------------------


def sums(rows: list[Row]) -> dict:
    """Return the last line: the sums of all columns of numbers."""
    total = {name: "" for name in HEADINGS} | {"kernel": f"{len(rows)} kernels"}
    for name in HEADINGS:
        column = [getattr(row, name) for row in rows]
        if all(isinstance(value, int) for value in column):
            total[name] = sum(column)
    return total


def cells(values: dict) -> list[str]:
    """Return what a line of the table shows."""
    shown = {None: "-", True: "yes", False: "no"}
    return [
        shown[v] if v is None or isinstance(v, bool) else str(v)
        for v in (values[name] for name in HEADINGS)
    ]


def table(rows: list[Row]) -> list[list[str]]:
    """Return the cells of a table, its headings first."""
    lines = [asdict(row) for row in rows] + [sums(rows)]
    return [list(HEADINGS.values()), *map(cells, lines)]


def plain(rows: list[Row]) -> str:
    """Return the table as text."""
    lines = table(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if number in (0, len(widths) - 1) else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def markdown(rows: list[Row]) -> str:
    """Return the page ``docs/plan-table.md``."""
    headings, *lines = table(rows)
    rule = ["---" if name in ("kernel", "reason") else "---:" for name in HEADINGS]
    return PAGE + "".join(f"| {' | '.join(line)} |\n" for line in (headings, rule, *lines))


def read_markdown(page: str) -> list[Row]:
    """Return the rows of a page that :func:`markdown` has made."""
    lines = [line[2:-2].split(" | ") for line in page.splitlines() if line.startswith("| ")]
    return [Row(*map(_read, fields(Row), line)) for line in lines[2:-1]]


def _read(field, cell: str):
    known = {"-": None, "yes": True, "no": False}
    if cell in known:
        return known[cell]
    return int(cell) if field.type.startswith("int") else cell.strip()


PAGE = """# Planned scratch of the corpus

Made by `python benchmarks/plan_table.py --markdown docs/plan-table.md`; a test compares it.
The kernels are those of `test/corpus/plan`.

- *bytes*: the arena's; *bound*: the largest sum of bytes that are live at a time; *one per call*:
  an allocation for each call.
- *barriers*: those that the compiler puts in; *fewest*: the least number that is enough, at any
  places, found by running the kernel under the checker of the CPU target with barriers at all sets
  of places, on all small trip counts and both ways of each branch, with warps in step and adrift;
  *one per call*: today's practice, a barrier behind each call.
- *races*: how many kernels with one of the barriers taken out, or narrowed to a smaller group of
  the kernel, race under the checker, *of* how many.
- *proven*: the passes searched to the end; by their cost, where a barrier in a loop counts eight
  times, nothing is cheaper at the places they consider.

"""


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--coop-opt", default=None)
    parser.add_argument("--no-search", action="store_true", help="leave out what takes runs")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--markdown", metavar="FILE", type=Path, help="write the page there")
    arguments = parser.parse_args()
    files = arguments.files or sorted(CORPUS.glob("*.mlir"))
    kernels = [kernel for path in files for kernel in planned(path, arguments.coop_opt)]
    rows = [kernel.row(not arguments.no_search) for kernel in kernels]
    if arguments.markdown:
        arguments.markdown.write_text(markdown(rows))
    print(json.dumps([asdict(row) for row in rows], indent=1) if arguments.json else plain(rows))
    faults = [
        fault
        for kernel, row in zip(kernels, rows, strict=True)
        for fault in row.faults(kernel.alignment)
    ]
    print(*faults, sep="\n", end="", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
