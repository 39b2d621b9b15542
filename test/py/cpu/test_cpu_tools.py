# The command coop-run, and programs with COOP_TARGET=cpu.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command ``coop-run``, and programs that launch kernels with ``COOP_TARGET=cpu``."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from coop_mlir.cpu.cli import argument, main

COPY = """gpu.module @m {
  gpu.func @copy(%src: memref<?xi32>, %dst: memref<?xi32>, %n: index) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %g = coop.group : !coop.group<block>
    %v = coop.load direct %g, %src[%c0] valid(%n)
        : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store direct %g, %v, %dst[%c0] valid(%n)
        : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }
}
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "copy.mlir"
    path.write_text(COPY)
    return str(path)


@pytest.mark.parametrize("stage", [[], ["--stage", "lower-to-cub"]], ids=["as-is", "lowered"])
def test_arrays_are_made_and_saved(file, tmp_path, stage):
    np.save(tmp_path / "in.npy", np.arange(512, dtype=np.int32)[::-1])
    args = ["--arg", str(tmp_path / "in.npy"), "--arg", "zeros:512:i32", "--arg", "500"]
    out = tmp_path / "out"
    assert main([file, "--block", "128", *args, *stage, "--save", str(out)]) == 0
    copied = np.load(out / "1.npy")
    assert np.array_equal(copied[:500], np.arange(512)[::-1][:500]) and not copied[500:].any()


def test_a_seed_of_the_schedule(file, tmp_path, capsys):
    args = ["--arg", "arange:512:i32", "--arg", "zeros:512:i32", "--arg", "500"]
    out = tmp_path / "out"
    command = [file, "--block", "128", *args, "--save", str(out), "--schedule"]
    assert main([*command, "3"]) == 0
    assert np.array_equal(np.load(out / "1.npy")[:500], np.arange(500))
    assert main([*command, "-3"]) == 1
    assert "non-negative" in capsys.readouterr().err


def test_a_finding_is_printed_with_its_line(file, capsys):
    args = ["--arg", "arange:400:i32", "--arg", "zeros:512:i32", "--arg", "500"]
    assert main([file, "--block", "128", *args]) == 1
    printed = capsys.readouterr().err
    assert printed.startswith("coop-run: bounds: 'coop.load' accesses element 400")
    assert f"{file}:6" in printed


@pytest.mark.parametrize("word", ["zeros:x:i32", "ones:4:i33", "four"])
def test_a_wrong_argument(file, word, capsys):
    assert main([file, "--block", "128", "--arg", word]) == 1
    assert word in capsys.readouterr().err


DIVERGES = COPY.replace(
    """    %v = coop.load""",
    """    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    cf.cond_br %first, ^work, ^end
  ^work:
    %v = coop.load""",
).replace("    gpu.return", "    cf.br ^end\n  ^end:\n    gpu.return")


def test_P4_the_check_is_off_on_request(tmp_path, capsys):
    path = tmp_path / "diverges.mlir"
    path.write_text(DIVERGES)
    args = ["--arg", "zeros:512:i32", "--arg", "zeros:512:i32", "--arg", "500"]
    command = [str(path), "--block", "128", "--stage", "eliminate-barriers", *args]
    assert main(command) == 1
    assert "executed in control flow that diverges" in capsys.readouterr().err
    assert main([*command, "--participation", "off", "--drop-barriers"]) == 1
    assert "participation: thread 0 of block 0 waits" in capsys.readouterr().err


def test_scalars():
    assert argument("0x10") == 16 and argument("-3") == -3 and argument("1e3") == 1000.0


PROGRAM = """
import numpy as np
from numba_cuda_mlir import cuda
import coop_mlir as coop

@cuda.jit
def double(source, destination):
    block = coop.this_block()
    items = coop.ThreadData(4)
    coop.load(block, source, items, algorithm="transpose")
    for i in range(4):
        items[i] *= 2
    coop.store(block, destination, items, algorithm="transpose")

@cuda.jit
def increment(array):
    array[cuda.grid(1)] += 1

source = np.arange(512, dtype=np.int32)
destination = np.zeros_like(source)
double[1, 128](source, destination)
increment[4, (64, 2)](destination[:256])
"""


@pytest.mark.parametrize("faulty", [False, True])
def test_ordinary_launches(faulty):
    pytest.importorskip("numba_cuda_mlir")
    check = "increment[5, 128](destination)" if faulty else "assert destination[255] == 2 * 255"
    program = PROGRAM.replace("increment[4, (64, 2)](destination[:256])", check)
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "COOP_TARGET": "cpu"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode == 0) is not faulty, done.stderr
    if faulty:
        assert "uses index 512 of an array of 512 elements" in done.stderr
