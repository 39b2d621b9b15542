// RUN: coop-opt %s -pass-pipeline='builtin.module(gpu.module(coop-lower-to-cub))' -split-input-file -verify-diagnostics

gpu.module @m {
  gpu.func @unknown_block(%src: memref<?xi32>, %i: index) kernel {
    %g = coop.group : !coop.group<block>
    // expected-error@+1 {{needs the extents of its block; put 'gpu.known_block_size' on the function}}
    %v = coop.load direct %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @unplanned(%src: memref<?xi32>, %i: index) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %g = coop.group : !coop.group<block>
    // expected-error@+1 {{has no scratch; run -coop-plan-shared-memory first}}
    %v = coop.load transpose %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @open_L12(%src: memref<?xi32>, %i: index) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %g = coop.group : !coop.group<block>
    // expected-error@+1 {{leaves its algorithm open; run -coop-select-algorithms first}}
    %v = coop.load auto %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}
