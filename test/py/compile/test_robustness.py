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
from types import FunctionType

import numpy as np
import pytest
from launches import Array, counted, no_driver

pytest.importorskip("numba_cuda_mlir")

import coop_mlir as coop
from coop_mlir import cpu
from coop_mlir._compile import diagnostics
from coop_mlir._cub import provider
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


def by_compile():
    result = compile_one()
    return result.stages, result.cubin


def by_launch():
    kernel = cuda.jit(move)
    kernel[1, 64](Array(), Array())
    return kernel


def by_the_cpu():
    function = new_copy(move)
    source, destination = np.arange(256, dtype=np.int32), np.zeros(256, np.int32)
    cpu.launch(function, 1, 64, source, destination)
    return destination.tolist()


def new_copy(function):
    """Return a copy of a function, which nothing knows yet."""
    return FunctionType(function.__code__, function.__globals__, function.__name__)


@pytest.mark.parametrize("work", [by_compile, by_launch, by_the_cpu], ids=lambda f: f.__name__)
def test_an_interrupt_at_any_call_leaves_a_working_process(work):
    """Interrupted at calls all over the package; then another thread does the same work."""
    with no_driver() as launches, ThreadPoolExecutor(1) as other:
        before = tools._cached_cc
        work()
        provider.clear()
        calls = _interrupted_at(0, work)[1]
        wanted = work() if work is not by_launch else launches[-1].cubin
        interrupted = 0
        for number in np.linspace(1, calls, 16).astype(int):
            provider.clear()
            interrupted += _interrupted_at(number, work)[0]
            assert tools._cached_cc == before
            result = other.submit(work).result(timeout=100)
            assert wanted == (result if work is not by_launch else launches[-1].cubin)
        assert interrupted >= 12  # the interpreter ignores exceptions in a few places


def _interrupted_at(number: int, work) -> tuple[bool, int]:
    """Interrupt some work at the package's call of that number; return whether, and the calls."""
    calls = 0

    def count(frame, event, _):
        nonlocal calls
        if event == "call" and "coop_mlir" in frame.f_code.co_filename:
            calls += 1
            if calls == number:
                sys.setprofile(None)
                raise KeyboardInterrupt

    sys.setprofile(count)
    try:
        work()
    except KeyboardInterrupt:
        return True, calls
    finally:
        sys.setprofile(None)
    return False, calls


def reused(src, dst):
    block = coop.this_block()
    scratch = coop.TempStorage()
    items = coop.ThreadData(4)
    coop.load(block, src, items, algorithm="transpose", temp_storage=scratch)
    coop.store(block, dst, items, algorithm="transpose", temp_storage=scratch)


def test_an_interrupt_while_a_warning_is_read_is_not_lost(monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(diagnostics.Diagnostic, "of", stop)
        with pytest.raises(KeyboardInterrupt):
            coop.compile(reused, (I32, I32), block=64, cc=(9, 0))
    with pytest.warns(coop.CoopWarning):
        coop.compile(reused, (I32, I32), block=64, cc=(9, 0))


NO_LATE_IMPORTS = """
import sys
from importlib.abc import MetaPathFinder
import coop_mlir as coop
from coop_mlir._compile._context import own_context
from numba_cuda_mlir import types

class Refuse(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.startswith("coop_mlir.dialects."):
            raise SystemExit(f"late import of {name}")

def move(src, dst):
    items = coop.ThreadData(4)
    coop.load(coop.this_block(), src, items, algorithm="transpose")
    for i in range(4):
        items[i] = types.int32(items[i] % 7)
    coop.store(coop.this_block(), dst, items, algorithm="transpose")

own_context()
sys.meta_path.insert(0, Refuse())
coop.compile(move, (types.int32[::1],) * 2, block=64, cc=(9, 0))
"""


def test_the_bindings_import_no_dialect_while_they_show_operations(tmp_path):
    """An interrupt in such an import, which C++ starts, has ended the process."""
    program = tmp_path / "program.py"
    program.write_text(NO_LATE_IMPORTS)
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_an_interrupt_is_of_one_thread(monkeypatch):
    """Who waits for wrappers that an interrupted thread was to compile does it himself."""
    started, waiting, real = threading.Event(), threading.Event(), provider._load

    def load(key):
        if not started.is_set():
            started.set()
            waiting.wait(60)
            time.sleep(0.2)
            raise KeyboardInterrupt
        return real(key)

    monkeypatch.setattr(provider, "_load", load)
    provider.clear()
    with ThreadPoolExecutor(2) as pool:
        interrupted = pool.submit(_wrappers)
        started.wait(60)
        patient = pool.submit(_wrappers)
        waiting.set()
        with pytest.raises(KeyboardInterrupt):
            interrupted.result(100)
        assert patient.result(100).ltoir


def _wrappers():
    source = 'extern "C" __device__ void coop_nothing(int *slot) { *slot = 5; }'
    return provider.compile_wrappers(source, (), (9, 0))


def test_an_interrupted_registration_can_be_repeated():
    wrapped = mlir_optimization.optimize
    host.install.__wrapped__()
    assert mlir_optimization.optimize is wrapped


def _interrupted_after(seconds: float) -> bool:
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            compile_one()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:  # in the compilation or behind it
        return True
    return False
