// RUN: coop-opt %s -mlir-disable-threading -allow-unregistered-dialect -o /dev/null \
// RUN:   -pass-pipeline='builtin.module(gpu.module(gpu.func(coop-test-print-plan)))' \
// RUN:   | FileCheck %s

//===- scratch-plan.mlir - Which scratch is live at a time, and how many bytes that takes
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

gpu.module @m {
  // S6: the two are never live at a time.
  // CHECK-LABEL: @two_calls_share_bytes: 2112 bytes align 16, live at most 2112, sum 4224 of 2 uses, optimal
  // CHECK-NEXT: [0, 2112) 'coop.load'
  // CHECK-NEXT: [0, 2112) 'coop.store'
  gpu.func @two_calls_share_bytes(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: @largest_counts: 4224 bytes align 16, live at most 4224, sum 8448 of 3 uses, optimal
  gpu.func @largest_counts(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    %x = coop.load transpose %block, %src[%c0] layout(<4224, 16>) : !coop.group<block>, memref<?xi32> -> vector<8xi32>
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // Only one of the two runs.
  // CHECK-LABEL: @arms_share_bytes: 2112 bytes align 16, live at most 2112, sum 4224 of 2 uses, optimal
  gpu.func @arms_share_bytes(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    cf.cond_br %c, ^then, ^else
  ^then:
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end
  ^else:
    %x = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // S2.
  // CHECK-LABEL: @no_scratch: 0 bytes align 1, live at most 0, sum 0 of 0 uses, optimal
  gpu.func @no_scratch(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load striped %block, %src[%c0] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store direct %block, %v, %dst[%c0] : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // The last call needs 4224 bytes anyway: the loop's calls lie side by side in
  // them, and need no barrier.
  // CHECK-LABEL: @spread_where_bytes_allow: 4224 bytes align 16, live at most 4224, sum 8448 of 3 uses, optimal
  // CHECK-NEXT: [2112, 4224) 'coop.load'
  // CHECK-NEXT: [0, 2112) 'coop.store'
  // CHECK-NEXT: [0, 4224) 'coop.load'
  gpu.func @spread_where_bytes_allow(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    cf.br ^head
  ^head:
    cf.cond_br %c, ^body, ^exit
  ^body:
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.br ^head
  ^exit:
    %x = coop.load transpose %block, %src[%c0] layout(<4224, 16>) : !coop.group<block>, memref<?xi32> -> vector<8xi32>
    gpu.return
  }

  // A warp may be in the first call while another one is in the second, and their
  // slices don't match.
  // CHECK-LABEL: @sibling_warps_two_layouts: 6336 bytes align 16, live at most 6336, sum 6336 of 2 uses, optimal
  gpu.func @sibling_warps_two_layouts(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    gpu.return
  }

  // Each warp has the same bytes in both.
  // CHECK-LABEL: @sibling_warps_one_layout: 2112 bytes align 16, live at most 2112, sum 4224 of 2 uses, optimal
  gpu.func @sibling_warps_one_layout(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // Four parts of eight lanes have the bytes of their warp.
  // CHECK-LABEL: @sibling_warps_equal_parts: 2112 bytes align 16, live at most 2112, sum 4224 of 2 uses, optimal
  gpu.func @sibling_warps_equal_parts(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %eight = coop.group : !coop.group<warp, 8>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    %x = coop.load transpose %eight, %src[%c0] layout(<132, 16>) : !coop.group<warp, 8>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // CHECK-LABEL: @sibling_warps_block_barrier_between: 4224 bytes align 16, live at most 4224, sum 6336 of 2 uses, optimal
  gpu.func @sibling_warps_block_barrier_between(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    gpu.barrier
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    gpu.return
  }

  // A barrier of the warp orders no sibling.
  // CHECK-LABEL: @sibling_warps_warp_barrier_between: 6336 bytes align 16, live at most 6336, sum 6336 of 2 uses, optimal
  gpu.func @sibling_warps_warp_barrier_between(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    %full = arith.constant -1 : i32
    nvvm.bar.warp.sync %full : i32
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    gpu.return
  }

  // CHECK-LABEL: @sibling_warps_block_barrier_on_one_way: 6336 bytes align 16, live at most 6336, sum 6336 of 2 uses, optimal
  gpu.func @sibling_warps_block_barrier_on_one_way(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^then, ^end
  ^then:
    gpu.barrier
    cf.br ^end
  ^end:
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    gpu.return
  }

  // No block barrier stands on the way back.
  // CHECK-LABEL: @sibling_warps_two_layouts_in_loop: 6336 bytes align 16, live at most 6336, sum 6336 of 2 uses, optimal
  gpu.func @sibling_warps_two_layouts_in_loop(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    cf.br ^body
  ^body:
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    gpu.barrier
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    cf.cond_br %c, ^body, ^exit
  ^exit:
    gpu.return
  }

  // A block barrier may stand at the call of the block.
  // CHECK-LABEL: @block_and_warp_share: 2112 bytes align 16, live at most 2112, sum 4224 of 2 uses, optimal
  gpu.func @block_and_warp_share(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // The barrier inside the block's call separates the warps' ones.
  // CHECK-LABEL: @block_between_sibling_warps: 4224 bytes align 16, live at most 4224, sum 7392 of 3 uses, optimal
  gpu.func @block_between_sibling_warps(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    %y = coop.load transpose %block, %src[%c0] layout(<1056, 16>) : !coop.group<block>, memref<?xi32> -> vector<2xi32>
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    gpu.return
  }

  // It has no barrier of the block inside.
  // CHECK-LABEL: @warp_transpose_between_sibling_warps: 6336 bytes align 16, live at most 6336, sum 7392 of 3 uses, optimal
  gpu.func @warp_transpose_between_sibling_warps(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    %y = coop.load warp_transpose %block, %src[%c0] layout(<1056, 16>) : !coop.group<block>, memref<?xi32> -> vector<2xi32>
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    gpu.return
  }

  // Each call site has its own slice.
  // CHECK-LABEL: @exclusive_S5: 4224 bytes align 16, live at most 4224, sum 4224 of 2 uses, optimal
  // CHECK-NEXT: [0, 4224) 'coop.load' of line {{[0-9]+}} +2112 'coop.store'
  gpu.func @exclusive_S5(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage auto_sync exclusive
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // It asks for no reuse; sharing with another call would bring a barrier.
  // CHECK-LABEL: @exclusive_shares_with_none: 4224 bytes align 16, live at most 4224, sum 4224 of 2 uses, optimal
  gpu.func @exclusive_shares_with_none(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage auto_sync exclusive
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: @exclusive_shares_behind_barrier: 2112 bytes align 16, live at most 2112, sum 4224 of 2 uses, optimal
  gpu.func @exclusive_shares_behind_barrier(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage auto_sync exclusive
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.barrier
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // One slice for all.
  // CHECK-LABEL: @shared_S5: 2112 bytes align 16, live at most 2112, sum 4224 of 2 uses, optimal
  // CHECK-NEXT: [0, 2112) 'coop.load' of line {{[0-9]+}} 'coop.store'
  gpu.func @shared_S5(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage auto_sync
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // S4: the program places its barriers, so the plan makes none needed.
  // CHECK-LABEL: @user_synced_keeps_its_bytes: 4224 bytes align 16, live at most 4224, sum 4224 of 2 uses, optimal
  gpu.func @user_synced_keeps_its_bytes(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: @user_synced_shares_behind_barrier: 2112 bytes align 16, live at most 2112, sum 4224 of 2 uses, optimal
  gpu.func @user_synced_shares_behind_barrier(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.barrier
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // S10: sliced per group; what no barrier of a warp could order lies apart.
  // CHECK-LABEL: @warps_of_two_layouts_in_one_descriptor: 6336 bytes align 16, live at most 6336, sum 6336 of 2 uses, optimal
  gpu.func @warps_of_two_layouts_in_one_descriptor(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %t = coop.temp_storage auto_sync
    %v = coop.load transpose %warp, %src[%c0] temp(%t) layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    %x = coop.load transpose %warp, %src[%c0] temp(%t) layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    gpu.return
  }

  // What is asked for is reserved.
  // CHECK-LABEL: @capacity_S1: 5000 bytes align 1024, live at most 5000, sum 4224 of 2 uses, optimal
  gpu.func @capacity_S1(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage size(5000) align(1024) auto_sync
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // Descriptors that agree may be merged.
  // CHECK-LABEL: @merged_S9: 2112 bytes align 16, live at most 2112, sum 4224 of 2 uses, optimal
  gpu.func @merged_S9(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage auto_sync
    %u = coop.temp_storage auto_sync
    cf.cond_br %c, ^use(%t : !coop.temp_storage), ^use(%u : !coop.temp_storage)
  ^use(%m: !coop.temp_storage):
    %v = coop.load transpose %block, %src[%c0] temp(%m) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: @selected_S9: 2112 bytes align 16, live at most 2112, sum 2112 of 1 uses, optimal
  gpu.func @selected_S9(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage auto_sync
    %u = coop.temp_storage auto_sync
    %m = arith.select %c, %t, %u : !coop.temp_storage
    %v = coop.load transpose %block, %src[%c0] temp(%m) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // CHECK-LABEL: @round_a_loop_S9: 2112 bytes align 16, live at most 2112, sum 2112 of 1 uses, optimal
  gpu.func @round_a_loop_S9(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage auto_sync
    cf.br ^body(%t : !coop.temp_storage)
  ^body(%m: !coop.temp_storage):
    %v = coop.load transpose %block, %src[%c0] temp(%m) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^body(%m : !coop.temp_storage), ^exit
  ^exit:
    gpu.return
  }

  // CHECK-LABEL: @scf_result_S9: 2112 bytes align 16, live at most 2112, sum 2112 of 1 uses, optimal
  gpu.func @scf_result_S9(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage auto_sync
    %u = coop.temp_storage auto_sync
    %m = scf.if %c -> !coop.temp_storage {
      scf.yield %t : !coop.temp_storage
    } else {
      scf.yield %u : !coop.temp_storage
    }
    %v = coop.load transpose %block, %src[%c0] temp(%m) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // Control flow without interface.
  // CHECK-LABEL: @unknown_region_may_repeat: 6336 bytes align 16, live at most 6336, sum 6336 of 2 uses, optimal
  gpu.func @unknown_region_may_repeat(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    "test.repeat"() ({
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    gpu.barrier
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
      "test.end"() : () -> ()
    }) : () -> ()
    gpu.return
  }

  // CHECK-LABEL: @scf_for_repeats: 6336 bytes align 16, live at most 6336, sum 6336 of 2 uses, optimal
  gpu.func @scf_for_repeats(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %c1 step %c1 {
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    gpu.barrier
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    }
    gpu.return
  }

  // Sibling warps may take different arms.
  // CHECK-LABEL: @scf_if_arms: 6336 bytes align 16, live at most 6336, sum 6336 of 2 uses, optimal
  gpu.func @scf_if_arms(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    scf.if %c {
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    } else {
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    }
    gpu.return
  }
}
