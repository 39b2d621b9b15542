# What the tests of the bridge share.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the bridge share: modules of the host, and the way through our MLIR."""

from __future__ import annotations

from coop_mlir import ir as own_ir
from coop_mlir._compile import _context, bridge

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
