# What a compilation gives.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a compilation gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..errors import CoopError

if TYPE_CHECKING:
    from .diagnostics import Diagnostic
    from .plan import Barrier, Plan


@dataclass(frozen=True)
class CompileResult:
    """A compiled kernel and all that happened on the way.

    Attributes
    ----------
    name : str
        The kernel's name.
    cc : tuple of int
        The compute capability that it is for.
    stages : dict of str to str
        The module by stage, in order: the coop IR as emitted, after each pass,
        and the final one in the LLVM dialect.
    cuda_source : str
        The CUDA C++ of the wrappers, empty when none was needed.
    ptx : str
        The final PTX, the wrappers inlined.
    cubin : bytes
        The binary.
    plan : Plan or None
        What lies where in shared memory; None for a kernel without coop.
    barriers : tuple of Barrier or None
        The barriers that were put in, and why; None for a kernel without coop.
    diagnostics : tuple of Diagnostic
        The warnings and remarks of the passes.
    """

    name: str
    cc: tuple[int, int]
    stages: dict[str, str] = field(repr=False)
    cuda_source: str = field(repr=False)
    ptx: str = field(repr=False)
    cubin: bytes = field(repr=False)
    plan: Plan | None = None
    barriers: tuple[Barrier, ...] | None = None
    diagnostics: tuple[Diagnostic, ...] = ()

    def plan_svg(self, width: int = 720) -> str:
        """Return the plan as a picture; see :meth:`Plan.svg`.

        Raises
        ------
        CoopError
            For a kernel without coop, which has no plan.
        """
        if self.plan is None:
            raise CoopError(f"the kernel {self.name} uses nothing of coop, so it has no plan")
        return self.plan.svg(width)

    def __str__(self) -> str:
        major, minor = self.cc
        lines = [f"kernel {self.name} for sm_{major}{minor}"]
        lines += [f"  {stage}: {text.count(chr(10))} lines" for stage, text in self.stages.items()]
        lines.append(f"  cubin: {len(self.cubin)} bytes")
        for title in ("plan", "barriers", "diagnostics"):
            if value := getattr(self, title):
                lines.append(f"  {title}:")
                lines += [f"    {line}" for line in _shown(value)]
        return "\n".join(lines)


def _shown(value: object) -> list[str]:
    """Return the lines that show a plan, barriers or diagnostics."""
    items = value if isinstance(value, tuple) else [value]
    return [line for item in items for line in str(item).splitlines()]
