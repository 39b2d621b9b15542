// RUN: coop-opt %s -pass-pipeline='builtin.module(gpu.module(gpu.func(coop-unroll-payload-loops,canonicalize)))' | FileCheck %s
// RUN: coop-opt %s -pass-pipeline='builtin.module(gpu.module(gpu.func(coop-unroll-payload-loops{max-turns=1},canonicalize)))' | FileCheck %s --check-prefix=FEW
// RUN: coop-opt %s -pass-pipeline='builtin.module(gpu.module(gpu.func(coop-unroll-payload-loops{max-operations=5},canonicalize)))' | FileCheck %s --check-prefix=FEW

//===- unroll-payload-loops.mlir - Which loops are unrolled, and what becomes of their values
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

gpu.module @m {
  // CHECK-LABEL: gpu.func @two_turns_T3(
  // CHECK-SAME:    %[[X:.*]]: i32, %{{.*}}: memref<?xi32>)
  // CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
  // CHECK-NOT:     cf.
  // CHECK:         memref.store %[[X]], %[[ITEMS:.*]][%[[C0]]]
  // CHECK-NOT:     cf.
  // CHECK:         memref.store %[[X]], %[[ITEMS]][%[[C1]]]
  // CHECK-NOT:     cf.
  // CHECK:         gpu.return
  // FEW-LABEL: gpu.func @two_turns_T3(
  // FEW:         cf.cond_br
  gpu.func @two_turns_T3(%x: i32, %dst: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %items = memref.alloca() {coop.payload} : memref<2xi32>
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %more = arith.cmpi slt, %i, %c2 : index
    cf.cond_br %more, ^body, ^end
  ^body:
    memref.store %x, %items[%i] : memref<2xi32>
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next : index)
  ^end:
    %a = memref.load %items[%c1] : memref<2xi32>
    memref.store %a, %dst[%c0] : memref<?xi32>
    gpu.return
  }

  // What is carried from turn to turn, and used behind the loop.
  // CHECK-LABEL: gpu.func @carried_T3(
  // CHECK-NOT:     cf.
  // CHECK:         %[[A:.*]] = memref.load %[[ITEMS:.*]][%{{.*}}] : memref<2xi32>
  // CHECK:         %[[SUM:.*]] = arith.addi %{{.*}}, %[[A]] : i32
  // CHECK:         %[[B:.*]] = memref.load %[[ITEMS]][%{{.*}}] : memref<2xi32>
  // CHECK:         %[[TOTAL:.*]] = arith.addi %[[SUM]], %[[B]] : i32
  // CHECK:         memref.store %[[TOTAL]], %{{.*}} : memref<?xi32>
  gpu.func @carried_T3(%x: i32, %dst: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %items = memref.alloca() {coop.payload} : memref<2xi32>
    memref.store %x, %items[%c0] : memref<2xi32>
    memref.store %x, %items[%c1] : memref<2xi32>
    cf.br ^head(%c0, %x : index, i32)
  ^head(%i: index, %sum: i32):
    %more = arith.cmpi slt, %i, %c2 : index
    cf.cond_br %more, ^body, ^end
  ^body:
    %a = memref.load %items[%i] : memref<2xi32>
    %total = arith.addi %sum, %a : i32
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next, %total : index, i32)
  ^end:
    memref.store %sum, %dst[%c0] : memref<?xi32>
    gpu.return
  }

  // The bounds of the inner loop are constant in each turn of the outer one.
  // CHECK-LABEL: gpu.func @triangle_T3(
  // CHECK-NOT:     cf.
  // CHECK-COUNT-3: memref.store %{{.*}} : memref<3xi32>
  // CHECK-NOT:     memref.store %{{.*}} : memref<3xi32>
  // CHECK:         gpu.return
  gpu.func @triangle_T3(%x: i32, %dst: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %items = memref.alloca() {coop.payload} : memref<3xi32>
    cf.br ^outer(%c0 : index)
  ^outer(%i: index):
    %more = arith.cmpi slt, %i, %c3 : index
    cf.cond_br %more, ^start, ^end
  ^start:
    %a = memref.load %items[%i] : memref<3xi32>
    memref.store %a, %dst[%i] : memref<?xi32>
    cf.br ^inner(%c0 : index)
  ^inner(%k: index):
    %again = arith.cmpi slt, %k, %i : index
    cf.cond_br %again, ^body, ^latch
  ^body:
    memref.store %x, %items[%k] : memref<3xi32>
    %after = arith.addi %k, %c1 : index
    cf.br ^inner(%after : index)
  ^latch:
    %next = arith.addi %i, %c1 : index
    cf.br ^outer(%next : index)
  ^end:
    gpu.return
  }

  // The test is at the end.
  // CHECK-LABEL: gpu.func @test_at_end_T3(
  // CHECK-NOT:     cf.
  // CHECK-COUNT-2: memref.store %{{.*}} : memref<2xi32>
  // CHECK-NOT:     memref.store %{{.*}} : memref<2xi32>
  // CHECK:         gpu.return
  gpu.func @test_at_end_T3(%x: i32, %dst: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %items = memref.alloca() {coop.payload} : memref<2xi32>
    cf.br ^body(%c0 : index)
  ^body(%i: index):
    memref.store %x, %items[%i] : memref<2xi32>
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %next, %c2 : index
    cf.cond_br %more, ^body(%next : index), ^end
  ^end:
    %a = memref.load %items[%c1] : memref<2xi32>
    memref.store %a, %dst[%c0] : memref<?xi32>
    gpu.return
  }

  // A turn may leave early, or skip a part.
  // CHECK-LABEL: gpu.func @early_exit_T3(
  // CHECK-COUNT-2: memref.load %{{.*}} : memref<2xi32>
  // CHECK-NOT:     memref.load
  // CHECK:         gpu.return
  gpu.func @early_exit_T3(%x: i32, %dst: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %items = memref.alloca() {coop.payload} : memref<2xi32>
    memref.store %x, %items[%c0] : memref<2xi32>
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %more = arith.cmpi slt, %i, %c2 : index
    cf.cond_br %more, ^body, ^end
  ^body:
    %a = memref.load %items[%i] : memref<2xi32>
    %next = arith.addi %i, %c1 : index
    %stop = arith.cmpi eq, %a, %x : i32
    cf.cond_br %stop, ^end, ^go
  ^go:
    %skip = arith.cmpi sgt, %a, %x : i32
    cf.cond_br %skip, ^head(%next : index), ^write
  ^write:
    memref.store %a, %dst[%i] : memref<?xi32>
    cf.br ^head(%next : index)
  ^end:
    gpu.return
  }

  // The nearest loops that stay: one that indexes no payload, one of as many
  // turns as the program's argument says, and one whose values would have to be
  // merged behind it.
  // CHECK-LABEL: gpu.func @no_payload_T3(
  // CHECK:         cf.cond_br
  gpu.func @no_payload_T3(%x: i32, %dst: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %items = memref.alloca() : memref<2xi32>
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %more = arith.cmpi slt, %i, %c2 : index
    cf.cond_br %more, ^body, ^end
  ^body:
    memref.store %x, %items[%i] : memref<2xi32>
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next : index)
  ^end:
    %a = memref.load %items[%c1] : memref<2xi32>
    memref.store %a, %dst[%c0] : memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @turns_of_run_time_T3(
  // CHECK:         cf.cond_br
  gpu.func @turns_of_run_time_T3(%x: i32, %n: index, %dst: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %items = memref.alloca() {coop.payload} : memref<2xi32>
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %more = arith.cmpi slt, %i, %n : index
    cf.cond_br %more, ^body, ^end
  ^body:
    memref.store %x, %items[%i] : memref<2xi32>
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next : index)
  ^end:
    %a = memref.load %items[%c1] : memref<2xi32>
    memref.store %a, %dst[%c0] : memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @merged_behind_T3(
  // CHECK-COUNT-1: memref.load %{{.*}} : memref<2xi32>
  // CHECK-NOT:     memref.load
  // CHECK:         gpu.return
  gpu.func @merged_behind_T3(%x: i32, %dst: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %items = memref.alloca() {coop.payload} : memref<2xi32>
    memref.store %x, %items[%c0] : memref<2xi32>
    cf.br ^head(%c0, %x : index, i32)
  ^head(%i: index, %last: i32):
    %more = arith.cmpi slt, %i, %c2 : index
    cf.cond_br %more, ^body, ^end
  ^body:
    %a = memref.load %items[%i] : memref<2xi32>
    %next = arith.addi %i, %c1 : index
    %stop = arith.cmpi eq, %a, %x : i32
    cf.cond_br %stop, ^end, ^head(%next, %a : index, i32)
  ^end:
    memref.store %last, %dst[%c0] : memref<?xi32>
    gpu.return
  }

  // The outer loop's turns index nothing, so it stays; the inner one goes.
  // CHECK-LABEL: gpu.func @inner_only_T3(
  // CHECK-COUNT-2: memref.store %{{.*}} : memref<2xi32>
  // CHECK-NOT:     memref.store %{{.*}} : memref<2xi32>
  // CHECK:         cf.cond_br
  // CHECK:         gpu.return
  gpu.func @inner_only_T3(%x: i32, %dst: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %items = memref.alloca() {coop.payload} : memref<2xi32>
    cf.br ^outer(%c0 : index)
  ^outer(%t: index):
    cf.br ^inner(%c0 : index)
  ^inner(%i: index):
    memref.store %x, %items[%i] : memref<2xi32>
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %next, %c2 : index
    cf.cond_br %more, ^inner(%next : index), ^latch
  ^latch:
    %a = memref.load %items[%c1] : memref<2xi32>
    memref.store %a, %dst[%t] : memref<?xi32>
    %later = arith.addi %t, %c1 : index
    %again = arith.cmpi slt, %later, %c2 : index
    cf.cond_br %again, ^outer(%later : index), ^end
  ^end:
    gpu.return
  }
}
