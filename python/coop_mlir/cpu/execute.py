# Running a module's kernel over a grid.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running a kernel of a module over a grid, some blocks at a time."""

from __future__ import annotations

from math import prod

import numpy as np

from coop_mlir import ir

from .batch import Batch
from .builder import build
from .findings import CoopError
from .memory import GlobalObject
from .program import Program
from .run import Run
from .values import MemRef, uniform

__all__ = ["MAX_STEPS", "execute", "execute_program", "shape"]

_LANES = 1 << 16
_SHARED_BYTES = 1 << 22
#: Steps after which a run counts as one without end.
MAX_STEPS = 10_000_000


def shape(name: str, value) -> tuple[int, int, int]:
    """Return one to three positive ints as three."""
    sizes = tuple(map(int, np.atleast_1d(value)))
    if not 1 <= len(sizes) <= 3 or min(sizes) < 1:
        raise ValueError(f"{name} must be one to three positive ints, not {value!r}")
    return (*sizes, 1, 1)[:3]


def execute(module, entry, grid, block, args, **options) -> None:
    """Run a kernel of a module; see :func:`execute_program` for the options.

    Parameters
    ----------
    module : str or ir.Module
        A module at any stage, or its text.
    entry : str or None
        The kernel's symbol or a part of it; None if there is one kernel.
    grid, block : int or tuple of int
        The shape of the launch.
    args : sequence
        A NumPy array for each memref (written in place), a number for each
        scalar.

    Raises
    ------
    CoopCheckError
        When the checker finds a fault.
    UnsupportedError
        For an operation that the CPU target doesn't know.
    """
    if isinstance(module, str):
        from .._compile._context import own_context

        with own_context():
            execute(ir.Module.parse(module), entry, grid, block, args, **options)
        return
    execute_program(build(module, entry), grid, block, args, **options)


def execute_program(
    program: Program,
    grid,
    block,
    args,
    *,
    check: bool = True,
    shared_bytes: int = 0,
    max_steps: int = MAX_STEPS,
    schedule: int | None = None,
) -> None:
    """Run a program over a grid.

    Parameters
    ----------
    check : bool
        Whether to look for races, unwritten values and operands that differ.
        Participation, bounds and valid_items are always checked.
    shared_bytes : int
        Bytes of dynamic shared memory of each block.
    max_steps : int
        The steps of a batch of blocks after which it counts as without end.
    schedule : int, optional
        A seed by which warps take their turns at random, instead of all at once.
    """
    grid, block, args = shape("grid", grid), shape("block", block), list(_flat(args))
    if program.block is not None and tuple(program.block) != block:
        raise CoopError(
            f"kernel '{program.name}' is compiled for the block {program.block}, not {block}",
            program.location,
        )
    if len(args) != len(program.parameters):
        raise CoopError(
            f"kernel '{program.name}' takes {len(program.parameters)} arguments, not {len(args)}",
            program.location,
        )
    globals_: dict = {}
    shared_bytes += program.scratch_bytes
    for batch in _batches(program, grid, block, shared_bytes):
        run = Run(
            program,
            batch,
            check=check,
            shared_bytes=shared_bytes,
            max_steps=max_steps,
            schedule=schedule,
            globals_=globals_,
        )
        values = [
            _argument(run, number, parameter, arg)
            for number, (parameter, arg) in enumerate(zip(program.parameters, args, strict=True))
        ]
        run.run(values)


def _batches(program, grid, block, shared_bytes):
    """Yield batches of a size that caches and memory hold."""
    shared = sum(
        shared_bytes if spec.size is None else spec.size
        for spec in program.objects
        if spec.space == "shared"
    )
    blocks = prod(grid)
    most = max(1, min(_LANES // prod(block), _SHARED_BYTES // max(shared, 1)))
    for first in range(0, blocks, most):
        yield Batch(grid, block, first, min(most, blocks - first))


# ---------------------------------------------------------------------------
# Arguments
# ---------------------------------------------------------------------------


def _flat(args):
    """Yield arguments; of tuples their members, as kernels take them."""
    for arg in args:
        if isinstance(arg, tuple):
            yield from _flat(arg)
        else:
            yield arg


def _argument(run, number, parameter, value):
    """Return the value of a parameter for an argument."""
    if parameter.rank is not None:
        return _array_argument(run, number, parameter, value)
    dtype = parameter.dtype
    if isinstance(value, np.void):
        return uniform(_record_address(run, number, value), dtype)
    if dtype.kind == "i":
        value = int(value) & ((1 << 8 * dtype.itemsize) - 1)
        return np.array([value], f"u{dtype.itemsize}").view(dtype)
    return uniform(value, dtype)


def _record_address(run, number, record):
    """Return the address of a copy of a record, which the host passes by a pointer."""
    storage, offset = _bytes_of(np.array([record]))
    memory = GlobalObject(f"the record of argument {number}", storage, writable=False)
    return run.memory.add(memory) + offset


def _array_argument(run, number, parameter, array):
    if not isinstance(array, np.ndarray):
        raise CoopError(f"argument {number} must be a NumPy array, not {type(array).__name__}")
    element = parameter.dtype.itemsize
    if array.ndim != parameter.rank or any(stride % element for stride in array.strides):
        raise CoopError(
            f"argument {number} is an array of {array.ndim} dimensions and strides "
            f"{array.strides}, which isn't a '{parameter.text}'"
        )
    storage, offset = _bytes_of(array)
    name = f"the array of argument {number}"
    memory = GlobalObject(name, storage, writable=array.flags.writeable)
    base = run.memory.add(memory) + offset
    scale = array.itemsize // element  # More than one for records, seen as bytes.
    sizes = tuple(uniform(n, np.int64) for n in array.shape)
    strides = tuple(uniform(n // element, np.int64) for n in array.strides)
    if scale > 1 and element == 1:
        strides = tuple(uniform(n // array.itemsize, np.int64) for n in array.strides)
    return MemRef(uniform(base, np.int64), uniform(0, np.int64), sizes, strides)


def _bytes_of(array) -> tuple[np.ndarray, int]:
    """Return the bytes that an array lies in, and where its first element is."""
    if array.size == 0:
        return np.zeros(0, np.uint8), 0
    if array.flags.c_contiguous:
        flat = array.reshape(-1).view(np.uint8)
        return flat, 0
    first, last = np.lib.array_utils.byte_bounds(array)
    offset = array.__array_interface__["data"][0] - first
    holder = _Bytes(array, first, last - first)
    return np.asarray(holder), offset


class _Bytes:
    """The memory of an array that isn't contiguous, for NumPy to look at."""

    def __init__(self, array, address, size):
        self._array = array
        self.__array_interface__ = {
            "data": (address, not array.flags.writeable),
            "shape": (size,),
            "typestr": "|u1",
            "version": 3,
        }
