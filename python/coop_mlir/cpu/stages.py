# A module at a stage of coop's pipeline, with no CUDA.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module at a stage of coop's pipeline, with no CUDA.

The layouts of scratch, which the GPU's way asks the CUDA compiler for, are those
of the reference semantics.
"""

from __future__ import annotations

import re

from coop_mlir import ir, passmanager

from .._compile._operations import operations
from .._compile.diagnostics import Diagnostic, collecting, to_error, warn
from .._compile.passes import pipeline_stages
from .._options import DEFAULTS, Settings
from ..errors import CoopInternalError
from .wrappers import parse_wrapper

__all__ = ["reach", "stage_names", "stages"]

_NEEDS_LAYOUTS = "plan-shared-memory"


def stage_names() -> list[str]:
    """Return the names of the stages, ``coop`` (no pass at all) first."""
    return ["coop", *(name for name, _ in pipeline_stages(DEFAULTS))]


def reach(
    module: ir.Module, stage: str, settings: Settings = DEFAULTS, launch_bytes: int = 0
) -> int:
    """Run the passes up to a stage on a module, in place, as the settings of its kernel say.

    Parameters
    ----------
    module : Module
        The module.
    stage : str
        The last stage.
    settings : Settings
        What the kernel's options come to.
    launch_bytes : int
        Bytes of dynamic shared memory that the launch asks for.

    Returns
    -------
    int
        Bytes that a launch of the module must add to its dynamic shared memory.
    """
    if stage not in stage_names():
        raise ValueError(f"stage must be one of {stage_names()}, not {stage!r}")
    planned = 0
    for name in _advance(module, stage, settings, launch_bytes):
        if name != "lower-to-cub":
            planned = _dynamic_bytes(module)
    return planned if stage == "lower-to-cub" else 0


def _dynamic_bytes(module) -> int:
    """Return the bytes of the module's dynamic scratch."""
    return sum(
        op.attributes["size"].value
        for op in operations(module.operation)
        if op.name == "coop.arena" and "dynamic" in op.attributes
    )


def stages(text: str, settings: Settings = DEFAULTS) -> dict[str, str]:
    """Return a module's text at each stage; needs a context."""
    module = ir.Module.parse(text)
    found = {"coop": _text(module)}
    for name in _advance(module, None, settings):
        found[name] = _text(module)
    return found


def _text(module) -> str:
    return module.operation.get_asm(enable_debug_info=True)


def _advance(module, last, settings, launch_bytes=0):
    """Run one stage after the other; yield their names."""
    if last == "coop":
        return
    for name, passes in pipeline_stages(settings, "", launch_bytes):
        if name == _NEEDS_LAYOUTS:
            _attach_layouts(module)
        _run(module, name, passes)
        yield name
        if name == last:
            return


def _run(module, name, passes):
    said = []
    try:
        with collecting(module.context, name, said):
            passmanager.PassManager.parse(passes).run(module.operation)
    except ir.MLIRError as error:
        found = [Diagnostic.of(one, name) for one in error.error_diagnostics]
        if found and (theirs := to_error(found[0])):
            raise theirs from None
        reasons = "; ".join(map(str, found)) or str(error)
        raise CoopInternalError(f"stage {name} failed: {reasons}", ir=str(module)) from None
    for diagnostic in said:
        if diagnostic.severity == "warning":
            warn(diagnostic)


def _attach_layouts(module):
    """Give each operation that uses scratch its layout."""
    from .._mlir_libs import _coop

    layouts = {name: parse_name(name).layout() for name, _ in _coop.layout_probes(module.operation)}
    if layouts:
        _coop.attach_layouts(module.operation, layouts)


_NAME = re.compile(
    r"coop_(?P<scope>block|warp(?P<width>\d*))_(?P<collective>\w+?)_b(?P<bits>\d+)(a\d+)?_"
    r"(?P<block>\d+x\d+x\d+)_k(?P<items>\d+)_(?P<algorithm>\w+?)(_guarded)?(_default)?"
)


def parse_name(name: str):
    """Return the kind of collective that a wrapper's name says."""
    found = _NAME.fullmatch(name)
    scope = "<block>" if found["scope"] == "block" else f"<warp, {found['width'] or 32}>"
    kind, *_ = parse_wrapper(
        f"group = {scope} block = [{found['block'].replace('x', ', ')}] items = {found['items']} "
        f"item = <{int(found['bits']) // 8}, 1> algorithm = {found['algorithm']} "
        f"collective = {found['collective']}"
    )
    return kind
