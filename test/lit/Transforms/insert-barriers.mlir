// RUN: coop-opt %s \
// RUN:   -pass-pipeline='builtin.module(gpu.module(coop-plan-shared-memory,gpu.func(coop-insert-barriers)))' \
// RUN:   | FileCheck %s

//===- insert-barriers.mlir - Barriers that reuse needs, and only those
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

gpu.module @m {
  // CHECK-LABEL: gpu.func @war_straight_line_S3(
  // CHECK-NOT: coop.barrier
  // CHECK: coop.load
  // CHECK: coop.barrier %{{.*}} reason("'coop.store' of line {{[0-9]+}} writes scratch that 'coop.load' of line {{[0-9]+}} may still read") : !coop.group<block>
  // CHECK-NEXT: coop.store
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @war_straight_line_S3(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @none_after_the_last_use_S3(
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @none_after_the_last_use_S3(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store direct %block, %v, %dst[%c0] : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @none_where_user_barrier_separates_S3(
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @none_where_user_barrier_separates_S3(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.barrier
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @none_without_scratch_S2(
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @none_without_scratch_S2(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load striped %block, %src[%c0] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store vectorize %block, %v, %dst[%c0] : !coop.group<block>, vector<4xi32>, memref<?xi32>
    %x = coop.load direct %block, %src[%c0] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store direct %block, %x, %dst[%c0] : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @war_across_backedge_S3(
  // CHECK-NOT: coop.barrier
  // CHECK: ^bb1:
  // CHECK: coop.barrier %{{.*}} reason("'coop.load' of line {{[0-9]+}} writes scratch that its previous run may still read")
  // CHECK-NEXT: coop.load
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @war_across_backedge_S3(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    cf.br ^body
  ^body:
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^body, ^exit
  ^exit:
    gpu.return
  }

  // The user's barrier is enough for the way back.
  // CHECK-LABEL: gpu.func @none_on_backedge_when_there_is_another_S3(
  // CHECK-NOT: coop.barrier
  // CHECK: ^bb1:
  // CHECK: coop.load
  // CHECK: coop.barrier {{.*}}
  // CHECK-NEXT: coop.store
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @none_on_backedge_when_there_is_another_S3(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    cf.br ^body
  ^body:
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.barrier
    cf.cond_br %c, ^body, ^exit
  ^exit:
    gpu.return
  }

  // The barrier before the loop's load serves both ways to it.
  // CHECK-LABEL: gpu.func @one_for_entry_and_backedge_S3(
  // CHECK-NOT: coop.barrier
  // CHECK: coop.load
  // CHECK: ^bb1:
  // CHECK: coop.barrier {{.*}}
  // CHECK-NEXT: coop.load
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @one_for_entry_and_backedge_S3(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %x = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^body
  ^body:
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^body, ^exit
  ^exit:
    gpu.return
  }

  // A call site meets its own slice again.
  // CHECK-LABEL: gpu.func @exclusive_across_backedge_S5(
  // CHECK-NOT: coop.barrier
  // CHECK: ^bb1:
  // CHECK: coop.barrier {{.*}}
  // CHECK-NEXT: coop.load
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @exclusive_across_backedge_S5(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage auto_sync exclusive
    cf.br ^body
  ^body:
    %v = coop.load warp_transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^body, ^exit
  ^exit:
    gpu.return
  }

  // Both arms need it.
  // CHECK-LABEL: gpu.func @one_at_a_common_point(
  // CHECK: coop.load
  // CHECK: coop.barrier {{.*}}
  // CHECK-NEXT: cf.cond_br
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @one_at_a_common_point(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^then, ^else
  ^then:
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^else:
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // CHECK-LABEL: gpu.func @none_on_a_way_without_use(
  // CHECK-NOT: coop.barrier
  // CHECK: cf.cond_br
  // CHECK: coop.barrier {{.*}}
  // CHECK-NEXT: coop.store
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @none_on_a_way_without_use(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^then, ^end
  ^then:
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // CHECK-LABEL: gpu.func @one_where_ways_join(
  // CHECK-NOT: coop.barrier
  // CHECK: ^bb3(
  // CHECK: coop.barrier {{.*}}
  // CHECK-NEXT: coop.store
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @one_where_ways_join(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    cf.cond_br %c, ^then, ^else
  ^then:
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end(%v : vector<4xi32>)
  ^else:
    %x = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end(%x : vector<4xi32>)
  ^end(%y: vector<4xi32>):
    coop.store transpose %block, %y, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // Behind the load, one serves its next run and the last load.
  // CHECK-LABEL: gpu.func @one_for_a_guarded_load_in_a_loop(
  // CHECK-NOT: coop.barrier
  // CHECK: ^bb2:
  // CHECK: coop.load
  // CHECK: coop.barrier {{.*}}
  // CHECK-NEXT: cf.br
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @one_for_a_guarded_load_in_a_loop(%src: memref<?xi32>, %c: i1, %d: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    cf.br ^head
  ^head:
    cf.cond_br %c, ^then, ^latch
  ^then:
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^latch
  ^latch:
    cf.cond_br %d, ^head, ^exit
  ^exit:
    %x = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // Exactly the warp's lanes wait.
  // CHECK-LABEL: gpu.func @war_of_a_warp_S3(
  // CHECK-NOT: coop.barrier
  // CHECK: coop.load
  // CHECK: coop.barrier %{{.*}} reason({{.*}}) : !coop.group<warp>{{$}}
  // CHECK-NEXT: coop.store
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @war_of_a_warp_S3(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @war_of_eight_lanes_S3(
  // CHECK-NOT: coop.barrier
  // CHECK: coop.load
  // CHECK: coop.barrier %{{.*}} reason({{.*}}) : !coop.group<warp, 8>
  // CHECK-NEXT: coop.store
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @war_of_eight_lanes_S3(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %eight = coop.group : !coop.group<warp, 8>
    %v = coop.load transpose %eight, %src[%c0] layout(<132, 16>) : !coop.group<warp, 8>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %eight, %v, %dst[%c0] layout(<132, 16>) : !coop.group<warp, 8>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // All parts must be done.
  // CHECK-LABEL: gpu.func @war_of_a_warp_after_its_parts(
  // CHECK-NOT: coop.barrier
  // CHECK: coop.load
  // CHECK: coop.barrier %{{.*}} reason({{.*}}) : !coop.group<warp>{{$}}
  // CHECK-NEXT: coop.load
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @war_of_a_warp_after_its_parts(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %eight = coop.group : !coop.group<warp, 8>
    %v = coop.load transpose %eight, %src[%c0] layout(<132, 16>) : !coop.group<warp, 8>, memref<?xi32> -> vector<4xi32>
    %x = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // Eight lanes alone may be in the arm: the warp must wait before.
  // CHECK-LABEL: gpu.func @war_of_parts_after_their_warp_in_an_arm(
  // CHECK-NOT: coop.barrier
  // CHECK: coop.load
  // CHECK: coop.barrier %{{.*}} reason({{.*}}) : !coop.group<warp>{{$}}
  // CHECK-NEXT: cf.cond_br
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @war_of_parts_after_their_warp_in_an_arm(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %width = arith.constant 8 : index
    %bit = arith.andi %t, %width : index
    %c = arith.cmpi ne, %bit, %c0 : index
    %warp = coop.group : !coop.group<warp>
    %eight = coop.group : !coop.group<warp, 8>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^then, ^end
  ^then:
    %x = coop.load transpose %eight, %src[%c0] layout(<132, 16>) : !coop.group<warp, 8>, memref<?xi32> -> vector<4xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // All threads go the same way: the warp may wait in the arm, on that way only.
  // CHECK-LABEL: gpu.func @war_of_parts_in_an_arm_that_all_take(
  // CHECK-NOT: coop.barrier
  // CHECK: cf.cond_br
  // CHECK: coop.barrier %{{.*}} reason({{.*}}) : !coop.group<warp>{{$}}
  // CHECK-NEXT: coop.load
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @war_of_parts_in_an_arm_that_all_take(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %eight = coop.group : !coop.group<warp, 8>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^then, ^end
  ^then:
    %x = coop.load transpose %eight, %src[%c0] layout(<132, 16>) : !coop.group<warp, 8>, memref<?xi32> -> vector<4xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // Some warps alone may be in the arm: the block must wait before.
  // CHECK-LABEL: gpu.func @war_of_warps_in_an_arm_after_their_block(
  // CHECK-NOT: coop.barrier
  // CHECK: coop.load
  // CHECK: coop.barrier %{{.*}} reason({{.*}}) : !coop.group<block>
  // CHECK-NEXT: cf.cond_br
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @war_of_warps_in_an_arm_after_their_block(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %width = arith.constant 32 : index
    %bit = arith.andi %t, %width : index
    %c = arith.cmpi ne, %bit, %c0 : index
    %block = coop.group : !coop.group<block>
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^then, ^end
  ^then:
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // Warps may loop different numbers of times (P2).
  // CHECK-LABEL: gpu.func @war_of_a_block_after_warps_in_a_loop(
  // CHECK-NOT: coop.barrier
  // CHECK: ^bb1:
  // CHECK: coop.barrier %{{.*}} : !coop.group<warp>
  // CHECK-NEXT: coop.load
  // CHECK: ^bb2:
  // CHECK: coop.barrier %{{.*}} : !coop.group<block>
  // CHECK-NEXT: coop.store
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @war_of_a_block_after_warps_in_a_loop(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %warp = coop.group : !coop.group<warp>
    cf.br ^body
  ^body:
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^body, ^exit
  ^exit:
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // The call of the block separates those of the warp.
  // CHECK-LABEL: gpu.func @block_barrier_serves_the_warp_too(
  // CHECK-NOT: coop.barrier
  // CHECK: coop.load
  // CHECK: coop.barrier %{{.*}} : !coop.group<block>
  // CHECK-NEXT: coop.load
  // CHECK: coop.barrier %{{.*}} : !coop.group<block>
  // CHECK-NEXT: coop.store
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @block_barrier_serves_the_warp_too(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    %y = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // The timesliced one lets all warps use the same bytes.
  // CHECK-LABEL: gpu.func @waw_of_warp_transposes(
  // CHECK-NOT: coop.barrier
  // CHECK: coop.load
  // CHECK: coop.barrier {{.*}} : !coop.group<block>
  // CHECK-NEXT: coop.load
  // CHECK: coop.barrier {{.*}} : !coop.group<block>
  // CHECK-NEXT: coop.store
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @waw_of_warp_transposes(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load warp_transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    %x = coop.load warp_transpose_timesliced %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store warp_transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // Each warp waits for itself only.
  // CHECK-LABEL: gpu.func @war_of_warp_transposes_S3(
  // CHECK-NOT: coop.barrier
  // CHECK: ^bb1:
  // CHECK: coop.barrier %{{.*}} reason("'coop.load' of line {{[0-9]+}} writes scratch that 'coop.store' of line {{[0-9]+}} may still read") : !coop.group<warp>
  // CHECK-NEXT: coop.load
  // CHECK: coop.barrier %{{.*}} : !coop.group<warp>
  // CHECK-NEXT: coop.store
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @war_of_warp_transposes_S3(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    cf.br ^body
  ^body:
    %v = coop.load warp_transpose %block, %src[%c0] layout(<2048, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store warp_transpose %block, %v, %dst[%c0] layout(<2048, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.cond_br %c, ^body, ^exit
  ^exit:
    gpu.return
  }

  // All threads take the branch together: one barrier serves both arms in it.
  // CHECK-LABEL: gpu.func @in_a_branch_that_all_take(
  // CHECK: coop.load
  // CHECK-NOT: coop.barrier
  // CHECK: ^bb1:
  // CHECK-NEXT: coop.group
  // CHECK-NEXT: coop.barrier %{{.*}} : !coop.group<block>
  // CHECK-NEXT: cf.cond_br
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @in_a_branch_that_all_take(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1, %d: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^inside, ^end
  ^inside:
    cf.cond_br %d, ^then, ^else
  ^then:
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^else:
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // Data decides: nothing proves that all threads come to the branch inside,
  // but the calls do for their own places (P1).
  // CHECK-LABEL: gpu.func @not_where_data_decides(
  // CHECK: coop.load
  // CHECK-NOT: coop.barrier
  // CHECK: ^bb2:
  // CHECK: coop.barrier %{{.*}} : !coop.group<block>
  // CHECK-NEXT: coop.store
  // CHECK: ^bb3:
  // CHECK: coop.barrier %{{.*}} : !coop.group<block>
  // CHECK-NEXT: coop.store
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @not_where_data_decides(%src: memref<?xi32>, %dst: memref<?xi32>, %flags: memref<?xi1>, %d: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = gpu.thread_id x
    %c = memref.load %flags[%t] : memref<?xi1>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^inside, ^end
  ^inside:
    cf.cond_br %d, ^then, ^else
  ^then:
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^else:
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // Whole warps take the branch: a barrier of the warp may stand in it.
  // CHECK-LABEL: gpu.func @in_a_branch_of_whole_warps(
  // CHECK: coop.load
  // CHECK-NOT: coop.barrier
  // CHECK: ^bb1:
  // CHECK-NEXT: coop.group
  // CHECK-NEXT: coop.barrier %{{.*}} : !coop.group<warp>
  // CHECK-NEXT: cf.cond_br
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @in_a_branch_of_whole_warps(%src: memref<?xi32>, %dst: memref<?xi32>, %d: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %t = gpu.thread_id x
    %c64 = arith.constant 64 : index
    %c = arith.cmpi ult, %t, %c64 : index
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^inside, ^end
  ^inside:
    cf.cond_br %d, ^then, ^else
  ^then:
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^else:
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // Half warps take the branch: a barrier of theirs may stand in it.
  // CHECK-LABEL: gpu.func @in_a_branch_of_half_warps(
  // CHECK: coop.load
  // CHECK-NOT: coop.barrier
  // CHECK: cf.cond_br
  // CHECK: ^bb1:
  // CHECK-NEXT: coop.group
  // CHECK-NEXT: coop.barrier %{{.*}} : !coop.group<warp, 16>
  // CHECK-NEXT: cf.cond_br
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @in_a_branch_of_half_warps(%src: memref<?xi32>, %dst: memref<?xi32>, %d: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %half = coop.group : !coop.group<warp, 16>
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %bit = arith.andi %t, %c16 : index
    %c = arith.cmpi eq, %bit, %c0 : index
    %v = coop.load transpose %half, %src[%c0] layout(<264, 16>) : !coop.group<warp, 16>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^inside, ^end
  ^inside:
    cf.cond_br %d, ^then, ^else
  ^then:
    coop.store transpose %half, %v, %dst[%c0] layout(<264, 16>) : !coop.group<warp, 16>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^else:
    coop.store transpose %half, %v, %dst[%c0] layout(<264, 16>) : !coop.group<warp, 16>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // A loop that all threads run alike, whose body has no call of the block.
  // CHECK-LABEL: gpu.func @in_a_loop_that_all_run(
  // CHECK: scf.for
  // CHECK: scf.if
  // CHECK: coop.load
  // CHECK: }
  // CHECK: coop.barrier %{{.*}} : !coop.group<block>
  // CHECK-NEXT: scf.if
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @in_a_loop_that_all_run(%src: memref<?xi32>, %n: index, %c: i1, %d: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %block = coop.group : !coop.group<block>
    scf.for %i = %c0 to %n step %c1 {
      scf.if %c {
        %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
      }
      gpu.barrier
      scf.if %c {
        %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
      } else {
        %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
      }
      scf.if %d {
        %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
      } else {
        %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
      }
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @warp_transposes_side_by_side(
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @warp_transposes_side_by_side(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage auto_sync exclusive
    %v = coop.load warp_transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    %x = coop.load warp_transpose_timesliced %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store warp_transpose %block, %v, %dst[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @inside_scf_for(
  // CHECK-NOT: coop.barrier
  // CHECK: scf.for
  // CHECK: coop.barrier {{.*}}
  // CHECK-NEXT: coop.load
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @inside_scf_for(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %c1 step %c1 {
      %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @before_scf_if(
  // CHECK-NOT: coop.barrier
  // CHECK: coop.load
  // CHECK: coop.barrier {{.*}}
  // CHECK-NEXT: scf.if
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @before_scf_if(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    scf.if %c {
      coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    } else {
      coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    }
    gpu.return
  }

  // Behind the load, one serves its next run and the last load.
  // CHECK-LABEL: gpu.func @after_scf_while(
  // CHECK-NOT: coop.barrier
  // CHECK: scf.while
  // CHECK: coop.load
  // CHECK: coop.barrier {{.*}}
  // CHECK-NEXT: scf.condition
  // CHECK-NOT: coop.barrier
  // CHECK: gpu.return
  gpu.func @after_scf_while(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    scf.while : () -> () {
      %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
      scf.condition(%c)
    } do {
      scf.yield
    }
    %x = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}
