// RUN: coop-opt %s -split-input-file --pass-pipeline='builtin.module(gpu.module(gpu.func(coop-check-participation{explain=true participation=off})))' -verify-diagnostics -o /dev/null

// From the condition back to the id.
gpu.module @m {
  gpu.func @back_to_the_id(%n: index, %dst: memref<?xi32>, %v: i32) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %g = coop.group : !coop.group<block>
    %c3 = arith.constant 3 : index
    // expected-note @+1 {{the thread's id is read here}}
    %tid = gpu.thread_id x
    // expected-note @+1 {{the value is computed here from one that differs}}
    %scaled = arith.muli %tid, %c3 : index
    // expected-note @+1 {{the value is computed here from one that differs}}
    %c = arith.cmpi ult, %scaled, %n : index
    // expected-remark @+1 {{threads of a block part here: each thread goes one way}}
    cf.cond_br %c, ^some, ^join
  ^some:
    memref.store %v, %dst[%tid] : memref<?xi32>
    cf.br ^join
  ^join:
    coop.barrier %g : !coop.group<block>
    gpu.return
  }
}

// -----

// Through the branch that a value was chosen at.
gpu.module @m {
  gpu.func @chosen(%n: index, %a: index, %b: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %g = coop.group : !coop.group<block>
    %c16 = arith.constant 16 : index
    // expected-note @+1 {{the thread's id is read here}}
    %tid = gpu.thread_id x
    // expected-note @+1 {{the value is computed here from one that differs}}
    %half = arith.divui %tid, %c16 : index
    // expected-note @+1 {{the value is computed here from one that differs}}
    %c = arith.cmpi ult, %half, %n : index
    // expected-remark @+2 {{threads of a block part here: each group of lanes (16) goes one way}}
    // expected-note @+1 {{which value it is depends on the way that threads take here}}
    cf.cond_br %c, ^left, ^right
  ^left:
    cf.br ^join(%a : index)
  ^right:
    cf.br ^join(%b : index)
  ^join(%x: index):
    // expected-note @+1 {{the value is computed here from one that differs}}
    %d = arith.cmpi ult, %x, %n : index
    // expected-remark @+1 {{threads of a block part here: each group of lanes (16) goes one way}}
    cf.cond_br %d, ^then, ^end
  ^then:
    cf.br ^end
  ^end:
    coop.barrier %g : !coop.group<block>
    gpu.return
  }
}

// -----

// A load where others write.
gpu.module @m {
  gpu.func @raced(%a: memref<?xi1>, %v: i1) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %g = coop.group : !coop.group<block>
    %c0 = arith.constant 0 : index
    // expected-note @+1 {{the value is loaded here while other threads may write it}}
    %c = memref.load %a[%c0] : memref<?xi1>
    memref.store %v, %a[%c0] : memref<?xi1>
    // expected-remark @+1 {{threads of a block part here: each thread goes one way}}
    cf.cond_br %c, ^then, ^end
  ^then:
    cf.br ^end
  ^end:
    coop.barrier %g : !coop.group<block>
    gpu.return
  }
}

// -----

// A load from addresses that differ.
gpu.module @m {
  gpu.func @loaded(%a: memref<?xi1>) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %g = coop.group : !coop.group<block>
    // expected-note @+1 {{the thread's id is read here}}
    %tid = gpu.thread_id x
    // expected-note @+1 {{the value is loaded here from an address that differs}}
    %c = memref.load %a[%tid] : memref<?xi1>
    // expected-remark @+1 {{threads of a block part here: each thread goes one way}}
    cf.cond_br %c, ^then, ^end
  ^then:
    cf.br ^end
  ^end:
    coop.barrier %g : !coop.group<block>
    gpu.return
  }
}

// -----

// No remark where all threads of a block go one way.
gpu.module @m {
  gpu.func @uniform(%n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %g = coop.group : !coop.group<block>
    %bid = gpu.block_id x
    %c = arith.cmpi ult, %bid, %n : index
    cf.cond_br %c, ^then, ^end
  ^then:
    coop.barrier %g : !coop.group<block>
    cf.br ^end
  ^end:
    gpu.return
  }
}
