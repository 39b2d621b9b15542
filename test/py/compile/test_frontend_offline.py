# Compilation without a launch, with a stand-in for coop's passes.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compilation without a launch, with a stand-in for coop's passes."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import coop_mlir as coop
import pytest
from frontend_support import I32, host, types
from numba_cuda_mlir import cuda, tools

WRAPPER = 'extern "C" __device__ void coop_wrapper(int *slot) { *slot = 1234567; }'
DYNAMIC_BYTES = 60000


@cuda.jit
def kernel(src, dst, n):
    items = coop.ThreadData(1)
    coop.load(coop.this_block(), src, items)
    items[0] = items[0] + n
    coop.store(coop.this_block(), dst, items)


@cuda.jit
def add(src, k):
    i = cuda.grid(1)
    src[i] += k


SIGNATURE = (I32, I32, types.int32)


def wrapper_ltoir(cc):
    """Return LTO-IR of a function that the stand-in calls."""
    nvrtc = pytest.importorskip("cuda.bindings.nvrtc")
    _, program = nvrtc.nvrtcCreateProgram(WRAPPER.encode(), b"wrapper.cu", 0, [], [])
    flags = [f"--gpu-architecture=sm_{cc[0]}{cc[1]}".encode(), b"-rdc=true", b"-dlto"]
    (status,) = nvrtc.nvrtcCompileProgram(program, len(flags), flags)
    assert status == nvrtc.nvrtcResult.NVRTC_SUCCESS
    _, size = nvrtc.nvrtcGetLTOIRSize(program)
    code = bytes(size)
    nvrtc.nvrtcGetLTOIR(program, code)
    return code


def lower(text):
    """Put a call of the wrapper in the place of the load, a plain store in that of the store."""
    load = re.search(r'( *)(%\S+) = "coop.load".*', text)
    call = (
        "{0}%slot = memref.alloca() : memref<1xi32>\n"
        "{0}%at = memref.extract_aligned_pointer_as_index %slot : memref<1xi32> -> index\n"
        "{0}%int = arith.index_cast %at : index to i64\n"
        "{0}%ptr = llvm.inttoptr %int : i64 to !llvm.ptr\n"
        "{0}func.call @coop_wrapper(%ptr) : (!llvm.ptr) -> ()\n"
        "{0}%zero = arith.constant 0 : index\n"
        "{0}%got = memref.load %slot[%zero] : memref<1xi32>\n"
        "{0}{1} = vector.from_elements %got : vector<1xi32>"
    ).format(load[1], load[2])
    text = text.replace(load[0], call)
    store = re.search(
        r'"coop.store"\(%\S+, (%\S+), (%\S+), (%\S+)\).*, (memref<.*>), index\).*', text
    )
    tile, array, offset, array_type = store.groups()
    plain = (
        f"%put = vector.extract {tile}[0] : i32 from vector<1xi32>\n"
        f"memref.store %put, {array}[{offset}] : {array_type}"
    )
    text = text.replace(store[0], plain)
    text = re.sub(r'.*"coop\.group".*\n', "", text)
    declaration = "func.func private @coop_wrapper(!llvm.ptr)\n    gpu.func"
    return text.replace("gpu.func", declaration, 1)


@pytest.fixture
def stand_in(monkeypatch):
    """Replace the bridge and the passes; give what the passes were asked for."""
    asked = []

    def run(text, *, cc, record, launch_bytes, settings):
        asked.append(SimpleNamespace(text=text, cc=cc, record=record, launch_bytes=launch_bytes))
        return SimpleNamespace(
            text=lower(text),
            ltoir=wrapper_ltoir(cc),
            cuda_source=WRAPPER,
            stages={"emitted": text, "lowered": lower(text)},
            plan="0 bytes",
            barriers=[],
            dynamic_bytes=DYNAMIC_BYTES,
            diagnostics=[],
        )

    bridge = SimpleNamespace(
        export_module=lambda module: SimpleNamespace(text=str(module)),
        import_module=lambda text, exported: host.mlir.Module.parse(text),
    )
    package = "coop_mlir._compile"
    monkeypatch.setitem(sys.modules, f"{package}.bridge", bridge)
    monkeypatch.setitem(sys.modules, f"{package}.pipeline", SimpleNamespace(run=run))
    monkeypatch.setattr(sys.modules[package], "bridge", bridge, raising=False)
    monkeypatch.setattr(
        sys.modules[package], "pipeline", sys.modules[f"{package}.pipeline"], raising=False
    )
    return asked


def test_C1_every_stage_without_a_driver(stand_in):
    result = coop.compile(kernel, SIGNATURE, block=128, cc=(9, 0))
    assert list(result.stages) == ["emitted", "lowered", "final"]
    assert '"coop.load"' in result.stages["emitted"] and "coop_wrapper" in result.stages["lowered"]
    assert "llvm.func" in result.stages["final"]
    assert result.cuda_source == WRAPPER
    assert result.cubin[:4] == b"\x7fELF"
    assert stand_in[0].cc == (9, 0) and stand_in[0].record


def test_C1_wrappers_are_inlined(stand_in):
    result = coop.compile(kernel, SIGNATURE, block=128, cc=(9, 0))
    assert ".target sm_90" in result.ptx and "1234567" in result.ptx
    assert "call" not in result.ptx


def test_C1_shown(stand_in):
    shown = str(coop.compile(kernel, SIGNATURE, block=128, cc=(9, 0)))
    assert shown.startswith("kernel kernel for sm_90") and "plan:\n    0 bytes" in shown


def test_S7_the_launch_gets_the_bytes(stand_in):
    signature = (I32, I32, types.int32)
    cres, _ = host.compile_offline(
        kernel.py_func,
        signature,
        kernel.targetoptions,
        block=(128, 1, 1),
        grid=(1, 1, 1),
        cc=(9, 0),
    )
    assert cres.metadata["required_dynamic_shared_memory"] == DYNAMIC_BYTES


def test_C1_a_kernel_without_coop():
    result = coop.compile(add, (I32, 7), block=64, cc=(8, 0))
    assert result.cuda_source == "" and result.plan is None
    assert ".target sm_80" in result.ptx and list(result.stages) == ["emitted", "final"]


def test_C1_a_plain_function_is_a_kernel():
    assert ".visible .entry" in coop.compile(add.py_func, (I32, 7), block=64, cc=(8, 0)).ptx


def test_C1_several_targets_in_threads_leave_the_process_as_it_was():
    before = tools._cached_cc
    targets = [(8, 0), (9, 0), (8, 6), (8, 9)]
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(coop.compile, add, (I32, 7), block=64, cc=cc) for cc in targets]
    for (major, minor), job in zip(targets, jobs, strict=True):
        assert f".target sm_{major}{minor}" in job.result().ptx
    assert tools._cached_cc == before


def test_C1_no_gpu_and_no_cc(monkeypatch):
    def absent(kind):
        raise RuntimeError("no driver")

    monkeypatch.setattr(tools, "get_gpu_compute_capability", absent)
    with pytest.raises(coop.CoopError, match="there is no GPU to compile for; pass cc="):
        coop.compile(add, (I32, 7), block=64)


def test_a_failed_compilation_leaves_the_process_as_it_was():
    @cuda.jit
    def wrong(src):
        coop.load(coop.this_block(), src, src)

    before = tools._cached_cc
    with pytest.raises(coop.CoopTypingError):
        coop.compile(wrong, (I32,), block=64, cc=(9, 0))
    assert tools._cached_cc == before
    assert "__launch_config__" not in wrong.targetoptions


def three_payloads(source, destination):
    block = coop.this_block()
    first = coop.ThreadData(16)
    second = coop.ThreadData(16)
    third = coop.ThreadData(16)
    coop.load(block, source, first)
    coop.load(block, source, second, algorithm="striped")
    coop.load(block, source, third, algorithm="transpose")
    for i in range(16):
        first[i] = first[i] * second[(i + 5) % 16] + third[(i + 9) % 16]
    coop.store(block, destination, first)


@pytest.mark.parametrize("block", [1024, (16, 8, 8), 128])
def test_a_block_has_registers_enough_to_start(block):
    """The assembler knows the block's size; without it, 1024 threads may ask for too many."""
    reals = types.float64[::1]
    result = coop.compile(three_payloads, (reals, reals), block=block, cc=(9, 0))
    shape = (block,) if isinstance(block, int) else block
    bounds = re.findall(r"\.maxntid (\d+), (\d+), (\d+)", result.ptx)
    assert bounds == [tuple(map(str, (*shape, 1, 1)[:3]))]


def test_launch_bounds_of_the_user_stay():
    reals = types.float64[::1]
    options = {"launch_bounds": (256, 2)}
    result = coop.compile(three_payloads, (reals, reals), block=128, cc=(9, 0), options=options)
    assert ".maxntid 256, 1, 1" in result.ptx and ".minnctapersm 2" in result.ptx
