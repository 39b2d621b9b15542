# The operations that kernels call; each is a stub on the host.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operations that kernels call.

A registered kernel compiler replaces these functions inside kernels. Calling
one on the host raises :class:`~coop_mlir.errors.CoopError`.
"""

from __future__ import annotations

import functools

from .errors import CoopError

__all__ = [
    "ALGORITHMS",
    "DEVICE_FUNCTIONS",
    "Group",
    "TempStorage",
    "ThreadData",
    "load",
    "store",
    "this_block",
    "this_warp",
]

ALGORITHMS = (
    "direct",
    "striped",
    "vectorize",
    "transpose",
    "warp_transpose",
    "warp_transpose_timesliced",
)
"""The ways in which a tile moves between memory and payloads."""

DEVICE_FUNCTIONS = []
"""The functions that a kernel compiler must know."""


def _device(function):
    """Return `function` as a stub that refuses to run on the host."""

    @functools.wraps(function)
    def stub(*args, **kwargs):
        raise _host_error(function.__name__)

    DEVICE_FUNCTIONS.append(stub)
    return stub


def _host_error(name: str) -> CoopError:
    return CoopError(
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

    def __init__(self):
        raise _host_error("Group")

    def group_by(self, width, /):
        """Return the aligned part of `width` lanes that this thread is in.

        Parameters
        ----------
        width : int
            1, 2, 4, 8, 16 or 32, known at compile time.
        """
        raise _host_error("Group.group_by")

    def rank(self):
        """Return this thread's place in the group, from 0, as an int32."""
        raise _host_error("Group.rank")

    def index(self):
        """Return the place of this thread's group in the block, from 0, as an int32."""
        raise _host_error("Group.index")

    def sync(self):
        """Wait until all threads of the group have come.

        Each sees the shared and global memory that the others wrote before.
        """
        raise _host_error("Group.sync")


@_device
def this_block():
    """Return the group of all threads of this thread's block.

    The block's shape comes from the launch. Making a group synchronizes nothing
    and costs no instruction.

    Returns
    -------
    Group
    """


@_device
def this_warp():
    """Return the group of the 32 threads of this thread's warp.

    Returns
    -------
    Group
        Its ``group_by(width)`` makes logical warps.
    """


@_device
def ThreadData(items_per_thread, dtype=None, *, alignment=None):
    """Make this thread's payload: a fixed number of slots, not initialized.

    Parameters
    ----------
    items_per_thread : int
        The number of slots, positive and known at compile time. A kernel
        argument specializes the kernel for each value.
    dtype : data-type, optional
        The type of a slot. By default that of the array that the payload is
        loaded from or stored to, else that of a typed assignment.
    alignment : int, optional
        Least alignment in bytes, a power of two.

    Returns
    -------
    payload
        Indexed by ``items[i]``; has ``len(items)`` and
        ``items.items_per_thread``.
    """


@_device
def TempStorage(size_in_bytes=None, *, alignment=None, auto_sync=False, sharing="shared"):
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
    """


@_device
def load(
    group,
    source,
    items,
    /,
    *,
    algorithm="direct",
    offset=0,
    valid_items=None,
    oob_default=None,
    temp_storage=None,
):
    """Load a tile: each thread of `group` gets its items from `source`.

    Parameters
    ----------
    group : Group
        The threads that take part; each must reach the call.
    source : array
        One-dimensional and contiguous.
    items : payload
        The :func:`ThreadData` to fill.
    algorithm : str
        One of :data:`ALGORITHMS`.
    offset : int
        Where the tile starts, in elements from the start of `source`. A warp
        adds the origin of its own tile by itself.
    valid_items : int, optional
        Length of the valid prefix of the group's tile, in [0, G·K].
    oob_default : scalar, optional
        What the slots outside the valid prefix hold; unspecified without it.
        A run-time value has exactly the payload's data type.
    temp_storage : storage, optional
        The :func:`TempStorage` to use.
    """


@_device
def store(
    group,
    destination,
    items,
    /,
    *,
    algorithm="direct",
    offset=0,
    valid_items=None,
    temp_storage=None,
):
    """Store a tile: each thread of `group` puts its items into `destination`.

    What lies outside the valid prefix keeps its value. The transpose
    algorithms may overwrite `items`. The parameters are those of :func:`load`.
    """
