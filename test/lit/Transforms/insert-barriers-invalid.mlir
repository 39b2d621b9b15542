// RUN: coop-opt %s -split-input-file -verify-diagnostics \
// RUN:   -pass-pipeline='builtin.module(gpu.module(coop-plan-shared-memory,gpu.func(coop-insert-barriers)))'

//===- insert-barriers-invalid.mlir - Reuse that the program must order itself, beside the nearest legal programs
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

gpu.module @m {
  gpu.func @reuse_without_barrier_S4(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage
    // expected-note@below {{the earlier use is here}}
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    // expected-warning-re@below {{'coop.store' of line {{[0-9]+}} writes scratch that 'coop.load' of line {{[0-9]+}} may still read; no barrier of the block separates them: put one between, or use auto_sync}}
    coop.store transpose %block, %v, %dst[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // The nearest legal programs.
  gpu.func @reuse_behind_barrier_S4(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.barrier
    coop.store transpose %block, %v, %dst[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @reuse_with_auto_sync_S4(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage auto_sync
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // Nothing is reused.
  gpu.func @exclusive_reuse_S5(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage exclusive
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %block, %v, %dst[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @exclusive_reuse_across_backedge_S5(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage exclusive
    cf.br ^body
  ^body:
    // expected-note@below {{the earlier use is here}}
    // expected-warning@below {{writes scratch that its previous run may still read; no barrier of the block separates them}}
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^body, ^exit
  ^exit:
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @reuse_by_a_warp_S4(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %t = coop.temp_storage
    // expected-note@below {{the earlier use is here}}
    %v = coop.load transpose %warp, %src[%c0] temp(%t) layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    // expected-warning@below {{no barrier of the warp separates them}}
    coop.store transpose %warp, %v, %dst[%c0] temp(%t) layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @reuse_behind_barrier_on_one_way_S4(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage
    // expected-note@below {{the earlier use is here}}
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^then, ^end
  ^then:
    gpu.barrier
    cf.br ^end
  ^end:
    // expected-warning@below {{no barrier of the block separates them}}
    coop.store transpose %block, %v, %dst[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // Planned by hand, wrongly: sibling warps may be in the two arms.
  coop.arena @scratch 4224 align 16
  gpu.func @siblings_share_bytes(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    cf.cond_br %c, ^then, ^else
  ^then:
    %s = coop.scratch_slice @scratch[0, 2112] : memref<2112xi8, #gpu.address_space<workgroup>>
    // expected-note@below {{the other use is here}}
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) scratch(%s : memref<2112xi8, #gpu.address_space<workgroup>>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    cf.br ^end
  ^else:
    %t = coop.scratch_slice @scratch[0, 4224] : memref<4224xi8, #gpu.address_space<workgroup>>
    // expected-error@below {{'coop.load' op shares scratch with another use, but nowhere between them do all threads of the block come together for a barrier}}
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) scratch(%t : memref<4224xi8, #gpu.address_space<workgroup>>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}
