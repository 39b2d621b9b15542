// RUN: coop-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(coop-select-algorithms{target=sm_90}))' | FileCheck %s

// One access moves all that a thread has: no exchange is needed.

// CHECK-LABEL: @one_access_L12
// CHECK: coop.load vectorize
// CHECK: coop.store direct
gpu.module @m {
  gpu.func @one_access_L12(%a: memref<?xi32>, %b: memref<?xi8>, %v: vector<1xi8>, %i: index) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %g = coop.group : !coop.group<block>
    %x = coop.load auto %g, %a[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store auto %g, %v, %b[%i] : !coop.group<block>, vector<1xi8>, memref<?xi8>
    gpu.return
  }
}

// -----

// Several accesses of a thread are striped over the group. Warps of the block
// exchange among themselves, which needs no barrier of the block.

// CHECK-LABEL: @exchange_L12
// CHECK: coop.load warp_transpose %{{.*}} valid
// CHECK: coop.load warp_transpose %
gpu.module @m {
  gpu.func @exchange_L12(%a: memref<?xi32>, %b: memref<?xi16>, %i: index) kernel
      attributes {gpu.known_block_size = array<i32: 8, 4, 4>} {
    %g = coop.group : !coop.group<block>
    %x = coop.load auto %g, %a[%i] valid(%i) : !coop.group<block>, memref<?xi32> -> vector<5xi32>
    %y = coop.load auto %g, %b[%i] : !coop.group<block>, memref<?xi16> -> vector<7xi16>
    gpu.return
  }
}

// -----

// CHECK-LABEL: @no_whole_warps_L12
// CHECK: coop.load transpose
gpu.module @m {
  gpu.func @no_whole_warps_L12(%a: memref<?xi32>, %i: index) kernel
      attributes {gpu.known_block_size = array<i32: 65, 1, 1>} {
    %g = coop.group : !coop.group<block>
    %x = coop.load auto %g, %a[%i] : !coop.group<block>, memref<?xi32> -> vector<5xi32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: @warps_L12
// CHECK: coop.load transpose
gpu.module @m {
  gpu.func @warps_L12(%a: memref<?xi32>, %i: index) kernel
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %g = coop.group : !coop.group<warp, 8>
    %x = coop.load auto %g, %a[%i] : !coop.group<warp, 8>, memref<?xi32> -> vector<5xi32>
    gpu.return
  }
}

// -----

// 1024 x 64 elements of 8 bytes are 512 KiB: the warps take turns. With the
// program's own 220 KiB not even one warp's elements fit.

// CHECK-LABEL: @taking_turns_L12
// CHECK: coop.load warp_transpose_timesliced
// CHECK-LABEL: @no_room_L12
// CHECK: coop.load vectorize
gpu.module @m {
  memref.global "private" @own : memref<225280xi8, #gpu.address_space<workgroup>>
  gpu.func @taking_turns_L12(%a: memref<?xi64>, %i: index) kernel
      attributes {gpu.known_block_size = array<i32: 1024, 1, 1>} {
    %g = coop.group : !coop.group<block>
    %x = coop.load auto %g, %a[%i] : !coop.group<block>, memref<?xi64> -> vector<64xi64>
    gpu.return
  }
  gpu.func @no_room_L12(%a: memref<?xi64>, %i: index) kernel
      attributes {gpu.known_block_size = array<i32: 1024, 1, 1>} {
    %own = memref.get_global @own : memref<225280xi8, #gpu.address_space<workgroup>>
    %g = coop.group : !coop.group<block>
    %x = coop.load auto %g, %a[%i] : !coop.group<block>, memref<?xi64> -> vector<64xi64>
    gpu.return
  }
}

// -----

// A descriptor with a size bounds the choice; the smallest of those that control
// flow merges does.

// CHECK-LABEL: @descriptors_L12
// CHECK: coop.load warp_transpose %
// CHECK: coop.load warp_transpose_timesliced
// CHECK: coop.load direct
gpu.module @m {
  gpu.func @descriptors_L12(%a: memref<?xi32>, %i: index, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %g = coop.group : !coop.group<block>
    %any = coop.temp_storage auto_sync shared
    %slice = coop.temp_storage size(1024) auto_sync shared
    %small = coop.temp_storage size(64) auto_sync shared
    %merged = arith.select %c, %slice, %small : !coop.temp_storage
    %x = coop.load auto %g, %a[%i] temp(%any) : !coop.group<block>, memref<?xi32> -> vector<7xi32>
    %y = coop.load auto %g, %a[%i] temp(%slice) : !coop.group<block>, memref<?xi32> -> vector<7xi32>
    %z = coop.load auto %g, %a[%i] temp(%merged) : !coop.group<block>, memref<?xi32> -> vector<7xi32>
    gpu.return
  }
}

// -----

// What the program chose stays.

// CHECK-LABEL: @chosen_L12
// CHECK: coop.load direct
// CHECK: coop.store striped
gpu.module @m {
  gpu.func @chosen_L12(%a: memref<?xi32>, %i: index) kernel {
    %g = coop.group : !coop.group<block>
    %x = coop.load direct %g, %a[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    coop.store striped %g, %x, %a[%i] : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }
}
