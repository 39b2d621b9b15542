// RUN: coop-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(coop-select-algorithms))'

gpu.module @m {
  gpu.func @unknown_block_L12(%a: memref<?xi32>, %i: index) kernel {
    %g = coop.group : !coop.group<block>
    // expected-error@+1 {{leaves its algorithm open, which depends on the block's size; give the function a gpu.known_block_size}}
    %x = coop.load auto %g, %a[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}
