# The names that kernels use, for threads that are run one by one.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names that kernels use, for threads that are run one by one."""

from __future__ import annotations

import sys
import types
from types import SimpleNamespace

import numpy as np

from .threads import WARP, current

__all__ = ["translate"]


def translate(kernel):
    """Return the kernel's function with the names of coop and the host replaced."""
    names = dict(kernel.__globals__)
    for name, value in names.items():
        if name in _NAMES:
            names[name] = _NAMES[name]
        elif hasattr(value, "py_func"):
            names[name] = types.FunctionType(value.py_func.__code__, names, name)
    return types.FunctionType(kernel.__code__, names, kernel.__name__)


# ---------------------------------------------------------------------------
# Groups
# ---------------------------------------------------------------------------


class _Group:
    def __init__(self, width):
        self.width = width

    def group_by(self, width):
        return _Group(width)

    def rank(self):
        return current().rank % self.width

    def index(self):
        return current().rank // self.width

    @property
    def size(self):
        return self.width

    @property
    def count(self):
        return current().block.size // self.width

    def sync(self):
        current().meet(self.width, _nothing, None)


def _this_block():
    return _Group(current().block.size)


def _nothing(values):
    return [None] * len(values)


def _tile(group, count, offset, valid_items):
    """Return the element of each slot of this thread; None for those not valid."""
    rank, index = current().rank % group.width, current().rank // group.width
    size = group.width * count
    valid = size if valid_items is None else int(valid_items)
    assert 0 <= valid <= size, f"valid_items is {valid}"
    base = int(offset) + index * size
    slots = [rank * count + slot for slot in range(count)]
    return [base + slot if slot < valid else None for slot in slots]


def _load(group, source, items, *, offset=0, valid_items=None, oob_default=None):
    current().meet(group.width, _nothing, None, (offset, valid_items, oob_default))
    for slot, at in enumerate(_tile(group, len(items), offset, valid_items)):
        if at is not None:
            items[slot] = source[at]
        elif oob_default is not None:
            items[slot] = oob_default


def _store(group, destination, items, *, offset=0, valid_items=None):
    current().meet(group.width, _nothing, None, (offset, valid_items))
    for slot, at in enumerate(_tile(group, len(items), offset, valid_items)):
        if at is not None:
            destination[at] = items[slot]


# ---------------------------------------------------------------------------
# The host
# ---------------------------------------------------------------------------


def _xyz(index):
    return SimpleNamespace(**dict(zip("xyz", index, strict=True)))


class _Cuda:
    """``cuda`` as it looks to the thread that runs."""

    threadIdx = property(lambda self: _xyz(current().index))
    blockIdx = property(lambda self: _xyz(current().block.number))
    blockDim = property(lambda self: _xyz(current().block.shape))
    gridDim = property(lambda self: _xyz(current().block.grid))
    laneid = property(lambda self: current().rank % WARP)

    def grid(self, dimensions):
        me = current()
        places = tuple(
            number * size + index
            for number, size, index in zip(me.block.number, me.block.shape, me.index, strict=True)
        )
        return places[0] if dimensions == 1 else places[:dimensions]

    def gridsize(self, dimensions):
        block = current().block
        sizes = tuple(a * b for a, b in zip(block.grid, block.shape, strict=True))
        return sizes[0] if dimensions == 1 else sizes[:dimensions]

    def syncthreads(self):
        me = current()
        me.meet(me.block.size, _nothing, None)

    def syncwarp(self):
        current().meet(WARP, _nothing, None)

    def _of_block(self, value, fold):
        me = current()
        return me.meet(me.block.size, lambda all_: [fold(all_)] * len(all_), value)

    def syncthreads_or(self, value):
        return self._of_block(bool(value), lambda all_: int(any(all_)))

    def syncthreads_and(self, value):
        return self._of_block(bool(value), lambda all_: int(all(all_)))

    def syncthreads_count(self, value):
        return self._of_block(bool(value), sum)

    def _of_warp(self, value, fold):
        return current().meet(WARP, fold, value)

    def any_sync(self, _, value):
        return self._of_warp(bool(value), lambda all_: [any(all_)] * len(all_))

    def all_sync(self, _, value):
        return self._of_warp(bool(value), lambda all_: [all(all_)] * len(all_))

    def ballot_sync(self, _, value):
        bits = lambda all_: sum(one << lane for lane, one in enumerate(all_))  # noqa: E731
        return self._of_warp(bool(value), lambda all_: [bits(all_)] * len(all_))

    def match_any_sync(self, _, value):
        mask = lambda one, all_: sum((other == one) << lane for lane, other in enumerate(all_))  # noqa: E731
        return self._of_warp(int(value), lambda all_: [mask(one, all_) for one in all_])

    def shfl_sync(self, _, value, lane):
        return self._of_warp(value, lambda all_: [all_[lane]] * len(all_))

    def shfl_down_sync(self, _, value, delta):
        last = WARP - 1
        return self._of_warp(
            value,
            lambda all_: [all_[n + delta] if n + delta <= last else all_[n] for n in range(WARP)],
        )

    def popc(self, value):
        return int(value).bit_count()

    class atomic:
        @staticmethod
        def add(array, index, value):
            old = array[index].copy()
            array[index] += value
            return old

    class local:
        @staticmethod
        def array(size, dtype):
            return np.zeros(size, dtype)

    class shared:
        @staticmethod
        def array(size, dtype):
            caller = sys._getframe(1)
            place = caller.f_code, caller.f_lasti
            size = size or current().block.shared_bytes // np.dtype(dtype).itemsize
            return current().block.shared.setdefault(place, np.zeros(size, dtype))


_NAMES = {
    "cuda": _Cuda(),
    "this_block": _this_block,
    "this_warp": lambda: _Group(WARP),
    "ThreadData": lambda count, dtype=None: _Payload(count),
    "load": _load,
    "store": _store,
    "uniform": lambda value: value,
}


class _Payload(list):
    def __init__(self, count):
        super().__init__([0] * count)

    items_per_thread = property(len)
