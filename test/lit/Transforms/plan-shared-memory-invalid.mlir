// RUN: coop-opt %s -split-input-file -verify-diagnostics \
// RUN:   -pass-pipeline='builtin.module(gpu.module(coop-plan-shared-memory{target=sm_86}))'

//===- plan-shared-memory-invalid.mlir - What the plan refuses, beside the nearest legal programs
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

gpu.module @m {
  gpu.func @no_layout(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    // expected-error@below {{'coop.load' op has no scratch layout; the layout of its wrapper 'coop_block_load_b32_128x1x1_k4_transpose' is attached once the wrappers are compiled, before coop-plan-shared-memory}}
    %v = coop.load transpose %block, %src[%c0] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @unknown_block(%src: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    // expected-error@below {{'coop.load' op uses scratch in a block of unknown size; set known_block_size on the function}}
    %v = coop.load transpose %warp, %src[%c0] layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @too_small_S1(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    // expected-error@below {{'coop.temp_storage' op has 2111 bytes, but its uses need 2112}}
    %t = coop.temp_storage size(2111) auto_sync
    // expected-note@below {{this use needs 2112 bytes}}
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    %x = coop.load transpose %block, %src[%c0] temp(%t) layout(<1056, 16>) : !coop.group<block>, memref<?xi32> -> vector<2xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // The nearest legal program.
  gpu.func @just_enough_S1(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage size(2112) auto_sync
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @too_small_exclusive_S5(%src: memref<?xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    // expected-error@below {{'coop.temp_storage' op has 4223 bytes, but its uses need 4224}}
    %t = coop.temp_storage size(4223) auto_sync exclusive
    // expected-note@below {{this use needs 2112 bytes}}
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    // expected-note@below {{this use needs 2112 bytes}}
    coop.store transpose %block, %v, %dst[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, vector<4xi32>, memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @too_small_for_all_warps_S10(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %warp = coop.group : !coop.group<warp>
    // expected-error@below {{'coop.temp_storage' op has 528 bytes, but its uses need 2112}}
    %t = coop.temp_storage size(528) auto_sync
    // expected-note@below {{this use needs 2112 bytes}}
    %v = coop.load transpose %warp, %src[%c0] temp(%t) layout(<528, 16>) : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @merged_descriptors_differ_S9(%src: memref<?xi32>, %c: i1) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    // expected-note@below {{is made here}}
    %t = coop.temp_storage auto_sync
    // expected-note@below {{is made here}}
    %u = coop.temp_storage size(4096) auto_sync
    cf.cond_br %c, ^use(%t : !coop.temp_storage), ^use(%u : !coop.temp_storage)
  ^use(%m: !coop.temp_storage):
    // expected-error@below {{'coop.load' op uses one of several descriptors, which differ; make one descriptor, or give all the same properties}}
    %v = coop.load transpose %block, %src[%c0] temp(%m) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @descriptor_from_outside_S9(%src: memref<?xi32>, %t: !coop.temp_storage) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    // expected-error@below {{'coop.load' op uses a descriptor that is not made in this function}}
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@below {{kernel 'too_much_S7' needs 131072 bytes of shared memory; the limit on sm_86 is 101376}}
  gpu.func @too_much_S7(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    // expected-note@below {{the largest storage, 131072 bytes, belongs to this call}}
    %v = coop.load transpose %block, %src[%c0] layout(<131072, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    // expected-note@below {{the next largest, 1024 bytes, belongs to this call}}
    %x = coop.load transpose %block, %src[%c0] layout(<1024, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@below {{kernel 'too_much_in_a_descriptor_S7' needs 131072 bytes of shared memory; the limit on sm_86 is 101376}}
  gpu.func @too_much_in_a_descriptor_S7(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    // expected-note@below {{the largest storage, 131072 bytes, belongs to this descriptor}}
    %t = coop.temp_storage size(131072) auto_sync
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // The nearest legal program.
  gpu.func @just_as_much_S7(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %v = coop.load transpose %block, %src[%c0] layout(<101376, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  memref.global "private" @own : memref<256xi32, #gpu.address_space<workgroup>>
  // expected-error@below {{kernel 'too_much_with_own_S8' needs 102400 bytes of shared memory; the limit on sm_86 is 101376}}
  // expected-note@below {{1024 of the bytes are the program's own shared memory}}
  gpu.func @too_much_with_own_S8(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %own = memref.get_global @own : memref<256xi32, #gpu.address_space<workgroup>>
    %block = coop.group : !coop.group<block>
    // expected-note@below {{the largest storage, 101376 bytes, belongs to this call}}
    %v = coop.load transpose %block, %src[%c0] layout(<101376, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-note@below {{the function is here}}
  gpu.func @not_a_kernel_H3(%src: memref<?xi32>)
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    // expected-error@below {{'coop.load' op uses scratch in 'not_a_kernel_H3', which is no kernel; inline the function}}
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@below {{kernel 'one_byte_too_much_S7' needs 101377 bytes of shared memory; the limit on sm_86 is 101376}}
  gpu.func @one_byte_too_much_S7(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    // expected-note@below {{the largest storage, 101377 bytes, belongs to this call}}
    %v = coop.load transpose %block, %src[%c0] layout(<101377, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // Less than the limit, but not with what its alignment costs.
  // expected-error@below {{kernel 'padding_counts_S8' needs 102400 bytes of shared memory; the limit on sm_86 is 101376}}
  // expected-note@below {{16 of the bytes are the program's own shared memory}}
  // expected-note@below {{2031 of the bytes are there for alignment}}
  gpu.func @padding_counts_S8(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %own = memref.get_global @own : memref<2xi32, #gpu.address_space<workgroup>>
    %dyn = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %a = memref.assume_alignment %dyn, 1024 : memref<?xi8, #gpu.address_space<workgroup>>
    // expected-note@below {{the largest storage, 100353 bytes, belongs to this call}}
    %v = coop.load transpose %block, %src[%c0] layout(<100353, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
  memref.global "private" @own : memref<2xi32, #gpu.address_space<workgroup>>
}

// -----

gpu.module @m {
  // The nearest legal program: exactly the limit, alignment included.
  gpu.func @padding_that_fits_S8(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %own = memref.get_global @own : memref<2xi32, #gpu.address_space<workgroup>>
    %dyn = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %a = memref.assume_alignment %dyn, 1024 : memref<?xi8, #gpu.address_space<workgroup>>
    %v = coop.load transpose %block, %src[%c0] layout(<100352, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
  memref.global "private" @own : memref<2xi32, #gpu.address_space<workgroup>>
}
