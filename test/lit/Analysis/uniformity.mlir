// RUN: coop-opt %s -split-input-file --mlir-disable-threading --pass-pipeline='builtin.module(gpu.module(gpu.func(coop-test-print-uniformity)))' -o /dev/null | FileCheck %s

// Thread ids, and arithmetic that makes groups of threads agree.
// CHECK-LABEL: gpu.func @ids
gpu.module @m {
  gpu.func @ids(%n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c8 = arith.constant 8 : index
    %c5 = arith.constant 5 : index
    %c24 = arith.constant 24 : index
    %c31 = arith.constant 31 : index
    %c64 = arith.constant 64 : index
    %cm32 = arith.constant -32 : index
    // CHECK: gpu.thread_id x {agree = "thread"}
    %tid = gpu.thread_id x
    // CHECK: gpu.thread_id y {agree = "grid"}
    %tidy = gpu.thread_id y
    // CHECK: gpu.block_id x {agree = "block"}
    %bid = gpu.block_id x
    // CHECK: gpu.block_dim x {agree = "grid"}
    %bdim = gpu.block_dim x
    // CHECK: gpu.grid_dim x {agree = "grid"}
    %gdim = gpu.grid_dim x
    // CHECK: gpu.lane_id {agree = "thread"}
    %lane = gpu.lane_id
    // CHECK: gpu.subgroup_id {agree = "warp"}
    %warp = gpu.subgroup_id : index
    // CHECK: nvvm.read.ptx.sreg.laneid {agree = "thread"}
    %sreg = nvvm.read.ptx.sreg.laneid : i32
    // CHECK: arith.floordivsi {{.*}} {agree = "8"}
    %eights = arith.floordivsi %tid, %c8 : index
    // CHECK: arith.divui {{.*}} {agree = "8"}
    %threes = arith.divui %tid, %c24 : index
    // CHECK: arith.andi {{.*}} {agree = "warp"}
    %first = arith.andi %tid, %cm32 : index
    // CHECK: arith.shrui {{.*}} {agree = "warp"}
    %shifted = arith.shrui %tid, %c5 : index
    // CHECK: arith.cmpi slt, {{.*}} {agree = "warp"}
    %low = arith.cmpi slt, %tid, %c64 : index
    // CHECK: arith.cmpi sle, {{.*}} {agree = "thread"}
    %odd = arith.cmpi sle, %tid, %c64 : index
    // CHECK: arith.muli {{.*}} {agree = "8"}
    %scaled = arith.muli %eights, %n : index
    // CHECK: arith.muli {{.*}} {agree = "block"}
    %base = arith.muli %bid, %bdim : index
    // CHECK: arith.addi {{.*}} {agree = "thread"}
    %i = arith.addi %base, %tid : index
    // CHECK: arith.shrsi {{.*}} {agree = "warp"}
    %gridwarp = arith.shrsi %i, %c5 : index
    // CHECK: arith.cmpi slt, {{.*}} {agree = "thread"}
    %guard = arith.cmpi slt, %i, %n : index
    // CHECK: arith.select {{.*}} {agree = "8"}
    %chosen = arith.select %low, %eights, %n : index
    // CHECK: arith.minsi {{.*}} {agree = "thread"}
    %least = arith.minsi %tid, %c31 : index
    // CHECK: gpu.return {together = "grid"}
    gpu.return
  }
}

// -----

// Rows of 16 threads: y is the same for halves of warps.
// CHECK-LABEL: gpu.func @two_dimensions
gpu.module @m {
  gpu.func @two_dimensions() kernel attributes {gpu.known_block_size = array<i32: 16, 8, 1>} {
    // CHECK: gpu.thread_id x {agree = "thread"}
    %x = gpu.thread_id x
    // CHECK: gpu.thread_id y {agree = "16"}
    %y = gpu.thread_id y
    // CHECK: gpu.block_dim x {agree = "grid"}
    %dx = gpu.block_dim x
    %row = arith.muli %y, %dx : index
    // CHECK: arith.addi {{.*}} {agree = "thread"}
    %rank = arith.addi %row, %x : index
    %c32 = arith.constant 32 : index
    // CHECK: arith.divui {{.*}} {agree = "warp"}
    %warp = arith.divui %rank, %c32 : index
    gpu.return
  }
}

// -----

// Where the shape of the block is not known, ids differ in some way.
// CHECK-LABEL: gpu.func @unknown_shape
gpu.module @m {
  gpu.func @unknown_shape() kernel {
    // CHECK: gpu.thread_id x {agree = "warp, data thread"}
    %x = gpu.thread_id x
    // CHECK: gpu.block_dim x {agree = "grid"}
    %dx = gpu.block_dim x
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @memory
gpu.module @m {
  func.func private @elsewhere(i32) -> i32
  func.func private @__nv_abs(i32) -> i32
  gpu.func @memory(%src: memref<?xi32>, %k: i32) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %tid = gpu.thread_id x
    // CHECK: memref.dim {agree = "grid"}
    %n = memref.dim %src, %c0 : memref<?xi32>
    // CHECK: memref.load {{.*}} {agree = "grid"}
    %first = memref.load %src[%c0] : memref<?xi32>
    // CHECK: memref.load {{.*}} {agree = "grid, data thread"}
    %own = memref.load %src[%tid] : memref<?xi32>
    %eights = arith.divui %tid, %c8 : index
    // CHECK: memref.load {{.*}} {agree = "grid, data 8"}
    %ours = memref.load %src[%eights] : memref<?xi32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @calls
  gpu.func @calls(%src: memref<?xi32>, %k: i32) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: memref.atomic_rmw {{.*}} {agree = "grid, data thread"}
    %old = memref.atomic_rmw addi %k, %src[%c0] : (i32, memref<?xi32>) -> i32
    // CHECK: func.call @elsewhere{{.*}} {agree = "grid, data thread"}
    %called = func.call @elsewhere(%k) : (i32) -> i32
    // CHECK: func.call @__nv_abs{{.*}} {agree = "grid"}
    %math = func.call @__nv_abs(%k) : (i32) -> i32
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @votes
gpu.module @m {
  gpu.func @votes(%src: memref<?xi32>) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0 : i32
    %all = arith.constant -1 : i32
    %some = arith.constant 255 : i32
    %clamp = arith.constant 31 : i32
    %tid = gpu.thread_id x
    %own = memref.load %src[%tid] : memref<?xi32>
    %flag = arith.cmpi eq, %own, %zero : i32
    // CHECK: nvvm.vote.sync any {{.*}} {agree = "grid, data warp"}
    %any = nvvm.vote.sync any %all, %flag -> i1
    // CHECK: nvvm.vote.sync ballot {{.*}} {agree = "grid, data thread"}
    %part = nvvm.vote.sync ballot %some, %flag -> i32
    // CHECK: nvvm.shfl.sync idx {{.*}} {agree = "grid, data warp"}
    %leader = nvvm.shfl.sync idx %all, %own, %zero, %clamp : i32 -> i32
    // CHECK: nvvm.shfl.sync down {{.*}} {agree = "grid, data thread"}
    %next = nvvm.shfl.sync down %all, %own, %zero, %clamp : i32 -> i32
    // CHECK: gpu.subgroup_reduce {{.*}} {agree = "grid, data warp"}
    %warpsum = gpu.subgroup_reduce add %own : (i32) -> i32
    // CHECK: gpu.subgroup_reduce {{.*}} {agree = "grid, data 8"}
    %eightsum = gpu.subgroup_reduce add %own cluster(size = 8) : (i32) -> i32
    // CHECK: gpu.all_reduce
    // CHECK-NEXT: } {agree = "grid, data block"}
    %sum = gpu.all_reduce add %own uniform {} : (i32) -> i32
    // CHECK: coop.assume_uniform {{.*}} {agree = "grid, data block"}
    %same = coop.assume_uniform %own : i32
    %g = coop.group : !coop.group<warp, 8>
    // CHECK: coop.assume_uniform {{.*}} {agree = "grid, data 8"}
    %alike = coop.assume_uniform %own over %g : i32, !coop.group<warp, 8>
    gpu.return
  }
}

// -----

// Threads part and meet: what a join brings together differs, what comes from
// before does not.
// CHECK-LABEL: gpu.func @join
gpu.module @m {
  gpu.func @join(%n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %tid = gpu.thread_id x
    %group = arith.divui %tid, %c8 : index
    %even = arith.remui %group, %c8 : index
    %c = arith.cmpi eq, %even, %c0 : index
    // CHECK: cf.cond_br {{.*}} {together = "grid"}
    cf.cond_br %c, ^a, ^b
  ^a:
    // CHECK: cf.br {{.*}} {together = "8"}
    cf.br ^join(%c0, %n : index, index)
  ^b:
    // CHECK: cf.br {{.*}} {together = "8"}
    cf.br ^join(%c1, %n : index, index)
  ^join(%x: index, %y: index):
    // CHECK: arith.addi {{.*}} {agree = "8"}
    %u = arith.addi %x, %n : index
    // CHECK: arith.addi {{.*}} {agree = "grid"}
    %v = arith.addi %y, %n : index
    // CHECK: gpu.return {together = "grid"}
    gpu.return
  }
}

// -----

// Threads leave a loop one after the other: each has seen another number.
// CHECK-LABEL: gpu.func @temporal
gpu.module @m {
  gpu.func @temporal(%n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tid = gpu.thread_id x
    cf.br ^loop(%c0 : index)
  ^loop(%i: index):
    // CHECK: arith.addi {{.*}} {agree = "grid"}
    %next = arith.addi %i, %c1 : index
    %same = arith.addi %n, %c1 : index
    %more = arith.cmpi ult, %next, %tid : index
    // CHECK: cf.cond_br {{.*}} {together = "thread"}
    cf.cond_br %more, ^loop(%next : index), ^end
  ^end:
    // CHECK: arith.muli {{.*}} {agree = "thread"}
    %late = arith.muli %next, %n : index
    // CHECK: arith.muli {{.*}} {agree = "grid"}
    %fixed = arith.muli %same, %n : index
    // CHECK: gpu.return {together = "grid"}
    gpu.return
  }
}

// -----

// A branch that no thread takes, and one that is taken by a whole warp.
// CHECK-LABEL: gpu.func @who_gets_here
gpu.module @m {
  gpu.func @who_gets_here() kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c32 = arith.constant 32 : index
    %c40 = arith.constant 40 : index
    %c500 = arith.constant 500 : index
    %tid = gpu.thread_id x
    %none = arith.cmpi ugt, %tid, %c500 : index
    // CHECK: cf.cond_br {{.*}} {together = "grid"}
    cf.cond_br %none, ^never, ^next
  ^never:
    // CHECK: cf.br {{.*}} {together = "never"}
    cf.br ^next
  ^next:
    %first = arith.cmpi ult, %tid, %c32 : index
    // CHECK: cf.cond_br {{.*}} {together = "grid"}
    cf.cond_br %first, ^warp, ^end
  ^warp:
    %low = arith.cmpi ult, %tid, %c40 : index
    // CHECK: cf.cond_br {{.*}} {together = "warp"}
    cf.cond_br %low, ^all, ^end
  ^all:
    // CHECK: cf.br {{.*}} {together = "warp"}
    cf.br ^end
  ^end:
    gpu.return
  }
}
