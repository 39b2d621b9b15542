// RUN: coop-opt %s -mlir-disable-threading -mlir-timing -mlir-timing-display=tree -o /dev/null \
// RUN:   -pass-pipeline='builtin.module(gpu.module(coop-plan-shared-memory,gpu.func(coop-insert-barriers)))' 2>&1 \
// RUN:   | FileCheck %s

//===- uniformity-is-kept.mlir - Planning and insertion ask one analysis
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// CHECK:     PlanSharedMemoryPass
// CHECK:     (A) {{.*}}ExecutionUniformity
// CHECK-NOT: ExecutionUniformity
// CHECK:     InsertBarriersPass
// CHECK-NOT: ExecutionUniformity
// CHECK:     Total
gpu.module @m {
  gpu.func @copy(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }
}
