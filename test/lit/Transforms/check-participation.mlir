// RUN: coop-opt %s -split-input-file --pass-pipeline='builtin.module(gpu.module(any(coop-check-participation)))' | FileCheck %s
// RUN: coop-opt %s -split-input-file --pass-pipeline='builtin.module(gpu.module(any(coop-check-participation{participation=strict})))' -verify-diagnostics -o /dev/null

// Legal kernels, each beside a refused one in check-participation-invalid.mlir.
// Nothing is said about them, and nothing changes.

// CHECK-LABEL: gpu.func @P6_rejoined
// CHECK: cf.cond_br
// CHECK: coop.load
gpu.module @m {
  gpu.func @P6_rejoined(%src: memref<?xi32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %g = coop.group : !coop.group<block>
    %tid = gpu.thread_id x
    %c = arith.cmpi ult, %tid, %n : index
    cf.cond_br %c, ^work, ^join
  ^work:
    cf.br ^join
  ^join:
    %v = coop.load direct %g, %src[%c0] valid(%n) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @P2_warp_by_warp
  gpu.func @P2_warp_by_warp(%src: memref<?xi32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %g = coop.group : !coop.group<warp>
    %tid = gpu.thread_id x
    %warp = arith.shrui %tid, %c5 : index
    cf.br ^loop(%warp : index)
  ^loop(%left: index):
    %c = arith.cmpi ult, %left, %n : index
    cf.cond_br %c, ^body, ^end
  ^body:
    %v = coop.load direct %g, %src[%left] : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
    %next = arith.addi %left, %c5 : index
    cf.br ^loop(%next : index)
  ^end:
    gpu.return
  }

  // The test of a `while` stands twice: before the loop and at its end. Threads
  // that `continue` take the first one, the others the second one.
  // CHECK-LABEL: gpu.func @P6_test_stands_twice
  gpu.func @P6_test_stands_twice(%src: memref<?xi32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %g = coop.group : !coop.group<block>
    %tid = gpu.thread_id x
    cf.br ^test(%c0 : index)
  ^test(%i: index):
    %c = arith.cmpi slt, %i, %n : index
    cf.cond_br %c, ^body(%i : index), ^end
  ^body(%j: index):
    %v = coop.load direct %g, %src[%j] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    %next = arith.addi %j, %c1 : index
    %skip = arith.cmpi ult, %tid, %j : index
    cf.cond_br %skip, ^test(%next : index), ^rest
  ^rest:
    %d = arith.cmpi slt, %next, %n : index
    cf.cond_br %d, ^body(%next : index), ^end
  ^end:
    gpu.return
  }

  // Two entries into one cycle, and uniform decisions all along.
  // CHECK-LABEL: gpu.func @P6_irreducible
  gpu.func @P6_irreducible(%src: memref<?xi32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %g = coop.group : !coop.group<block>
    %c = arith.cmpi slt, %n, %c1 : index
    cf.cond_br %c, ^a(%c0 : index), ^b(%c1 : index)
  ^a(%i: index):
    %v = coop.load direct %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    %i1 = arith.addi %i, %c1 : index
    cf.br ^b(%i1 : index)
  ^b(%j: index):
    %more = arith.cmpi slt, %j, %n : index
    cf.cond_br %more, ^a(%j : index), ^end
  ^end:
    gpu.return
  }

  // The threads part in the cycle, and meet in it before the call.
  // CHECK-LABEL: gpu.func @P6_irreducible_meeting
  gpu.func @P6_irreducible_meeting(%src: memref<?xi32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %g = coop.group : !coop.group<block>
    %tid = gpu.thread_id x
    %c = arith.cmpi slt, %n, %c1 : index
    cf.cond_br %c, ^a(%c0 : index), ^b(%c1 : index)
  ^a(%i: index):
    %own = arith.cmpi ult, %tid, %i : index
    cf.cond_br %own, ^some, ^meet
  ^some:
    cf.br ^meet
  ^meet:
    %v = coop.load direct %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    %i1 = arith.addi %i, %c1 : index
    cf.br ^b(%i1 : index)
  ^b(%j: index):
    %more = arith.cmpi slt, %j, %n : index
    cf.cond_br %more, ^a(%j : index), ^end
  ^end:
    gpu.return
  }

  // CHECK-LABEL: gpu.func @P6_switch
  gpu.func @P6_switch(%src: memref<?xi32>, %k: i32) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %g = coop.group : !coop.group<block>
    cf.switch %k : i32, [default: ^end, 1: ^one, 7: ^seven]
  ^one:
    %v = coop.load direct %g, %src[%c0] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end
  ^seven:
    %w = coop.load direct %g, %src[%c0] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // Structured control flow is followed into its regions.
  // CHECK-LABEL: gpu.func @P6_structured
  // CHECK: scf.for
  gpu.func @P6_structured(%src: memref<?xi32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %g = coop.group : !coop.group<block>
    %tid = gpu.thread_id x
    %own = arith.cmpi ult, %tid, %n : index
    scf.for %i = %c0 to %n step %c1 {
      %x = scf.if %own -> index {
        scf.yield %c0 : index
      } else {
        scf.yield %c1 : index
      }
      %even = arith.cmpi ult, %i, %c1 : index
      scf.if %even {
        %v = coop.load direct %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
      }
      scf.for %j = %c0 to %x step %c1 {
      }
    }
    %r = scf.while (%k = %c0) : (index) -> index {
      %more = arith.cmpi ult, %k, %n : index
      scf.condition(%more) %k : index
    } do {
    ^bb0(%k: index):
      coop.barrier %g : !coop.group<block>
      %k1 = arith.addi %k, %c1 : index
      scf.yield %k1 : index
    }
    %w = coop.load direct %g, %src[%r] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // Threads that trap take all others along.
  // CHECK-LABEL: gpu.func @P6_trap
  gpu.func @P6_trap(%src: memref<?xi32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %g = coop.group : !coop.group<block>
    %tid = gpu.thread_id x
    %bad = arith.cmpi ugt, %tid, %n : index
    cf.cond_br %bad, ^trap, ^fine
  ^trap:
    llvm.intr.trap
    llvm.unreachable
  ^fine:
    %v = coop.load direct %g, %src[%c0] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @P4_stated_by_the_user
  gpu.func @P4_stated_by_the_user(%src: memref<?xi1>, %dst: memref<?xi32>) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %g = coop.group : !coop.group<block>
    %tid = gpu.thread_id x
    %flag = memref.load %src[%tid] : memref<?xi1>
    %same = coop.assume_uniform %flag : i1
    cf.cond_br %same, ^call, ^end
  ^call:
    %v = coop.load direct %g, %dst[%c0] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // A barrier of the program in control flow that only data decides is the
  // program's own affair.
  // CHECK-LABEL: gpu.func @P6_own_barrier
  gpu.func @P6_own_barrier(%src: memref<?xi1>) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %tid = gpu.thread_id x
    %flag = memref.load %src[%tid] : memref<?xi1>
    cf.cond_br %flag, ^call, ^end
  ^call:
    gpu.barrier
    cf.br ^end
  ^end:
    gpu.return
  }

  // CHECK-LABEL: gpu.func @P6_no_thread_gets_here
  gpu.func @P6_no_thread_gets_here(%src: memref<?xi32>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %g = coop.group : !coop.group<block>
    %tid = gpu.thread_id x
    %beyond = arith.cmpi uge, %tid, %c128 : index
    cf.cond_br %beyond, ^inner, ^end
  ^inner:
    %own = arith.cmpi ult, %tid, %n : index
    cf.cond_br %own, ^call, ^end
  ^call:
    %v = coop.load direct %g, %src[%c0] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}
