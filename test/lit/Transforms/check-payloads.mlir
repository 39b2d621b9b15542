// RUN: coop-opt %s -split-input-file -verify-diagnostics \
// RUN:   -pass-pipeline='builtin.module(gpu.module(gpu.func(coop-check-payloads)))'

//===- check-payloads.mlir - Slots that are read and never written, beside the nearest legal programs
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

gpu.module @m {
  gpu.func @one_slot_T6(%dst: memref<?xi32>, %x: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note@below {{the payload is made here, and a slot holds nothing until it is written: load the payload, or assign to each slot before it is read}}
    %items = memref.alloca() {coop.payload} : memref<2xi32>
    memref.store %x, %items[%c0] : memref<2xi32>
    %a = memref.load %items[%c0] : memref<2xi32>
    // expected-warning@below {{slot 1 of a payload of 2 is read, and nothing has written it}}
    %b = memref.load %items[%c1] : memref<2xi32>
    // Said once for all that follow.
    %c = memref.load %items[%c1] : memref<2xi32>
    %d = arith.addi %a, %b : i32
    %e = arith.addi %c, %d : i32
    memref.store %e, %dst[%c0] : memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // An index that is computed from constants is constant.
  gpu.func @folded_index_T6(%dst: memref<?xi32>, %x: i32) kernel {
    %c0 = arith.constant 0 : index
    %m1 = arith.constant -1 : i64
    // expected-note@below {{the payload is made here}}
    %items = memref.alloca() {coop.payload} : memref<4xi32>
    %index = arith.index_cast %m1 : i64 to index
    %negative = arith.cmpi slt, %index, %c0 : index
    %size = memref.dim %items, %c0 : memref<4xi32>
    %turned = arith.addi %index, %size : index
    %last = arith.select %negative, %turned, %index : index
    memref.store %x, %items[%c0] : memref<4xi32>
    // expected-warning@below {{slot 3 of a payload of 4 is read, and nothing has written it}}
    %a = memref.load %items[%last] : memref<4xi32>
    memref.store %a, %dst[%c0] : memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @nothing_written_T6(%dst: memref<?xi32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    // expected-note@below {{the payload is made here}}
    %items = memref.alloca() {coop.payload} : memref<4xi32>
    // expected-warning@below {{a slot of a payload of 4 is read, and nothing has written it}}
    %a = memref.load %items[%i] : memref<4xi32>
    memref.store %a, %dst[%c0] : memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @stored_T6(%dst: memref<?xi32>, %x: i32) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %block = coop.group : !coop.group<block>
    // expected-note@below {{the payload is made here}}
    %items = memref.alloca() {coop.payload} : memref<3xi32>
    memref.store %x, %items[%c1] : memref<3xi32>
    // expected-warning@below {{slot 0 of a payload of 3 is read, and nothing has written it}}
    %a = memref.load %items[%c0] : memref<3xi32>
    %b = memref.load %items[%c1] : memref<3xi32>
    // expected-warning@below {{slot 2 of a payload of 3 is read, and nothing has written it}}
    %c = memref.load %items[%c2] : memref<3xi32>
    %v = vector.from_elements %a, %b, %c : vector<3xi32>
    coop.store direct %block, %v, %dst[%c0] : !coop.group<block>, vector<3xi32>, memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // What lies outside the valid prefix is not stored.
  gpu.func @stored_in_part_T6(%dst: memref<?xi32>, %x: i32, %n: index) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %block = coop.group : !coop.group<block>
    %items = memref.alloca() {coop.payload} : memref<2xi32>
    memref.store %x, %items[%c0] : memref<2xi32>
    %a = memref.load %items[%c0] : memref<2xi32>
    %b = memref.load %items[%c1] : memref<2xi32>
    %v = vector.from_elements %a, %b : vector<2xi32>
    coop.store striped %block, %v, %dst[%c0] valid(%n) : !coop.group<block>, vector<2xi32>, memref<?xi32>
    gpu.return
  }

  // Nothing that could be valid is there.
  gpu.func @stored_in_part_unwritten_T6(%dst: memref<?xi32>, %n: index) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = coop.group : !coop.group<block>
    // expected-note@below {{the payload is made here}}
    %items = memref.alloca() {coop.payload} : memref<1xi32>
    // expected-warning@below {{slot 0 of a payload of 1 is read, and nothing has written it}}
    %a = memref.load %items[%c0] : memref<1xi32>
    %v = vector.from_elements %a : vector<1xi32>
    coop.store striped %block, %v, %dst[%c0] valid(%n) : !coop.group<block>, vector<1xi32>, memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  // The first turn reads what only the end of a turn writes.
  gpu.func @first_turn_T6(%dst: memref<?xi32>, %x: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note@below {{the payload is made here}}
    %items = memref.alloca() {coop.payload} : memref<1xi32>
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %more = arith.cmpi slt, %i, %n : index
    cf.cond_br %more, ^body, ^end
  ^body:
    // expected-warning@below {{slot 0 of a payload of 1 is read, and nothing has written it}}
    %a = memref.load %items[%c0] : memref<1xi32>
    %b = arith.addi %a, %x : i32
    memref.store %b, %items[%c0] : memref<1xi32>
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next : index)
  ^end:
    gpu.return
  }
}

// -----

gpu.module @m {
  // A loop fills the slots, one at a time.
  gpu.func @filled_by_loop_T6(%dst: memref<?xi32>, %x: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %items = memref.alloca() {coop.payload} : memref<4xi32>
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %more = arith.cmpi slt, %i, %c4 : index
    cf.cond_br %more, ^body, ^end
  ^body:
    memref.store %x, %items[%i] : memref<4xi32>
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next : index)
  ^end:
    %a = memref.load %items[%c1] : memref<4xi32>
    memref.store %a, %dst[%c0] : memref<?xi32>
    gpu.return
  }

  // Some turn before has written it, unless the turn is the first.
  gpu.func @written_by_turn_before_T6(%dst: memref<?xi32>, %x: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %items = memref.alloca() {coop.payload} : memref<1xi32>
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %more = arith.cmpi slt, %i, %n : index
    cf.cond_br %more, ^body, ^end
  ^body:
    %later = arith.cmpi sgt, %i, %c0 : index
    cf.cond_br %later, ^use, ^write
  ^use:
    %a = memref.load %items[%c0] : memref<1xi32>
    memref.store %a, %dst[%i] : memref<?xi32>
    cf.br ^write
  ^write:
    memref.store %x, %items[%c0] : memref<1xi32>
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next : index)
  ^end:
    gpu.return
  }

  gpu.func @written_on_one_way_T6(%dst: memref<?xi32>, %x: i32, %c: i1) kernel {
    %c0 = arith.constant 0 : index
    %items = memref.alloca() {coop.payload} : memref<1xi32>
    cf.cond_br %c, ^write, ^read
  ^write:
    memref.store %x, %items[%c0] : memref<1xi32>
    cf.br ^read
  ^read:
    %a = memref.load %items[%c0] : memref<1xi32>
    memref.store %a, %dst[%c0] : memref<?xi32>
    gpu.return
  }

  gpu.func @written_in_a_region_T6(%dst: memref<?xi32>, %x: i32, %c: i1, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %items = memref.alloca() {coop.payload} : memref<1xi32>
    scf.for %i = %c0 to %n step %c1 {
      scf.if %c {
        %a = memref.load %items[%c0] : memref<1xi32>
        memref.store %a, %dst[%i] : memref<?xi32>
      }
      memref.store %x, %items[%c0] : memref<1xi32>
    }
    gpu.return
  }

  // A branch that is never taken reads nothing.
  gpu.func @dead_T6(%dst: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %items = memref.alloca() {coop.payload} : memref<4xi32>
    %size = memref.dim %items, %c0 : memref<4xi32>
    %more = arith.cmpi sgt, %size, %c4 : index
    cf.cond_br %more, ^use, ^end
  ^use:
    %a = memref.load %items[%c0] : memref<4xi32>
    memref.store %a, %dst[%c0] : memref<?xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}

// -----

gpu.module @m {
  func.func private @fill(memref<4xi32>)

  // Who else gets hold of the payload may write it.
  gpu.func @helper_T6(%dst: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %items = memref.alloca() {coop.payload} : memref<4xi32>
    func.call @fill(%items) : (memref<4xi32>) -> ()
    %a = memref.load %items[%c0] : memref<4xi32>
    memref.store %a, %dst[%c0] : memref<?xi32>
    gpu.return
  }

  // Another name for one of two payloads.
  gpu.func @merged_T6(%dst: memref<?xi32>, %x: i32, %c: i1) kernel {
    %c0 = arith.constant 0 : index
    %a = memref.alloca() {coop.payload} : memref<1xi32>
    %b = memref.alloca() {coop.payload} : memref<1xi32>
    cf.cond_br %c, ^next(%a : memref<1xi32>), ^next(%b : memref<1xi32>)
  ^next(%items: memref<1xi32>):
    memref.store %x, %items[%c0] : memref<1xi32>
    %v = memref.load %a[%c0] : memref<1xi32>
    memref.store %v, %dst[%c0] : memref<?xi32>
    gpu.return
  }

  // Memory of the front end's own is no payload.
  gpu.func @variable_T6(%dst: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %items = memref.alloca() : memref<1xi32>
    %a = memref.load %items[%c0] : memref<1xi32>
    memref.store %a, %dst[%c0] : memref<?xi32>
    gpu.return
  }
}

// -----

// A store of a valid prefix may leave the slots out whose parts nobody gave.
gpu.module @m {
  gpu.func @parts_of_a_prefix_T6(%dst: memref<?xcomplex<f32>>, %x: complex<f32>, %n: index) kernel
      attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %g = coop.group : !coop.group<block>
    %items = memref.alloca() {coop.payload} : memref<2xcomplex<f32>>
    memref.store %x, %items[%c0] : memref<2xcomplex<f32>>
    %a = memref.load %items[%c0] : memref<2xcomplex<f32>>
    %b = memref.load %items[%c1] : memref<2xcomplex<f32>>
    %0 = complex.re %a : complex<f32>
    %1 = complex.im %a : complex<f32>
    %2 = complex.re %b : complex<f32>
    %3 = complex.im %b : complex<f32>
    %v = vector.from_elements %0, %1, %2, %3 : vector<4xf32>
    coop.store direct %g, %v, %dst[%c0] valid(%n) item(<8, 4>)
        : !coop.group<block>, vector<4xf32>, memref<?xcomplex<f32>>
    gpu.return
  }
}
