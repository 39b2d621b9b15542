// RUN: coop-opt %s -allow-unregistered-dialect \
// RUN:   -pass-pipeline='builtin.module(gpu.module(gpu.func(coop-eliminate-barriers{keep-user-barriers=false})))' \
// RUN:   | FileCheck %s
// RUN: coop-opt %s -allow-unregistered-dialect \
// RUN:   -pass-pipeline='builtin.module(gpu.module(gpu.func(coop-eliminate-barriers)))' \
// RUN:   | FileCheck %s --check-prefix=KEEP

//===- eliminate-barriers.mlir - Barriers that order nothing go
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A barrier of the program goes only where that is asked for.
// KEEP-LABEL: gpu.func @two_arrays(
// KEEP-COUNT-4: gpu.barrier
// KEEP-LABEL: gpu.func @two_arrays_in_branches(

gpu.module @m {
  memref.global "private" @a : memref<128xf32, #gpu.address_space<workgroup>>
  memref.global "private" @b : memref<128xf32, #gpu.address_space<workgroup>>
  llvm.mlir.global internal @p() {addr_space = 3 : i32} : !llvm.array<128 x f32>
  llvm.mlir.global internal @q() {addr_space = 3 : i32} : !llvm.array<128 x f32>

  // Two of four: one for each array.
  // CHECK-LABEL: gpu.func @two_arrays(
  // CHECK:      memref.store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: memref.load
  // CHECK-NOT:  gpu.barrier
  // CHECK:      memref.store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: memref.load
  // CHECK-NOT:  gpu.barrier
  // CHECK:      gpu.return
  gpu.func @two_arrays(%x: f32, %c: i1, %dst: memref<?xf32>) kernel {
    %a = memref.get_global @a : memref<128xf32, #gpu.address_space<workgroup>>
    %b = memref.get_global @b : memref<128xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %last = arith.constant 127 : index
    %m = arith.subi %last, %t : index
    memref.store %x, %a[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = memref.load %a[%m] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    memref.store %x, %b[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %z = memref.load %b[%m] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %s = arith.addf %y, %z : f32
    memref.store %s, %dst[%t] : memref<?xf32>
    gpu.return
  }

  // The same over blocks.
  // CHECK-LABEL: gpu.func @two_arrays_in_branches(
  // CHECK:      memref.store
  // CHECK-NEXT: gpu.barrier
  // CHECK:      memref.load
  // CHECK-NOT:  gpu.barrier
  // CHECK:      memref.store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: memref.load
  // CHECK-NOT:  gpu.barrier
  // CHECK:      gpu.return
  gpu.func @two_arrays_in_branches(%x: f32, %c: i1, %dst: memref<?xf32>) kernel {
    %a = memref.get_global @a : memref<128xf32, #gpu.address_space<workgroup>>
    %b = memref.get_global @b : memref<128xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %last = arith.constant 127 : index
    %m = arith.subi %last, %t : index
    cf.br ^one
  ^one:
    memref.store %x, %a[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    cf.br ^two
  ^two:
    %y = memref.load %a[%m] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    cf.cond_br %c, ^three, ^four
  ^three:
    cf.br ^five
  ^four:
    cf.br ^five
  ^five:
    memref.store %x, %b[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %z = memref.load %b[%m] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %s = arith.addf %y, %z : f32
    memref.store %s, %dst[%t] : memref<?xf32>
    gpu.return
  }

  // The same with structured control flow.
  // CHECK-LABEL: gpu.func @two_arrays_scf(
  // CHECK:      scf.if
  // CHECK:      memref.store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: memref.load
  // CHECK-NEXT: scf.yield
  // CHECK-NOT:  gpu.barrier
  // CHECK:      memref.store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: memref.load
  // CHECK-NOT:  gpu.barrier
  // CHECK:      gpu.return
  gpu.func @two_arrays_scf(%x: f32, %c: i1, %dst: memref<?xf32>) kernel {
    %a = memref.get_global @a : memref<128xf32, #gpu.address_space<workgroup>>
    %b = memref.get_global @b : memref<128xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %last = arith.constant 127 : index
    %m = arith.subi %last, %t : index
    %y = scf.if %c -> f32 {
      memref.store %x, %a[%t] : memref<128xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %u = memref.load %a[%m] : memref<128xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      scf.yield %u : f32
    } else {
      scf.yield %x : f32
    }
    memref.store %x, %b[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %z = memref.load %b[%m] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %s = arith.addf %y, %z : f32
    memref.store %s, %dst[%t] : memref<?xf32>
    gpu.return
  }

  // One before the loads, one before the next iteration's store.
  // CHECK-LABEL: gpu.func @loop_of_three(
  // CHECK:      memref.store
  // CHECK-NEXT: gpu.barrier
  // CHECK:      memref.load
  // CHECK:      gpu.barrier
  // CHECK-NOT:  gpu.barrier
  // CHECK:      gpu.return
  gpu.func @loop_of_three(%x: f32, %c: i1, %dst: memref<?xf32>) kernel {
    %a = memref.get_global @a : memref<128xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %last = arith.constant 127 : index
    %m = arith.subi %last, %t : index
    cf.br ^body
  ^body:
    memref.store %x, %a[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = memref.load %a[%m] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %z = memref.load %a[%m] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    cf.cond_br %c, ^body, ^exit
  ^exit:
    gpu.return
  }

  // CHECK-LABEL: gpu.func @loop_of_three_scf(
  // CHECK:      scf.for
  // CHECK:      memref.store
  // CHECK-NEXT: gpu.barrier
  // CHECK:      memref.load
  // CHECK:      gpu.barrier
  // CHECK-NOT:  gpu.barrier
  // CHECK:      gpu.return
  gpu.func @loop_of_three_scf(%x: f32, %c: i1, %dst: memref<?xf32>) kernel {
    %a = memref.get_global @a : memref<128xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %last = arith.constant 127 : index
    %m = arith.subi %last, %t : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    scf.for %i = %c0 to %c9 step %c1 {
      memref.store %x, %a[%t] : memref<128xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %y = memref.load %a[%m] : memref<128xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %z = memref.load %a[%m] : memref<128xf32, #gpu.address_space<workgroup>>
      gpu.barrier
    }
    gpu.return
  }

  // RAW, WAR, RAW.
  // CHECK-LABEL: gpu.func @same_array_keeps_all(
  // CHECK:      gpu.barrier
  // CHECK:      gpu.barrier
  // CHECK:      gpu.barrier
  // CHECK-NOT:  gpu.barrier
  // CHECK:      gpu.return
  gpu.func @same_array_keeps_all(%x: f32, %c: i1, %dst: memref<?xf32>) kernel {
    %a = memref.get_global @a : memref<128xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %last = arith.constant 127 : index
    %m = arith.subi %last, %t : index
    memref.store %x, %a[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = memref.load %a[%m] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    memref.store %x, %a[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %z = memref.load %a[%m] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @two_in_a_row(
  // CHECK:      gpu.barrier
  // CHECK-NOT:  gpu.barrier
  // CHECK:      gpu.return
  gpu.func @two_in_a_row(%x: f32, %c: i1, %dst: memref<?xf32>) kernel {
    %a = memref.get_global @a : memref<128xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %last = arith.constant 127 : index
    %m = arith.subi %last, %t : index
    memref.store %x, %a[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    gpu.barrier
    %y = memref.load %a[%m] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @llvm_pointers(
  // CHECK:      llvm.store
  // CHECK-NEXT: llvm.store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: llvm.load
  // CHECK-NOT:  gpu.barrier
  // CHECK:      gpu.return
  gpu.func @llvm_pointers(%x: f32, %c: i1, %dst: memref<?xf32>) kernel {
    %p = llvm.mlir.addressof @p : !llvm.ptr<3>
    %q = llvm.mlir.addressof @q : !llvm.ptr<3>
    %i = llvm.mlir.constant(7 : i64) : i64
    %e = llvm.getelementptr %p[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    llvm.store %x, %e : f32, !llvm.ptr<3>
    gpu.barrier
    llvm.store %x, %q : f32, !llvm.ptr<3>
    gpu.barrier
    %y = llvm.load %p : !llvm.ptr<3> -> f32
    gpu.return
  }

  // It may do anything to any memory.
  // CHECK-LABEL: gpu.func @unknown_operation_keeps(
  // CHECK:      gpu.barrier
  // CHECK:      test.anything
  // CHECK:      gpu.barrier
  // CHECK-NOT:  gpu.barrier
  // CHECK:      gpu.return
  gpu.func @unknown_operation_keeps(%x: f32, %c: i1, %dst: memref<?xf32>) kernel {
    %a = memref.get_global @a : memref<128xf32, #gpu.address_space<workgroup>>
    %b = memref.get_global @b : memref<128xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    memref.store %x, %a[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    "test.anything"() : () -> ()
    gpu.barrier
    memref.store %x, %b[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // Barriers order global memory too.
  // CHECK-LABEL: gpu.func @global_memory_keeps(
  // CHECK:      gpu.barrier
  // CHECK-NOT:  gpu.barrier
  // CHECK:      gpu.return
  gpu.func @global_memory_keeps(%x: f32, %c: i1, %dst: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %last = arith.constant 127 : index
    %m = arith.subi %last, %t : index
    %o = memref.load %dst[%m] : memref<?xf32>
    gpu.barrier
    memref.store %o, %dst[%t] : memref<?xf32>
    gpu.return
  }

  // No other thread sees it.
  // CHECK-LABEL: gpu.func @local_memory_needs_none(
  // CHECK-NOT:  gpu.barrier
  // CHECK:      gpu.return
  gpu.func @local_memory_needs_none(%x: f32, %c: i1, %dst: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %l = memref.alloca() : memref<4xf32>
    memref.store %x, %l[%t] : memref<4xf32>
    gpu.barrier
    %o = memref.load %l[%t] : memref<4xf32>
    gpu.barrier
    memref.store %o, %dst[%t] : memref<?xf32>
    gpu.return
  }

  // What no kernel does, its caller may do next.
  // CHECK-LABEL: gpu.func @callers_may_follow(
  // CHECK:      gpu.barrier
  // CHECK:      gpu.return
  gpu.func @callers_may_follow(%x: f32, %c: i1, %dst: memref<?xf32>) {
    %a = memref.get_global @a : memref<128xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %last = arith.constant 127 : index
    %m = arith.subi %last, %t : index
    %y = memref.load %a[%m] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    gpu.return
  }

  // The one behind the branch serves both ways.
  // CHECK-LABEL: gpu.func @barrier_on_one_way_keeps(
  // CHECK-LABEL: ^bb1:
  // CHECK-NOT:  gpu.barrier
  // CHECK:      ^bb2:
  // CHECK:      gpu.barrier
  // CHECK-NEXT: memref.load
  // CHECK:      gpu.return
  gpu.func @barrier_on_one_way_keeps(%x: f32, %c: i1, %dst: memref<?xf32>) kernel {
    %a = memref.get_global @a : memref<128xf32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %last = arith.constant 127 : index
    %m = arith.subi %last, %t : index
    memref.store %x, %a[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    cf.cond_br %c, ^then, ^end
  ^then:
    gpu.barrier
    cf.br ^end
  ^end:
    gpu.barrier
    %y = memref.load %a[%m] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // Lanes exchange by other means too.
  // CHECK-LABEL: gpu.func @warp_barrier_stays(
  // CHECK:      nvvm.bar.warp.sync
  gpu.func @warp_barrier_stays(%x: f32, %c: i1, %dst: memref<?xf32>) kernel {
    %a = memref.get_global @a : memref<128xf32, #gpu.address_space<workgroup>>
    %all = arith.constant -1 : i32
    nvvm.bar.warp.sync %all : i32
    gpu.return
  }

  // Barriers that the compiler has put go by default, where they order nothing.
  // KEEP-LABEL: gpu.func @own_barriers(
  // KEEP:       coop.store
  // KEEP-NOT:   coop.barrier
  // KEEP:       gpu.return
  // CHECK-LABEL: gpu.func @own_barriers(
  gpu.func @own_barriers(%v: vector<4xi32>, %dst: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    coop.store direct %block, %v, %dst[%c0] : !coop.group<block>, vector<4xi32>, memref<?xi32>
    %again = coop.group : !coop.group<block>
    coop.barrier %again reason("none") : !coop.group<block>
    gpu.return
  }

  // Unplanned scratch may be any memory: the program's barrier orders it (S4).
  // CHECK-LABEL: gpu.func @unplanned_scratch_keeps(
  // CHECK:      coop.load
  // CHECK:      gpu.barrier
  // CHECK:      coop.load
  gpu.func @unplanned_scratch_keeps(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %t = coop.temp_storage
    %v = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.barrier
    %x = coop.load transpose %block, %src[%c0] temp(%t) layout(<2112, 16>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // The second load overwrites what the first may still read.
  // CHECK-LABEL: gpu.func @barrier_between_scratch_stays(
  // CHECK:      coop.load
  // CHECK:      gpu.barrier
  // CHECK:      coop.load
  gpu.func @barrier_between_scratch_stays(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %s = coop.scratch_slice @scratch[0, 2112] : memref<2112xi8, #gpu.address_space<workgroup>>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) scratch(%s : memref<2112xi8, #gpu.address_space<workgroup>>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.barrier
    %x = coop.load transpose %block, %src[%c0] layout(<2112, 16>) scratch(%s : memref<2112xi8, #gpu.address_space<workgroup>>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @barrier_between_slices_goes(
  // CHECK-NOT:  gpu.barrier
  // CHECK:      gpu.return
  gpu.func @barrier_between_slices_goes(%src: memref<?xi32>) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    %s = coop.scratch_slice @scratch[0, 2112] : memref<2112xi8, #gpu.address_space<workgroup>>
    %t = coop.scratch_slice @scratch[2112, 2112] : memref<2112xi8, #gpu.address_space<workgroup>>
    %v = coop.load transpose %block, %src[%c0] layout(<2112, 16>) scratch(%s : memref<2112xi8, #gpu.address_space<workgroup>>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.barrier
    %x = coop.load transpose %block, %src[%c0] layout(<2112, 16>) scratch(%t : memref<2112xi8, #gpu.address_space<workgroup>>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    gpu.return
  }
  coop.arena @scratch 4224 align 16
}
