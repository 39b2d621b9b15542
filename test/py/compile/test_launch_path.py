# What launches compile and what they are given, up to the native launcher.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What launches compile and what they are given, up to the native launcher."""

import copy
import pickle
import types as python_types
import warnings

import coop_mlir as coop
import pytest
from launches import Array, counted, no_driver

pytest.importorskip("numba_cuda_mlir")
coop.register("numba-cuda-mlir")

from coop_mlir._compile.pipeline import Lowered  # noqa: E402
from coop_mlir._numba.reach import uses_coop  # noqa: E402
from numba_cuda_mlir import cuda, descriptor, types  # noqa: E402

A, B = Array(), Array()


def move(src, dst):
    block = coop.this_block()
    items = coop.ThreadData(4)
    coop.load(block, src, items)
    coop.store(block, dst, items)


def move_k(src, dst, k):
    block = coop.this_block()
    items = coop.ThreadData(k)
    coop.load(block, src, items)
    coop.store(block, dst, items)


def scale(src, dst):
    i = cuda.grid(1)
    dst[i] = 2 * src[i]


@pytest.fixture
def launches():
    with no_driver() as made:
        yield made


@pytest.fixture
def compiled():
    with counted() as texts:
        yield texts


# ---------------------------------------------------------------------------
# Which launches compile
# ---------------------------------------------------------------------------


def test_grids_share_a_compilation(launches, compiled):
    kernel = cuda.jit(move)
    for grid in (1, 7, (3, 4), (2, 2, 2)):
        kernel[grid, 128](A, B)
    assert len(compiled) == 1
    assert [launch.grid for launch in launches] == [(1, 1, 1), (7, 1, 1), (3, 4, 1), (2, 2, 2)]
    assert len({launch.cubin for launch in launches}) == 1


def test_each_block_has_its_kernel(launches, compiled):
    kernel = cuda.jit(move)
    blocks = [(64, 1, 1), (128, 1, 1), (64, 2, 1), (8, 8, 2)]
    for block in blocks + blocks:
        kernel[1, block](A, B)
    assert len(compiled) == len(set(compiled)) == len(blocks)
    assert [launch.block for launch in launches] == blocks + blocks
    assert launches[:4] == launches[4:]


def test_a_kept_launcher_keeps_its_grid(launches, compiled):
    kernel = cuda.jit(move)
    small, large = kernel[2, 64], kernel[9, 64]
    for launcher in (small, large, small):
        launcher(A, B)
    assert len(compiled) == 1
    assert [launch.grid[0] for launch in launches] == [2, 9, 2]


def test_T1_each_argument_value_has_its_kernel(launches, compiled):
    kernel = cuda.jit(move_k)
    for grid, k in ((1, 2), (1, 4), (5, 2), (6, 4)):
        kernel[grid, 64](A, B, k)
    assert len(compiled) == 2
    two, four, again, last = (launch.cubin for launch in launches)
    assert two == again and four == last and two != four


def test_each_element_type_has_its_kernel(launches, compiled):
    kernel = cuda.jit(move)
    for dtype in ("i4", "f8", "i4"):
        kernel[1, 64](Array(dtype), Array(dtype))
    assert len(compiled) == 2


def test_the_grid_counts_where_it_may_be_seen(launches, compiled):
    kernel = cuda.jit(experimental_ast_transforms=True)(move)
    for grid in (1, 2, 1):
        kernel[grid, 64](A, B)
    assert len(compiled) == 2


def test_recompile(launches, compiled):
    kernel = cuda.jit(move)
    kernel[1, 64](A, B)
    kernel.recompile()
    kernel[1, 64](A, B)
    assert len(compiled) == 2


# ---------------------------------------------------------------------------
# What launches are given
# ---------------------------------------------------------------------------


@pytest.mark.parametrize("user", [None, 0, 1000])
def test_S8_dynamic_bytes_are_added(launches, monkeypatch, user):
    monkeypatch.setattr(Lowered, "dynamic_bytes", 60000)
    kernel = cuda.jit(move)
    for grid in (1, 2):
        kernel[grid, 128, 0, user](A, B)
    assert [launch.sharedmem for launch in launches] == [60000 + (user or 0)] * 2


def transpose(src, dst):
    block = coop.this_block()
    items = coop.ThreadData(16)
    coop.load(block, src, items, algorithm="transpose")
    coop.store(block, dst, items, algorithm="transpose")


def test_S7_the_launch_gets_the_bytes_of_the_plan(launches):
    kernel = cuda.jit(transpose)
    wide, array = Array("f8"), types.float64[::1]
    plan = coop.compile(kernel, (array, array), block=512, cc=(9, 0)).plan
    assert plan.dynamic and plan.total >= 512 * 16 * 8
    for grid, user in ((1, 0), (2, 0), (2, 512)):
        kernel[grid, 512, 0, user](wide, wide)
    assert [launch.sharedmem - plan.total for launch in launches] == [0, 0, 512]
    kernel[1, 64](wide, wide)
    assert launches[-1].sharedmem == 0


def test_S8_too_many_bytes_are_an_error_before_the_launch(launches):
    kernel = cuda.jit(transpose)
    wide, array = Array("f8"), types.float64[::1]
    plan = coop.compile(kernel, (array, array), block=512, cc=(9, 0)).plan
    limit = 227 * 1024
    room = limit - plan.total
    with pytest.raises(coop.CoopStorageError) as caught:
        kernel[1, 512, 0, room + 1](wide, wide)
    assert not launches
    message = str(caught.value)
    assert f"needs {limit + 1} bytes of shared memory; the limit on sm_90 is {limit}" in message
    assert f"the largest storage, {plan.total} bytes, belongs to this call" in message
    assert 'coop.load(block, src, items, algorithm="transpose")' in message
    assert f"{room + 1} of the bytes are the dynamic shared memory that the launch asks" in message
    kernel[1, 512, 0, room](wide, wide)
    assert [launch.sharedmem for launch in launches] == [limit]


def test_the_users_bytes_and_stream(launches):
    kernel = cuda.jit(move)
    kernel[1, 128, 5, 1000](A, B)
    kernel[1, 128, 6, 1000](A, B)
    assert [(launch.stream, launch.sharedmem) for launch in launches] == [(5, 1000), (6, 1000)]


def test_forall(launches, compiled):
    kernel = cuda.jit(move)
    for tasks in (1000, 2000):
        kernel.forall(tasks, tpb=64, stream=7)(A, B)
    assert len(compiled) == 1
    assert [launch.grid[0] for launch in launches] == [16, 32]
    assert {(launch.block, launch.stream) for launch in launches} == {((64, 1, 1), 7)}


def test_a_late_discovery_is_an_error_if_bytes_are_missing(launches, monkeypatch):
    class Lazy(python_types.ModuleType):
        def __getattr__(self, name):
            return getattr(coop, name)

    lazy = Lazy("lazy")

    def hidden(src, dst):
        items = lazy.ThreadData(4)
        lazy.load(lazy.this_block(), src, items)
        lazy.store(lazy.this_block(), dst, items)

    assert not uses_coop(hidden)
    cuda.jit(hidden)[1, 128](A, B)
    monkeypatch.setattr(Lowered, "dynamic_bytes", 60000)
    with pytest.raises(coop.CoopError, match="60000 bytes of dynamic shared memory"):
        cuda.jit(hidden)[1, 128](A, B)


# ---------------------------------------------------------------------------
# No launch
# ---------------------------------------------------------------------------

NO_BLOCK = r"the block's shape is not known before a launch; leave the signature out"


@pytest.mark.parametrize(
    "compile",
    [
        lambda: cuda.jit("void(int32[::1], int32[::1])")(move),
        lambda: cuda.jit(move).compile("void(int32[::1], int32[::1])"),
        lambda: cuda.jit(move).compile_for(A, B),
    ],
    ids=["signature", "compile", "compile_for"],
)
def test_compilation_without_a_block_is_an_error(launches, compile):
    with pytest.raises(coop.CoopTypingError, match=NO_BLOCK) as caught:
        compile()
    assert caught.value.location.source == "block = coop.this_block()"


# ---------------------------------------------------------------------------
# Who pays
# ---------------------------------------------------------------------------


def test_only_kernels_with_coop_are_marked(launches):
    plain, kernel = cuda.jit(scale), cuda.jit(move)
    plain[1, 128](A, B)
    kernel[1, 128](A, B)
    assert not plain._requires_launch_config and kernel._requires_launch_config
    assert list(plain.overloads) and not plain.launch_config_overloads
    assert not descriptor._planner_registry.has_planners


def test_launches_give_no_warning(launches):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cuda.jit(move)[1, 128](A, B)
        cuda.jit(scale)[1, 128](A, B)


def helper(src, items):
    coop.load(coop.this_block(), src, items)


NAMESPACE = python_types.ModuleType("namespace")
NAMESPACE.helper = cuda.jit(device=True)(helper)
NAMESPACE.other = cuda.jit(device=True)(scale)
PAIR = (1, (NAMESPACE.helper, NAMESPACE.other))


def by_module_attribute(src, items):
    NAMESPACE.helper(src, items)


def by_other_attribute(src, items):
    NAMESPACE.other(src, items)


def by_tuple(src, items):
    PAIR[1][0](src, items)


def by_inner_function(src, items):
    def inner():
        coop.this_block()

    inner()


def by_closure():
    operation = coop.load

    def kernel(src, items):
        operation(src, items)

    return kernel


@pytest.mark.parametrize(
    "function", [move, helper, by_module_attribute, by_tuple, by_inner_function, by_closure()]
)
def test_uses_coop(function):
    assert uses_coop(function)


@pytest.mark.parametrize("function", [scale, by_other_attribute])
def test_uses_no_coop(function):
    assert not uses_coop(function)


# ---------------------------------------------------------------------------
# Copies
# ---------------------------------------------------------------------------


def test_pickled_kernels(launches, compiled):
    kernel = cuda.jit(move)
    kernel[3, 64](A, B)
    kernel.disable_compile()
    states = pickle.loads(pickle.dumps(kernel._reduce_states()))
    other = kernel._rebuild(**{**states, "uuid": "another"})
    assert len(compiled) == 2
    other[5, 64](A, B)
    assert len(compiled) == 2 and launches[1].grid == (5, 1, 1)


def test_any_grid_is_a_grid():
    from coop_mlir._numba.host_launch import AnyGrid

    one, other = AnyGrid((1, 2, 3)), AnyGrid((4, 5, 6))
    assert one == other and not one != other and hash(one) == hash(other)
    assert one != (1, 2, 3) and (1, 2, 3) != one
    assert tuple(one) == (1, 2, 3) == tuple(copy.copy(one))
    assert tuple(pickle.loads(pickle.dumps(other))) == (4, 5, 6)
