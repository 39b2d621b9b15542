// RUN: coop-opt %s -coop-pipeline='check-assumptions=true' | FileCheck %s
// RUN: coop-opt %s -coop-pipeline | FileCheck %s --check-prefix=PLAIN

// What the program states is checked on demand, and believed otherwise.
// CHECK: memref.global "private" @coop_stated_value
// CHECK-LABEL: gpu.func @stated
// CHECK: gpu.barrier
// CHECK: gpu.barrier
// CHECK: "trap;"
// CHECK-NOT: coop.assume_uniform
// PLAIN-LABEL: gpu.func @stated
// PLAIN-NOT: gpu.barrier
// PLAIN-NOT: "trap;"
// PLAIN-NOT: coop.assume_uniform
gpu.module @m {
  gpu.func @stated(%flag: i32, %dst: memref<?xi32>) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %same = coop.assume_uniform %flag : i32
    memref.store %same, %dst[%c0] : memref<?xi32>
    gpu.return
  }
}
