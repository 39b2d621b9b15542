// RUN: coop-opt %s -pass-pipeline='builtin.module(gpu.module(coop-lower-to-cub,gpu.func(canonicalize)))' | FileCheck %s

// CHECK-LABEL: gpu.module @scratch
gpu.module @scratch {
  // CHECK: llvm.mlir.global internal @k_scratch() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<2064 x i8>
  // CHECK: llvm.func @[[LOAD:coop_block_load_b32_128x1x1_k2_transpose_guarded_default]](!llvm.ptr, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr) attributes {convergent, coop.wrapper = #coop.wrapper<
  // CHECK: llvm.func @[[STORE:coop_block_store_b32_128x1x1_k2_striped_guarded]](!llvm.ptr, i64, !llvm.ptr) attributes {convergent, coop.wrapper = #coop.wrapper<
  coop.arena @k_scratch 2064 align 16

  // CHECK: gpu.func @k(%[[SRC:.*]]: memref<?xf32>, %[[DST:.*]]: memref<?xf32>, %[[I:.*]]: index, %[[N:.*]]: index, %[[D:.*]]: f32)
  gpu.func @k(%src: memref<?xf32>, %dst: memref<?xf32>, %i: index, %n: index, %d: f32) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %g = coop.group : !coop.group<block>
    %s = coop.scratch_slice @k_scratch[16, 2048] : memref<2048xi8, #gpu.address_space<workgroup>>
    // CHECK: %[[ARENA:.*]] = llvm.mlir.addressof @k_scratch : !llvm.ptr<3>
    // CHECK: %[[SLOT:.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x f32> {alignment = 16 : i64}
    // CHECK: %[[DEFAULT:.*]] = llvm.alloca %{{.*}} x !llvm.array<1 x f32> {alignment = 16 : i64}
    // CHECK: %[[SLICE:.*]] = llvm.getelementptr %[[ARENA]][16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    // CHECK: %[[SCRATCH:.*]] = llvm.addrspacecast %[[SLICE]] : !llvm.ptr<3> to !llvm.ptr
    // CHECK: memref.extract_aligned_pointer_as_index %[[SRC]]
    // CHECK: %[[TILE:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    // CHECK: %[[VALID:.*]] = arith.index_cast %[[N]] : index to i64
    // CHECK: llvm.store %[[D]], %[[DEFAULT]] : f32, !llvm.ptr
    // CHECK: llvm.call @[[LOAD]](%[[SCRATCH]], %[[TILE]], %[[VALID]], %[[DEFAULT]], %[[SLOT]]) {convergent}
    // CHECK: %[[FIRST:.*]] = llvm.load %[[SLOT]] : !llvm.ptr -> f32
    %v = coop.load transpose %g, %src[%i] valid(%n) default(%d : f32) layout(<2048, 16>)
        scratch(%s : memref<2048xi8, #gpu.address_space<workgroup>>)
        : !coop.group<block>, memref<?xf32> -> vector<2xf32>
    // CHECK: gpu.barrier
    coop.barrier %g : !coop.group<block>
    // CHECK: llvm.store %[[FIRST]], %[[SLOT]] : f32, !llvm.ptr
    // CHECK: llvm.call @[[STORE]](%{{.*}}, %{{.*}}, %[[SLOT]]) {convergent}
    coop.store striped %g, %v, %dst[%i] valid(%n) : !coop.group<block>, vector<2xf32>, memref<?xf32>
    // CHECK-NOT: coop.
    // CHECK: gpu.return
    gpu.return
  }
}

// The view's own offset counts the memory's elements, here bytes; the tile's counts items.
// CHECK-LABEL: gpu.module @items
gpu.module @items {
  // CHECK: gpu.func @k(%{{.*}}, %[[I:.*]]: index)
  gpu.func @k(%src: memref<?xi8, strided<[12], offset: ?>>, %i: index) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %g = coop.group : !coop.group<block>
    // CHECK-DAG: %[[SIZE:.*]] = arith.constant 12 : i64
    // CHECK-DAG: %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %{{.*}} = memref.extract_strided_metadata
    // CHECK-DAG: %[[START:.*]] = arith.index_cast %[[OFFSET]] : index to i64
    // CHECK: %[[ITEM:.*]] = arith.index_cast %[[I]] : index to i64
    // CHECK: %[[BYTES:.*]] = arith.muli %[[ITEM]], %[[SIZE]] : i64
    // CHECK: arith.addi %[[START]], %[[BYTES]] : i64
    // CHECK: llvm.call @coop_block_load_b96a4_128x1x1_k2_direct(
    %v = coop.load direct %g, %src[%i] item(<12, 4>)
        : !coop.group<block>, memref<?xi8, strided<[12], offset: ?>> -> vector<6xi32>
    // CHECK: llvm.call @coop_block_store_b96a4_128x1x1_k2_direct(
    coop.store direct %g, %v, %src[%i] item(<12, 4>)
        : !coop.group<block>, vector<6xi32>, memref<?xi8, strided<[12], offset: ?>>
    gpu.return
  }
}

// A barrier of lanes names exactly its own.
// CHECK-LABEL: gpu.module @lanes
gpu.module @lanes {
  gpu.func @k() kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    // CHECK-DAG: %[[ALL:.*]] = arith.constant -1 : i32
    // CHECK-DAG: %[[EIGHT:.*]] = arith.constant 255 : i32
    // CHECK-DAG: %[[FIRST:.*]] = arith.constant -8 : i32
    %warp = coop.group : !coop.group<warp>
    // CHECK: nvvm.bar.warp.sync %[[ALL]]
    coop.barrier %warp : !coop.group<warp>
    %eight = coop.group : !coop.group<warp, 8>
    // CHECK: %[[LANE:.*]] = nvvm.read.ptx.sreg.laneid
    // CHECK: %[[START:.*]] = arith.andi %[[LANE]], %[[FIRST]]
    // CHECK: %[[MASK:.*]] = arith.shli %[[EIGHT]], %[[START]]
    // CHECK: nvvm.bar.warp.sync %[[MASK]]
    coop.barrier %eight : !coop.group<warp, 8>
    // One lane waits for nobody.
    // CHECK-NEXT: gpu.return
    %one = coop.group : !coop.group<warp, 1>
    coop.barrier %one : !coop.group<warp, 1>
    gpu.return
  }
}

// The launch gives a dynamic arena its bytes.
// CHECK-LABEL: gpu.module @dynamic
gpu.module @dynamic {
  // CHECK: llvm.mlir.global external @large() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<0 x i8>
  coop.arena @large 65536 align 128 dynamic
}
