# Compiles CUDA C++ to LTO-IR with NVRTC.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVRTC: CUDA C++ text to LTO-IR and lowered names, with no GPU and no driver."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from coop_mlir.errors import CoopProviderError

from . import precompiled

__all__ = ["OPTIONS", "Compiled", "arch", "compile_source"]

PROGRAM = "coop_wrappers.cu"
OPTIONS = ("-std=c++17", "-dlto", "-rdc=true", "-default-device")


@dataclass(frozen=True)
class Compiled:
    """What NVRTC made of a source.

    Attributes
    ----------
    ltoir : bytes
        LTO-IR for nvJitLink.
    names : dict of str to str
        The lowered name of each name expression.
    log : str
        Warnings and remarks, empty when there are none.
    """

    ltoir: bytes
    names: dict[str, str]
    log: str


def arch(cc: tuple[int, int]) -> str:
    """Return ``sm_90`` for ``(9, 0)``."""
    return f"sm_{cc[0]}{cc[1]}"


def compile_source(
    source: str,
    expressions: Sequence[str],
    cc: tuple[int, int],
    include_dirs: Sequence,
    version: tuple[int, int],
) -> Compiled:
    """Compile CUDA C++ to LTO-IR.

    Parameters
    ----------
    source : str
        One translation unit.
    expressions : sequence of str
        Name expressions whose lowered names are wanted.
    cc : tuple of int
        Compute capability of the target.
    include_dirs : sequence of path
        Searched in order.
    version : tuple of int
        NVRTC's.

    Raises
    ------
    CoopProviderError
        With NVRTC's log and the CUDA lines at fault.
    """
    _require_arch(cc, version)
    options = (f"--gpu-architecture={arch(cc)}", *OPTIONS, *(f"-I{d}" for d in include_dirs))
    if version >= precompiled.SINCE:
        with precompiled.session(source, options) as extra:
            if extra:
                # A failure may be the precompiled header's own (a full disk, say): the plain compile has the last word.
                try:
                    return _compile(source, expressions, (*options, *extra))
                except CoopProviderError:
                    pass
    return _compile(source, expressions, options)


def _compile(source: str, expressions: Sequence[str], options: Sequence[str]) -> Compiled:
    from cuda.bindings import nvrtc

    with _program(source) as program:
        for expression in expressions:
            _checked(nvrtc.nvrtcAddNameExpression(program, expression.encode()))
        (status,) = nvrtc.nvrtcCompileProgram(
            program, len(options), [option.encode() for option in options]
        )
        precompiled.note_outcome(program, options)
        log = (
            _blob(program, nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog)
            .decode(errors="replace")
            .strip("\0 \n")
        )
        if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            raise CoopProviderError(_failure(status.name, source, log), log=log)
        names = {
            e: _checked(nvrtc.nvrtcGetLoweredName(program, e.encode())).decode()
            for e in expressions
        }
        return Compiled(_blob(program, nvrtc.nvrtcGetLTOIRSize, nvrtc.nvrtcGetLTOIR), names, log)


@contextmanager
def _program(source: str) -> Iterator:
    from cuda.bindings import nvrtc

    program = _checked(nvrtc.nvrtcCreateProgram(source.encode(), PROGRAM.encode(), 0, [], []))
    try:
        yield program
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def _blob(program, size_of, read) -> bytes:
    # cuda-bindings writes into the bytes object. One byte more than asked keeps it from being one that Python shares.
    size = _checked(size_of(program))
    data = bytes(size + 1)
    _checked(read(program, data))
    return data[:size]


def _checked(result: tuple):
    """Return the value of a cuda-bindings result, or raise."""
    status, *values = result
    if status.value != 0:
        raise CoopProviderError(f"NVRTC failed: {status.name}")
    return values[0] if values else None


def _require_arch(cc: tuple[int, int], version: tuple[int, int]) -> None:
    from cuda.bindings import nvrtc

    supported = _checked(nvrtc.nvrtcGetSupportedArchs())
    if cc[0] * 10 + cc[1] not in supported:
        known = ", ".join(f"sm_{number}" for number in supported)
        raise CoopProviderError(
            f"NVRTC {version[0]}.{version[1]} does not support {arch(cc)}; it supports {known}"
        )


def _failure(status: str, source: str, log: str) -> str:
    """Return the message: the status, then each CUDA line that the log names."""
    lines = source.splitlines()
    numbers = dict.fromkeys(
        int(n)
        for n in re.findall(
            rf"^{re.escape(PROGRAM)}\((\d+)\): (?:catastrophic )?error", log, re.MULTILINE
        )
    )
    quoted = [f"  {PROGRAM}:{n}: {lines[n - 1].strip()}" for n in numbers if n <= len(lines)]
    return "\n".join([f"NVRTC could not compile the generated CUDA C++ ({status})", *quoted])
