# What a wrapper made of CUB's parts costs, against CUB's whole collectives.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a wrapper made of CUB's parts costs, against CUB's whole collectives.

    python instruction_counts.py [--payloads DTYPE:ITEMS ...] [--cc 9.0] [--json FILE]

Needs no GPU. The guarded transposed copy of ``copies.make_kernel`` is compiled twice: with our
wrappers (CUB's access function and its exchange), and with the same wrappers whose bodies call
``cub::BlockLoad`` and ``cub::BlockStore``. All else is the same, the plan and the barriers between
the calls included. Counted are the instructions of the machine code without its padding (the branch
to itself and what follows), the registers, the block barriers, the calls and accesses of local
memory, and the bytes of scratch.
"""

from __future__ import annotations

import argparse
import json
import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from unittest import mock

import coop_mlir as coop
from coop_mlir._cub import disassemble, provider
from copies import Config, make_kernel
from numba_cuda_mlir import types

PAYLOADS = (("int32", 4), ("int8", 16), ("int16", 8), ("int32", 16), ("float64", 4))
OPCODE = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)")
PADDING = re.compile(r"^(\.L_x_\d+):\n\s*/\*[0-9a-f]+\*/\s+BRA `?\(?\1\b.*", re.M | re.S)
# From a wrapper of parts to one of the whole: what replaces what, in which collective.
WHOLE = {
    "load": (
        (r"cub::BlockExchange<([^,]+), (\d+), (\d+), false,", r"cub::BlockLoad<\1, \2, \3, "
         r"cub::BLOCK_LOAD_TRANSPOSE,"),
        (r"\n *cub::LoadDirectStriped<\d+>\(.*?\);", ""),
        (r"\.StripedToBlocked\(payload, payload\)", ".Load(memory, payload, count, *oob_default)"),
    ),
    "store": (
        (r"cub::BlockExchange<([^,]+), (\d+), (\d+), false,", r"cub::BlockStore<\1, \2, \3, "
         r"cub::BLOCK_STORE_TRANSPOSE,"),
        (r"\n *cub::StoreDirectStriped<\d+>\(.*?\);", ""),
        (r"\.BlockedToStriped\(payload, payload\)", ".Store(memory, payload, count)"),
    ),
}  # fmt: skip
WRAPPER = re.compile(r"^using coop_block_(load|store)_.*?^}\n", re.M | re.S)


@dataclass(frozen=True)
class Count:
    """What the machine code of a kernel has."""

    kernel: str
    wrappers: str
    instructions: int
    registers: int
    block_barriers: int
    calls_and_local: int
    scratch_bytes: int


def measure(options) -> list[Count]:
    """Return two counts for each payload."""
    rows = []
    for dtype, items in options.payloads:
        config = Config("transpose", dtype, options.threads, items)
        rows.append(count(config, "parts", options.cc))
        with whole_collectives():
            rows.append(count(config, "whole", options.cc))
    return rows


def count(config: Config, wrappers: str, cc: tuple[int, int]) -> Count:
    """Compile a kernel and count."""
    array = types.Array(getattr(types, config.dtype), 1, "C")
    signature = [array, array, types.int64]
    result = coop.compile(make_kernel(config), signature, block=config.threads, cc=cc)
    opcodes = OPCODE.findall(PADDING.sub("", disassemble.sass(result.cubin)))
    return Count(
        str(config),
        wrappers,
        len(opcodes),
        registers(result.cubin),
        sum(opcode.startswith("BAR.SYNC") for opcode in opcodes),
        sum(opcode.startswith(("CALL", "LDL", "STL")) for opcode in opcodes),
        result.plan.total,
    )


@contextmanager
def whole_collectives() -> Iterator[None]:
    """Let the bodies of wrappers call CUB's whole collectives."""
    compile_wrappers = provider.compile_wrappers

    def compile_whole(source, probes, cc):
        return compile_wrappers(WRAPPER.sub(_whole, source), probes, cc)

    with mock.patch.object(provider, "compile_wrappers", compile_whole):
        yield


def _whole(wrapper: re.Match) -> str:
    text = wrapper[0]
    for old, new in WHOLE[wrapper[1]]:
        text, replaced = re.subn(old, new, text)
        if replaced != 1:
            raise ValueError(f"the wrapper does not have the parts that are known:\n{wrapper[0]}")
    return text


def registers(cubin: bytes) -> int:
    """Return the registers of a thread of the only kernel of a binary."""
    found = [struct.unpack("<II", value)[1] for key, value in _info(cubin) if key == _REGCOUNT]
    if len(found) != 1:
        raise ValueError(f"the binary tells the registers of {len(found)} kernels, not of one")
    return found[0]


_REGCOUNT = 0x2F


def _info(cubin: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the attributes of a binary's section ``.nv.info``: key and value."""
    (table,) = struct.unpack_from("<Q", cubin, 0x28)
    size, number, names = struct.unpack_from("<HHH", cubin, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", cubin, table + i * size) for i in range(number)]
    strings = headers[names][4]
    for name, _, _, _, offset, length in headers:
        if not cubin.startswith(b".nv.info\0", strings + name):
            continue
        at, end = offset, offset + length
        while at < end:
            form, key, count = struct.unpack_from("<BBH", cubin, at)
            count = count if form == 4 else 0  # Other forms have the value in place of the count.
            yield key, cubin[at + 4 : at + 4 + count]
            at += 4 + count


def show(rows: list[Count]) -> None:
    """Print the counts."""
    line = "{:28}{:8}{:>14}{:>11}{:>10}{:>17}{:>15}".format
    columns = "instructions", "registers", "barriers", "calls and local", "scratch bytes"
    print(line("kernel", "CUB's", *columns))
    for row in rows:
        print(line(*map(str, asdict(row).values())))


def _payload(text: str) -> tuple[str, int]:
    dtype, _, items = text.partition(":")
    return dtype, int(items)


def main(argv=None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--payloads", nargs="+", type=_payload, default=PAYLOADS, metavar="DTYPE:ITEMS")
    add("--threads", type=int, default=128, help="threads of a block (default 128)")
    add("--cc", type=lambda text: tuple(map(int, text.split("."))), default=(9, 0))
    add("--json", metavar="FILE", help="write the result there too")
    options = parser.parse_args(argv)
    rows = measure(options)
    show(rows)
    if options.json:
        with open(options.json, "w") as file:
            json.dump([asdict(row) for row in rows], file, indent=2)


if __name__ == "__main__":
    main()
