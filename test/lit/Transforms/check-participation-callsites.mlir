// RUN: not coop-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(coop-check-participation)))' -o /dev/null 2>&1 | FileCheck %s

// The calls that led to the inlined operation are told, the innermost first;
// each once, also where the branch came in by the same calls.

// CHECK: helper.py:7:1: error: 'coop.barrier' op is executed in control flow that diverges within its block
// CHECK: helper.py:20:1: note: called from here
// CHECK: kernel.py:3:1: note: called from here
// CHECK: helper.py:19:1: note: the branch depends on this value
// CHECK: kernel.py:2:1: note: the value comes from the thread's id, which is read here
// CHECK-NOT: called from here
// CHECK: helper.py:7:1: note: all 128 threads of the block must reach the call
gpu.module @m {
  gpu.func @nested(%n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %g = coop.group : !coop.group<block>
    %tid = gpu.thread_id x loc("kernel.py":2:1)
    %c = arith.cmpi ult, %tid, %n : index
    cf.cond_br %c, ^work, ^join loc(#branch)
  ^work:
    coop.barrier %g : !coop.group<block> loc(#call)
    cf.br ^join
  ^join:
    gpu.return
  }
}

#kernel = loc("kernel.py":3:1)
#outer = loc(callsite("helper.py":20:1 at #kernel))
#branch = loc(callsite("helper.py":19:1 at #kernel))
#call = loc(callsite("helper.py":7:1 at #outer))
