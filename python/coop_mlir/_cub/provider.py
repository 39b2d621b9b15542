# Gives the compiled wrappers for a CUDA text: from a cache, or compiled once.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the CUDA text of the wrappers to LTO-IR and the layouts of their scratch."""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from coop_mlir.errors import CoopInternalError, CoopProviderError

from . import cache, headers, nvrtc, toolkit

__all__ = ["Provider", "clear", "compile_wrappers", "dump_source", "identity"]

DUMP_DIR = "CUDA_COOP_SOURCE_DUMP_DIR"
BACKEND = "numba_mlir"

Probes = Sequence[tuple[str, str]]

_lock = threading.Lock()
_providers: dict[str, Future] = {}


@dataclass(frozen=True)
class Provider:
    """Compiled wrappers.

    Attributes
    ----------
    ltoir : bytes
        LTO-IR that defines them, for nvJitLink.
    layouts : dict of str to (int, int)
        Size and alignment in bytes of the scratch of each wrapper that uses some; of one group's, for warps.
    log : str
        NVRTC's remarks, empty when there are none or when the wrappers came from a cache.
    """

    ltoir: bytes
    layouts: dict[str, tuple[int, int]] = field(default_factory=dict)
    log: str = ""


def compile_wrappers(source: str, probes: Probes, cc: tuple[int, int]) -> Provider:
    """Compile wrappers, or return what an equal request gave before.

    Equal requests from several threads at once compile once. A failed request is not remembered.

    Parameters
    ----------
    source : str
        CUDA C++ that defines the wrappers, empty for none.
    probes : sequence of (str, str)
        Name of a wrapper with scratch, and the name expression whose lowered name spells its layout.
    cc : (int, int)
        Compute capability of the target.

    Raises
    ------
    CoopProviderError
        When headers or libraries are missing or don't fit, or when the source does not compile (with NVRTC's log).
    """
    if not source:
        return Provider(b"")
    dump_source(source)
    libraries = toolkit.current()
    found = headers.resolve(libraries.nvrtc[0])
    key = _key(source, probes, cc, found, libraries)
    while True:
        future = _request(key, source, probes, cc, found, libraries)
        if not isinstance(future.exception(), (KeyboardInterrupt, SystemExit)):
            return future.result()
        # Another thread had begun and was stopped; this one wasn't.


def identity() -> tuple[str, ...]:
    """Return what compiled wrappers depend on besides their source and target."""
    libraries = toolkit.current()
    return (_own_version(), *headers.resolve(libraries.nvrtc[0]).identity, *libraries.identity)


def clear() -> None:
    """Forget the providers of this process."""
    with _lock:
        _providers.clear()


def _request(key: str, *request) -> Future[Provider]:
    """Return the future of a request; fulfil it unless another thread does."""
    mine: Future[Provider] = Future()
    try:
        future = _providers.setdefault(key, mine)
        if future is mine:
            mine.set_result(_load(key) or _compile(key, *request))
        return future
    except BaseException as error:
        if not mine.done():
            with _lock:
                if _providers.get(key) is mine:
                    del _providers[key]
            mine.set_exception(error)
        raise


def _load(key: str) -> Provider | None:
    entry = cache.load(key) if cache.enabled() else None
    return Provider(*entry) if entry else None


def _compile(
    key: str, source: str, probes: Probes, cc, found: headers.Headers, libraries: toolkit.Toolkit
) -> Provider:
    toolkit.check(found, libraries)
    expressions = list(dict.fromkeys(expression for _, expression in probes))
    compiled = nvrtc.compile_source(source, expressions, cc, found.include_dirs, libraries.nvrtc)
    layouts = {name: _layout(compiled.names[expression]) for name, expression in probes}
    if cache.enabled():
        cache.store(key, compiled.ltoir, layouts)
    return Provider(compiled.ltoir, layouts, compiled.log)


def _layout(lowered: str) -> tuple[int, int]:
    """Read size and alignment off ``_Z17coop_layout_probeILy2048ELy16EE``."""
    match = re.search(r"coop_layout_probeILy(\d+)ELy(\d+)EE", lowered)
    if match is None:
        raise CoopInternalError(f"the lowered name '{lowered}' spells no layout")
    return int(match[1]), int(match[2])


def _key(
    source: str, probes: Probes, cc, found: headers.Headers, libraries: toolkit.Toolkit
) -> str:
    """Return a digest of all that can change the result."""
    parts = [
        _own_version(),
        source,
        list(probes),
        nvrtc.arch(cc),
        nvrtc.OPTIONS,
        found.identity,
        libraries.identity,
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _own_version() -> str:
    try:
        return metadata.version("coop-mlir")
    except metadata.PackageNotFoundError:
        return "unknown"


def dump_source(source: str) -> None:
    """Write a source to the dump directory, if one is set; on cache hits too."""
    directory = os.environ.get(DUMP_DIR)
    if not directory or not source:
        return
    name = hashlib.sha256(source.encode()).hexdigest()[:16]
    path = Path(directory, f"cuda_coop_{BACKEND}_{name}.cu")
    try:
        cache.write_atomically(path, source.encode())
    except OSError as error:
        raise CoopProviderError(
            f"{DUMP_DIR} is '{directory}', which can't be written: {error.strerror}"
        ) from error
