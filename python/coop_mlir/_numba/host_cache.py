# The adapter's part for @cuda.jit(cache=True).
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The adapter's part for ``@cuda.jit(cache=True)``.

The host does not cache kernels whose code depends on the launch, for its keys
say nothing of it. Kernels that use coop are kept in the same files, under keys
that do.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
from dataclasses import astuple
from pathlib import Path

from numba_cuda_mlir.caching import MLIRCache, MLIRCacheImpl
from numba_cuda_mlir.descriptor import mlir_target
from numba_cuda_mlir.numba_cuda import types, typing
from numba_cuda_mlir.numba_cuda.core.errors import ForceLiteralArg

from .._cub import provider
from .._options import settings_of, with_options
from .host_launch import launch_key
from .reach import uses_coop

__all__ = ["CUDA_SOURCE", "LAUNCH_CONFIG", "compile_cached"]

CUDA_SOURCE = "coop.cuda_source"
"""Where the metadata of a kernel have the source of its wrappers."""

LAUNCH_CONFIG = "__launch_config__"
"""The target option that holds the launch."""

# What the host's cache forgets of a kernel's metadata.
_FORGOTTEN = ("required_dynamic_shared_memory", "use_cooperative", CUDA_SOURCE)
_CODE = (".py", ".so", ".pyd", ".dylib")
_SCALARS = (bool, int, float, str, type(None))


def compile_cached(original, pyfunc, func_args, targetoptions, override_argtypes=None, **others):
    """Compile a kernel for a launch; load it instead if it uses coop and is on disk."""

    targetoptions = with_options(pyfunc, targetoptions)

    def compile():
        return original(
            pyfunc, func_args, targetoptions, override_argtypes=override_argtypes, **others
        )

    caches = targetoptions.get("cache") and LAUNCH_CONFIG in targetoptions
    if not caches or override_argtypes is None or not uses_coop(pyfunc):
        return compile()
    cache = _Cache(pyfunc, targetoptions)
    signature = typing.signature(types.none, *override_argtypes)
    cres = cache.load_overload(signature, mlir_target.target_context)
    if cres is None:
        return _compile_and_save(compile, cache, signature)
    provider.dump_source(cres.metadata[CUDA_SOURCE])
    return cres


def _compile_and_save(compile, cache, signature):
    try:
        cres = compile()
    except ForceLiteralArg as request:
        cache.save_overload(signature, _Request(request.requested_args))
        raise
    cache.save_overload(signature, cres)
    return cres


class _Request:
    """Stands in the cache for a kernel that must know the values of some arguments."""

    def __init__(self, positions):
        self.positions = set(positions)

    codegen = property(lambda self: mlir_target.target_context.codegen())


class _Impl(MLIRCacheImpl):
    """Writes and reads entries."""

    def reduce(self, data):
        if isinstance(data, _Request):
            return {"request": data.positions}
        entry = super().reduce(data)
        options = entry["targetoptions"].items()
        entry["targetoptions"] = {name: value for name, value in options if name != LAUNCH_CONFIG}
        entry["coop"] = {name: data.metadata[name] for name in _FORGOTTEN if name in data.metadata}
        return entry

    def rebuild(self, target_context, payload):
        if "request" in payload:
            raise ForceLiteralArg(payload["request"])
        cres = super().rebuild(target_context, payload)
        cres.metadata.update(payload["coop"])
        return cres

    def check_cachable(self, data) -> bool:
        return isinstance(data, _Request) or super().check_cachable(data)


class _Cache(MLIRCache):
    """The host's cache of one function, with keys that tell launches and versions apart."""

    _impl_class = _Impl

    def _index_key(self, sig, codegen):
        options = self._targetoptions
        scalars = sorted((k, repr(v)) for k, v in options.items() if isinstance(v, _SCALARS))
        return (
            *super()._index_key(sig, codegen),
            launch_key(options[LAUNCH_CONFIG]),
            tuple(scalars),
            astuple(settings_of(options)),
            _identity(),
        )


def _identity() -> tuple[str, ...]:
    """Return what a kernel's code depends on besides the kernel and its target."""
    return (_own_identity(), *provider.identity())


@functools.cache
def _own_identity() -> str:
    """Return a digest of the names, sizes and times of this package's files."""
    folders = importlib.import_module(__package__.partition(".")[0]).__path__
    paths = (path for folder in folders for path in Path(folder).rglob("*.*"))
    files = sorted(path for path in paths if path.suffix in _CODE)
    status = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return hashlib.sha256(repr(status).encode()).hexdigest()
