# The Python bindings of the dialect.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python bindings: building, verifying and lowering coop IR."""

import pytest

from coop_mlir import ir
from coop_mlir._mlir_libs import _coop
from coop_mlir.dialects import coop, func
from coop_mlir.passmanager import PassManager

WRAPPER = "coop_block_load_b32_128x1x1_k4_transpose"


@pytest.fixture
def module():
    """A block that loads a tile with a transpose."""
    with ir.Context(), ir.Location.unknown():
        i32 = ir.IntegerType.get_signless(32)
        memory = ir.MemRefType.get([512], i32)
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):

            @func.FuncOp.from_py_func(memory, ir.IndexType.get())
            def load(source, offset):
                group = coop.group(coop.GroupType.get("block"))
                algorithm = ir.Attribute.parse("#coop.algorithm<transpose>")
                coop.load(ir.VectorType.get([4], i32), group, source, offset, algorithm=algorithm)

            load.func_op.attributes["gpu.known_block_size"] = ir.DenseI32ArrayAttr.get([128, 1, 1])
        yield module


def test_build_and_verify(module):
    assert module.operation.verify()
    assert "coop.load transpose" in str(module)


def test_group_type():
    with ir.Context():
        group = coop.GroupType.get("warp", 8, loc=ir.Location.unknown())
        assert (group.scope, group.width) == ("warp", 8)
        assert group == ir.Type.parse("!coop.group<warp, 8>")


def test_group_type_refuses_G1():
    with ir.Context(), ir.Location.unknown():
        with pytest.raises(ValueError, match="1, 2, 4, 8, 16 or 32 lanes, got 12"):
            coop.GroupType.get("warp", 12)
        with pytest.raises(ValueError, match="unknown scope 'grid'; the scopes are block and warp"):
            coop.GroupType.get("grid")


def test_cuda_source_and_probes(module):
    source = _coop.cuda_source(module.operation)
    assert f'extern "C" __device__ void {WRAPPER}(' in source
    [(name, expression)] = _coop.layout_probes(module.operation)
    assert name == WRAPPER
    assert f"sizeof({WRAPPER}_type::TempStorage)" in expression


def test_attach_layouts(module):
    _coop.attach_layouts(module.operation, {WRAPPER: (2048, 16)})
    assert "layout(<2048, 16>)" in str(module)


def test_attach_layouts_names_the_unknown_wrapper(module):
    with pytest.raises(KeyError, match="no operation wants 'coop_nothing'"):
        _coop.attach_layouts(module.operation, {"coop_nothing": (16, 16)})


def test_stages_parse_and_are_ordered():
    names = [name for name, _ in _coop.pipeline_stages()]
    assert names.index("select-algorithms") < names.index("plan-shared-memory")
    assert names.index("check-participation") < names.index("plan-shared-memory")
    assert names.index("plan-shared-memory") < names.index("insert-barriers")
    assert names[-1] == "lower-to-cub"
    with ir.Context():
        for _, passes in _coop.pipeline_stages():
            PassManager.parse(passes)
