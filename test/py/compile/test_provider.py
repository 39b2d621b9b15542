# Wrappers of every kind by NVRTC and nvJitLink, with no GPU: layouts and machine code.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrappers of every kind by NVRTC and nvJitLink, with no GPU: layouts and machine code."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import cuda_wrappers
import pytest
from cuda_wrappers import BLOCK_ALGORITHMS, ITEMS, WARP_ALGORITHMS, Wrapper

pytest.importorskip("cuda.bindings.nvrtc")

from coop_mlir import CoopError, CoopProviderError
from coop_mlir._cub import disassemble, headers, nvrtc, provider, toolkit
from cuda.bindings import nvjitlink

TARGETS = [(8, 0), (9, 0), (10, 0)]
SCOPES = [
    (BLOCK_ALGORITHMS, (128, 1, 1), 0),
    (WARP_ALGORITHMS, (128, 1, 1), 32),
    (WARP_ALGORITHMS, (16, 4, 2), 8),
]
TYPES = [("b8", 16), ("b32", 4), ("b64", 2)]
# A complex64, a complex128, records of three words and of bytes; all moved by blocks alone.
WIDE_TYPES = [("b64a4", 2), ("b128a8", 2), ("b96a1", 4), ("b104a1", 2)]


def kinds() -> list[Wrapper]:
    """Return a wrapper of each algorithm, scope, guard and some types."""
    forms = [
        ("load", False, False),
        ("load", True, False),
        ("load", True, True),
        ("store", False, False),
        ("store", True, False),
    ]
    return [
        Wrapper(collective, algorithm, item, items, dims, width, guarded, default)
        for algorithms, dims, width in SCOPES
        for algorithm in algorithms
        for item, items in TYPES + (WIDE_TYPES if width != 32 else [])
        for collective, guarded, default in forms
    ]


def kernel(wrapper: Wrapper) -> str:
    """Return a kernel that calls one wrapper; a load's payload goes to, a store's comes from the thread's own place."""
    item, count = wrapper.ctype, wrapper.items
    arguments = (
        ["arena"] * wrapper.uses_scratch
        + ["memory"]
        + ["valid"] * wrapper.guarded
        + ["&oob_default"] * wrapper.default
    )
    parameters = ["void *"] * wrapper.uses_scratch + [
        f"{'const ' * (wrapper.collective == 'load')}void *"
    ]
    parameters += ["long long"] * wrapper.guarded + ["const void *"] * wrapper.default + ["void *"]
    call = f"{wrapper.name}({', '.join([*arguments, 'items'])});"
    copy = "for (int i = 0; i < {0}; ++i) {1};"
    own = f"own[(threadIdx.x * {count} + i) * gridDim.x]"
    steps = [call, copy.format(count, f"{own} = items[i]")]
    if wrapper.collective == "store":
        steps = [copy.format(count, f"items[i] = {own}"), call]
    arena = "__shared__ __align__(128) char arena[40000];" if wrapper.uses_scratch else ""
    return (
        f'extern "C" __device__ void {wrapper.name}({", ".join(parameters)});\n'
        f'extern "C" __global__ void kernel_{wrapper.name}({item} *memory, {item} *own, long long valid) {{\n'
        f"  {arena}\n  {item} oob_default = own[0];\n  {item} items[{count}];\n#pragma unroll\n  {steps[0]}\n#pragma unroll\n  {steps[1]}\n}}\n"
    ).replace(f"#pragma unroll\n  {call}", f"  {call}")


def link(modules: list[bytes], cc: tuple[int, int]) -> bytes:
    linker = nvjitlink.create(2, [f"-arch={nvrtc.arch(cc)}", "-lto"])
    try:
        for number, module in enumerate(modules):
            nvjitlink.add_data(
                linker, nvjitlink.InputType.LTOIR, module, len(module), f"module{number}"
            )
        nvjitlink.complete(linker)
        cubin = bytearray(nvjitlink.get_linked_cubin_size(linker))
        nvjitlink.get_linked_cubin(linker, cubin)
        return bytes(cubin)
    finally:
        nvjitlink.destroy(linker)


@cache
def opcodes(cc: tuple[int, int]) -> dict[str, Counter]:
    """Return the opcodes of the kernel of each wrapper, all linked at once."""
    wrappers = kinds()
    made = provider.compile_wrappers(
        cuda_wrappers.source(wrappers), cuda_wrappers.probes(wrappers), cc
    )
    libraries = toolkit.current()
    dirs = headers.resolve(libraries.nvrtc[0]).include_dirs
    text = "\n".join([cuda_wrappers.ITEM, *map(kernel, wrappers)])
    users = nvrtc.compile_source(text, [], cc, dirs, libraries.nvrtc)
    listing = disassemble.sass(link([made.ltoir, users.ltoir], cc))
    parts = re.split(r"\.text\.kernel_(\w+):", listing)
    return {name: Counter(_opcodes(text)) for name, text in zip(parts[1::2], parts[2::2])}


def _opcodes(listing: str) -> list[str]:
    """Return the opcodes, predicates left out; a call of a wrapper counts as CALL, one of ptxas's own routines as NOP."""
    listing = re.sub(
        r"CALL[^;]*__cuda_sm\d+_[^;]*", "NOP ", listing
    )  # the slow path of __syncwarp on sm_80
    return re.findall(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)", listing)


def matching(counter: Counter, pattern: str) -> int:
    return sum(count for opcode, count in counter.items() if re.fullmatch(pattern, opcode))


@pytest.fixture(scope="module")
def disassembler():
    try:
        return disassemble.find_disassembler()
    except CoopError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("cc", TARGETS, ids=nvrtc.arch)
def test_wrappers_leave_no_trace(disassembler, cc):
    """Inlined, with shared memory addressed as such and payloads in registers."""
    made = opcodes(cc)
    for wrapper in kinds():
        found = made[wrapper.name]
        assert found["EXIT"], wrapper.name
        assert not matching(found, r"CALL.*"), wrapper.name
        assert not matching(found, r"(LDL|STL).*"), wrapper.name
        assert not matching(found, r"(LD|ST)(\.E.*)?"), wrapper.name
        assert (
            bool(matching(found, r"STS.*"))
            == bool(matching(found, r"LDS.*"))
            == wrapper.uses_scratch
        ), wrapper.name


@pytest.mark.parametrize("cc", TARGETS, ids=nvrtc.arch)
def test_L11_full_tiles_go_by_128_bits(disassembler, cc):
    for wrapper in kinds():
        if wrapper.algorithm == "vectorize":
            access = r"LDG.*\.128.*" if wrapper.collective == "load" else r"STG.*\.128.*"
            wanted = wrapper.size * wrapper.items // 16 if wrapper.size * wrapper.items % 16 == 0 else 0
            # The default of 16 bytes is read at once, too.
            wanted += wrapper.default and wrapper.size == 16
            assert matching(opcodes(cc)[wrapper.name], access) == wanted, wrapper.name


@pytest.mark.parametrize("cc", TARGETS, ids=nvrtc.arch)
def test_S2_block_barriers(disassembler, cc):
    """Only the two exchanges that span warps have one, guarded or not."""
    for wrapper in kinds():
        wanted = (
            {"transpose": 1, "warp_transpose_timesliced": 4}.get(wrapper.algorithm, 0)
            if not wrapper.width
            else 0
        )
        found = matching(opcodes(cc)[wrapper.name], r"BAR\.SYNC.*")
        assert found == wanted or (wanted > 1 and found > 1), (wrapper.name, found)


def test_layouts():
    """A block's transpose needs its tile; the timesliced one a warp's; a warp's wrapper tells one group's."""
    wrappers = [
        Wrapper("load", "transpose", "b32", 4),
        Wrapper("store", "transpose", "b32", 4, guarded=True),
        Wrapper("store", "warp_transpose_timesliced", "b32", 4),
        Wrapper("load", "transpose", "b32", 4, width=8),
        Wrapper("load", "direct"),
    ]
    made = provider.compile_wrappers(
        cuda_wrappers.source(wrappers), cuda_wrappers.probes(wrappers), (9, 0)
    )
    sizes = [made.layouts[w.name] for w in wrappers[:-1]]
    assert sizes == [(2048, 16), (2048, 16), (512, 16), (sizes[3][0], sizes[3][1])]
    assert 128 <= sizes[3][0] <= 160 and len(made.layouts) == 4


@pytest.mark.parametrize("item", ITEMS)
@pytest.mark.parametrize("items", [1, 3, 7])
def test_odd_payloads_compile(item, items):
    wrappers = [
        Wrapper("load", algorithm, item, items, guarded=True) for algorithm in BLOCK_ALGORITHMS
    ]
    assert provider.compile_wrappers(cuda_wrappers.source(wrappers), [], (9, 0)).ltoir


def test_a_later_request_uses_the_precompiled_header():
    text = cuda_wrappers.source([Wrapper("load", "direct", items=5)])
    plain = provider.compile_wrappers(text, [], (9, 0))
    again = provider.compile_wrappers(text.replace("_k5_", "_k55_"), [], (9, 0))
    assert plain.log == again.log == "" and b"_k55_" not in plain.ltoir


def test_C8_a_failure_quotes_the_line_and_has_the_log():
    with pytest.raises(CoopProviderError) as caught:
        provider.compile_wrappers(
            "#include <cub/block/block_load.cuh>\nint x = missing;\n", [], (9, 0)
        )
    assert "coop_wrappers.cu:2: int x = missing;" in caught.value.message
    assert 'identifier "missing" is undefined' in caught.value.log


def test_an_unknown_target_lists_the_known_ones():
    with pytest.raises(CoopProviderError, match=r"does not support sm_10; it supports .*sm_90"):
        provider.compile_wrappers("// nothing\n", [], (1, 0))
