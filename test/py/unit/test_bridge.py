# The bridge between the two MLIRs keeps a module whole, or refuses it.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses are injected at each place where a module could lose something."""

from __future__ import annotations

import gc
import re
import threading
import weakref

import pytest

pytest.importorskip("numba_cuda_mlir")
own_ir = pytest.importorskip("coop_mlir.ir")

from coop_mlir._compile import _context, bridge  # noqa: E402
from coop_mlir._compile._fidelity import first_loss  # noqa: E402
from coop_mlir._compile._foreign import _TYPED, UnknownStandIn, take_out  # noqa: E402
from coop_mlir.errors import CoopInternalError  # noqa: E402
from numba_cuda_mlir._mlir import ir as host_ir  # noqa: E402
from numba_cuda_mlir.lowering_utilities import context as host_contexts  # noqa: E402

MODULE = """
#file = #llvm.di_file<"k.py" in "/tmp">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file,
  producer = "p", emissionKind = Full>
#type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int32", sizeInBits = 32,
  encoding = DW_ATE_signed>
#null = #llvm.di_null_type
#routine = #llvm.di_subroutine_type<types = #null>
#sp = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "k",
  file = #file, line = 1, scopeLine = 1, subprogramFlags = Definition, type = #routine>
#var = #llvm.di_local_variable<scope = #sp, name = "x", file = #file, line = 2, type = #type>
#here = loc(fused<#sp>["k.py":1:0])
"builtin.module"() ({
  "gpu.module"() <{sym_name = "m", targets = [#nvvm.target<O = 3, chip = "sm_90">]}> ({
    "memref.global"() <{alignment = 8 : i64, sym_name = "tile", sym_visibility = "private",
      type = memref<32xf32, #gpu.address_space<workgroup>>}> : () -> () loc("k.py":2:0)
    "func.func"() <{function_type = (i32) -> i32, sym_name = "helper",
      sym_visibility = "private"}> ({}) {noinline} : () -> () loc("k.py":9:0)
    "gpu.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>>, i32, f32) -> (),
      kernel}> ({
    ^bb0(%a: memref<?xf32, strided<[?], offset: ?>> loc("k.py":1:4), %n: i32 loc("k.py":1:5),
         %f: f32 loc("k.py":1:6)):
      %0 = "arith.constant"() <{value = 7 : i32}> : () -> i32 loc("k.py":2:0)
      "llvm.intr.dbg.value"(%0) <{locationExpr = #llvm.di_expression<>, varInfo = #var}>
        : (i32) -> () loc("k.py":2:0)
      %1 = "arith.addi"(%0, %n) <{overflowFlags = #arith.overflow<nsw>}>
        : (i32, i32) -> i32 loc("k.py":3:0)
      %2 = "arith.cmpi"(%1, %n) <{predicate = 2 : i64}> : (i32, i32) -> i1 loc("k.py":4:0)
      %3 = "arith.addf"(%f, %f) <{fastmath = #arith.fastmath<fast>}> {user.tag}
        : (f32, f32) -> f32 loc("k.py":5:0)
      "cf.cond_br"(%2)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}>
        : (i1) -> () loc("k.py":6:0)
    ^bb1:
      %4 = "func.call"(%1) <{callee = @helper}> : (i32) -> i32 loc("k.py":7:0)
      "foreign.op"(%4) <{some = 1 : i8}> {other = "a, {b} \\" <c>"} : (i32) -> () loc("k.py":8:0)
      "gpu.return"() : () -> () loc("k.py":8:0)
    ^bb2:
      "gpu.return"() : () -> () loc("k.py":8:0)
    }) {numba.arg_attrs = [{}, {}], sym_name = "k"} : () -> () loc(#here)
  }) : () -> () loc(#here)
}) : () -> () loc(#here)
"""

COOP_MODULE = """
"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (memref<?xi32>, index, i32) -> (), kernel}> ({
    ^bb0(%a: memref<?xi32>, %n: index, %d: i32):
      %0 = "arith.constant"() <{value = 0 : index}> : () -> index
      %g = "coop.group"() : () -> !coop.group<block>
      %t = "coop.temp_storage"() {size_in_bytes = 4096 : i64, auto_sync,
        sharing = #coop.sharing<exclusive>} : () -> !coop.temp_storage
      %v = "coop.load"(%g, %a, %0, %n, %d, %t) {algorithm = #coop.algorithm<transpose>,
        operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0>}
        : (!coop.group<block>, memref<?xi32>, index, index, i32, !coop.temp_storage)
          -> vector<4xi32>
      "gpu.return"() : () -> ()
    }) {sym_name = "k", gpu.known_block_size = array<i32: 128, 1, 1>} : () -> ()
  }) : () -> ()
}) : () -> ()
"""


@pytest.fixture(autouse=True)
def host_context():
    context = host_contexts.get_context()
    context.allow_unregistered_dialects = True
    with context:
        yield context


@pytest.fixture
def module():
    return host_ir.Module.parse(MODULE)


def through_ours(exported: bridge.ExportedText) -> str:
    """Read and print a text by our MLIR, with no pass in between."""
    with _context.own_context():
        return bridge.print_module(own_ir.Module.parse(exported.text))


def body(*operations: str, attributes: str = "") -> str:
    """A host module whose one kernel holds the operations."""
    lines = "\n".join(operations)
    return f"""
"builtin.module"() ({{
  "gpu.module"() <{{sym_name = "m"}}> ({{
    "gpu.func"() <{{function_type = (f32, i32, !llvm.ptr, f64) -> (), kernel{attributes}}}> ({{
    ^bb0(%f: f32, %i: i32, %p: !llvm.ptr, %d: f64):
      {lines}
      "gpu.return"() : () -> ()
    }}) {{sym_name = "k"}} : () -> ()
  }}) : () -> ()
}}) : () -> ()
"""


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


# --- stand-ins -------------------------------------------------------------------


def test_an_unknown_stand_in_is_refused(module):
    exported = bridge.export_module(module)
    text = re.sub(r'fused<"coop.foreign:\d+">', 'fused<"coop.foreign:99">', through_ours(exported))
    with pytest.raises(CoopInternalError, match=r"'coop.foreign:99' stands for nothing"):
        bridge.import_module(text, exported)


def test_a_text_that_looks_like_a_stand_in_is_kept():
    text = '#di_file = #llvm.di_file<"a" in "b">\nprint "coop.foreign:0" #di_file'
    sent, foreign = take_out(text)
    assert foreign.tag == "coop.foreign_"
    assert '"coop.foreign:0"' in foreign.put_back(sent)


def test_names_inside_strings_are_not_aliases():
    text = '#di_file = #llvm.di_file<"#di_file" in "">\n#di_x = #llvm.di_x<file = #di_file>\n'
    _, foreign = take_out(text)
    restored = foreign.put_back("")
    assert '#llvm.di_file<"#di_file" in "">' in restored
    assert "#llvm.di_x<file = #coop_foreign_0>" in restored


def test_a_text_without_debug_info_is_untouched():
    text, foreign = take_out("module {}")
    assert text == "module {}"
    assert not foreign
    assert foreign.put_back(text) == text


def test_a_stand_in_that_cannot_be_put_back_is_refused():
    _, foreign = take_out('#di_file = #llvm.di_file<"a" in "b">\n')
    with pytest.raises(UnknownStandIn):
        foreign.put_back('"coop.foreign"')


def test_distinct_attributes_stay_apart():
    _, foreign = take_out("#di_x = #llvm.di_x<id = distinct[0]<>>\n")
    restored = foreign.put_back("distinct[0]<>")
    assert restored == "#coop_foreign_0 = #llvm.di_x<id = distinct[1000000]<>>\ndistinct[0]<>"


@pytest.mark.parametrize("kind", sorted(_TYPED))
def test_typed_stand_ins_are_known_to_both_sides(kind):
    text = _TYPED[kind].format('"coop.foreign:0"')
    host = str(host_ir.Attribute.parse(text))
    with _context.own_context():
        assert str(own_ir.Attribute.parse(text)) == host
    assert host.startswith(f"#llvm.{kind}<")


def test_put_back_knows_only_its_own():
    _, foreign = take_out('#di_file = #llvm.di_file<"a" in "b">\n')
    with pytest.raises(UnknownStandIn):
        foreign.put_back('"coop.foreign:1"')


# --- contexts --------------------------------------------------------------------


def test_each_thread_has_its_own_context():
    contexts = [_context.own_context()]
    thread = threading.Thread(target=lambda: contexts.append(_context.own_context()))
    thread.start()
    thread.join()
    assert contexts[0] is _context.own_context()
    assert contexts[0] is not contexts[1]


def test_a_context_is_renewed_before_it_grows(monkeypatch):
    first = _context.own_context()
    monkeypatch.setattr(_context, "RENEW_AFTER", 0)
    assert _context.own_context() is not first


def test_threads_read_at_the_same_time(module):
    exported = bridge.export_module(module)
    answers = []

    def work():
        for _ in range(20):
            answers.append(through_ours(exported) == exported.text)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 80


def test_modules_are_freed():
    """Neither side keeps a module that Python has let go."""
    module = host_ir.Module.parse(MODULE)
    alive = [weakref.ref(module)]
    for _ in range(50):
        exported = bridge.export_module(module)
        returned = bridge.import_module(through_ours(exported), exported)
        alive.append(weakref.ref(returned))
    del module, returned, exported
    gc.collect()
    assert not any(ref() for ref in alive)
