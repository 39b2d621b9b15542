# The bridge between the two MLIRs keeps a module whole, or refuses it.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses are injected at each place where a module could lose something."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("numba_cuda_mlir")
pytest.importorskip("coop_mlir.ir")

from bridge_support import COOP_MODULE, body, through_ours
from coop_mlir import ir as own_ir
from coop_mlir._compile import _context, bridge
from coop_mlir._compile._fidelity import first_loss
from coop_mlir.errors import CoopInternalError
from numba_cuda_mlir._mlir import ir as host_ir

pytestmark = pytest.mark.usefixtures("host_context")

# --- what crosses -------------------------------------------------------------


def test_a_module_comes_back_the_same(module):
    before = bridge.print_module(module)
    exported = bridge.export_module(module)
    returned = bridge.import_module(through_ours(exported), exported)
    assert bridge.print_module(returned) == before


def test_export_leaves_the_module_as_it_was(module):
    before = bridge.print_module(module)
    bridge.export_module(module)
    assert bridge.print_module(module) == before


def test_export_restores_the_module_when_it_refuses():
    module = host_ir.Module.parse(body('"gpu.barrier"() <{address_spaces = []}> : () -> ()'))
    before = bridge.print_module(module)
    with pytest.raises(CoopInternalError):
        bridge.export_module(module)
    assert bridge.print_module(module) == before


def test_kernel_travels_as_an_attribute(module):
    text = bridge.export_module(module).text
    assert ", kernel}" not in text
    assert "{coop.kernel, " in text


def test_debug_info_stays_at_home(module):
    exported = bridge.export_module(module)
    assert "di_subprogram" not in exported.text
    assert "di_compile_unit" not in exported.text
    assert any("di_subprogram" in value for value in exported.foreign.values)


def test_coop_operations_become_ours():
    exported = bridge.export_module(host_ir.Module.parse(COOP_MODULE))
    assert '"coop.load"' in exported.text
    assert "<{algorithm = #coop.algorithm<transpose>" in through_ours(exported)


def test_an_attribute_added_by_a_pass_is_no_loss(module):
    exported = bridge.export_module(module)
    text = through_ours(exported).replace("{coop.kernel, ", "{coop.kernel, coop.note = 1 : i8, ")
    assert "coop.note" in bridge.print_module(bridge.import_module(text, exported))


# --- what our MLIR has no word for ----------------------------------------------

LOST_PROPERTIES = {
    "arith.addf": '%x = "arith.addf"(%f, %f) <{fastmath = #arith.fastmath<none>, '
    "roundingmode = 0 : i32}> : (f32, f32) -> f32",
    "arith.extui": '%x = "arith.extui"(%i) <{nonNeg}> : (i32) -> i64',
    "arith.uitofp": '%x = "arith.uitofp"(%i) <{nonNeg}> : (i32) -> f32',
    "math.fma": '%x = "math.fma"(%f, %f, %f) <{fastmath = #arith.fastmath<none>, '
    "roundingmode = 0 : i32}> : (f32, f32, f32) -> f32",
    "gpu.barrier": '"gpu.barrier"() <{address_spaces = [#gpu.address_space<workgroup>]}> '
    ": () -> ()",
    "llvm.fptrunc": '%x = "llvm.fptrunc"(%d) <{fastmathFlags = #llvm.fastmath<fast>}> '
    ": (f64) -> f32",
    "llvm.call": '%x = "llvm.call"(%p, %i) <{noreturn, op_bundle_sizes = array<i32>, '
    "CConv = #llvm.cconv<ccc>, fastmathFlags = #llvm.fastmath<none>, "
    "TailCallKind = #llvm.tailcallkind<none>, "
    "operandSegmentSizes = array<i32: 2, 0>}> : (!llvm.ptr, i32) -> i32",
}


@pytest.mark.parametrize("name", LOST_PROPERTIES)
def test_a_property_that_ours_would_drop_is_refused(name):
    module = host_ir.Module.parse(body(LOST_PROPERTIES[name]))
    silent = rf"dropped of '{name}'"
    loud = rf"for op {name}: this operation does not support properties"
    with pytest.raises(CoopInternalError, match=f"{silent}|{loud}") as caught:
        bridge.export_module(module)
    assert name in caught.value.ir


def test_an_operation_that_ours_does_not_have_crosses_unknown():
    operation = '%x = "llvm.ptrtoaddr"(%p) : (!llvm.ptr) -> i64'
    module = host_ir.Module.parse(body(operation))
    before = bridge.print_module(module)
    exported = bridge.export_module(module)
    returned = bridge.import_module(through_ours(exported), exported)
    assert bridge.print_module(returned) == before


# --- readers that lose something --------------------------------------------------


def lose_attribute(text):
    return text.replace(" {user.tag}", "")


def lose_flag(text):
    return text.replace("#arith.overflow<nsw>", "#arith.overflow<none>")


def lose_type(text):
    return text.replace("(f32, f32) -> f32", "(f32, f32) -> f64")


def lose_location(text):
    return re.sub(r'^(#loc\d+ = loc\("k.py":3:)0\)', r"\g<1>1)", text, flags=re.M)


def lose_argument_location(text):
    return text.replace('loc("k.py":1:5)', "loc(unknown)")


def lose_operation(text):
    return re.sub(r'^.*"foreign.op".*\n', "", text, flags=re.M)


def lose_successor_order(text):
    return text.replace("[^bb1, ^bb2]", "[^bb2, ^bb1]")


def lose_operand(text):
    return text.replace('"arith.cmpi"(%1, %arg1)', '"arith.cmpi"(%1, %1)')


def lose_property(text):
    return text.replace("alignment = 8 : i64, ", "")


def lose_symbol_attribute(text):
    return text.replace("{noinline}", "{}")


def lose_tail(text):
    return text[: text.rindex("#loc")]


LOSSES = [value for name, value in globals().items() if name.startswith("lose_")]
by_name = pytest.mark.parametrize("lose", LOSSES, ids=lambda lose: lose.__name__)


def break_reader(monkeypatch, bindings, lose):
    """Let one side's reader lose something, which its print then shows."""
    print_module = bridge.print_module

    def lossy(module):
        text = print_module(module)
        if not isinstance(module, bindings.Module):
            return text
        lost = lose(text)
        assert lost != text, "the mutation has no effect"
        return lost

    monkeypatch.setattr(bridge, "print_module", lossy)


@by_name
def test_a_loss_by_our_reader_is_refused(monkeypatch, module, lose):
    break_reader(monkeypatch, own_ir, lose)
    with pytest.raises(CoopInternalError, match="our MLIR would not keep"):
        bridge.export_module(module)


@by_name
def test_a_loss_by_the_hosts_reader_is_refused(monkeypatch, module, lose):
    exported = bridge.export_module(module)
    text = through_ours(exported)
    break_reader(monkeypatch, host_ir, lose)
    with pytest.raises(CoopInternalError, match="the host's MLIR would not keep"):
        bridge.import_module(text, exported)


def test_no_word_of_a_module_can_go_unnoticed(module):
    """Take out each token in turn: the comparison sees every one."""
    text = bridge.export_module(module).text
    for match in re.finditer(r"[\w.]+|[^\s\w]", text):
        assert first_loss(text, text[: match.start()] + text[match.end() :]), match


def test_the_refusal_names_the_attribute_and_the_operation(monkeypatch, module):
    break_reader(monkeypatch, own_ir, lose_flag)
    message = (
        r"'overflowFlags = #arith.overflow<nsw>' became "
        r"'overflowFlags = #arith.overflow<none>' of 'arith.addi'"
    )
    with pytest.raises(CoopInternalError, match=message) as caught:
        bridge.export_module(module)
    assert "arith.addi" in caught.value.ir
    assert (caught.value.location.filename, caught.value.location.line) == ("k.py", 3)


def test_a_closing_line_belongs_to_its_operation(monkeypatch, module):
    break_reader(monkeypatch, own_ir, lambda text: text.replace("numba.arg_attrs = [{}, {}], ", ""))
    with pytest.raises(CoopInternalError, match=r"arg_attrs.* of 'gpu.func'") as caught:
        bridge.export_module(module)
    assert caught.value.location.line == 1


def test_an_added_default_is_no_loss_but_an_added_attribute_is():
    sent = '"a.b"() <{x = 1 : i8}> {y} : () -> ()'
    assert first_loss(sent, '"a.b"() <{w, x = 1 : i8}> {y} : () -> ()') is None
    assert first_loss(sent, '"a.b"() <{x = 1 : i8}> {w, y} : () -> ()')
    assert first_loss(sent, '"a.b"() <{x = 1 : i8, y}> : () -> ()')
    assert first_loss(sent, sent + "\n#loc = loc(unknown)")


# --- passes that lose something ----------------------------------------------------


def find(module, kind):
    """The gpu.module, or an operation in it."""
    (gpu_module,) = module.body.operations
    if kind == "gpu.module":
        return gpu_module.operation
    inner = gpu_module.operation.regions[0].blocks[0].operations
    return next(view.operation for view in inner if view.operation.name == kind)


def drop(kind, name):
    return lambda module: find(module, kind).attributes.__delitem__(name)


def change(kind, name, value):
    def mutate(module):
        find(module, kind).attributes[name] = own_ir.Attribute.parse(value)

    return mutate


SHELL_LOSSES = {
    "symbol": lambda module: find(module, "memref.global").erase(),
    "name": change("gpu.func", "sym_name", '"other"'),
    "type": change("memref.global", "type", "memref<64xf32, #gpu.address_space<workgroup>>"),
    "property": drop("memref.global", "alignment"),
    "visibility": drop("memref.global", "sym_visibility"),
    "attribute": drop("gpu.func", "numba.arg_attrs"),
    "kernel": drop("gpu.func", "coop.kernel"),
    "target": change("gpu.module", "targets", '[#nvvm.target<O = 3, chip = "sm_80">]'),
    "noinline": drop("func.func", "noinline"),
}


@pytest.mark.parametrize("what", SHELL_LOSSES)
def test_a_loss_outside_of_bodies_is_refused(module, what):
    """What a pass that is wrong could do to a symbol."""
    exported = bridge.export_module(module)
    with _context.own_context(), own_ir.Location.unknown():
        own = own_ir.Module.parse(exported.text)
        SHELL_LOSSES[what](own)
        text = bridge.print_module(own)
    with pytest.raises(CoopInternalError, match="after the passes"):
        bridge.import_module(text, exported)


def test_a_property_that_the_host_would_drop_is_refused(module):
    exported = bridge.export_module(module)
    text = through_ours(exported).replace(
        "<{predicate = 2 : i64}>", "<{novel, predicate = 2 : i64}>"
    )
    with pytest.raises(CoopInternalError, match=r"'novel' was dropped of 'arith.cmpi'"):
        bridge.import_module(text, exported)


def test_a_coop_operation_that_is_invalid_is_refused_at_its_line():
    text = COOP_MODULE.replace("-> vector<4xi32>", '-> vector<4xi64> loc("k.py":6:0)')
    with pytest.raises(CoopInternalError, match="can't read the host's module") as caught:
        bridge.export_module(host_ir.Module.parse(text))
    assert (caught.value.location.filename, caught.value.location.line) == ("k.py", 6)


def test_text_that_the_host_cannot_read_is_refused(module):
    exported = bridge.export_module(module)
    with pytest.raises(CoopInternalError, match="can't read our module") as caught:
        bridge.import_module("nonsense", exported)
    assert caught.value.ir == "nonsense"


def test_an_invalid_module_is_refused(module):
    exported = bridge.export_module(module)
    text = through_ours(exported).replace("callee = @helper", "callee = @nobody")
    with pytest.raises(CoopInternalError):
        bridge.import_module(text, exported)
