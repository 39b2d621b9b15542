# How the participation check grows with the kernel.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time the participation check on kernels of growing size.

    python benchmarks/participation_growth.py [--limit SECONDS]

Each shape of kernel is generated with 125 to 1,000 blocks of 10 operations. The
time is the processor's, which other programs lengthen little: that of coop-opt
with the pass, less that of parsing and printing alone; the best of three. With ``--limit``, the script fails when a kernel of 10,000
operations takes longer.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys

SIZES = (125, 250, 500, 1000)
OPS = 10
PIPELINE = "--pass-pipeline=builtin.module(gpu.module(gpu.func(coop-check-participation)))"
HEAD = """gpu.module @m {
gpu.func @k(%src: memref<?xi32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 1024, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %g = coop.group : !coop.group<block>
  %tid = gpu.thread_id x
"""
TAIL = "  gpu.return\n}\n}\n"
CALL = "  coop.barrier %g : !coop.group<block>\n"


def work(name, count, first="%tid"):
    """Arithmetic that starts from a value and ends in ``%<name>_<count>``."""
    kinds = ("addi", "muli", "xori", "remui", "subi")
    lines, value = [], first
    for i in range(1, count + 1):
        lines.append(f"  %{name}_{i} = arith.{kinds[i % 5]} {value}, %c7 : index")
        value = f"%{name}_{i}"
    return "\n".join(lines) + "\n", value


def diamonds(blocks):
    """Branches by thread, one after the other, with a call after each."""
    text = HEAD
    for b in range(blocks // 2):
        ops, value = work(f"v{b}", 2 * OPS - 5)
        text += ops + f"  %p{b} = arith.cmpi ult, {value}, %n : index\n"
        text += f"  cf.cond_br %p{b}, ^t{b}, ^j{b}\n^t{b}:\n  cf.br ^j{b}\n^j{b}:\n" + CALL
    return text + TAIL


def loops(blocks):
    """Loops by thread, one after the other, with values that leave them."""
    text = HEAD
    for b in range(blocks // 2):
        text += f"  cf.br ^l{b}(%c0 : index)\n^l{b}(%i{b}: index):\n"
        ops, value = work(f"v{b}", 2 * OPS - 5, f"%i{b}")
        text += ops + f"  %p{b} = arith.cmpi ult, {value}, %tid : index\n"
        text += f"  cf.cond_br %p{b}, ^l{b}({value} : index), ^e{b}\n^e{b}:\n" + CALL
        text += f"  %u{b} = arith.addi {value}, %c1 : index\n"
    return text + TAIL


def nest(blocks):
    """Branches by thread, each within the one before."""
    text, end = HEAD, ""
    for b in range(blocks // 2):
        ops, value = work(f"v{b}", 2 * OPS - 4)
        text += ops + f"  %p{b} = arith.cmpi ult, {value}, %n : index\n"
        text += f"  cf.cond_br %p{b}, ^t{b}, ^j{b}\n^t{b}:\n"
        end = f"  cf.br ^j{b}\n^j{b}:\n" + end
    return text + end + CALL + TAIL


def exits(blocks):
    """One loop by blocks with a break after the other, by data of the block."""
    text = HEAD + "  cf.br ^l(%c0 : index)\n^l(%i: index):\n"
    for b in range(blocks):
        ops, value = work(f"v{b}", OPS - 4, "%i")
        text += ops + f"  %x{b} = memref.load %src[{value}] : memref<?xi32>\n"
        text += f"  %y{b} = arith.index_cast %x{b} : i32 to index\n"
        text += f"  %p{b} = arith.cmpi ult, %y{b}, %n : index\n"
        text += f"  cf.cond_br %p{b}, ^n{b}, ^end\n^n{b}:\n"
    text += CALL + "  %next = arith.addi %i, %c1 : index\n  cf.br ^l(%next : index)\n^end:\n"
    return text + TAIL


def memory(blocks):
    """Stores to shared and to global memory, loads from it, barriers, and branches by the loads."""
    text = HEAD.replace(
        "gpu.func",
        'memref.global "private" @s : memref<8xi32, #gpu.address_space<workgroup>>\ngpu.func',
    )
    shared = "memref<8xi32, #gpu.address_space<workgroup>>"
    text += f"  %s = memref.get_global @s : {shared}\n  %v = arith.constant 1 : i32\n"
    for b in range(blocks // 2):
        ops, value = work(f"v{b}", 2 * OPS - 12)
        text += ops + f"  memref.store %v, %s[%c0] : {shared}\n  gpu.barrier\n"
        text += f"  %x{b} = memref.load %s[%c0] : {shared}\n  gpu.barrier\n"
        text += f"  %y{b} = memref.load %src[%c1] : memref<?xi32>\n"
        text += f"  %p{b} = arith.cmpi ult, %x{b}, %y{b} : i32\n"
        text += f"  cf.cond_br %p{b}, ^t{b}, ^j{b}\n^t{b}:\n"
        text += f"  memref.store %v, %src[{value}] : memref<?xi32>\n  cf.br ^j{b}\n^j{b}:\n"
    return text + CALL + TAIL


def seconds(tool, text, *options):
    """The processor's time of the best of three runs."""
    best = float("inf")
    for _ in range(3):
        before = os.times()
        subprocess.run(
            [tool, "-o", os.devnull, "-mlir-disable-threading", *options],
            input=text,
            text=True,
            check=True,
            stderr=subprocess.DEVNULL,
        )
        after = os.times()
        spent = after.children_user + after.children_system
        best = min(best, spent - before.children_user - before.children_system)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float)
    limit = parser.parse_args().limit
    tool = shutil.which("coop-opt", path=os.environ.get("COOP_TOOLS_DIR")) or shutil.which(
        "coop-opt"
    )
    print(f"{'shape':10}" + "".join(f"{size * OPS:>9} ops" for size in SIZES))
    slowest = 0.0
    for shape in (diamonds, loops, nest, exits, memory):
        times = []
        for size in SIZES:
            text = shape(size)
            plain = seconds(tool, text)
            times.append(seconds(tool, text, PIPELINE) - plain)
        slowest = max(slowest, times[-1])
        print(f"{shape.__name__:10}" + "".join(f"{t * 1000:10.1f} ms" for t in times))
    if limit is not None and slowest > limit:
        sys.exit(f"{slowest:.2f} s is more than {limit} s")


if __name__ == "__main__":
    main()
