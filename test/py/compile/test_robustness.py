# Compilation in threads, children and strict interpreters, and after an interrupt.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compilation in threads, children and strict interpreters, and after an interrupt."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from launches import Array, counted, no_driver

pytest.importorskip("numba_cuda_mlir")

import coop_mlir as coop
from coop_mlir._numba import host
from numba_cuda_mlir import cuda, mlir_optimization, tools, types

coop.register("numba-cuda-mlir")

I32 = types.int32[::1]
NO_HOST_WARNING = "ignore::DeprecationWarning:numba_cuda_mlir.numba_cuda.np.npdatetime_helpers"


def move(src, dst):
    block = coop.this_block()
    items = coop.ThreadData(4)
    coop.load(block, src, items)
    coop.store(block, dst, items)


def wrong(src, dst):
    coop.load(coop.this_block(), src, src)


def compile_one(block=64):
    return coop.compile(move, (I32, I32), block=block, cc=(9, 0))


def exit_status(action) -> int:
    """Return 0 when a compilation gives what it should."""
    signal.alarm(100)
    return 0 if "coop.group<block>" in action().stages["coop"] else 1


# ---------------------------------------------------------------------------
# Threads
# ---------------------------------------------------------------------------


def test_threads_that_compile_at_once():
    blocks = [32, 64, 96, 128] * 2
    with ThreadPoolExecutor(len(blocks)) as pool:
        results = list(pool.map(compile_one, blocks))
    for block, result in zip(blocks, results, strict=True):
        assert f"array<i32: {block}, 1, 1>" in result.stages["coop"]


def test_an_error_in_one_thread_stays_there():
    def attempt(kernel):
        try:
            return coop.compile(kernel, (I32, I32), block=64, cc=(9, 0)).name
        except coop.CoopTypingError:
            return "refused"

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(attempt, [move, wrong] * 4)) == ["move", "refused"] * 4


def test_threads_that_launch_one_kernel():
    with no_driver() as launches, counted() as texts:
        kernel = cuda.jit(move)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda grid: kernel[grid, 64](Array(), Array()), range(1, 33)))
        assert len(texts) == 1 and len(launches) == 32
        assert sorted(launch.grid[0] for launch in launches) == list(range(1, 33))


# ---------------------------------------------------------------------------
# Children
# ---------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("busy", [False, True], ids=["idle", "while another thread compiles"])
def test_a_forked_child_compiles(busy):
    compile_one()
    with _compiling() if busy else threading.Lock():
        children = [_fork() for _ in range(3)]
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 3
    compile_one()


def _fork() -> int:
    child = os.fork()
    if child == 0:
        try:
            os._exit(exit_status(lambda: compile_one(96)))
        finally:
            os._exit(2)
    return child


@contextmanager
def _compiling():
    """Compile in another thread for as long as the body runs."""
    stop, started = threading.Event(), threading.Event()

    def work():
        while not stop.is_set():
            started.set()
            compile_one(32)

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    time.sleep(0.1)
    yield
    stop.set()
    thread.join()


def test_a_spawned_child_compiles():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(exit_status, (compile_one,)) == 0


# ---------------------------------------------------------------------------
# Strict interpreters
# ---------------------------------------------------------------------------

PROGRAM = """
import coop_mlir as coop
from numba_cuda_mlir import types

def move(src, dst):
    items = coop.ThreadData(4)
    coop.load(coop.this_block(), src, items)
    coop.store(coop.this_block(), dst, items)

def wrong(src, dst):
    coop.load(coop.this_block(), src, src)

signature = types.int32[::1], types.int32[::1]
if coop.compile(move, signature, block=64, cc=(9, 0)).cubin[:4] != b"\\x7fELF":
    raise SystemExit("no binary")
try:
    coop.compile(wrong, signature, block=64, cc=(9, 0))
except coop.CoopTypingError as error:
    if error.location.line != 11:
        raise
else:
    raise SystemExit("no error")
"""


@pytest.mark.parametrize("flags", [["-W", "error", "-W", NO_HOST_WARNING], ["-O"], ["-OO"]])
def test_interpreter_flags(flags, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run([sys.executable, *flags, str(program)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


# ---------------------------------------------------------------------------
# Interrupts
# ---------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no interval timers")
def test_an_interrupt_leaves_a_working_process():
    wanted, before = compile_one(), tools._cached_cc
    start = time.perf_counter()
    compile_one()
    seconds = time.perf_counter() - start
    handler = signal.signal(signal.SIGALRM, signal.default_int_handler)
    interrupted = 0
    try:
        for step in range(12):
            interrupted += _interrupted_after(seconds * (step + 0.5) / 12)
    finally:
        signal.signal(signal.SIGALRM, handler)
    assert interrupted
    assert tools._cached_cc == before
    again = compile_one()
    assert again.stages == wanted.stages and again.cubin == wanted.cubin


def test_an_interrupted_registration_can_be_repeated():
    wrapped = mlir_optimization.optimize
    host.install.__wrapped__()
    assert mlir_optimization.optimize is wrapped


def _interrupted_after(seconds: float) -> bool:
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        compile_one()
    except KeyboardInterrupt:
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return False
