# Bytes and barriers of planned scratch, against allocating and synchronizing at each call.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytes and barriers of planned scratch, against allocating and synchronizing at each call.

    python benchmarks/plan_table.py [--coop-opt PATH] [--json] [FILE.mlir ...]

Needs no GPU. Without files it takes ``test/corpus/plan``. Columns: the plan's bytes and barriers; those of one allocation
for each call with a barrier behind each; the largest sum of bytes that are live at a time, below which no plan is; and
whether bytes and barriers are proven to be the fewest. Exits with 1 where a plan exceeds its bound by more than alignment.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

CORPUS = Path(__file__).parent.parent / "test" / "corpus" / "plan"
PIPELINE = (
    "builtin.module(gpu.module(gpu.func(coop-test-print-plan),coop-plan-shared-memory,"
    "gpu.func(coop-test-print-hazards,coop-insert-barriers)))"
)
PLAN = re.compile(
    r"^@(\w+): (\d+) bytes align (\d+), live at most (\d+), sum (\d+) of (\d+) uses(, optimal)?",
    re.MULTILINE,
)
HAZARDS = re.compile(r"^@(\w+): \d+ hazards, \d+ barriers(, optimal)?", re.MULTILINE)
FUNCTION = re.compile(r"^ *gpu\.func @(\w+)(.*?)(?=^ *gpu\.func |\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Row:
    """One kernel's numbers."""

    kernel: str
    bytes: int
    barriers: int
    naive_bytes: int
    naive_barriers: int
    bound: int
    alignment: int
    proven: bool

    @property
    def within_bound(self) -> bool:
        """Whether no alignment explains bytes above the bound."""
        return self.bytes - self.bound < self.alignment or self.bytes == self.bound


def measure(coop_opt: str, path: Path) -> list[Row]:
    """Return a row for each kernel of a file."""
    command = [coop_opt, str(path), "-mlir-disable-threading", f"-pass-pipeline={PIPELINE}"]
    output = subprocess.run(command, check=True, text=True, capture_output=True).stdout
    barriers = {name: body.count("coop.barrier ") for name, body in FUNCTION.findall(output)}
    proven = {name: bool(flag) for name, flag in HAZARDS.findall(output)}
    return [
        Row(
            kernel=f"{path.stem}/{name}",
            bytes=int(size),
            barriers=barriers[name],
            naive_bytes=int(total),
            naive_barriers=int(uses),
            bound=int(bound),
            alignment=int(alignment),
            proven=bool(optimal) and proven[name],
        )
        for name, size, alignment, bound, total, uses, optimal in PLAN.findall(output)
    ]


def print_table(rows: list[Row]) -> None:
    """Print the rows and their sums."""
    line = "{:36} {:>8} {:>8} {:>8}   {:>8} {:>8}   {}".format
    print(line("kernel", "bytes", "bound", "naive", "barriers", "naive", "proven"))
    for row in rows:
        numbers = row.bytes, row.bound, row.naive_bytes, row.barriers, row.naive_barriers
        print(line(row.kernel, *numbers, "yes" if row.proven else "no"))
    sums = [
        sum(getattr(row, name) for row in rows)
        for name in ("bytes", "bound", "naive_bytes", "barriers", "naive_barriers")
    ]
    print(line(f"{len(rows)} kernels", *sums, f"{sum(row.proven for row in rows)}"))


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--coop-opt", default=shutil.which("coop-opt") or "coop-opt")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    files = arguments.files or sorted(CORPUS.glob("*.mlir"))
    rows = [row for path in files for row in measure(arguments.coop_opt, path)]
    if arguments.json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
    else:
        print_table(rows)
    return 0 if all(row.within_bound for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
