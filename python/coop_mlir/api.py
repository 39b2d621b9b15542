# The operations that kernels call; each is a stub on the host.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operations that kernels call.

A registered kernel compiler replaces these functions inside kernels. Calling
one on the host raises :class:`~coop_mlir.errors.CoopError`.
"""

# mypy: disable-error-code="empty-body"
# pyright: reportReturnType=false

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Literal, NoReturn, TypeVar, cast, get_args

from .errors import CoopError

__all__ = [
    "ALGORITHMS",
    "DEVICE_FUNCTIONS",
    "Algorithm",
    "Group",
    "Payload",
    "Storage",
    "TempStorage",
    "TempStorageLike",
    "ThreadData",
    "ThreadDataLike",
    "QUALIFIED",
    "load",
    "qualified_load",
    "qualified_store",
    "store",
    "this_block",
    "this_warp",
    "uniform",
]

Algorithm = Literal[
    "direct",
    "striped",
    "vectorize",
    "transpose",
    "warp_transpose",
    "warp_transpose_timesliced",
    "auto",
]

ALGORITHMS: tuple[str, ...] = get_args(Algorithm)
"""The ways in which a tile moves between memory and payloads."""

DEVICE_FUNCTIONS: list[Callable[..., Any]] = []
"""The functions that a kernel compiler must know."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _device(function: _Function) -> _Function:
    """Return `function` as a stub that refuses to run on the host; its body never runs."""

    @functools.wraps(function)
    def stub(*args: Any, **kwargs: Any) -> NoReturn:
        _refuse(function.__name__)

    DEVICE_FUNCTIONS.append(stub)
    return cast(_Function, stub)


def _refuse(name: str) -> NoReturn:
    raise CoopError(
        f"coop.{name} is a device operation and was called on the host; call it inside a "
        "@cuda.jit kernel, after coop.register('numba-cuda-mlir') when coop was imported first"
    )


class Group:
    """The threads that take part in an operation, as a kernel sees them.

    It comes from :func:`this_block` or :func:`this_warp` and has no
    representation at run time.

    Attributes
    ----------
    size : int
        Threads of the group, known at compile time.
    count : int
        Groups of this kind in the block, known at compile time.
    """

    size: int
    count: int

    def __init__(self) -> None:
        _refuse("Group")

    def group_by(self, width: int, /) -> Group:
        """Return the aligned part of `width` lanes that this thread is in.

        Parameters
        ----------
        width : int
            1, 2, 4, 8, 16 or 32, known at compile time.
        """
        _refuse("Group.group_by")

    def rank(self) -> int:
        """Return this thread's place in the group, from 0, as an int32."""
        _refuse("Group.rank")

    def index(self) -> int:
        """Return the place of this thread's group in the block, from 0, as an int32."""
        _refuse("Group.index")

    def sync(self) -> None:
        """Wait until all threads of the group have come.

        Each sees the shared and global memory that the others wrote before.
        """
        _refuse("Group.sync")


class Payload:
    """What :func:`ThreadData` makes, for annotations.

    Attributes
    ----------
    items_per_thread : int
        The number of slots, known at compile time.
    """

    items_per_thread: int

    def __init__(self) -> None:
        _refuse("Payload")

    def __getitem__(self, index: int, /) -> Any:
        _refuse("Payload")

    def __setitem__(self, index: int, value: Any, /) -> None:
        _refuse("Payload")

    def __len__(self) -> int:
        _refuse("Payload")


class Storage:
    """What :func:`TempStorage` makes, for annotations."""

    def __init__(self) -> None:
        _refuse("Storage")


ThreadDataLike = Payload
"""The name of payloads in the annotations of helpers."""

TempStorageLike = Storage
"""The name of descriptors in the annotations of helpers."""


@_device
def this_block() -> Group:
    """Return the group of all threads of this thread's block.

    The block's shape comes from the launch. Making a group synchronizes nothing
    and costs no instruction.

    Returns
    -------
    Group
    """


@_device
def this_warp() -> Group:
    """Return the group of the 32 threads of this thread's warp.

    Returns
    -------
    Group
        Its ``group_by(width)`` makes logical warps.
    """


@_device
def ThreadData(
    items_per_thread: int, dtype: Any = None, *, alignment: int | None = None
) -> Payload:
    """Make this thread's payload: a fixed number of slots, not initialized.

    Parameters
    ----------
    items_per_thread : int
        The number of slots, positive and known at compile time. A kernel
        argument specializes the kernel for each value.
    dtype : data-type, optional
        The type of a slot: bool, an integer, a float of 16 to 64 bits (bfloat16
        too), a complex number or a record, as a type of NumPy or Numba. By default that of the array that the payload is
        loaded from or stored to, else that of a typed assignment.
    alignment : int, optional
        Least alignment in bytes, a power of two.

    Returns
    -------
    Payload
        Indexed by ``items[i]``; has ``len(items)`` and
        ``items.items_per_thread``.
    """


@_device
def TempStorage(
    size_in_bytes: int | None = None,
    *,
    alignment: int | None = None,
    auto_sync: bool = False,
    sharing: Literal["shared", "exclusive"] = "shared",
) -> Storage:
    """Describe the scratch in shared memory that operations shall use.

    Parameters
    ----------
    size_in_bytes : int, optional
        The capacity; by default what the operations need.
    alignment : int, optional
        Least alignment in bytes, a power of two up to 1024.
    auto_sync : bool
        Whether the compiler places the barriers that reuse needs.
    sharing : {"shared", "exclusive"}
        Whether all call sites share one slice or each has its own.

    Returns
    -------
    Storage
        To be given to operations as ``temp_storage``.
    """


@_device
def load(
    group: Group,
    source: Any,
    items: Payload,
    /,
    *,
    algorithm: Algorithm = "direct",
    offset: int = 0,
    valid_items: int | None = None,
    oob_default: Any = None,
    temp_storage: Storage | None = None,
) -> None:
    """Load a tile: each thread of `group` gets its items from `source`.

    Parameters
    ----------
    group : Group
        The threads that take part; each must reach the call.
    source : array
        One-dimensional and contiguous.
    items : Payload
        The :func:`ThreadData` to fill.
    algorithm : str
        One of :data:`ALGORITHMS`. ``"auto"`` leaves the choice among those in
        blocked order to the compiler, which knows the data type, items, group,
        block, target and the room for scratch.
    offset : int
        Where the tile starts, in elements from the start of `source`. A warp
        adds the origin of its own tile by itself.
    valid_items : int, optional
        Length of the valid prefix of the group's tile, in [0, G·K].
    oob_default : scalar, optional
        What the slots outside the valid prefix hold; unspecified without it.
        A run-time value has exactly the payload's data type.
    temp_storage : Storage, optional
        The :func:`TempStorage` to use.
    """


@_device
def store(
    group: Group,
    destination: Any,
    items: Payload,
    /,
    *,
    algorithm: Algorithm = "direct",
    offset: int = 0,
    valid_items: int | None = None,
    temp_storage: Storage | None = None,
) -> None:
    """Store a tile: each thread of `group` puts its items into `destination`.

    What lies outside the valid prefix keeps its value. The transpose
    algorithms may overwrite `items`. The parameters are those of :func:`load`.
    """


QUALIFIED: list[Callable[..., Any]] = []
"""Those functions that take what only one kernel compiler has."""


def _qualified(function: _Function) -> _Function:
    """Return another stub of an operation, for the namespace of a kernel compiler."""
    stub = _device(cast(_Function, function.__wrapped__))  # type: ignore[attr-defined]
    stub.__name__ = f"qualified_{stub.__name__}"  # as what it is found in this module
    QUALIFIED.append(stub)
    return stub


qualified_load = _qualified(load)
qualified_store = _qualified(store)

_Scalar = TypeVar("_Scalar")


@_device
def uniform(value: _Scalar, /) -> _Scalar:
    """State that all threads of the block have the same `value`.

    For a condition that no analysis can prove to be the same, such as a flag
    that each thread has loaded from another address: cooperative calls behind
    it are then accepted. If the statement is wrong the kernel may hang or give
    wrong results; on the CPU target it is checked.

    Parameters
    ----------
    value : number or bool
        A run-time value.

    Returns
    -------
    number or bool
        The value itself.
    """
