// RUN: coop-opt %s -mlir-disable-threading -o /dev/null \
// RUN:   -pass-pipeline='builtin.module(gpu.module(coop-plan-shared-memory,gpu.func(coop-test-print-hazards)))' \
// RUN:   | FileCheck %s

//===- hazards.mlir - Which uses of scratch no barrier separates
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

gpu.module @m {
  // CHECK-LABEL: @war_straight_line: 1 hazards, 1 barriers, optimal
  // CHECK-NEXT: block: 'coop.store' of line {{[0-9]+}} writes scratch that 'coop.load' of line {{[0-9]+}} may still read
  gpu.func @war_straight_line(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: @war_across_backedge: 1 hazards, 1 barriers, optimal
  // CHECK-NEXT: block: 'coop.load' of line {{[0-9]+}} writes scratch that its previous run may still read
  gpu.func @war_across_backedge(%src: memref<?xi32>, %c: i1) kernel
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

  // Each warp of the block keeps to bytes of its own, and has met inside.
  // CHECK-LABEL: @war_of_warps_of_a_block: 1 hazards, 1 barriers, optimal
  // CHECK-NEXT: warp: 'coop.store' of line {{[0-9]+}} writes scratch that 'coop.load' of line {{[0-9]+}} may still read
  gpu.func @war_of_warps_of_a_block(%src: memref<?xi32>, %dst: memref<?xi32>, %long: memref<?xi64>, %real: memref<?xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load warp_transpose %block, %src[%c0] layout(<2048, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store warp_transpose %block, %v, %dst[%c0] layout(<2048, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // The size of the items counts, not what they are.
  // CHECK-LABEL: @equal_items_have_equal_parts: 1 hazards, 1 barriers, optimal
  // CHECK-NEXT: warp: 'coop.load' of line {{[0-9]+}} writes scratch that 'coop.load' of line {{[0-9]+}} may still read
  gpu.func @equal_items_have_equal_parts(%src: memref<?xi32>, %dst: memref<?xi32>, %long: memref<?xi64>, %real: memref<?xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load warp_transpose %block, %src[%c0] layout(<2048, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    %x = coop.load warp_transpose %block, %real[%c0] layout(<2048, 16>) : !coop.group<block>, memref<?xf32> -> vector<4xf32>
    gpu.return
  }

  // A warp gets at bytes of another one, which may not have met yet.
  // CHECK-LABEL: @other_parts_of_more_items: 1 hazards, 1 barriers, optimal
  // CHECK-NEXT: block: 'coop.load' of line {{[0-9]+}} writes scratch that 'coop.load' of line {{[0-9]+}} may still use
  gpu.func @other_parts_of_more_items(%src: memref<?xi32>, %dst: memref<?xi32>, %long: memref<?xi64>, %real: memref<?xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load warp_transpose %block, %src[%c0] layout(<2048, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    %x = coop.load warp_transpose %block, %src[%c0] layout(<4224, 16>) : !coop.group<block>, memref<?xi32> -> vector<8xi32>
    gpu.return
  }

  // As many bytes for a thread may lie elsewhere: padding depends on the items.
  // CHECK-LABEL: @other_parts_of_larger_items: 1 hazards, 1 barriers, optimal
  // CHECK-NEXT: block: 'coop.load' of line {{[0-9]+}} writes scratch that 'coop.load' of line {{[0-9]+}} may still use
  gpu.func @other_parts_of_larger_items(%src: memref<?xi32>, %dst: memref<?xi32>, %long: memref<?xi64>, %real: memref<?xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load warp_transpose %block, %src[%c0] layout(<4224, 16>) : !coop.group<block>, memref<?xi32> -> vector<8xi32>
    %x = coop.load warp_transpose %block, %long[%c0] layout(<4096, 16>) : !coop.group<block>, memref<?xi64> -> vector<4xi64>
    gpu.return
  }

  // All warps use the same bytes, one after the other.
  // CHECK-LABEL: @no_parts_when_timesliced: 1 hazards, 1 barriers, optimal
  // CHECK-NEXT: block: 'coop.load' of line {{[0-9]+}} writes scratch that 'coop.load' of line {{[0-9]+}} may still use
  gpu.func @no_parts_when_timesliced(%src: memref<?xi32>, %dst: memref<?xi32>, %long: memref<?xi64>, %real: memref<?xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load warp_transpose_timesliced %block, %src[%c0] layout(<512, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    %x = coop.load warp_transpose_timesliced %block, %src[%c0] layout(<512, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // The block's transpose exchanges over all of it.
  // CHECK-LABEL: @no_parts_of_a_transpose: 1 hazards, 1 barriers, optimal
  // CHECK-NEXT: block: 'coop.load' of line {{[0-9]+}} writes scratch that 'coop.load' of line {{[0-9]+}} may still use
  gpu.func @no_parts_of_a_transpose(%src: memref<?xi32>, %dst: memref<?xi32>, %long: memref<?xi64>, %real: memref<?xf32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load warp_transpose %block, %src[%c0] layout(<2048, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    %x = coop.load transpose %block, %src[%c0] layout(<2048, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // The warps meet inside the call of other bytes.
  // CHECK-LABEL: @none_past_the_warps_meeting_inside: 0 hazards, 0 barriers, optimal
  gpu.func @none_past_the_warps_meeting_inside(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage auto_sync exclusive
    cf.br ^body
  ^body:
    %v = coop.load warp_transpose %block, %src[%c0] temp(%t) layout(<2048, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store warp_transpose %block, %v, %dst[%c0] temp(%t) layout(<2048, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.cond_br %c, ^body, ^exit
  ^exit:
    gpu.return
  }

  // Each call's barrier separates the runs of the other one.
  // CHECK-LABEL: @none_past_barrier_inside: 0 hazards, 0 barriers, optimal
  gpu.func @none_past_barrier_inside(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage auto_sync exclusive
    cf.br ^body
  ^body:
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.cond_br %c, ^body, ^exit
  ^exit:
    gpu.return
  }

  // CHECK-LABEL: @war_of_a_warp: 1 hazards, 1 barriers, optimal
  // CHECK-NEXT: warp: 'coop.store'
  gpu.func @war_of_a_warp(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: @war_of_eight_lanes: 1 hazards, 1 barriers, optimal
  // CHECK-NEXT: 8 lanes: 'coop.store'
  gpu.func @war_of_eight_lanes(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %eight = coop.group : !coop.group<warp, 8>
    %v = coop.load transpose %eight, %src[%c0] layout(<132, 16>) : !coop.group<warp, 8>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %eight, %v, %dst[%c0] layout(<132, 16>) : !coop.group<warp, 8>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: @war_of_a_warp_and_its_parts: 1 hazards, 1 barriers, optimal
  // CHECK-NEXT: warp: 'coop.load'
  gpu.func @war_of_a_warp_and_its_parts(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %eight = coop.group : !coop.group<warp, 8>
    %v = coop.load transpose %eight, %src[%c0] layout(<132, 16>) : !coop.group<warp, 8>, memref<?xi32> -> vector<4xi32>
    %x = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // CHECK-LABEL: @war_of_block_and_warp: 1 hazards, 1 barriers, optimal
  // CHECK-NEXT: block: 'coop.store'
  gpu.func @war_of_block_and_warp(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: @none_of_warps_apart: 0 hazards, 0 barriers, optimal
  gpu.func @none_of_warps_apart(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    gpu.return
  }

  // CHECK-LABEL: @one_lane_is_ordered_with_itself: 0 hazards, 0 barriers, optimal
  gpu.func @one_lane_is_ordered_with_itself(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = coop.group : !coop.group<warp, 1>
    %v = coop.load transpose %one, %src[%c0] layout(<16, 4>) : !coop.group<warp, 1>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %one, %v, %dst[%c0] layout(<16, 4>) : !coop.group<warp, 1>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: @none_behind_user_barrier: 0 hazards, 0 barriers, optimal
  gpu.func @none_behind_user_barrier(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.barrier
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: @none_behind_nvvm_barrier: 0 hazards, 0 barriers, optimal
  gpu.func @none_behind_nvvm_barrier(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    nvvm.barrier0
    %x = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    nvvm.barrier
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: @some_threads_barrier_orders_nothing: 1 hazards, 1 barriers, optimal
  gpu.func @some_threads_barrier_orders_nothing(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %id = arith.constant 1 : i32
    %threads = arith.constant 64 : i32
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    nvvm.barrier id = %id number_of_threads = %threads
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: @none_behind_warp_sync_of_all_lanes: 0 hazards, 0 barriers, optimal
  gpu.func @none_behind_warp_sync_of_all_lanes(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %full = arith.constant -1 : i32
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    nvvm.bar.warp.sync %full : i32
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: @warp_sync_of_some_lanes_orders_nothing: 1 hazards, 1 barriers, optimal
  gpu.func @warp_sync_of_some_lanes_orders_nothing(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %some = arith.constant 255 : i32
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    nvvm.bar.warp.sync %some : i32
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: @warp_sync_orders_no_block: 1 hazards, 1 barriers, optimal
  gpu.func @warp_sync_orders_no_block(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %full = arith.constant -1 : i32
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    nvvm.bar.warp.sync %full : i32
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: @barrier_on_one_way_only: 1 hazards, 1 barriers, optimal
  gpu.func @barrier_on_one_way_only(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^then, ^end
  ^then:
    gpu.barrier
    cf.br ^end
  ^end:
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }
}
