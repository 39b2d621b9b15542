// RUN: coop-opt %s -split-input-file --mlir-disable-threading --pass-pipeline='builtin.module(gpu.module(gpu.func(coop-test-print-uniformity)))' -o /dev/null | FileCheck %s

// What the kernel does not write is as uniform as its address.
// CHECK-LABEL: gpu.func @only_read
gpu.module @m {
  gpu.func @only_read(%a: memref<?xi32>, %b: memref<?xi32>, %v: i32) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: memref.load %{{.*}} {agree = "grid"}
    %x = memref.load %a[%c0] : memref<?xi32>
    gpu.return
  }
}

// -----

// Threads of other blocks write at any time: no barrier helps.
// CHECK-LABEL: gpu.func @written_by_the_grid
gpu.module @m {
  gpu.func @written_by_the_grid(%a: memref<?xi32>, %v: i32) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: memref.load %{{.*}} {agree = "grid, data thread"}
    %before = memref.load %a[%c0] : memref<?xi32>
    gpu.barrier
    memref.store %v, %a[%c0] : memref<?xi32>
    gpu.barrier
    // CHECK: memref.load %{{.*}} {agree = "grid, data thread"}
    %after = memref.load %a[%c0] : memref<?xi32>
    gpu.return
  }
}

// -----

// The analysis takes arguments to be the same memory when it is asked to.
// CHECK-LABEL: gpu.func @aliasing_arguments
gpu.module @m {
  gpu.func @aliasing_arguments(%a: memref<?xi32>, %b: memref<?xi32>, %v: i32) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    memref.store %v, %b[%c0] : memref<?xi32>
    // CHECK: memref.load %{{.*}} {agree = "grid, data thread"}
    %x = memref.load %a[%c0] : memref<?xi32>
    gpu.return
  }
}

// -----

// Shared memory is quiet between barriers.
// CHECK-LABEL: gpu.func @shared
gpu.module @m {
  memref.global "private" @s : memref<4xi32, #gpu.address_space<workgroup>>
  memref.global "private" @t : memref<4xi32, #gpu.address_space<workgroup>>
  gpu.func @shared(%v: i32) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %s = memref.get_global @s : memref<4xi32, #gpu.address_space<workgroup>>
    %t = memref.get_global @t : memref<4xi32, #gpu.address_space<workgroup>>
    memref.store %v, %s[%c0] : memref<4xi32, #gpu.address_space<workgroup>>
    // CHECK: memref.load %{{.*}} {agree = "grid, data thread"}
    %racing = memref.load %s[%c0] : memref<4xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    // CHECK: memref.load %{{.*}} {agree = "grid"}
    %quiet = memref.load %s[%c0] : memref<4xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    // Another thread may be ahead.
    // CHECK: memref.load %{{.*}} {agree = "grid, data thread"}
    %overtaken = memref.load %s[%c0] : memref<4xi32, #gpu.address_space<workgroup>>
    memref.store %v, %t[%c0] : memref<4xi32, #gpu.address_space<workgroup>>
    // The symbol is the object, however often its address is taken.
    %again = memref.get_global @s : memref<4xi32, #gpu.address_space<workgroup>>
    memref.store %v, %again[%c0] : memref<4xi32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// On two sides of a branch, threads write and read at the same time if they
// part there. They don't if all take one side.
// CHECK-LABEL: gpu.func @two_sides
gpu.module @m {
  memref.global "private" @s : memref<4xi32, #gpu.address_space<workgroup>>
  memref.global "private" @t : memref<4xi32, #gpu.address_space<workgroup>>
  gpu.func @two_sides(%v: i32, %c: i1) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %s = memref.get_global @s : memref<4xi32, #gpu.address_space<workgroup>>
    %t = memref.get_global @t : memref<4xi32, #gpu.address_space<workgroup>>
    %tid = gpu.thread_id x
    %first = arith.cmpi eq, %tid, %c0 : index
    cf.cond_br %first, ^write, ^read
  ^write:
    memref.store %v, %s[%c0] : memref<4xi32, #gpu.address_space<workgroup>>
    cf.br ^meet
  ^read:
    // CHECK: memref.load %{{.*}} {agree = "grid, data thread"}
    %racing = memref.load %s[%c0] : memref<4xi32, #gpu.address_space<workgroup>>
    cf.br ^meet
  ^meet:
    cf.cond_br %c, ^all_write, ^all_read
  ^all_write:
    memref.store %v, %t[%c0] : memref<4xi32, #gpu.address_space<workgroup>>
    gpu.return
  ^all_read:
    // CHECK: memref.load %{{.*}} {agree = "grid"}
    %quiet = memref.load %t[%c0] : memref<4xi32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// The loop's end is decided alike for all: who is out of it has passed the
// barrier with the others.
// CHECK-LABEL: gpu.func @reduction
gpu.module @m {
  memref.global "private" @s : memref<128xi32, #gpu.address_space<workgroup>>
  gpu.func @reduction(%v: i32) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %s = memref.get_global @s : memref<128xi32, #gpu.address_space<workgroup>>
    %tid = gpu.thread_id x
    memref.store %v, %s[%tid] : memref<128xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    cf.br ^test(%c64 : index)
  ^test(%half: index):
    %more = arith.cmpi ugt, %half, %c0 : index
    cf.cond_br %more, ^round, ^end
  ^round:
    %mine = arith.cmpi ult, %tid, %half : index
    cf.cond_br %mine, ^add, ^wait
  ^add:
    memref.store %v, %s[%tid] : memref<128xi32, #gpu.address_space<workgroup>>
    cf.br ^wait
  ^wait:
    gpu.barrier
    %next = arith.shrui %half, %c1 : index
    cf.br ^test(%next : index)
  ^end:
    // CHECK: memref.load %{{.*}} {agree = "grid"}
    %sum = memref.load %s[%c0] : memref<128xi32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// The barrier of a warp orders the accesses of that warp.
// CHECK-LABEL: gpu.func @warps
gpu.module @m {
  memref.global "private" @s : memref<4xi32, #gpu.address_space<workgroup>>
  memref.global "private" @t : memref<4xi32, #gpu.address_space<workgroup>>
  gpu.func @warps(%v: i32) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c32 = arith.constant 32 : index
    %c3 = arith.constant 3 : index
    %all = arith.constant -1 : i32
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %other = arith.subi %c3, %warp : index
    %s = memref.get_global @s : memref<4xi32, #gpu.address_space<workgroup>>
    %t = memref.get_global @t : memref<4xi32, #gpu.address_space<workgroup>>
    memref.store %v, %s[%warp] : memref<4xi32, #gpu.address_space<workgroup>>
    memref.store %v, %t[%other] : memref<4xi32, #gpu.address_space<workgroup>>
    nvvm.bar.warp.sync %all : i32
    // CHECK: memref.load %{{.*}} {agree = "grid, data warp"}
    %own = memref.load %s[%warp] : memref<4xi32, #gpu.address_space<workgroup>>
    // CHECK: memref.load %{{.*}} {agree = "grid, data thread"}
    %foreign = memref.load %t[%warp] : memref<4xi32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// Parts of a warp have barriers of their own.
// CHECK-LABEL: gpu.func @eight_lanes
gpu.module @m {
  memref.global "private" @s : memref<16xi32, #gpu.address_space<workgroup>>
  gpu.func @eight_lanes(%v: i32) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %g = coop.group : !coop.group<warp, 8>
    %tid = gpu.thread_id x
    %eight = arith.divui %tid, %c8 : index
    %sixteen = arith.divui %tid, %c16 : index
    %s = memref.get_global @s : memref<16xi32, #gpu.address_space<workgroup>>
    memref.store %v, %s[%eight] : memref<16xi32, #gpu.address_space<workgroup>>
    coop.barrier %g : !coop.group<warp, 8>
    // CHECK: memref.load %{{.*}} {agree = "grid, data 8"}
    %own = memref.load %s[%eight] : memref<16xi32, #gpu.address_space<workgroup>>
    // CHECK: memref.load %{{.*}} {agree = "grid, data thread"}
    %foreign = memref.load %s[%sixteen] : memref<16xi32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// What a call writes is not known.
// CHECK-LABEL: gpu.func @calls
gpu.module @m {
  func.func private @anything(memref<?xi32>)
  llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
  gpu.func @calls(%a: memref<?xi32>, %p: !llvm.ptr) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: memref.load %{{.*}} {agree = "grid, data thread"}
    %x = memref.load %a[%c0] : memref<?xi32>
    func.call @anything(%a) : (memref<?xi32>) -> ()
    gpu.return
  }
  // CHECK-LABEL: gpu.func @prints
  gpu.func @prints(%a: memref<?xi32>, %p: !llvm.ptr) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: memref.load %{{.*}} {agree = "grid"}
    %x = memref.load %a[%c0] : memref<?xi32>
    %n = llvm.call @vprintf(%p, %p) : (!llvm.ptr, !llvm.ptr) -> i32
    gpu.return
  }
}

// -----

// Addresses are followed through the pointers that the front end makes.
// CHECK-LABEL: gpu.func @pointers
gpu.module @m {
  gpu.func @pointers(%v: i32) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %s = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %generic = memref.memory_space_cast %s : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xi8>
    %descriptor = builtin.unrealized_conversion_cast %generic : memref<?xi8> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %first = llvm.extractvalue %descriptor[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %shared = llvm.addrspacecast %first : !llvm.ptr to !llvm.ptr<3>
    llvm.store %v, %shared : i32, !llvm.ptr<3>
    %again = llvm.extractvalue %descriptor[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %other = llvm.addrspacecast %again : !llvm.ptr to !llvm.ptr<3>
    // CHECK: llvm.load %{{.*}} {agree = "grid, data thread"}
    %racing = llvm.load %other : !llvm.ptr<3> -> i32
    gpu.barrier
    // CHECK: llvm.load %{{.*}} {agree = "grid, data block"}
    %quiet = llvm.load %other : !llvm.ptr<3> -> i32
    gpu.return
  }
}
