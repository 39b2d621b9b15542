// RUN: timeout 60 coop-opt %s -pass-pipeline='builtin.module(gpu.module(gpu.func(coop-check-participation)))' | FileCheck %s

// No thread reaches the call: nothing is to be proven, and the analysis ends
// although the call uses values of a block that is reached.
// CHECK-LABEL: gpu.func @unreachable_call
gpu.module @kernels {
  gpu.func @unreachable_call(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %g = coop.group : !coop.group<block>
    %c0 = arith.constant 0 : index
    gpu.return
  ^unreached:
    // CHECK: coop.load
    %v = coop.load direct %g, %src[%c0] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}
