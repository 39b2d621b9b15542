# T6: slots that are read and never written, and that no other kernel is accused.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""T6: slots that are read and never written, and that no other kernel is accused."""

import sys
from pathlib import Path

import coop_mlir as coop
import pytest
from frontend_support import CC, I32, emit, line_of

sys.path.insert(0, str(Path(__file__).parents[1]))

cuda = pytest.importorskip("numba_cuda_mlir.cuda")

import kernels  # noqa: E402
import participation  # noqa: E402
from coop_mlir import ir, passmanager  # noqa: E402
from coop_mlir._compile._context import own_context  # noqa: E402
from coop_mlir._compile.diagnostics import Diagnostic  # noqa: E402
from coop_mlir._mlir_libs._coop import pipeline_stages  # noqa: E402
from numba_cuda_mlir import types  # noqa: E402
from test_compiled_kernels import signature  # noqa: E402

SIGNATURE = (I32, I32, types.int64)


def said_of(kernel, signature=SIGNATURE, block=128) -> list[Diagnostic]:
    """Return what the check says of a kernel."""
    text = emit(kernel, signature, block, generic=True)
    stages = dict(pipeline_stages())
    assert "coop-check-payloads" in stages["normalize"]
    said = []
    with own_context() as context:
        module = ir.Module.parse(text)
        handler = context.attach_diagnostic_handler(
            lambda one: said.append(Diagnostic.of(one, "normalize")) or True
        )
        passmanager.PassManager.parse(stages["normalize"]).run(module.operation)
        handler.detach()
    return said


def the_warning(kernel) -> str:
    """Check the lines of the one warning about a kernel; return its message."""
    (warning,) = said_of(kernel)
    assert warning.severity == "warning"
    assert warning.location.line == line_of(kernel, f"read {kernel.py_func.__name__}")
    (note,) = warning.notes
    assert note.location.line == line_of(kernel, f"made {kernel.py_func.__name__}")
    assert note.message.startswith("the payload is made here")
    return warning.message


def test_T6_a_slot_that_no_assignment_reaches():
    @cuda.jit
    def one_slot(source, destination, count):
        items = coop.ThreadData(4, types.int32)  # made one_slot
        items[0] = types.int32(1)
        destination[0] = items[0]
        destination[1] = items[-1]  # read one_slot

    assert the_warning(one_slot) == ("slot 3 of a payload of 4 is read, and nothing has written it")


def test_T6_slots_of_one_line_are_named_together():
    @cuda.jit
    def line(source, destination, count):
        items = coop.ThreadData(4, types.int32)  # made line
        items[2] = types.int32(1)
        destination[0] = items[3] + items[2] * items[0]  # read line
        destination[1] = items[0] + items[3]

    assert the_warning(line) == (
        "slots 0, 3 of a payload of 4 are read, and nothing has written them"
    )


def test_T6_a_store_of_what_was_never_written():
    @cuda.jit
    def stored(source, destination, count):
        items = coop.ThreadData(2)  # made stored
        coop.store(coop.this_block(), destination, items)  # read stored

    assert the_warning(stored) == (
        "all 2 slots of a payload are read, and nothing has written them"
    )


def test_T6_a_partial_store_of_what_was_never_written():
    @cuda.jit
    def prefix(source, destination, count):
        items = coop.ThreadData(2)  # made prefix
        coop.store(coop.this_block(), destination, items, valid_items=count)  # read prefix

    assert the_warning(prefix).startswith("all 2 slots")


def test_T6_the_first_turn_of_a_sum_that_nobody_starts():
    @cuda.jit
    def total(source, destination, count):
        sums = coop.ThreadData(2, types.int32)  # made total
        for i in range(count):
            for k in range(2):
                sums[k] = types.int32(sums[k] + source[i])  # read total
        coop.store(coop.this_block(), destination, sums)

    assert the_warning(total) == "a slot of a payload of 2 is read, and nothing has written it"


@cuda.jit(device=True, inline="always")
def first_of(items):
    return items[0]  # read in_helper


def test_T6_a_helpers_read_is_at_the_helpers_line():
    @cuda.jit
    def in_helper(source, destination, count):
        items = coop.ThreadData(2, types.int32)  # made in_helper
        destination[0] = first_of(items)

    assert the_warning(in_helper).startswith("slot 0 of a payload of 2")


def test_T6_it_is_a_python_warning_at_the_users_line():
    @cuda.jit
    def warned(source, destination, count):
        items = coop.ThreadData(2)  # made warned
        coop.store(coop.this_block(), destination, items)  # read warned

    with pytest.warns(coop.CoopWarning, match="all 2 slots of a payload are read") as caught:
        result = coop.compile(warned, SIGNATURE, block=128, cc=CC)
    (warning,) = caught
    assert warning.filename == __file__
    assert warning.lineno == line_of(warned, "read warned")
    assert f"{__file__}:{line_of(warned, 'made warned')}" in str(warning.message)
    assert result.diagnostics[0].severity == "warning"


@cuda.jit(device=True, inline="always")
def fill(items, value):
    for i in range(len(items)):
        items[i] = value


@cuda.jit(device=True, inline="never")
def fill_out_of_line(items, value):
    for i in range(len(items)):
        items[i] = value


@cuda.jit
def by_a_loop(source, destination, count):
    items = coop.ThreadData(4)
    for i in range(4):
        items[i] = types.int32(i)
    coop.store(coop.this_block(), destination, items)


@cuda.jit
def by_helpers(source, destination, count):
    items = coop.ThreadData(4)
    others = coop.ThreadData(4, types.int32)
    fill(items, types.int32(1))
    fill_out_of_line(others, types.int32(2))
    for i in range(4):
        items[i] = types.int32(items[i] + others[3])
    coop.store(coop.this_block(), destination, items)


@cuda.jit
def on_one_way(source, destination, count):
    items = coop.ThreadData(1)
    if count > 3:
        items[0] = types.int32(1)
    coop.store(coop.this_block(), destination, items)


@cuda.jit
def by_a_partial_load(source, destination, count):
    items = coop.ThreadData(2)
    coop.load(coop.this_block(), source, items, valid_items=count)
    coop.store(coop.this_block(), destination, items)


@cuda.jit
def valid_slots_only(source, destination, count):
    items = coop.ThreadData(2, types.int32)
    items[0] = types.int32(1)
    coop.store(coop.this_block(), destination, items, algorithm="striped", valid_items=128)


@cuda.jit
def in_the_turn_before(source, destination, count):
    items = coop.ThreadData(1, types.int32)
    for i in range(count):
        if i > 0:
            destination[i] = items[0]
        items[0] = source[i]


@cuda.jit
def one_of_two(source, destination, count):
    first = coop.ThreadData(1, types.int32)
    second = coop.ThreadData(1, types.int32)
    items = first if count > 3 else second
    items[0] = types.int32(1)
    destination[0] = first[0] + second[0]


@cuda.jit
def never_reached(source, destination, count):
    items = coop.ThreadData(2, types.int32)
    fill(items, types.int32(0))
    more = coop.ThreadData(2, types.int32)
    if len(items) > 2:
        destination[0] = more[0]
    coop.store(coop.this_block(), destination, items)


QUIET = [
    by_a_loop,
    by_helpers,
    on_one_way,
    by_a_partial_load,
    valid_slots_only,
    in_the_turn_before,
    one_of_two,
    never_reached,
]


@pytest.mark.parametrize("kernel", QUIET, ids=lambda kernel: kernel.py_func.__name__)
def test_T6_what_may_be_written_is_not_accused(kernel):
    assert said_of(kernel) == []


@pytest.mark.parametrize("case", kernels.CASES, ids=lambda case: case.name)
def test_T6_no_kernel_of_the_cases_is_accused(case):
    assert said_of(case.kernel, signature(case.args()), case.block) == []


@pytest.mark.parametrize("case", participation.CASES, ids=lambda case: case.name)
def test_T6_no_kernel_of_the_participation_corpus_is_accused(case):
    assert said_of(case.kernel, SIGNATURE, case.block) == []
