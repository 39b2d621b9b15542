# The coop IR that kernels give.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The coop IR that kernels give."""

import re

import pytest
from frontend_support import F32, I32, emit, launch, line_numbers, line_of, ops, types

import coop_mlir
import coop_mlir as coop
from coop_mlir import load, store
from numba_cuda_mlir import cuda

WIDTH = 8
COUNT = 4


@cuda.jit
def copy(src, dst, n, k):
    block = coop.this_block()
    items = coop.ThreadData(k)
    coop.load(block, src, items, algorithm="transpose", valid_items=n, oob_default=0)  # copy-load
    coop.store(block, dst, items, algorithm="transpose", valid_items=n)  # copy-store


COPY = (I32, I32, types.int64, 4)


def test_L1_copy_in_generic_form():
    text = emit(copy, COPY, generic=True)
    (load_op,) = ops(text, "load")
    assert (
        "{algorithm = #coop.algorithm<transpose>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0>}"
        in load_op
    )
    assert (
        "(!coop.group<block>, memref<?xi32, strided<[?], offset: ?>>, index, index, i32)"
        " -> vector<4xi32>"
    ) in load_op
    (store_op,) = ops(text, "store")
    assert "operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0>" in store_op
    assert (
        "(!coop.group<block>, vector<4xi32>, memref<?xi32, strided<[?], offset: ?>>, index, index)"
    ) in store_op


def test_L1_operations_have_their_lines():
    text = emit(copy, COPY, generic=True)
    assert line_numbers(text, ops(text, "load")) == [line_of(copy, "copy-load")]
    assert line_numbers(text, ops(text, "store")) == [line_of(copy, "copy-store")]


@pytest.mark.parametrize(
    "block, dims", [(128, "128, 1, 1"), ((8, 4), "8, 4, 1"), ((2, 4, 8), "2, 4, 8")]
)
def test_G2_block_shape_is_a_fact_of_the_kernel(block, dims):
    assert f"gpu.known_block_size = array<i32: {dims}>" in emit(copy, COPY, block)


def test_T3_payload_is_an_alloca_in_the_entry_block():
    text = emit(copy, COPY)
    assert (
        "memref.alloca() {alignment = 16 : i64, coop.payload} : memref<4xi32>"
        in text.split("cf.")[0]
    )
    assert text.count("vector.extract") == 4 and "vector.from_elements" in text


@pytest.mark.parametrize("k", [1, 4])
def test_T1_a_launch_specializes_by_value(k):
    text = launch(copy, (I32, I32, types.int64, types.int64), (None, None, 100, k))
    assert f"-> vector<{k}xi32>" in text and "block_size = array<i32: 128, 1, 1>" in text


@cuda.jit
def plain(src):
    src[0] = 1


def test_a_kernel_without_coop_is_left_alone():
    from frontend_support import CC, host

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(host, "transform", lambda cres: pytest.fail("not a coop kernel"))
        result = coop.compile(plain, (I32,), block=128, cc=CC)
    assert "coop" not in result.stages["final"] and result.cubin[:4] == b"\x7fELF"
    assert ".visible .entry" in result.ptx


@cuda.jit
def aliases(src, dst):
    fetch = coop_mlir.load
    block = coop.this_block()
    items = coop.ThreadData(COUNT)
    fetch(block, src, items)
    store(block, dst, items)
    load(block, src, items)


def test_calls_are_found_under_every_name():
    text = emit(aliases, (I32, I32))
    assert len(ops(text, "load")) == 2 and len(ops(text, "store")) == 1


def test_calls_are_found_in_the_namespace_package():
    from cuda import coop as other

    @cuda.jit
    def kernel(src, dst):
        items = other.ThreadData(2)
        other.load(other.this_block(), src, items)
        other.store(other.this_block(), dst, items)

    assert len(ops(emit(kernel, (I32, I32)), "group")) == 2


# -- groups ----------------------------------------------------------------


@cuda.jit
def warps(src, dst):
    part = coop.this_warp().group_by(WIDTH)
    items = coop.ThreadData(2)
    coop.load(part, src, items)
    coop.store(coop.this_warp(), dst, items, algorithm="striped")


def test_G1_warps_and_their_parts():
    first, second = ops(emit(warps, (I32, I32)), "group")
    assert "!coop.group<warp, 8>" in first and "!coop.group<warp>" in second


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16, 32])
def test_G1_width_as_argument(width):
    @cuda.jit
    def kernel(src, dst, w):
        part = coop.this_warp().group_by(w)
        items = coop.ThreadData(2)
        coop.load(part, src, items)

    (group,) = ops(emit(kernel, (I32, I32, width)), "group")
    assert ("!coop.group<warp>" if width == 32 else f"!coop.group<warp, {width}>") in group


@cuda.jit
def merged(src, dst, n):
    if n > 4:
        group = coop.this_block()
    else:
        group = coop.this_block()
    items = coop.ThreadData(2)
    coop.load(group, src, items)


def test_G5_equal_groups_merge():
    assert len(ops(emit(merged, (I32, I32, types.int32)), "group")) == 1


@cuda.jit(device=True)
def make_group():
    return coop.this_warp().group_by(4)


@cuda.jit(device=True)
def load_into(group, src, items):
    coop.load(group, src, items)  # nested-load


@cuda.jit(device=True)
def load_tile(group, src, k):
    items = coop.ThreadData(k)
    load_into(group, src, items)
    return items


@cuda.jit
def helpers(src, dst, k):
    group = make_group()
    for _ in range(3):
        items = load_tile(group, src, k)
        coop.store(group, dst, items)


def test_H1_helpers_take_and_return_groups_and_payloads():
    text = emit(helpers, (F32, F32, 2))
    (load_op,) = ops(text, "load")
    assert "!coop.group<warp, 4>" in load_op and "vector<2xf32>" in load_op
    assert line_numbers(text, [load_op]) == [line_of(helpers, "nested-load")]


def test_H1_helpers_of_any_size_are_inlined():
    body = "\n".join(f"    src[{i}] = src[{i}] + {i}" for i in range(70))
    names = {"cuda": cuda, "coop": coop}
    code = compile(
        f"def large(group, src, items):\n{body}\n    coop.load(group, src, items)",
        "<large>",
        "exec",
    )
    exec(code, names)
    large = cuda.jit(device=True)(names["large"])

    @cuda.jit
    def kernel(src):
        items = coop.ThreadData(2)
        large(coop.this_block(), src, items)

    assert len(ops(emit(kernel, (I32,)), "load")) == 1


@cuda.jit(device=True, inline="never")
def scale(items):
    for i in range(items.items_per_thread):
        items[i] = items[i] * 2


@cuda.jit
def outlined(src, dst):
    items = coop.ThreadData(4)
    coop.load(coop.this_block(), src, items)
    scale(items)
    coop.store(coop.this_block(), dst, items)


def test_H2_an_ordinary_helper_may_stay_out_of_line():
    assert "call" in emit(outlined, (I32, I32))


@cuda.jit
def queries(out):
    warp = coop.this_warp()
    items = coop.ThreadData(warp.size // 8)
    for i in range(len(items)):
        items[i] = types.int32(warp.rank())
    out[warp.index()] = items[0] + warp.count
    warp.sync()  # sync


def test_G6_size_count_rank_index_and_sync():
    text = emit(queries, (I32,), block=(32, 4))
    assert "memref<4xi32>" in text
    assert (
        len(re.findall("arith.remui", text)) == 1 and len(re.findall("arith.divui.*i32", text)) == 1
    )
    (barrier,) = ops(text, "barrier")
    assert "!coop.group<warp>" in barrier
    assert line_numbers(text, [barrier]) == [line_of(queries, "sync")]


# -- element types ---------------------------------------------------------

DTYPES = [
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
]


@pytest.mark.parametrize("name", DTYPES)
def test_T4_element_types(name):
    array = getattr(types, name)[::1]
    element = name.replace("uint", "i").replace("int", "i").replace("float", "f")
    assert f"memref<4x{element}>" in emit(copy, (array, array, types.int64, 4))


def kernel_store_only():
    @cuda.jit
    def kernel(dst):
        items = coop.ThreadData(2)
        items[0] = 1
        items[1] = 2
        coop.store(coop.this_block(), dst, items)

    return kernel, (F32,), "f32"


def kernel_explicit():
    @cuda.jit
    def kernel(dst):
        items = coop.ThreadData(2, types.int16)
        items[0] = 1
        dst[0] = items[0]

    return kernel, (I32,), "i16"


def kernel_like_array():
    @cuda.jit
    def kernel(dst):
        items = coop.ThreadData(2, dtype=dst.dtype)
        items[0] = 1
        dst[0] = items[0]

    return kernel, (F32,), "f32"


def kernel_assignment():
    @cuda.jit
    def kernel(dst):
        items = coop.ThreadData(2)
        items[0] = types.uint8(dst[0])
        dst[0] = items[0]

    return kernel, (I32,), "i8"


def kernel_from_another_payload():
    @cuda.jit
    def kernel(dst):
        first = coop.ThreadData(2)
        second = coop.ThreadData(2)
        coop.load(coop.this_block(), dst, first)
        second[0] = first[0]
        dst[0] = second[0]

    return kernel, (F32,), "f32"


def kernel_array_in_tuple():
    @cuda.jit
    def kernel(pair):
        items = coop.ThreadData(2)
        coop.load(coop.this_block(), pair[0], items)

    return kernel, (types.UniTuple(F32, 2),), "f32"


def kernel_slice():
    @cuda.jit
    def kernel(src):
        part = src[4:]
        items = coop.ThreadData(2)
        coop.load(coop.this_block(), part, items)

    return kernel, (F32,), "f32"


@pytest.mark.parametrize(
    "make",
    [
        kernel_store_only,
        kernel_explicit,
        kernel_like_array,
        kernel_assignment,
        kernel_from_another_payload,
        kernel_array_in_tuple,
        kernel_slice,
    ],
)
def test_T2_the_element_type_is_inferred(make):
    kernel, signature, element = make()
    assert f"memref<2x{element}>" in emit(kernel, signature)


@pytest.mark.parametrize("alignment", [1, 16, 64])
def test_T5_alignment_is_a_minimum(alignment):
    @cuda.jit
    def kernel(src, align):
        items = coop.ThreadData(2, alignment=align)
        coop.load(coop.this_block(), src, items)

    text = emit(kernel, (I32, alignment))
    assert f"alignment = {max(alignment, 16)}" in text


def test_T1_items_per_thread_is_folded():
    factor = 3

    @cuda.jit
    def kernel(src, k):
        items = coop.ThreadData(k * factor + COUNT)
        more = coop.ThreadData(items.items_per_thread // 2)
        coop.load(coop.this_block(), src, items)
        coop.load(coop.this_block(), src, more)

    text = emit(kernel, (I32, 2))
    assert "memref<10xi32>" in text and "memref<5xi32>" in text


# -- controls --------------------------------------------------------------


@pytest.mark.parametrize("name", DTYPES[:8])
def test_L3_any_int_is_an_offset(name):
    @cuda.jit
    def kernel(src, offset):
        items = coop.ThreadData(2)
        coop.load(coop.this_block(), src, items, offset=offset)

    text = emit(kernel, (I32, getattr(types, name)))
    extension = "extui" if name.startswith("u") else "extsi"
    assert (extension in text) == ("64" not in name)


def test_L7_controls_may_be_none():
    @cuda.jit
    def kernel(src, valid=None):
        items = coop.ThreadData(2)
        coop.load(
            coop.this_block(), src, items, valid_items=valid, oob_default=None, temp_storage=None
        )

    (load_op,) = ops(emit(kernel, (I32, types.none)), "load")
    assert "array<i32: 1, 1, 1, 0, 0, 0, 0>" in load_op


@pytest.mark.parametrize(
    "array, value, shown",
    [
        (I32, -1, "-1 : i32"),
        (F32, 1, "1.000000e+00"),
        (F32, float("inf"), "0x7F800000"),
        (types.uint8[::1], 255, "-1 : i8"),
    ],
)
def test_L8_constant_default(array, value, shown):
    @cuda.jit
    def kernel(src, n):
        items = coop.ThreadData(2)
        coop.load(coop.this_block(), src, items, valid_items=n, oob_default=value)

    assert f"arith.constant {shown}" in emit(kernel, (array, types.int32))


def test_L8_runtime_default_of_the_payloads_type():
    @cuda.jit
    def kernel(src, n, default):
        items = coop.ThreadData(2)
        coop.load(coop.this_block(), src, items, valid_items=n, oob_default=default)

    (load_op,) = ops(emit(kernel, (F32, types.int32, types.float32)), "load")
    assert "array<i32: 1, 1, 1, 1, 1, 0, 0>" in load_op


# -- storage ---------------------------------------------------------------


@cuda.jit
def explicit_storage(src, dst, size):
    scratch = coop.TempStorage(size * 2, alignment=128, auto_sync=True, sharing="exclusive")
    other = coop.TempStorage()
    items = coop.ThreadData(2)
    for _ in range(4):
        coop.load(coop.this_block(), src, items, algorithm="transpose", temp_storage=scratch)
        coop.store(coop.this_block(), dst, items, algorithm="transpose", temp_storage=scratch)
        coop.store(coop.this_warp(), dst, items, algorithm="transpose", temp_storage=other)


def test_S1_descriptors():
    text = emit(explicit_storage, (I32, I32, 2048))
    full, empty = ops(text, "temp_storage")
    for part in (
        "size_in_bytes = 4096 : i64",
        "alignment = 128 : i64",
        "auto_sync",
        "sharing = #coop.sharing<exclusive>",
    ):
        assert part in full
    assert "{sharing = #coop.sharing<shared>}" in empty
    first = full.split(" = ")[0]
    assert first in ops(text, "load")[0] and first in ops(text, "store")[0]
    assert "array<i32: 1, 1, 1, 1, 0, 1, 0>" in ops(text, "store")[0]
