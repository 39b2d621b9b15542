# Helpers of the front end's tests: the coop IR of a kernel, and its errors.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers of the front end's tests: the coop IR of a kernel, and its errors."""

import contextlib
import linecache
import re

import coop_mlir as coop
import pytest

types = pytest.importorskip("numba_cuda_mlir.types")

coop.register("numba-cuda-mlir")

from coop_mlir._numba import host  # noqa: E402
from numba_cuda_mlir import descriptor  # noqa: E402

I32 = types.int32[::1]
F32 = types.float32[::1]
CC = (9, 0)


class _Emitted(Exception):
    """Ends a compilation once the module is there."""


def emit(kernel, signature, block=128, generic=False):
    """Return the module of a kernel as it goes to coop's passes."""

    def stop(cres):
        raise _Emitted(
            cres.metadata["mlir_module"].operation.get_asm(
                enable_debug_info=True, print_generic_op_form=generic
            )
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(host, "transform", stop)
        with pytest.raises(_Emitted) as caught:
            coop.compile(kernel, signature, block=block, cc=CC)
    return str(caught.value)


def launch(kernel, argtypes, values, block=(128, 1, 1)):
    """Compile a kernel the way that a launch does, up to coop's passes.

    Return the module, or raise what the launch would raise.
    """
    texts = []
    config = {"grid": (1, 1, 1), "block": block, "sharedmem": 0, "cluster": None}
    attempt = {"types": argtypes, "values": values, "available_launch_config": config}

    def stop(cres):
        texts.append(str(cres.metadata["mlir_module"]))
        raise _Emitted

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(host, "transform", stop)
        patch.setattr("numba_cuda_mlir.tools._cached_cc", CC)
        for name, value in attempt.items():
            patch.setattr(descriptor._compile_arg_types, name, value, raising=False)
        with contextlib.suppress(_Emitted):
            kernel._prepare_for_launch(values, values, argtypes, config, None, kernel._c, None)
    return texts[0]


def error_of(kernel, signature, block=128):
    """Return the typing error of a kernel."""
    with pytest.raises(coop.CoopTypingError) as caught:
        coop.compile(kernel, signature, block=block, cc=CC)
    assert type(caught.value) is coop.CoopTypingError
    return caught.value


def check(kernel, signature, *parts, block=128):
    """Check the parts of a kernel's error and that it shows a line of the kernel's file."""
    error = error_of(kernel, signature, block)
    for part in parts:
        assert part in str(error), str(error)
    assert error.location is not None
    assert error.location.filename == kernel.py_func.__code__.co_filename
    assert error.location.source in str(error)
    return error


def line_of(kernel, marker):
    """Return the number of the line with a marker in the file of a kernel."""
    lines = linecache.getlines(kernel.py_func.__code__.co_filename)
    numbers = [number for number, line in enumerate(lines, 1) if f"# {marker}" in line]
    assert len(numbers) == 1, f"{marker} is on lines {numbers}"
    return numbers[0]


def ops(text, name):
    """Return the lines of a module with a coop operation."""
    return [line.strip() for line in text.splitlines() if f'"coop.{name}"' in line]


def line_numbers(text, lines):
    """Return the source line of each line of a printed module."""
    aliases = dict(re.findall(r"^(#loc\d*) = loc\((.*)\)$", text, re.MULTILINE))

    def line_of(alias):
        """Return the place's own line, whatever calls led to it."""
        inlined = re.match(r"callsite\((#loc\d*) at", aliases[alias])
        return line_of(inlined[1]) if inlined else int(aliases[alias].split(":")[-2])

    return [line_of(re.search(r"loc\((#loc\d*)\)$", line)[1]) for line in lines]
