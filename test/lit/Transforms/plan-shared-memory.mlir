// RUN: coop-opt %s -pass-pipeline='builtin.module(gpu.module(coop-plan-shared-memory))' \
// RUN:   | FileCheck %s

//===- plan-shared-memory.mlir - One arena per kernel, one slice per use
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

gpu.module @m {
  memref.global "private" @own : memref<256xi32, #gpu.address_space<workgroup>>
  llvm.mlir.global internal @llvm_own() {addr_space = 3 : i32} : !llvm.array<1024 x i8>
  func.func @helper() {
    %own = memref.get_global @own : memref<256xi32, #gpu.address_space<workgroup>>
    func.return
  }

  // The slice stands right before its use.
  // CHECK-LABEL: coop.arena @copy_scratch 2112 align 16 {coop.plan
  // CHECK-LABEL: gpu.func @copy(
  // CHECK: %[[A:.*]] = coop.scratch_slice @copy_scratch[0, 2112] : memref<2112xi8, #gpu.address_space<workgroup>>
  // CHECK-NEXT: coop.load transpose {{.*}} scratch(%[[A]] :
  // CHECK: %[[B:.*]] = coop.scratch_slice @copy_scratch[0, 2112]
  // CHECK-NEXT: coop.store transpose {{.*}} scratch(%[[B]] :
  gpu.func @copy(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-NOT: coop.arena @no_scratch_S2
  // CHECK-LABEL: gpu.func @no_scratch_S2(
  // CHECK-NOT: coop.scratch_slice
  gpu.func @no_scratch_S2(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load vectorize %block, %src[%c0] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // Four warps, 528 bytes each.
  // CHECK-LABEL: gpu.func @warp_slices_S10(
  // CHECK: coop.scratch_slice @warp_slices_S10_scratch[0, 2112]
  gpu.func @warp_slices_S10(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // 16 groups of eight lanes.
  // CHECK-LABEL: gpu.func @three_dimensions(
  // CHECK: coop.scratch_slice @three_dimensions_scratch[0, 2112]
  gpu.func @three_dimensions(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 8, 4, 4>} {
    %c0 = arith.constant 0 : index
    %eight = coop.group : !coop.group<warp, 8>
    %v = coop.load transpose %eight, %src[%c0] layout(<132, 16>) : !coop.group<warp, 8>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // CHECK-LABEL: coop.arena @static_up_to_the_limit_S7_scratch 49152 align 16 {coop.plan
  gpu.func @static_up_to_the_limit_S7(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<49152, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // CHECK-LABEL: coop.arena @dynamic_above_S7_scratch 49153 align 16 dynamic {coop.plan
  gpu.func @dynamic_above_S7(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<49153, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // The two together exceed 48 KiB.
  // CHECK-LABEL: coop.arena @user_static_counts_S8_scratch 48640 align 16 dynamic {coop.plan
  gpu.func @user_static_counts_S8(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %own = memref.get_global @own : memref<256xi32, #gpu.address_space<workgroup>>
    %v = coop.load transpose %block, %src[%c0] layout(<48640, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // CHECK-LABEL: coop.arena @llvm_static_counts_S8_scratch 48640 align 16 dynamic {coop.plan
  gpu.func @llvm_static_counts_S8(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %own = llvm.mlir.addressof @llvm_own : !llvm.ptr<3>
    %v = coop.load transpose %block, %src[%c0] layout(<48640, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // CHECK-LABEL: coop.arena @helpers_static_counts_S8_scratch 48640 align 16 dynamic {coop.plan
  gpu.func @helpers_static_counts_S8(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    func.call @helper() : () -> ()
    %v = coop.load transpose %block, %src[%c0] layout(<48640, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // CHECK-LABEL: coop.arena @descriptor_alignment_S1_scratch 2112 align 1024 {coop.plan
  gpu.func @descriptor_alignment_S1(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage align(1024) auto_sync
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    %x = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @user_synced_is_marked_S4(
  // CHECK: coop.scratch_slice {{.*}} {coop.user_sync}
  gpu.func @user_synced_is_marked_S4(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // The slice replaces the descriptor, also in branches.
  // CHECK-LABEL: gpu.func @descriptor_arguments_go_S9(
  // CHECK: cf.cond_br %{{.*}}, ^[[USE:.*]](%[[X:.*]] : i32), ^[[USE]](%[[X]] : i32)
  // CHECK: ^[[USE]](%{{.*}}: i32):
  gpu.func @descriptor_arguments_go_S9(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage auto_sync
    %u = coop.temp_storage auto_sync
    %x = arith.constant 7 : i32
    cf.cond_br %c, ^use(%t, %x : !coop.temp_storage, i32), ^use(%u, %x : !coop.temp_storage, i32)
  ^use(%m: !coop.temp_storage, %y: i32):
    %v = coop.load transpose %block, %src[%c0] temp(%m) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @descriptor_without_need_S2(
  // CHECK-NOT: arith.select
  // CHECK-NOT: temp(
  // CHECK: gpu.return
  gpu.func @descriptor_without_need_S2(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage
    %u = coop.temp_storage
    %m = arith.select %c, %t, %u : !coop.temp_storage
    cf.br ^use(%m : !coop.temp_storage)
  ^use(%n: !coop.temp_storage):
    %v = coop.load direct %block, %src[%c0] temp(%n) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // The launch's bytes are all the program's.
  // CHECK-LABEL: coop.arena @user_dynamic_behind_static_arena_S8_scratch 2112 align 16 {coop.plan
  // CHECK: memref.global @user_dynamic_behind_static_arena_S8_dynamic : memref<0xi8, #gpu.address_space<workgroup>> {alignment = 16 : i64}
  // CHECK-LABEL: gpu.func @user_dynamic_behind_static_arena_S8(
  // CHECK-NOT: gpu.dynamic_shared_memory
  // CHECK: %[[ALL:.*]] = memref.get_global @user_dynamic_behind_static_arena_S8_dynamic
  // CHECK: %[[START:.*]] = arith.constant 0 : index
  // CHECK: llvm.inline_asm "mov.u32 $0, %dynamic_smem_size;"
  // CHECK: %[[SIZE:.*]] = arith.subi %{{.*}}, %[[START]]
  // CHECK: memref.view %[[ALL]][%[[START]]][%[[SIZE]]]
  gpu.func @user_dynamic_behind_static_arena_S8(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %dyn = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %n = memref.dim %dyn, %c0 : memref<?xi8, #gpu.address_space<workgroup>>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // The arena comes first; the program's array starts behind it at its alignment
  // and is as long as it was.
  // CHECK-LABEL: coop.arena @user_dynamic_behind_dynamic_arena_S8_scratch 60032 align 128 dynamic {coop.plan
  // CHECK: memref.global @user_dynamic_behind_dynamic_arena_S8_dynamic : {{.*}} {alignment = 128 : i64}
  // CHECK-LABEL: gpu.func @user_dynamic_behind_dynamic_arena_S8(
  // CHECK: %[[ALL:.*]] = memref.get_global
  // CHECK: %[[START:.*]] = arith.constant 60032 : index
  // CHECK: %[[SIZE:.*]] = arith.subi %{{.*}}, %[[START]]
  // CHECK: memref.view %[[ALL]][%[[START]]][%[[SIZE]]]
  gpu.func @user_dynamic_behind_dynamic_arena_S8(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %dyn = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %n = memref.dim %dyn, %c0 : memref<?xi8, #gpu.address_space<workgroup>>
    %u = memref.view %dyn[%c0][%n] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xi32, #gpu.address_space<workgroup>>
    %a = memref.assume_alignment %u, 128 : memref<?xi32, #gpu.address_space<workgroup>>
    %v = coop.load transpose %block, %src[%c0] layout(<60000, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
  // The program's bytes, rounded up to 16, and the scratch are exactly 48 KiB.
  // CHECK-LABEL: coop.arena @static_beside_own_S8_scratch 48128 align 16 {coop.plan
  gpu.func @static_beside_own_S8(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %own = memref.get_global @own : memref<256xi32, #gpu.address_space<workgroup>>
    %v = coop.load transpose %block, %src[%c0] layout(<48128, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // CHECK-LABEL: coop.arena @one_more_beside_own_S8_scratch 48129 align 16 dynamic {coop.plan
  gpu.func @one_more_beside_own_S8(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %own = memref.get_global @own : memref<256xi32, #gpu.address_space<workgroup>>
    %v = coop.load transpose %block, %src[%c0] layout(<48129, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // An arena that is aligned to 1024 may begin 1024 bytes behind the program's.
  // CHECK-LABEL: coop.arena @alignment_counts_S7_scratch 48128 align 1024 {coop.plan
  gpu.func @alignment_counts_S7(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %own = memref.get_global @own : memref<256xi32, #gpu.address_space<workgroup>>
    %t = coop.temp_storage align(1024) auto_sync
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<48128, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // The plan tells each storage's bytes, each use's groups, and how long it
  // lives: the first call of warps up to the second, whose parts are others.
  // CHECK-LABEL: coop.arena @plan_is_told_S6_scratch 10432 align 16 {coop.plan = {
  // CHECK-SAME: arrays = [{loc = {{.*}}, name = "own", size = 1024 : i64}]
  // CHECK-SAME: launch_dynamic = 0 : i64, limit = 232448 : i64, lower_bound = 10432 : i64, needed = 11456 : i64, optimal, padding = 0 : i64
  // CHECK-SAME: storages = [{alignment = 16 : i64, kind = "call", loc = {{.*}}, offset = 8320 : i64, size = 2112 : i64}
  // CHECK-SAME: {alignment = 16 : i64, kind = "call", loc = {{.*}}, offset = 0 : i64, size = 4224 : i64}
  // CHECK-SAME: {alignment = 16 : i64, kind = "exclusive", loc = {{.*}}, offset = 4224 : i64, size = 4096 : i64, user_sync}]
  // CHECK-SAME: user_static = 1024 : i64
  // CHECK-SAME: uses = [{count = 4 : i64, group = !coop.group<warp>, group_bytes = 528 : i64, live_until = 2 : i64, storage = 0 : i64}
  // CHECK-SAME: {count = 4 : i64, group = !coop.group<warp>, group_bytes = 1056 : i64, live_until = 2 : i64, storage = 1 : i64}
  // CHECK-SAME: {count = 1 : i64, group = !coop.group<block>, group_bytes = 2112 : i64, live_until = 2 : i64, storage = 2 : i64}]
  gpu.func @plan_is_told_S6(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %block = coop.group : !coop.group<block>
    %own = memref.get_global @own : memref<256xi32, #gpu.address_space<workgroup>>
    %t = coop.temp_storage size(4096) exclusive
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    %y = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}
