// RUN: coop-opt %s -split-input-file --mlir-disable-threading --pass-pipeline='builtin.module(gpu.module(gpu.func(coop-test-print-uniformity)))' -o /dev/null | FileCheck %s

// Ids lie in the limits of CUDA and of the block's shape.
// CHECK-LABEL: gpu.func @limits
gpu.module @m {
  gpu.func @limits(%dst: memref<?xi1>) kernel attributes {gpu.known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : i64
    %c96 = arith.constant 96 : i64
    %at = arith.constant 0 : index
    %tid = gpu.thread_id x
    %bid = gpu.block_id x
    %t32 = arith.index_cast %tid : index to i32
    %b32 = arith.index_cast %bid : index to i32
    %t = arith.extsi %t32 : i32 to i64
    %b = arith.extsi %b32 : i32 to i64
    %base = arith.muli %b, %c96 : i64
    %i = arith.addi %base, %t : i64
    // CHECK: %[[TRUE:.*]] = arith.constant {{.*}}true
    // CHECK: memref.store %[[TRUE]]
    %notnegative = arith.cmpi sge, %i, %c0 : i64
    memref.store %notnegative, %dst[%at] : memref<?xi1>
    // The first block is on both sides.
    // CHECK: arith.cmpi sge, {{.*}} {agree = "2"}
    %inside = arith.constant 50 : i64
    %some = arith.cmpi sge, %i, %inside : i64
    memref.store %some, %dst[%at] : memref<?xi1>
    gpu.return
  }
}

// -----

// Registers, too, and nothing but the limits is left of them.
// CHECK-LABEL: gpu.func @registers
gpu.module @m {
  gpu.func @registers(%dst: memref<?xi1>) kernel attributes {gpu.known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %at = arith.constant 0 : index
    // CHECK: nvvm.read.ptx.sreg.ctaid.x {agree = "block"} : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    // CHECK: %[[TRUE:.*]] = arith.constant {{.*}}true
    // CHECK: memref.store %[[TRUE]]
    %notnegative = arith.cmpi sge, %bid, %c0 : i32
    memref.store %notnegative, %dst[%at] : memref<?xi1>
    gpu.return
  }
}

// -----

// A block of unknown shape has 1024 threads at most; where its end is, nobody
// knows.
// CHECK-LABEL: gpu.func @unknown_shape
gpu.module @m {
  gpu.func @unknown_shape(%dst: memref<?xi1>) kernel {
    %at = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %c1023 = arith.constant 1023 : index
    %tid = gpu.thread_id x
    // CHECK: %[[TRUE:.*]] = arith.constant {{.*}}true
    // CHECK: memref.store %[[TRUE]]
    %all = arith.cmpi ult, %tid, %c1024 : index
    memref.store %all, %dst[%at] : memref<?xi1>
    // CHECK: %[[SOME:.*]] = arith.cmpi ult, {{.*}} {agree = "warp, data thread"}
    // CHECK: memref.store %[[SOME]]
    %some = arith.cmpi ult, %tid, %c1023 : index
    memref.store %some, %dst[%at] : memref<?xi1>
    gpu.return
  }
}
