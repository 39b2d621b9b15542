# coop.options: how strict, which barriers stay, and what tells kernels apart.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``coop.options``: how strict, which barriers stay, and what tells kernels apart."""

import warnings

import coop_mlir as coop
import numpy as np
import pytest
from frontend_support import CC, I32
from launches import Array, counted, no_driver

pytest.importorskip("numba_cuda_mlir")

from coop_mlir import cpu
from coop_mlir._compile import pipeline
from coop_mlir._options import OPTIONS, Options, Settings, settings_of, with_options
from numba_cuda_mlir import cuda

SIGNATURE = (I32, I32)


def unproven(src, dst):
    items = coop.ThreadData(2)
    if src[cuda.threadIdx.x] > 3:
        coop.load(coop.this_block(), src, items)  # the call
        coop.store(coop.this_block(), dst, items)


def needless(src, dst):
    """Has a barrier that orders the writes of dst, and two that order nothing more."""
    items = coop.ThreadData(2)
    coop.load(coop.this_block(), src, items)
    coop.store(coop.this_block(), dst, items)
    cuda.syncthreads()
    coop.this_block().sync()
    if cuda.threadIdx.x == 0:
        dst[256] = dst[255]
    cuda.syncthreads()


def clean(src, dst):
    items = coop.ThreadData(2)
    coop.load(coop.this_block(), src, items)
    coop.store(coop.this_block(), dst, items)


CALL = unproven.__code__.co_firstlineno + 3


def compiled(kernel, **options):
    return coop.compile(kernel, SIGNATURE, block=128, cc=CC, **options)


@pytest.fixture
def launches():
    with no_driver() as made:
        yield made


# ---------------------------------------------------------------------------
# Participation
# ---------------------------------------------------------------------------

ABOVE = {
    "above": lambda kernel, **options: coop.options(**options)(cuda.jit(kernel)),
    "below": lambda kernel, **options: cuda.jit(coop.options(**options)(kernel)),
}


@pytest.mark.parametrize("place", ABOVE)
def test_P4_strict_is_an_error_with_the_line(place):
    with pytest.raises(coop.CoopParticipationError, match="cannot prove") as caught:
        compiled(ABOVE[place](unproven, participation="strict"))
    assert caught.value.location.line == CALL


@pytest.mark.parametrize("place", ABOVE)
def test_P4_off_is_silent(place):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = compiled(ABOVE[place](unproven, participation="off"))
    assert result.diagnostics == ()


@pytest.mark.parametrize("stated", [{}, {"participation": "warn"}], ids=str)
def test_P4_a_warning_is_the_default(stated):
    with pytest.warns(coop.CoopParticipationWarning, match="cannot prove"):
        result = compiled(coop.options(**stated)(unproven))
    assert [one.location.line for one in result.diagnostics] == [CALL, CALL + 1]


def test_P4_off_accepts_what_diverges():
    def first(src, dst):
        items = coop.ThreadData(2)
        if cuda.threadIdx.x == 0:
            coop.load(coop.this_block(), src, items)

    with pytest.raises(coop.CoopParticipationError, match="diverges"):
        compiled(first)
    assert compiled(first, participation="off").ptx


def test_G3_off_refuses_part_of_a_warp():
    def warps(src, dst):
        coop.load(coop.this_warp(), src, coop.ThreadData(2))

    with pytest.raises(coop.CoopError, match=r"divisible by 32.*48 threads"):
        coop.compile(warps, SIGNATURE, block=48, cc=CC, participation="off")


def test_P4_keywords_of_compile_come_first():
    kernel = coop.options(participation="strict")(cuda.jit(unproven))
    assert compiled(kernel, participation="off").diagnostics == ()


def test_P4_the_upper_decorator_counts():
    lower = coop.options(participation="strict", keep_user_barriers=False)(unproven)
    upper = coop.options(participation="off")(cuda.jit(lower))
    options = with_options(upper.py_func, upper.targetoptions)[OPTIONS]
    assert options == Options(participation="off", keep_user_barriers=False)


def test_P4_a_launch_is_strict(launches):
    kernel = coop.options(participation="strict")(cuda.jit(unproven))
    with pytest.raises(coop.CoopParticipationError, match="cannot prove"):
        kernel[1, 128](Array(), Array())


def test_P4_the_CPU_target_is_strict():
    arrays = np.ones(512, np.int32), np.zeros(512, np.int32)
    with pytest.raises(coop.CoopParticipationError, match="cannot prove"):
        cpu.launch(coop.options(participation="strict")(unproven), 1, 128, *arrays)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cpu.launch(coop.options(participation="off")(unproven), 1, 128, *arrays)


# ---------------------------------------------------------------------------
# Barriers
# ---------------------------------------------------------------------------


def test_S3_barriers_of_the_user_go_on_request_only():
    assert compiled(needless).ptx.count("bar.sync") == 2  # of adjacent ones one is left
    result = compiled(needless, keep_user_barriers=False)
    assert result.stages["insert-barriers"].count("gpu.barrier") == 2  # and one of coop's group
    assert result.stages["lower-to-cub"].count("gpu.barrier") == 1
    assert result.ptx.count("bar.sync") == 1


def test_S3_no_barrier_goes_that_scratch_needs():
    def twice(src, dst):
        items = coop.ThreadData(4)
        scratch = coop.TempStorage()
        block = coop.this_block()
        coop.load(block, src, items, algorithm="transpose", temp_storage=scratch)
        cuda.syncthreads()
        coop.store(block, dst, items, algorithm="transpose", temp_storage=scratch)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = compiled(twice, keep_user_barriers=False)
    assert result.stages["lower-to-cub"].count("gpu.barrier") == 1
    assert result.barriers == ()


def test_S3_the_CPU_target_runs_without_the_needless_barriers():
    src, dst = np.arange(512, dtype=np.int32), np.zeros(512, np.int32)
    cpu.launch(coop.options(keep_user_barriers=False)(needless), 1, 128, src, dst)
    assert (dst[:256] == src[:256]).all() and dst[256] == src[255]


# ---------------------------------------------------------------------------
# What the passes are told, and what tells kernels apart
# ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "debug, stated, checks",
    [
        (False, None, False),
        (True, None, True),
        (False, True, True),
        (True, False, False),
    ],
)
def test_P4_assumptions_are_checked_in_debug_builds_or_on_request(debug, stated, checks):
    options = {OPTIONS: Options(check_assumptions=stated), "debug": debug}
    assert settings_of(options) == Settings(check_assumptions=checks)


def settings_given(monkeypatch, launch):
    """Return the settings that the passes of a launch are given."""
    seen, run = [], pipeline.run
    monkeypatch.setattr(
        pipeline, "run", lambda text, **given: seen.append(given["settings"]) or run(text, **given)
    )
    launch()
    return seen


def test_a_launch_tells_the_passes(launches, monkeypatch):
    kernel = coop.options(participation="off", check_assumptions=False)(cuda.jit(clean))
    seen = settings_given(monkeypatch, lambda: kernel[1, 128](Array(), Array()))
    assert seen == [Settings("off", True, False)]


def test_C5_kernels_with_different_options_share_no_code(launches):
    with counted() as passes:
        kernels = [
            cuda.jit(needless),
            coop.options(keep_user_barriers=False)(cuda.jit(needless)),
            cuda.jit(coop.options(keep_user_barriers=True)(needless)),
        ]
        for kernel in kernels:
            kernel[1, 128](Array(), Array())
    cubins = [launch.cubin for launch in launches]
    assert len(passes) == 3
    assert cubins[0] == cubins[2] != cubins[1]


def test_C5_the_CPU_target_tells_options_apart():
    kernel = cuda.jit(unproven)
    arrays = np.ones(512, np.int32), np.zeros(512, np.int32)
    with pytest.warns(coop.CoopParticipationWarning):
        cpu.launch(kernel, 1, 128, *arrays)
    coop.options(participation="strict")(kernel)
    with pytest.raises(coop.CoopParticipationError):
        cpu.launch(kernel, 1, 128, *arrays)


def test_a_function_keeps_its_options():
    strict = coop.options(participation="strict")(clean)
    assert not hasattr(clean, OPTIONS)
    assert (strict.__name__, strict.__module__) == (clean.__name__, clean.__module__)
    assert getattr(strict, OPTIONS) == Options(participation="strict")


def test_options_come_before_the_first_launch(launches):
    kernel = cuda.jit(clean)
    kernel[1, 128](Array(), Array())
    with pytest.raises(coop.CoopError, match="'clean' has been compiled already"):
        coop.options(participation="strict")(kernel)


# ---------------------------------------------------------------------------
# What is refused
# ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong, known",
    [
        ({"participation": "loud"}, "'strict', 'warn', 'off', not 'loud'"),
        ({"participation": True}, "'strict', 'warn', 'off', not True"),
        ({"keep_user_barriers": 1}, "True or False, not 1"),
        ({"check_assumptions": "yes"}, "True or False, not 'yes'"),
    ],
    ids=str,
)
def test_P4_a_wrong_value_lists_the_known(wrong, known):
    with pytest.raises(ValueError, match=known):
        coop.options(**wrong)
    with pytest.raises(ValueError, match=known):
        compiled(clean, **wrong)


def test_P4_a_wrong_name_is_a_type_error():
    with pytest.raises(TypeError, match="strict"):
        coop.options(strict=True)
    with pytest.raises(TypeError):
        coop.options("strict")


def test_only_kernels_take_options():
    with pytest.raises(TypeError, match=r"coop\.options decorates kernels, not 3"):
        coop.options(participation="strict")(3)


def test_device_functions_take_no_options():
    @cuda.jit(device=True)
    def helper(x):
        return x + 1

    with pytest.raises(coop.CoopError, match="device function 'helper'"):
        coop.options(participation="strict")(helper)


def test_device_functions_take_no_options_from_below():
    @cuda.jit(device=True)
    @coop.options(participation="strict")
    def helper(x):
        return x + 1

    def kernel(src, dst):
        coop.load(coop.this_block(), src, coop.ThreadData(2))
        dst[0] = helper(1)

    with pytest.raises(coop.CoopError, match="device function 'helper'") as caught:
        compiled(kernel)
    assert caught.value.location.line == helper.py_func.__code__.co_firstlineno


def test_options_of_a_kernel_without_coop_are_a_warning():
    @coop.options(participation="strict")
    def plain(src, dst):
        dst[cuda.grid(1)] = src[cuda.grid(1)]

    with pytest.warns(coop.CoopWarning, match="'plain' do nothing"):
        compiled(plain)


# ---------------------------------------------------------------------------
# Debug builds
# ---------------------------------------------------------------------------


def transposed(src, dst):
    items = coop.ThreadData(2)
    coop.load(coop.this_block(), src, items, algorithm="transpose")
    coop.store(coop.this_block(), dst, items, algorithm="transpose")


@pytest.mark.parametrize("cc", [(8, 0), (9, 0), (10, 0)], ids=str)
@pytest.mark.parametrize("options", [{"debug": True, "opt": False}, {"lineinfo": True}], ids=str)
def test_C1_debug_and_lineinfo_builds_are_linked(options, cc):
    assert coop.compile(transposed, SIGNATURE, block=128, cc=cc, options=options).cubin
    with no_driver(cc) as made:
        cuda.jit(**options)(transposed)[1, 128](Array(), Array())
    assert made[0].cubin


def test_C1_options_of_jit_are_checked_as_jit_does():
    with pytest.raises(ValueError, match="debug=True requires opt_level=0"):
        compiled(transposed, options={"debug": True})
    with pytest.raises(ValueError, match="invalid options: nonsense"):
        compiled(transposed, options={"nonsense": True})
