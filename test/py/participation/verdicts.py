# The verdict of the participation check on a kernel.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Get the verdict of the participation check on a kernel, with its diagnostics."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

import coop_mlir as coop
import pytest

types = pytest.importorskip("numba_cuda_mlir.types")

coop.register("numba-cuda-mlir")

from coop_mlir._numba import host  # noqa: E402

__all__ = ["COOP_OPT", "Diagnostic", "check", "emit", "verdict_of"]

SIGNATURE = (types.int32[::1], types.int32[::1], types.int64)
PIPELINE = (
    "builtin.module(gpu.module(gpu.func(sroa,mem2reg,canonicalize,cse,"
    "coop-check-participation{participation=MODE})))"
)
TOOLS = os.environ.get("COOP_TOOLS_DIR") or os.path.dirname(sys.executable)
COOP_OPT = shutil.which("coop-opt", path=TOOLS) or shutil.which("coop-opt")

WORDS = {
    "diverges": "executed in control flow that diverges",
    "unproven": "reach this",
    "differs": "that differs within its",
    "unproven operand": "pass the same",
}


@dataclass(frozen=True)
class Diagnostic:
    """One line that the compiler says."""

    line: int
    kind: str
    text: str


class _Emitted(Exception):
    """Ends a compilation once the module is there."""


def emit(kernel, block) -> str:
    """Return a kernel's module as it goes to the passes."""

    def stop(cres):
        operation = cres.metadata["mlir_module"].operation
        raise _Emitted(operation.get_asm(enable_debug_info=True, print_generic_op_form=True))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(host, "transform", stop)
        with pytest.raises(_Emitted) as caught:
            coop.compile(kernel, SIGNATURE, block=block, cc=(9, 0))
    return str(caught.value)


def check(text: str, mode: str = "warn") -> tuple[int, list[Diagnostic]]:
    """Return the exit status of the check of a module, and what it says."""
    done = subprocess.run(
        [COOP_OPT, "--pass-pipeline=" + PIPELINE.replace("MODE", mode), "-o", os.devnull],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
    )
    found = re.findall(r"^.*?:(\d+):\d+: (error|warning|note): (.*)$", done.stderr, re.MULTILINE)
    diagnostics = [Diagnostic(int(line), kind, words) for line, kind, words in found]
    assert bool(done.returncode) == any(d.kind == "error" for d in diagnostics), done.stderr
    return done.returncode, diagnostics


def verdict_of(diagnostics) -> str:
    """Return the one verdict that the messages tell."""
    main = [d for d in diagnostics if d.kind != "note"]
    verdicts = {verdict for d in main for verdict, words in WORDS.items() if words in d.text}
    if not main:
        return "legal"
    return " and ".join(sorted(verdicts)) or "; ".join(d.text for d in main)
