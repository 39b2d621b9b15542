// RUN: coop-opt %s -split-input-file --pass-pipeline='builtin.module(gpu.module(any(coop-check-participation)))' -verify-diagnostics -o /dev/null

gpu.module @m {
  gpu.func @P1_guard(%src: memref<?xi32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %g = coop.group : !coop.group<block>
    // expected-note @+1 {{the value comes from the thread's id, which is read here}}
    %tid = gpu.thread_id x
    %c = arith.cmpi ult, %tid, %n : index
    // expected-note @+1 {{the branch depends on this value, which differs between threads}}
    cf.cond_br %c, ^work, ^join
  ^work:
    // expected-error @+2 {{'coop.load' op is executed in control flow that diverges within its block}}
    // expected-note @+1 {{all 128 threads of the block must reach the call; move it out of the branch and pass valid_items}}
    %v = coop.load direct %g, %src[%c0] valid(%n) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^join
  ^join:
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @P2_sixteen_of_which_eight_come(%src: memref<?xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %g = coop.group : !coop.group<warp, 16>
    // expected-note @+1 {{the value comes from the thread's id, which is read here}}
    %tid = gpu.thread_id x
    %c = arith.cmpi ult, %tid, %c8 : index
    // expected-note @+1 {{the branch depends on this value, which differs between threads}}
    cf.cond_br %c, ^work, ^join
  ^work:
    // expected-error @+2 {{'coop.load' op is executed in control flow that diverges within its group of 16 lanes}}
    // expected-note @+1 {{all 16 threads of the group of 16 lanes must reach the call; move it out of the branch and pass valid_items, or use a group of at most 8 lanes}}
    %v = coop.load direct %g, %src[%c0] : !coop.group<warp, 16>, memref<?xi32> -> vector<4xi32>
    cf.br ^join
  ^join:
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @P3_early_return(%src: memref<?xi32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %g = coop.group : !coop.group<block>
    // expected-note @+1 {{the value comes from the thread's id, which is read here}}
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %i = arith.index_cast %tid : i32 to index
    %c = arith.cmpi ult, %i, %n : index
    // expected-note @+1 {{the branch depends on this value, which differs between threads}}
    cf.cond_br %c, ^work, ^leave
  ^leave:
    gpu.return
  ^work:
    // expected-error @+2 {{'coop.barrier' op is executed in control flow that diverges within its block}}
    // expected-note @+1 {{all 128 threads of the block must reach the call; move it out of the branch}}
    coop.barrier %g : !coop.group<block>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @P4_data_decides(%src: memref<?xi1>, %dst: memref<?xi32>) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %g = coop.group : !coop.group<block>
    %tid = gpu.thread_id x
    // expected-note @+1 {{the value is loaded here, and may differ between threads}}
    %flag = memref.load %src[%tid] : memref<?xi1>
    // expected-note @+1 {{whether they take the same way here depends on data}}
    cf.cond_br %flag, ^call, ^end
  ^call:
    // expected-warning @+2 {{cannot prove that all threads of the block reach this 'coop.load' op}}
    // expected-note @+1 {{if all 128 threads of the block do reach it, say so with coop.uniform(condition)}}
    %v = coop.load direct %g, %dst[%c0] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @P5_operands(%src: memref<?xi32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %g = coop.group : !coop.group<block>
    // expected-note @+1 {{the value comes from the thread's id, which is read here}}
    %tid = gpu.thread_id x
    // expected-note @+1 {{this value differs between threads}}
    %left = arith.subi %n, %tid : index
    // expected-error @+2 {{'coop.load' op has a value of 'valid_items' that differs within its block}}
    // expected-note @+1 {{all 128 threads of the block must pass the same 'valid_items'}}
    %v = coop.load direct %g, %src[%c0] valid(%left) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @P5_operands_by_data(%src: memref<?xi32>, %d: memref<?xi32>) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %g = coop.group : !coop.group<block>
    %tid = gpu.thread_id x
    // expected-note @+1 {{the value is loaded here, and may differ between threads}}
    %x = memref.load %d[%tid] : memref<?xi32>
    // expected-warning @+2 {{cannot prove that all threads of the block pass the same 'oob_default' to this 'coop.load' op}}
    // expected-note @+1 {{if all 128 threads of the block do pass the same, say so with coop.uniform(value)}}
    %v = coop.load direct %g, %src[%c0] valid(%c0) default(%x : i32) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @G3_whole_warps(%n: index) kernel attributes {gpu.known_block_size = array<i32: 8, 6, 1>} {
    %g = coop.group : !coop.group<warp>
    // expected-error @+1 {{'coop.barrier' op works on whole warps: the block has 48 threads, which is not a multiple of 32}}
    coop.barrier %g : !coop.group<warp>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @P1_barrier_of_the_program(%n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    // expected-note @+1 {{the value comes from the thread's id, which is read here}}
    %tid = gpu.thread_id x
    %c = arith.cmpi ult, %tid, %n : index
    // expected-note @+1 {{the branch depends on this value, which differs between threads}}
    cf.cond_br %c, ^work, ^join
  ^work:
    // expected-error @+2 {{'gpu.barrier' op is executed in control flow that diverges within its block}}
    // expected-note @+1 {{all 128 threads of the block must reach the call; move it out of the branch}}
    gpu.barrier
    cf.br ^join
  ^join:
    gpu.return
  }
}

// -----

// The same operation in both branches is two calls.
gpu.module @m {
  gpu.func @P1_both_branches(%src: memref<?xi32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %g = coop.group : !coop.group<block>
    // expected-note @+1 {{the value comes from the thread's id, which is read here}}
    %tid = gpu.thread_id x
    %c = arith.cmpi ult, %tid, %n : index
    // expected-note @+1 {{the branch depends on this value, which differs between threads}}
    cf.cond_br %c, ^a, ^b
  ^a:
    // expected-error @+2 {{'coop.load' op is executed in control flow that diverges within its block}}
    // expected-note @+1 {{all 128 threads of the block must reach the call}}
    %v = coop.load direct %g, %src[%c0] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^join
  ^b:
    // expected-error @+2 {{'coop.load' op is executed in control flow that diverges within its block}}
    // expected-note @+1 {{all 128 threads of the block must reach the call}}
    %w = coop.load direct %g, %src[%c0] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^join
  ^join:
    gpu.return
  }
}

// -----

// A loop that threads leave one after the other, entered from two sides.
gpu.module @m {
  gpu.func @P3_irreducible(%src: memref<?xi32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %g = coop.group : !coop.group<block>
    // expected-note @+1 {{the value comes from the thread's id, which is read here}}
    %tid = gpu.thread_id x
    %c = arith.cmpi slt, %n, %c1 : index
    cf.cond_br %c, ^a(%c0 : index), ^b(%c1 : index)
  ^a(%i: index):
    // expected-error @+2 {{'coop.load' op is executed in control flow that diverges within its block}}
    // expected-note @+1 {{all 128 threads of the block must reach the call}}
    %v = coop.load direct %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    %i1 = arith.addi %i, %c1 : index
    cf.br ^b(%i1 : index)
  ^b(%j: index):
    %more = arith.cmpi ult, %j, %tid : index
    // expected-note @+1 {{the branch depends on this value, which differs between threads}}
    cf.cond_br %more, ^a(%j : index), ^end
  ^end:
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @P1_structured(%src: memref<?xi32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %g = coop.group : !coop.group<block>
    // expected-note @+1 {{the value comes from the thread's id, which is read here}}
    %tid = gpu.thread_id x
    // expected-note @+1 {{the branch depends on this value, which differs between threads}}
    scf.for %i = %c0 to %tid step %c1 {
      // expected-error @+2 {{'coop.load' op is executed in control flow that diverges within its block}}
      // expected-note @+1 {{all 128 threads of the block must reach the call}}
      %v = coop.load direct %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    }
    gpu.return
  }
}

// -----

// In a function that is not a kernel, nothing is known of the arguments.
gpu.module @m {
  func.func @P4_argument(%src: memref<?xi32>,
      // expected-note @+1 {{nothing is known of this value, which comes from elsewhere}}
      %wanted: i1) {
    %c0 = arith.constant 0 : index
    %g = coop.group : !coop.group<block>
    // expected-note @+1 {{whether they take the same way here depends on data}}
    cf.cond_br %wanted, ^call, ^end
  ^call:
    // expected-warning @+2 {{cannot prove that all threads of the block reach this 'coop.barrier' op}}
    // expected-note @+1 {{if all threads of the block do reach it}}
    coop.barrier %g : !coop.group<block>
    cf.br ^end
  ^end:
    return
  }
}
