# The adapter: everything private of numba-cuda-mlir that coop touches.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The adapter: everything private of numba-cuda-mlir that coop touches.

Checked with 0.5.4 and 0.6.0. The other modules of this package import the
host's names from here, so a new version of the host is a change to this file
and its parts, ``host_cache``, ``host_inline`` and ``host_launch``.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import inspect
import os
import warnings
from contextlib import contextmanager
from contextvars import ContextVar
from types import SimpleNamespace

from numba_cuda_mlir import (
    decorators,
    descriptor,
    extending,
    mlir_compiler,
    mlir_lowering,
    mlir_optimization,
    numbair_transforms,
    tools,
)
from numba_cuda_mlir._mlir import ir as mlir
from numba_cuda_mlir._mlir.dialects import arith, gpu, llvm, memref, vector
from numba_cuda_mlir._mlir.dialects import complex as complex_ops
from numba_cuda_mlir.cuda.local import array as local_array
from numba_cuda_mlir.lowering_utilities import memref_data_pointer
from numba_cuda_mlir.lowering_utilities.context import get_context
from numba_cuda_mlir.models import PrimitiveModel
from numba_cuda_mlir.numba_cuda import types
from numba_cuda_mlir.numba_cuda.core import errors as numba_errors
from numba_cuda_mlir.numba_cuda.core import inline_closurecall, untyped_passes
from numba_cuda_mlir.numba_cuda.core import ir as numba_ir
from numba_cuda_mlir.numba_cuda.core.analysis import compute_cfg_from_blocks as control_flow
from numba_cuda_mlir.numba_cuda.core.compiler_lock import global_compiler_lock
from numba_cuda_mlir.numba_cuda.core.ir_utils import (
    build_definitions,
    mk_unique_var,
    rename_labels,
    replace_var_names,
)
from numba_cuda_mlir.numba_cuda.core.postproc import PostProcessor
from numba_cuda_mlir.numba_cuda.core.typed_passes import type_inference_stage
from numba_cuda_mlir.numba_cuda.misc.special import literal_unroll
from numba_cuda_mlir.numba_cuda.np.numpy_support import as_dtype, from_dtype
from numba_cuda_mlir.numba_cuda.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    signature,
)

from .._options import Settings, settings_of
from ..errors import CoopError, CoopWarning, SourceLocation
from . import host_cache, host_inline, host_launch
from .host_cache import LAUNCH_CONFIG
from .host_launch import register_planner
from .reach import uses_coop

__all__ = [
    "AbstractTemplate",
    "AttributeTemplate",
    "PrimitiveModel",
    "arith",
    "as_dtype",
    "build_definitions",
    "complex_ops",
    "control_flow",
    "extending",
    "from_dtype",
    "gpu",
    "install",
    "kernel_facts",
    "literal_unroll",
    "local_array",
    "llvm",
    "memref",
    "memref_data_pointer",
    "mk_unique_var",
    "mlir",
    "numba_errors",
    "numba_ir",
    "partial_types",
    "post_process",
    "register_planner",
    "rename_labels",
    "replace_var_names",
    "signature",
    "source_location",
    "transform",
    "types",
    "use_coop",
    "vector",
]

# The first half of the SHA-256 of the source of each function that is wrapped.
_CHECKED = {
    "optimize": {"e2857645e36a45d1"},
    "InlineWorker.inline_ir": {"0a40a42bbeecc22a"},
    "MLIRLower.lower_inst": {"8c12f295892b0722"},
    "_calls_own_argument": {"0b4abd1910a8e936"},
    "MLIRDispatcher._configure_cached": {"4f7392a9579d8506"},
    "MLIRDispatcher.configure": {"6b12e552cea60cf3"},
    "PostInlineWholeFunctionPlanners.run_pass": {"791c7b95d7f1549b"},
    "mlir_compiler_entry": {"7984b2497ad510d7"},
    "LiteralUnroll.run_pass": {"126af8d097e5120b"},
}
_WRAPPER = "__coop_wrapper__"
_FACTS = "coop"


@dataclasses.dataclass
class KernelFacts:
    """What is known of a kernel that uses coop; kept in its metadata.

    Attributes
    ----------
    block : tuple of int
        The block's shape.
    launch_bytes : int
        The dynamic shared memory that the launch asks for.
    found_late : bool
        Whether the launch is under way already, with these bytes.
    settings : Settings
        What the passes are told of the kernel.
    storages : dict
        The operation of each descriptor.
    lowered : Lowered or None
        What coop's passes gave.
    """

    block: tuple[int, int, int]
    launch_bytes: int
    found_late: bool
    settings: Settings
    storages: dict = dataclasses.field(default_factory=dict)
    lowered: object = None


# ---------------------------------------------------------------------------
# The kernel that is being compiled
# ---------------------------------------------------------------------------


def use_coop(state) -> KernelFacts:
    """Note that the kernel of a compiler `state` uses coop.

    Raises
    ------
    RuntimeError
        When the block's shape is not known.
    """
    options = state.metadata["targetoptions"]
    found_late = LAUNCH_CONFIG not in options  # From the next line on it is there.
    launch = extending.require_launch_config(state)
    facts = KernelFacts(
        block=(*launch["block"], 1, 1)[:3],
        launch_bytes=launch["sharedmem"] or 0,
        found_late=found_late,
        settings=settings_of(options),
    )
    state.metadata[_FACTS] = facts
    return facts


def kernel_facts(metadata) -> KernelFacts | None:
    """Return what :func:`use_coop` noted, None for a kernel without coop."""
    return metadata.get(_FACTS)


def partial_types(state, known):
    """Infer types as far as possible, given those of the variables in `known`."""
    typemap, *_ = type_inference_stage(
        state.typingctx,
        state.targetctx,
        state.func_ir,
        state.args,
        None,
        {**state.locals, **known},
        raise_errors=False,
    )
    return typemap


def post_process(func_ir) -> None:
    """Bring what the host knows of a function's variables up to date."""
    PostProcessor(func_ir).run()


def source_location(loc) -> SourceLocation:
    """Return a Numba location as ours."""
    return SourceLocation(loc.filename, loc.line, 0 if loc.col is None else loc.col + 1)


# ---------------------------------------------------------------------------
# The wrapped functions
# ---------------------------------------------------------------------------


@functools.cache
def install() -> None:
    """Wrap the host's functions, once."""
    _wrap(mlir_optimization, "optimize", _optimize)
    _wrap(mlir_lowering.MLIRLower, "lower_inst", _lower_inst)
    _wrap(inline_closurecall.InlineWorker, "inline_ir", host_inline.inline_ir)
    _wrap(numbair_transforms.PostInlineWholeFunctionPlanners, "run_pass", host_launch.plan)
    _wrap(descriptor.MLIRDispatcher, "_configure_cached", host_launch.configure)
    _wrap(mlir_compiler, "mlir_compiler_entry", host_cache.compile_cached)
    _wrap(untyped_passes.LiteralUnroll, "run_pass", _unroll_helper)
    _allow_forks()
    if hasattr(decorators, "_calls_own_argument"):
        _wrap(decorators, "_calls_own_argument", _must_inline)
    if os.environ.get("COOP_TARGET") == "cpu":
        from . import host_cpu

        _wrap(descriptor.MLIRDispatcher, "configure", host_cpu.configure)


def _allow_forks() -> None:
    """Let a forked child compile: no thread of a pool and no holder of a lock lives on there."""
    get_context().enable_multithreading(False)  # one kernel is too small to share out anyway
    if hasattr(os, "register_at_fork"):
        lock = global_compiler_lock
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )


def _wrap(owner, name, wrapper) -> None:
    """Replace a function of the host; warn when it is not one that was checked."""
    original = getattr(owner, name)
    if hasattr(original, _WRAPPER):
        return  # by an installation that was interrupted
    digest = hashlib.sha256(inspect.getsource(original).encode()).hexdigest()[:16]
    if digest not in _CHECKED[original.__qualname__]:
        warnings.warn(
            f"{original.__module__}.{original.__qualname__} of numba-cuda-mlir is not one that "
            "coop was checked with",
            CoopWarning,
            stacklevel=4,
        )

    @functools.wraps(original)
    def wrapped(*args, **kwargs):
        return wrapper(original, *args, **kwargs)

    setattr(wrapped, _WRAPPER, wrapper)
    setattr(owner, name, wrapped)


def _optimize(original, cres):
    """Run coop's passes before the host's."""
    if kernel_facts(cres.metadata) is not None:
        transform(cres)
    return original(cres)


def _lower_inst(original, lower, inst):
    """Give every operation of a kernel that uses coop its instruction's location."""
    if kernel_facts(lower.metadata) is None and not locate_all.get():
        return original(lower, inst)
    with host_inline.mlir_location(inst.loc):
        return original(lower, inst)


def _unroll_helper(original, literal_unroll_pass, state) -> bool:
    """Leave the loops of a helper that is inlined, and uses coop, to the kernel.

    There its arguments are known. (Kernels have a pass of their own.)
    """
    return not uses_coop(state.func_id.func) and original(literal_unroll_pass, state)


def _must_inline(original, func_ir):
    """Inline helpers with cooperative calls whatever their size (since 0.6)."""
    return original(func_ir) or uses_coop(func_ir.func_id.func)


# ---------------------------------------------------------------------------
# The way through coop's passes and back
# ---------------------------------------------------------------------------


_record = ContextVar("coop_record", default=False)
#: Whether the operations of kernels without coop get their locations, too.
locate_all = ContextVar("coop_locate_all", default=False)


@contextmanager
def _recording(flag):
    """Keep the module after each pass of the compilations in the body."""
    token = _record.set(flag)
    try:
        yield
    finally:
        _record.reset(token)


def transform(cres) -> None:
    """Take a kernel's module through coop's passes; replace it by the result."""
    from .._compile import bridge, pipeline

    metadata = cres.metadata
    facts = kernel_facts(metadata)
    with get_context():
        exported = bridge.export_module(metadata["mlir_module"])
        lowered = pipeline.run(
            exported.text,
            cc=metadata["gpu_target"]["cc"],
            record=_record.get(),
            launch_bytes=facts.launch_bytes,
            settings=facts.settings,
        )
        metadata["mlir_module"] = bridge.import_module(lowered.text, exported)
    metadata.pop("mlir_module_str", None)
    metadata[host_cache.CUDA_SOURCE] = lowered.cuda_source
    facts.lowered = lowered
    if lowered.ltoir is not None:
        _link(metadata, lowered.ltoir)
    if lowered.dynamic_bytes:
        _require_dynamic_bytes(metadata, facts, lowered.dynamic_bytes)


def _require_dynamic_bytes(metadata, facts: KernelFacts, size: int) -> None:
    """Have every launch add `size` bytes of shared memory to those it asks for."""
    if facts.found_late:
        raise CoopError(
            f"the kernel needs {size} bytes of dynamic shared memory, but nothing told before its "
            "compilation that it uses coop; name the operations, or the helpers that call them, "
            "as globals or attributes of modules"
        )
    extending.set_required_dynamic_shared_memory(
        SimpleNamespace(metadata=metadata), facts.launch_bytes + size
    )


def _link(metadata, ltoir: bytes) -> None:
    """Have the host link the wrappers' LTO-IR into the kernel and inline it."""
    linker = metadata["linker"]
    linker.add_ltoir(ltoir)
    # All else than the error code may go: the wrappers are inlined.
    linker.variables_used = (mlir_lowering.ERROR_CODE_GLOBAL_NAME,)
    metadata["link_plan"] = dataclasses.replace(
        metadata["link_plan"], compile_new_inputs_as_ltoir=True, has_ltoir_link_items=True
    )


# ---------------------------------------------------------------------------
# Compilation without a launch
# ---------------------------------------------------------------------------


def present_cc() -> tuple[int, int]:
    """Return the compute capability of the present GPU."""
    return tools.get_gpu_compute_capability(tuple)


def jit_options(options, own) -> dict:
    """Return options of ``@cuda.jit`` in the host's form; they come on top of a kernel's `own`.

    Raises
    ------
    ValueError, TypeError
        What ``@cuda.jit`` raises for them.
    """
    defaults = decorators.verify_target_options({})
    level = {"opt_level": own["opt_level"]} if "opt_level" in own and "opt" not in options else {}
    verified = decorators.verify_target_options({**level, **options})
    return {
        name: value
        for name, value in verified.items()
        if name in options or value != defaults.get(name)
    }


def compile_offline(function, argtypes, targetoptions, *, block, grid, cc):
    """Compile a Python function as a kernel for `cc`; needs no driver.

    Returns
    -------
    cres
        The host's result; ``metadata`` has cubin, ltoir, mlir_module_optimized
        and, as ``coop.ptx``, the final PTX.
    lowered
        What coop's passes gave, None for a kernel without coop.
    """
    targetoptions = {
        **targetoptions,
        "chip": tools.format_arch(cc),
        LAUNCH_CONFIG: {"grid": grid, "block": block, "sharedmem": 0, "cluster": None},
    }
    with global_compiler_lock, _pinned_cc(cc), _recording(True):
        cres = mlir_compiler.compile_mlir(function, types.none, argtypes, targetoptions)
        mlir_optimization.optimize(cres)
        cres.metadata["coop.ptx"] = _final_ptx(cres)
    facts = kernel_facts(cres.metadata)
    return cres, facts and facts.lowered


@contextmanager
def _pinned_cc(cc):
    """Make the host take `cc` for the present GPU's; hold its lock meanwhile."""
    before = tools._cached_cc
    try:
        tools._cached_cc = tuple(cc)
        yield
    finally:
        tools._cached_cc = before


def _final_ptx(cres) -> str:
    """Return the PTX of what is linked, wrappers and all."""
    if cres.metadata["link_plan"].compile_new_inputs_as_ltoir:
        return mlir_optimization.get_lto_ptx(cres)
    return mlir_optimization.get_ptx(cres)
