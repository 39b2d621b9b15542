// RUN: coop-opt %s | coop-opt | FileCheck %s
// RUN: coop-opt %s --mlir-print-op-generic | coop-opt | FileCheck %s
// RUN: coop-opt %s --emit-bytecode | coop-opt | FileCheck %s

// CHECK-LABEL: func.func @groups
func.func @groups() {
  // CHECK: coop.group : !coop.group<block>
  %block = coop.group : !coop.group<block>
  // CHECK: coop.group : !coop.group<warp>
  %warp = coop.group : !coop.group<warp, 32>
  // CHECK: coop.group : !coop.group<warp, 8>
  %eight = coop.group : !coop.group<warp, 8>
  return
}

// CHECK-LABEL: func.func @storage
func.func @storage() {
  // CHECK: coop.temp_storage shared{{$}}
  %any = coop.temp_storage
  // CHECK: coop.temp_storage size(4096) align(1024) auto_sync exclusive
  %all = coop.temp_storage size(4096) align(1024) auto_sync exclusive
  return
}

// CHECK-LABEL: func.func @copy(
// CHECK-SAME:    %[[SRC:.*]]: memref<?xi32>, %[[DST:.*]]: memref<?xi32>, %[[N:.*]]: index, %[[D:.*]]: i32
func.func @copy(%src: memref<?xi32>, %dst: memref<?xi32>, %n: index, %d: i32) {
  %g = coop.group : !coop.group<block>
  %t = coop.temp_storage
  // CHECK: coop.load direct %{{.*}}, %[[SRC]][%[[N]]] : !coop.group<block>, memref<?xi32> -> vector<1xi32>
  %a = coop.load direct %g, %src[%n] : !coop.group<block>, memref<?xi32> -> vector<1xi32>
  // CHECK: %[[V:.*]] = coop.load transpose %{{.*}}, %[[SRC]][%[[N]]] valid(%[[N]]) default(%[[D]] : i32) temp(%{{.*}}) layout(<2048, 16>)
  %v = coop.load transpose %g, %src[%n] valid(%n) default(%d : i32) temp(%t) layout(<2048, 16>)
      : !coop.group<block>, memref<?xi32> -> vector<4xi32>
  // CHECK: coop.store striped %{{.*}}, %[[V]], %[[DST]][%[[N]]] valid(%[[N]]) : !coop.group<block>, vector<4xi32>, memref<?xi32>
  coop.store striped %g, %v, %dst[%n] valid(%n) : !coop.group<block>, vector<4xi32>, memref<?xi32>
  // CHECK: coop.barrier %{{.*}} reason("a reason") : !coop.group<block>
  coop.barrier %g reason("a reason") : !coop.group<block>
  return
}

// CHECK-LABEL: func.func @items(
func.func @items(%points: memref<?xi8, strided<[12], offset: ?>>, %complex: memref<?xcomplex<f64>>,
    %half: memref<?xbf16>, %pairs: memref<?xi8, strided<[8]>>, %n: index, %d: vector<3xi32>) {
  %g = coop.group : !coop.group<block>
  // CHECK: %[[P:.*]] = coop.load direct %{{.*}} valid(%{{.*}}) default(%{{.*}} : vector<3xi32>) item(<12, 1>) : !coop.group<block>, memref<?xi8, strided<[12], offset: ?>> -> vector<6xi32>
  %p = coop.load direct %g, %points[%n] valid(%n) default(%d : vector<3xi32>) item(<12, 1>)
      : !coop.group<block>, memref<?xi8, strided<[12], offset: ?>> -> vector<6xi32>
  // CHECK: coop.store direct %{{.*}}, %[[P]], %{{.*}} item(<12, 1>)
  coop.store direct %g, %p, %points[%n] item(<12, 1>)
      : !coop.group<block>, vector<6xi32>, memref<?xi8, strided<[12], offset: ?>>
  // CHECK: coop.load direct %{{.*}} item(<8, 4>) : !coop.group<block>, memref<?xi8, strided<[8]>> -> vector<2xi64>
  %e = coop.load direct %g, %pairs[%n] item(<8, 4>)
      : !coop.group<block>, memref<?xi8, strided<[8]>> -> vector<2xi64>
  // CHECK: coop.load direct %{{.*}} item(<16, 8>) : !coop.group<block>, memref<?xcomplex<f64>> -> vector<4xf64>
  %c = coop.load direct %g, %complex[%n] item(<16, 8>)
      : !coop.group<block>, memref<?xcomplex<f64>> -> vector<4xf64>
  // CHECK: coop.load direct %{{.*}} : !coop.group<block>, memref<?xbf16> -> vector<4xbf16>
  %h = coop.load direct %g, %half[%n] : !coop.group<block>, memref<?xbf16> -> vector<4xbf16>
  return
}

// CHECK: coop.arena @scratch 2064 align 16{{$}}
coop.arena @scratch 2064 align 16
// CHECK: coop.arena @large 65536 align 128 dynamic
coop.arena @large 65536 align 128 dynamic

// CHECK-LABEL: func.func @sliced
func.func @sliced(%src: memref<?xf64>, %i: index) {
  %g = coop.group : !coop.group<block>
  // CHECK: %[[S:.*]] = coop.scratch_slice @scratch[16, 2048] : memref<2048xi8, #gpu.address_space<workgroup>>
  %s = coop.scratch_slice @scratch[16, 2048] : memref<2048xi8, #gpu.address_space<workgroup>>
  // CHECK: coop.load warp_transpose %{{.*}}, %{{.*}}[%{{.*}}] scratch(%[[S]] : memref<2048xi8, #gpu.address_space<workgroup>>)
  %v = coop.load warp_transpose %g, %src[%i] scratch(%s : memref<2048xi8, #gpu.address_space<workgroup>>)
      : !coop.group<block>, memref<?xf64> -> vector<2xf64>
  return
}

// CHECK: attributes {coop.wrapper = #coop.wrapper<collective = "load", group = <warp, 8>, block = [64, 2, 1], items = 4, item = <12, 4>, algorithm = transpose, guarded = true, defaulted = true>}
func.func private @wrapper() attributes {coop.wrapper = #coop.wrapper<collective = "load",
    group = <warp, 8>, block = [64, 2, 1], items = 4, item = <12, 4>, algorithm = transpose,
    guarded = true, defaulted = true>}
