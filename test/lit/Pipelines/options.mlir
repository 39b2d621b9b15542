// RUN: coop-opt %s -coop-pipeline="participation=off keep-user-barriers=false" | FileCheck %s
// RUN: coop-opt %s -coop-pipeline="participation=off" | FileCheck %s --check-prefix=KEEP
// RUN: not coop-opt %s -coop-pipeline 2>&1 | FileCheck %s --check-prefix=WARN

//===- options.mlir - What a kernel may ask of the pipeline
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The check is off, and a barrier that orders nothing goes: the second one.
// CHECK-LABEL: gpu.func @diverges(
// CHECK: llvm.call @coop_block_load_b32_128x1x1_k4_direct(
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.load
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
// KEEP-LABEL: gpu.func @diverges(
// KEEP-COUNT-2: gpu.barrier
// KEEP-NOT: gpu.barrier
gpu.module @m {
  gpu.func @diverges(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %g = coop.group : !coop.group<block>
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    cf.cond_br %first, ^work, ^end
  ^work:
    // WARN: error: 'coop.load' op is executed in control flow that diverges within its block
    %v = coop.load direct %g, %src[%c0]
        : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end
  ^end:
    memref.store %one, %dst[%t] : memref<?xi32>
    gpu.barrier
    %x = memref.load %dst[%c0] : memref<?xi32>
    memref.store %x, %src[%t] : memref<?xi32>
    gpu.barrier
    gpu.return
  }
}
