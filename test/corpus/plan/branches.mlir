//===- branches.mlir - Kernels with branches
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

gpu.module @branches {
  gpu.func @then(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
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

  gpu.func @both_arms(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
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

  gpu.func @join(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    cf.cond_br %c, ^then, ^else
  ^then:
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end(%v : vector<4xi32>)
  ^else:
    %w = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end(%w : vector<4xi32>)
  ^end(%x: vector<4xi32>):
    coop.store transpose %block, %x, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  gpu.func @one_arm_synchronised(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    cf.cond_br %c, ^then, ^else
  ^then:
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.barrier
    cf.br ^end(%v : vector<4xi32>)
  ^else:
    %w = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end(%w : vector<4xi32>)
  ^end(%x: vector<4xi32>):
    coop.store transpose %block, %x, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  gpu.func @arms_of_two_sizes(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    cf.cond_br %c, ^then, ^else
  ^then:
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end
  ^else:
    %w = coop.load transpose %block, %src[%c0] layout(<4224, 16>) : !coop.group<block>, memref<?xi32> -> vector<8xi32>
    cf.br ^end
  ^end:
    %x = coop.load transpose %block, %src[%c0] layout(<1056, 16>) : !coop.group<block>, memref<?xi32> -> vector<2xi32>
    gpu.return
  }

  gpu.func @two_branches(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1, %d: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^one, ^two
  ^one:
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.br ^two
  ^two:
    cf.cond_br %d, ^three, ^end
  ^three:
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  gpu.func @early_exit(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^end, ^more
  ^more:
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    %w = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  gpu.func @three_arms(%src: memref<?xi32>, %dst: memref<?xi32>, %c: i1, %d: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.cond_br %c, ^one, ^more
  ^one:
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^more:
    cf.cond_br %d, ^two, ^three
  ^two:
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^three:
    coop.store transpose %block, %v, %dst[%c0] layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}
