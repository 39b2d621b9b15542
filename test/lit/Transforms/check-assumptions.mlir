// RUN: coop-opt %s -split-input-file --pass-pipeline='builtin.module(gpu.module(coop-check-assumptions))' | FileCheck %s

// CHECK-LABEL: gpu.module @block
// CHECK: memref.global "private" @coop_stated_value : memref<1xi64, #gpu.address_space<workgroup>> {{.*}}alignment = 8
// CHECK: gpu.func @flag(%[[FLAG:.*]]: i1)
// CHECK: %[[BITS:.*]] = arith.extui %[[FLAG]] : i1 to i64
// CHECK: %[[SLOT:.*]] = memref.get_global @coop_stated_value
// CHECK: cf.cond_br %{{.*}}, ^[[PUBLISH:.*]], ^[[MEET:.*]]
// CHECK: ^[[PUBLISH]]:
// CHECK: memref.store %[[BITS]], %[[SLOT]]
// CHECK: ^[[MEET]]:
// CHECK: gpu.barrier
// CHECK: %[[SEEN:.*]] = memref.load %[[SLOT]]
// CHECK: gpu.barrier
// CHECK: %[[DIFFERS:.*]] = arith.cmpi ne, %[[SEEN]], %[[BITS]] : i64
// CHECK: cf.cond_br %[[DIFFERS]], ^[[TRAP:.*]], ^[[REST:.*]]
// CHECK: ^[[TRAP]]:
// CHECK-NEXT: llvm.inline_asm has_side_effects {{.*}}"trap;"
// CHECK-NEXT: cf.br ^[[REST]]
// CHECK: ^[[REST]]:
// CHECK: coop.assume_uniform %[[FLAG]] : i1
gpu.module @block {
  gpu.func @flag(%flag: i1) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %same = coop.assume_uniform %flag : i1
    gpu.return
  }
}

// -----

// Two statements have one slot. Floats are compared by their bits.
// CHECK-LABEL: gpu.module @twice
// CHECK-COUNT-1: memref.global
// CHECK-NOT: memref.global
// CHECK: arith.bitcast %{{.*}} : f64 to i64
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: arith.extui %{{.*}} : i32 to i64
gpu.module @twice {
  gpu.func @floats(%x: f64, %y: f32) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %a = coop.assume_uniform %x : f64
    %b = coop.assume_uniform %y : f32
    gpu.return
  }
}

// -----

// Lanes of a warp need no memory. Eight lanes take exactly theirs.
// CHECK-LABEL: gpu.module @warps
// CHECK-NOT: memref.global
// CHECK: gpu.func @lanes(%[[X:.*]]: i32, %[[Y:.*]]: i64)
// CHECK: %[[FULL:.*]] = arith.constant -1 : i32
// CHECK: nvvm.shfl.sync idx %[[FULL]], %[[X]], %{{.*}} : i32 -> i32
// CHECK: arith.constant 255 : i32
// CHECK: %[[MASK:.*]] = arith.shli
// CHECK: arith.trunci %{{.*}} : i64 to i32
// CHECK: nvvm.shfl.sync idx %[[MASK]]
// CHECK: arith.trunci %{{.*}} : i64 to i32
// CHECK: nvvm.shfl.sync idx %[[MASK]]
// CHECK: arith.ori
gpu.module @warps {
  gpu.func @lanes(%x: i32, %y: i64) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %w = coop.group : !coop.group<warp>
    %e = coop.group : !coop.group<warp, 8>
    %a = coop.assume_uniform %x over %w : i32, !coop.group<warp>
    %b = coop.assume_uniform %y over %e : i64, !coop.group<warp, 8>
    gpu.return
  }
}

// -----

// A thread agrees with itself.
// CHECK-LABEL: gpu.module @alone
// CHECK-NOT: "trap;"
gpu.module @alone {
  gpu.func @one(%x: i32) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %o = coop.group : !coop.group<warp, 1>
    %a = coop.assume_uniform %x over %o : i32, !coop.group<warp, 1>
    gpu.return
  }
}
