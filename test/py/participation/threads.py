# What a kernel's Python code does, thread by thread.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel's Python code does, thread by thread, with nothing of coop or the host.

Each thread of a launch runs the kernel's Python function as it stands, one
thread at a time, up to an operation that others must join. Such an operation
happens once all members of its group wait at the same call; when no group is
whole any more, those who wait do so in vain.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod

__all__ = ["WARP", "current", "run_threads"]

WARP = 32
_STACK = 1 << 18
_MAX_MEETINGS = 20000


class _Stopped(BaseException):
    """Ends a thread whose block has gone wrong."""


@dataclass(frozen=True)
class _Request:
    """What a thread waits for: where, with whom, and what it brings."""

    width: int
    site: tuple
    act: Callable
    value: object
    agreed: tuple


@dataclass(eq=False)
class _Thread:
    rank: int
    index: tuple
    block: _Block
    go: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    request: _Request | None = None
    reply: object = None

    def meet(self, width, act, value, agreed=()):
        """Wait for the group of `width` threads; return what `act` makes of all values."""
        self.request = _Request(width, _site(), act, value, agreed)
        self.block.turn.release()
        self.go.acquire()
        if self.block.stopped:
            raise _Stopped
        return self.reply


_current = threading.local()


def current() -> _Thread:
    return _current.thread


def _site() -> tuple:
    """Return where the kernel is: the instruction in each function from it inwards."""
    frame, places = sys._getframe(1), []
    while frame is not None and frame.f_globals.get("__name__") != threading.__name__:
        if frame.f_globals.get("__name__") != __name__:
            places.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return tuple(places)


class _Block:
    """The threads of one block, of which one runs at a time."""

    def __init__(self, kernel, args, grid, shape, number, shared_bytes):
        self.grid, self.shape = grid, shape
        self.shared_bytes = shared_bytes
        self.number = _unrank(number, grid)
        self.turn = threading.Semaphore(0)
        self.stopped = False
        self.failure = None
        self.shared = {}
        self.size = prod(shape)
        self.threads = [_Thread(rank, _unrank(rank, shape), self) for rank in range(self.size)]
        self.waiting = []
        self._run = lambda: kernel(*args)

    def run(self) -> str:
        workers = [threading.Thread(target=self._body, args=(one,)) for one in self.threads]
        for thread, worker in zip(self.threads, workers, strict=True):
            worker.start()
            self._continue(thread, first=True)
        found = self._meetings()
        self.stopped = True
        for thread in self.waiting:
            thread.go.release()
        for worker in workers:
            worker.join()
        if self.failure:
            raise self.failure
        return found

    def _body(self, thread):
        _current.thread = thread
        try:
            self._run()
        except _Stopped:
            return
        except BaseException as error:
            self.failure = self.failure or error
        thread.request = None
        self.turn.release()

    def _continue(self, thread, first=False):
        """Let a thread run until it waits or ends."""
        if not first:
            thread.request = None
            thread.go.release()
        self.turn.acquire()
        if thread.request is not None:
            self.waiting.append(thread)

    def _meetings(self) -> str:
        for _ in range(_MAX_MEETINGS):
            if not self.waiting or self.failure:
                return "clean"
            group = self._whole_group()
            if group is None:
                return "participation"
            if len({thread.request.agreed for thread in group}) > 1:
                return "uniformity"
            self._let_go(group)
        raise AssertionError("the kernel does not end")

    def _let_go(self, group):
        """Do what the call of a whole group does; let its threads run on."""
        self.waiting = [thread for thread in self.waiting if thread not in group]
        replies = group[0].request.act([thread.request.value for thread in group])
        for thread, reply in zip(group, replies, strict=True):
            thread.reply = reply
            self._continue(thread)

    def _whole_group(self):
        """Return the members of a group that all wait at one call, by rank; else None."""
        groups: dict = {}
        for thread in self.waiting:
            width = thread.request.width
            key = width, thread.request.site, thread.rank // width
            groups.setdefault(key, []).append(thread)
        for (width, _, number), members in groups.items():
            if len(members) == min(width, self.size - number * width):
                return sorted(members, key=lambda t: t.rank)
        return None


def _unrank(number, shape):
    x, y, _ = shape
    return number % x, number // x % y, number // (x * y)


def run_threads(kernel, grid: int, block, args, shared_bytes: int = 0) -> str:
    """Run a kernel on arrays, in place; end at the first block that goes wrong.

    Return ``clean``; ``participation`` when threads wait in vain; ``uniformity``
    when members of a group give one call different operands.

    Parameters
    ----------
    kernel : function
        The kernel as it was written.
    grid, block : int or tuple of int
        The shape of the launch.
    args : sequence
        NumPy arrays and numbers.
    shared_bytes : int
        Dynamic shared memory of the launch.
    """
    from .stand_ins import translate

    grid, block = _three(grid), _three(block)
    function = translate(kernel)
    size = threading.stack_size(_STACK)
    try:
        for number in range(prod(grid)):
            found = _Block(function, args, grid, block, number, shared_bytes).run()
            if found != "clean":
                return found
    finally:
        threading.stack_size(size)
    return "clean"


def _three(shape):
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return (*shape, 1, 1)[:3]
