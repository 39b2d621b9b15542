//===- warps.mlir - Kernels of warps
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

gpu.module @warps {
  gpu.func @copy(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  gpu.func @eight_lanes(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %eight = coop.group : !coop.group<warp, 8>
    %v = coop.load transpose %eight, %src[%c0] layout(<132, 16>) : !coop.group<warp, 8>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %eight, %v, %dst[%c0] layout(<132, 16>) : !coop.group<warp, 8>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  gpu.func @two_layouts(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    coop.store transpose %warp, %x, %dst[%c0] layout(<1056, 16>) : !coop.group<warp>, vector<8xi32>, memref<?xi32>
    gpu.return
  }

  gpu.func @two_layouts_and_barriers(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    gpu.barrier
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    gpu.barrier
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    gpu.barrier
    coop.store transpose %warp, %x, %dst[%c0] layout(<1056, 16>) : !coop.group<warp>, vector<8xi32>, memref<?xi32>
    gpu.return
  }

  gpu.func @warp_and_its_parts(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %eight = coop.group : !coop.group<warp, 8>
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    %x = coop.load transpose %eight, %src[%c0] layout(<132, 16>) : !coop.group<warp, 8>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    coop.store transpose %eight, %x, %dst[%c0] layout(<132, 16>) : !coop.group<warp, 8>, vector<4xi32>, memref<?xi32>
    gpu.return
  }

  gpu.func @in_loop(%src: memref<?xi32>, %dst: memref<?xi32>, %n: index) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %warp = coop.group : !coop.group<warp>
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %more = arith.cmpi slt, %i, %n : index
    cf.cond_br %more, ^body, ^exit
  ^body:
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next : index)
  ^exit:
    gpu.return
  }

  gpu.func @arms(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    cf.cond_br %c, ^then, ^else
  ^then:
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    cf.br ^end
  ^else:
    %x = coop.load transpose %warp, %src[%c0] layout(<1056, 16>) : !coop.group<warp>, memref<?xi32> -> vector<8xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  gpu.func @synced_by_the_program(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    %all = arith.constant -1 : i32
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    nvvm.bar.warp.sync %all : i32
    coop.store transpose %warp, %v, %dst[%c0] layout(<528, 16>) : !coop.group<warp>, vector<4xi32>, memref<?xi32>
    gpu.return
  }
}
