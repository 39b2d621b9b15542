# What our MLIR can't read crosses the bridge as a stand-in.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stand-ins for attributes that our MLIR can't read."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("numba_cuda_mlir")
pytest.importorskip("coop_mlir.ir")

from bridge_support import through_ours
from coop_mlir import ir as own_ir
from coop_mlir._compile import _context, bridge
from coop_mlir._compile._foreign import _TYPED, UnknownStandIn, take_out
from coop_mlir.errors import CoopInternalError
from numba_cuda_mlir._mlir import ir as host_ir

pytestmark = pytest.mark.usefixtures("host_context")


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
