# The verdicts of the participation check on its corpus, counted.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The verdicts of the participation check on its corpus, counted.

    python benchmarks/participation_table.py [--json]

Needs no GPU. A row is a family of kernels. Columns: kernels by the verdict that
they must get; those that the compiler accepts although threads part, and those
that it refuses although none do. Exits with 1 when there is one of the latter
two, or another wrong verdict.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "test" / "py"))

from participation import CASES
from participation.verdicts import check, emit, verdict_of

_COLUMNS = ("legal", "diverges", "unproven", "differs", "unproven operand")
_FAULTS = ("accepted wrongly", "refused wrongly", "otherwise wrong")


def fault(case) -> str | None:
    """Return what is wrong with the verdict that a kernel gets, None if it is right."""
    verdict = verdict_of(check(emit(case.kernel, case.block))[1])
    if verdict == case.verdict:
        return None
    if verdict == "legal":
        return "accepted wrongly"
    return "refused wrongly" if case.verdict == "legal" else "otherwise wrong"


def table() -> dict[str, Counter]:
    """Return the counts of each family, and of all."""
    rows: dict[str, Counter] = {}
    for case in CASES:
        family = case.name.partition(".")[0]
        found = [case.verdict, *filter(None, [fault(case)])]
        for row in (family, "all"):
            rows.setdefault(row, Counter()).update(found)
    rows["all"] = rows.pop("all")
    return rows


def main(argv=None) -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(argv)
    rows = table()
    columns = _COLUMNS + _FAULTS
    if options.json:
        print(json.dumps({name: {c: row[c] for c in columns} for name, row in rows.items()}))
    else:
        print("  ".join(["family".ljust(12), *columns]))
        for name, row in rows.items():
            numbers = [str(row[c]).rjust(len(c)) for c in columns]
            print("  ".join([name.ljust(12), *numbers]))
    return int(any(rows["all"][one] for one in _FAULTS))


if __name__ == "__main__":
    sys.exit(main())
