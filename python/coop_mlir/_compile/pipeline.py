# The way of a module through coop's passes.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Take a module through coop's passes and have its wrappers compiled."""

from __future__ import annotations

from dataclasses import dataclass, field

from coop_mlir import ir, passmanager
from coop_mlir._mlir_libs import _coop

from .._cub import provider
from .._options import DEFAULTS, Settings
from ..errors import CoopError, CoopInternalError
from ._context import own_context
from ._operations import operations
from .bridge import print_module
from .diagnostics import Diagnostic, collecting, to_error, warn
from .passes import pipeline_stages
from .plan import Barrier, Plan
from .plan_reader import read_barriers, read_plan

__all__ = ["Lowered", "run"]

# The stage whose operations must know the layout of their scratch.
_NEEDS_LAYOUTS = "plan-shared-memory"

_OWN_ATTRIBUTES = ("coop.payload", "coop.wrapper")


@dataclass
class Lowered:
    """A module without coop operations, and what was decided on the way.

    Attributes
    ----------
    text : str
        The module, in the form that crosses the bridge.
    ltoir : bytes or None
        The compiled wrappers, None when the module calls none.
    cuda_source : str
        Their source.
    stages : dict of str to str
        The module after each stage in coop's own assembly, if recorded.
    plan : Plan
        What lies where in shared memory.
    barriers : tuple of Barrier
        The barriers that were put in.
    diagnostics : list of Diagnostic
        Warnings and remarks.
    """

    text: str = ""
    ltoir: bytes | None = None
    cuda_source: str = ""
    stages: dict[str, str] = field(default_factory=dict)
    plan: Plan = field(default_factory=Plan)
    barriers: tuple[Barrier, ...] = ()
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def dynamic_bytes(self) -> int:
        """Bytes of shared memory that the launch must add."""
        return self.plan.total if self.plan.dynamic else 0


def run(
    text: str,
    *,
    cc: tuple[int, int],
    record: bool = False,
    launch_bytes: int = 0,
    settings: Settings = DEFAULTS,
) -> Lowered:
    """Lower a module to calls of wrappers and compile these.

    Parameters
    ----------
    text : str
        A module in the form that crosses the bridge.
    cc : tuple of int
        The compute capability to compile for.
    record : bool
        Whether to keep the module's text after each stage.
    launch_bytes : int
        Dynamic shared memory that the program's own launch asks for.
    settings : Settings
        What the kernel's options come to.

    Raises
    ------
    CoopParticipationError, CoopStorageError
        For a fault of the kernel, with its lines.
    CoopProviderError
        When the wrappers can't be compiled.
    CoopInternalError
        For a fault of ours.
    """
    lowered = Lowered()
    with own_context() as context:
        module = ir.Module.parse(text)
        _keep(lowered, "coop", module, record)
        target = f"sm_{cc[0]}{cc[1]}"
        for stage, passes in pipeline_stages(settings, target, launch_bytes):
            if stage == _NEEDS_LAYOUTS:
                _compile_wrappers(module, cc, lowered)
            _run_stage(stage, passes, module, context, lowered)
            _keep(lowered, stage, module, record)
            _read_decisions(stage, module, lowered)
        _strip_own_attributes(module)
        lowered.text = print_module(module)
    for diagnostic in lowered.diagnostics:
        if diagnostic.severity == "warning":
            warn(diagnostic)
    return lowered


def _keep(lowered: Lowered, stage: str, module: ir.Module, record: bool) -> None:
    if record:
        lowered.stages[stage] = str(module)


def _compile_wrappers(module: ir.Module, cc: tuple[int, int], lowered: Lowered) -> None:
    """Compile what the module will call; put the layouts on its operations."""
    lowered.cuda_source = _coop.cuda_source(module.operation)
    if not lowered.cuda_source:
        return
    probes = _coop.layout_probes(module.operation)
    compiled = provider.compile_wrappers(lowered.cuda_source, probes, cc)
    lowered.ltoir = compiled.ltoir
    _coop.attach_layouts(module.operation, compiled.layouts)


def _run_stage(stage, passes, module, context, lowered: Lowered) -> None:
    manager = passmanager.PassManager.parse(passes)
    with collecting(context, stage, lowered.diagnostics):
        try:
            manager.run(module.operation)
        except ir.MLIRError as error:
            raise _failure(stage, error, module) from None


def _failure(stage: str, error: ir.MLIRError, module: ir.Module) -> CoopError:
    """Return the exception for the first error of a stage."""
    found = [Diagnostic.of(one, stage) for one in error.error_diagnostics]
    if found and (theirs := to_error(found[0])):
        return theirs
    reasons = "; ".join(map(str, found)) or str(error)
    return CoopInternalError(f"stage {stage} failed: {reasons}", ir=str(module))


def _read_decisions(stage: str, module: ir.Module, lowered: Lowered) -> None:
    """Read the plan once its barriers stand too: they are a part of its time."""
    if stage == "eliminate-barriers":
        lowered.plan = read_plan(module)
        lowered.barriers = read_barriers(module)


def _strip_own_attributes(module: ir.Module) -> None:
    """Take off what only our own passes and translation read."""
    for op in operations(module.operation):
        for name in _OWN_ATTRIBUTES:
            if name in op.attributes:
                del op.attributes[name]
