// RUN: coop-opt %s -split-input-file --pass-pipeline='builtin.module(gpu.module(coop-check-assumptions))' -verify-diagnostics | FileCheck %s
// CHECK-NOT: "trap;"

// A check is a meeting: none where some threads don't come.
gpu.module @m {
  gpu.func @some_come(%n: index, %flag: i1) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %tid = gpu.thread_id x
    %c = arith.cmpi ult, %tid, %n : index
    cf.cond_br %c, ^some, ^end
  ^some:
    // expected-warning @+1 {{the statement that threads agree is not checked at run time: it is not proven that all threads of the group get there}}
    %same = coop.assume_uniform %flag : i1
    cf.br ^end
  ^end:
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @wide(%x: vector<4xi32>) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    // expected-warning @+1 {{not checked at run time: its value is neither an integer nor a float of up to 64 bits}}
    %same = coop.assume_uniform %x : vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @no_whole_warps(%x: i32) kernel attributes {gpu.known_block_size = array<i32: 48, 1, 1>} {
    %w = coop.group : !coop.group<warp>
    // expected-warning @+1 {{not checked at run time: the block has no whole warps}}
    %same = coop.assume_uniform %x over %w : i32, !coop.group<warp>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @structured(%c: i1, %x: i32) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    scf.if %c {
      // expected-warning @+1 {{not checked at run time: it stands in structured control flow}}
      %same = coop.assume_uniform %x : i32
    }
    gpu.return
  }
}
