// RUN: coop-opt %s -coop-pipeline="target=sm_90" | FileCheck %s
// RUN: not coop-opt %s -coop-pipeline="participation=strict" 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not coop-opt %s -coop-pipeline="target=sm_75 launch-dynamic-bytes=65536" 2>&1 | FileCheck %s --check-prefix=LIMIT

// All stages in their order: payload slots become values, scratch is planned
// once for both calls, one barrier separates them, and only calls are left.
// CHECK-LABEL: gpu.module @copy
// CHECK: llvm.mlir.global internal @k_scratch() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<2048 x i8>
// CHECK: gpu.func @k(
// CHECK-NOT: memref.alloca
// CHECK: llvm.call @coop_block_load_b32_128x1x1_k4_transpose(
// CHECK-COUNT-1: gpu.barrier
// CHECK: llvm.call @coop_block_store_b32_128x1x1_k4_transpose(
// CHECK-NOT: gpu.barrier
// CHECK-NOT: coop.{{load|store|group|barrier|scratch_slice|arena}} %
gpu.module @copy {
  gpu.func @k(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %slot = memref.alloca() : memref<1xindex>
    memref.store %c0, %slot[%c0] : memref<1xindex>
    %g = coop.group : !coop.group<block>
    %off = memref.load %slot[%c0] : memref<1xindex>
    // LIMIT: error: kernel 'k' needs 67584 bytes of shared memory; the limit on sm_75 is 65536
    %v = coop.load transpose %g, %src[%off] layout(<2048, 16>)
        : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %g, %v, %dst[%off] layout(<2048, 16>)
        : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }
}

// What each thread has loaded decides: a warning by default, strictly an error.
// CHECK-LABEL: gpu.module @unproven
gpu.module @unproven {
  gpu.func @k(%src: memref<?xi32>, %flags: memref<?xi1>, %i: index) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %g = coop.group : !coop.group<block>
    %t = gpu.thread_id x
    %flag = memref.load %flags[%t] : memref<?xi1>
    cf.cond_br %flag, ^work, ^end
  ^work:
    // STRICT: error: cannot prove that all threads of the block reach this 'coop.load' op
    %v = coop.load direct %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}
