// RUN: coop-opt %s -split-input-file -verify-diagnostics

// G1
// expected-error@+1 {{a warp is grouped by 1, 2, 4, 8, 16 or 32 lanes, got 12}}
func.func private @width_G1(!coop.group<warp, 12>)

// -----

// G1
// expected-error@+1 {{a warp is grouped by 1, 2, 4, 8, 16 or 32 lanes, got 64}}
func.func private @wide_G1(!coop.group<warp, 64>)

// -----

// G1
// expected-error@+1 {{a block group has no width, got 8}}
func.func private @block_width_G1(!coop.group<block, 8>)

// -----

// G3
func.func @partial_warp_G3(%src: memref<?xi32>, %i: index)
    attributes {gpu.known_block_size = array<i32: 48, 1, 1>} {
  %g = coop.group : !coop.group<warp, 8>
  // expected-error@+1 {{works on whole warps: the block has 48 threads, which is not a multiple of 32}}
  %v = coop.load direct %g, %src[%i] : !coop.group<warp, 8>, memref<?xi32> -> vector<4xi32>
  return
}

// -----

// L2
func.func @strided_L2(%src: memref<?xi32, strided<[2], offset: ?>>, %i: index) {
  %g = coop.group : !coop.group<block>
  // expected-error@+1 {{needs contiguous memory of items of 4 bytes, got 'memref<?xi32, strided<[2], offset: ?>>'}}
  %v = coop.load direct %g, %src[%i] : !coop.group<block>, memref<?xi32, strided<[2], offset: ?>> -> vector<4xi32>
  return
}

// -----

// L2
func.func @rank_L2(%src: memref<?x?xi32>, %i: index) {
  %g = coop.group : !coop.group<block>
  // expected-error@+1 {{operand #1 must be 1D memref of an 8 to 64 bit integer or a 16 to 64 bit float}}
  %v = coop.load direct %g, %src[%i] : !coop.group<block>, memref<?x?xi32> -> vector<4xi32>
  return
}

// -----

// L5
func.func @warp_L5(%src: memref<?xi32>, %i: index) {
  %g = coop.group : !coop.group<warp>
  // expected-error@+1 {{'warp_transpose' needs a block group; on a warp use 'transpose'}}
  %v = coop.load warp_transpose %g, %src[%i] : !coop.group<warp>, memref<?xi32> -> vector<4xi32>
  return
}

// -----

// L5
func.func @block_by_warps_L5(%src: memref<?xi32>, %i: index)
    attributes {gpu.known_block_size = array<i32: 8, 6, 1>} {
  %g = coop.group : !coop.group<block>
  // expected-error@+1 {{works on whole warps: the block has 48 threads, which is not a multiple of 32}}
  %v = coop.load warp_transpose_timesliced %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
  return
}

// -----

// L7
func.func @valid_L7(%dst: memref<?xi32>, %v: vector<4xi32>, %i: index)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %g = coop.group : !coop.group<block>
  %all = arith.constant 256 : index
  coop.store direct %g, %v, %dst[%i] valid(%all) : !coop.group<block>, vector<4xi32>, memref<?xi32>
  %more = arith.constant 257 : index
  // expected-error@+1 {{has 257 valid items; a tile of 64 x 4 takes 0 to 256}}
  coop.store direct %g, %v, %dst[%i] valid(%more) : !coop.group<block>, vector<4xi32>, memref<?xi32>
  return
}

// -----

// L7
func.func @negative_valid_L7(%dst: memref<?xi32>, %v: vector<4xi32>, %i: index) {
  %g = coop.group : !coop.group<warp, 8>
  %less = arith.constant -1 : index
  // expected-error@+1 {{has -1 valid items (or, read without sign, 18446744073709551615); a tile of 8 x 4 takes 0 to 32}}
  coop.store direct %g, %v, %dst[%i] valid(%less) : !coop.group<warp, 8>, vector<4xi32>, memref<?xi32>
  return
}

// -----

// L8
func.func @default_alone_L8(%src: memref<?xi32>, %i: index, %d: i32) {
  %g = coop.group : !coop.group<block>
  // expected-error@+1 {{has a default, but no number of valid items}}
  %v = coop.load direct %g, %src[%i] default(%d : i32) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
  return
}

// -----

// L8
func.func @default_type_L8(%src: memref<?xi32>, %i: index, %d: i64) {
  %g = coop.group : !coop.group<block>
  // expected-error@+1 {{has a default of 'i64' for a payload of 'i32'}}
  %v = coop.load direct %g, %src[%i] valid(%i) default(%d : i64) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
  return
}

// -----

// L9
func.func @element_L9(%dst: memref<?xi64>, %v: vector<4xi32>, %i: index) {
  %g = coop.group : !coop.group<block>
  // expected-error@+1 {{moves 'i32' payloads, but the memory holds 'i64'}}
  coop.store direct %g, %v, %dst[%i] : !coop.group<block>, vector<4xi32>, memref<?xi64>
  return
}

// -----

// L14
func.func @algorithm_L14(%src: memref<?xi32>, %i: index) {
  %g = coop.group : !coop.group<block>
  // expected-error@+1 {{unknown algorithm 'diagonal'; the algorithms are direct, striped, vectorize, transpose, warp_transpose, warp_transpose_timesliced, auto}}
  %v = coop.load diagonal %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
  return
}

// -----

// T1
func.func @scalable_T1(%src: memref<?xi32>, %i: index) {
  %g = coop.group : !coop.group<block>
  // expected-error@+1 {{result #0 must be a payload of elements}}
  %v = coop.load direct %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<[4]xi32>
  return
}

// -----

// T1
func.func @items_T1(%src: memref<?xi32>, %i: index) {
  %g = coop.group : !coop.group<block>
  %most = coop.load direct %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<1024xi32>
  // expected-error@+1 {{has a payload of 1025 items; a thread owns at most 1024}}
  %v = coop.load direct %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<1025xi32>
  return
}

// -----

// S1
func.func @alignment_S1() {
  // expected-error@+1 {{needs an alignment that is a power of two up to 1024, got 24}}
  %t = coop.temp_storage align(24)
  return
}

// -----

// S1
func.func @large_alignment_S1() {
  // expected-error@+1 {{needs an alignment that is a power of two up to 1024, got 2048}}
  %t = coop.temp_storage align(2048)
  return
}

// -----

// S1
func.func @size_S1() {
  // expected-error@+1 {{attribute 'size_in_bytes' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %t = coop.temp_storage size(0)
  return
}

// -----

// S2
func.func @scratch_free_S2(%src: memref<?xi32>, %i: index) {
  %g = coop.group : !coop.group<block>
  // expected-error@+1 {{has scratch, but 'striped' uses none}}
  %v = coop.load striped %g, %src[%i] layout(<16, 4>) : !coop.group<block>, memref<?xi32> -> vector<4xi32>
  return
}

// -----

// expected-error@+1 {{an alignment is a power of two, got 12}}
func.func private @layout() attributes {a = #coop.scratch_layout<16, 12>}

// -----

// expected-error@+1 {{scratch needs a positive size, got 0}}
func.func private @empty_layout() attributes {a = #coop.scratch_layout<0, 16>}

// -----

func.func @no_arena() {
  // expected-error@+1 {{names no arena: @scratch}}
  %s = coop.scratch_slice @scratch[0, 16] : memref<16xi8, #gpu.address_space<workgroup>>
  return
}

// -----

coop.arena @scratch 64 align 16
func.func @outside_arena() {
  // expected-error@+1 {{ends at byte 65 of an arena of 64}}
  %s = coop.scratch_slice @scratch[1, 64] : memref<64xi8, #gpu.address_space<workgroup>>
  return
}

// -----

coop.arena @scratch 64 align 16
func.func @slice_size() {
  // expected-error@+1 {{names 32 bytes, but gives 16}}
  %s = coop.scratch_slice @scratch[0, 32] : memref<16xi8, #gpu.address_space<workgroup>>
  return
}

// -----

coop.arena @scratch 64 align 16
func.func @slice_space() {
  // expected-error@+1 {{result #0 must be bytes in workgroup memory}}
  %s = coop.scratch_slice @scratch[0, 32] : memref<32xi8>
  return
}

// -----

// expected-error@+1 {{a wrapper's algorithm is one of the others, not 'auto'; run coop-select-algorithms first}}
func.func private @f() attributes {coop.wrapper = #coop.wrapper<collective = "load", group = <block>, block = [32, 1, 1], items = 4, item = <4, 4>, algorithm = auto>}

// -----

// T4
// expected-error@+1 {{an item needs a positive size, got 0}}
func.func private @empty_item_T4() attributes {i = #coop.item<0, 1>}

// -----

// T4
// expected-error@+1 {{an item's alignment is a power of two up to 16 that divides its size, got 8 for 12 bytes}}
func.func private @item_alignment_T4() attributes {i = #coop.item<12, 8>}

// -----

// T4
func.func @broken_item_T4(%src: memref<?xi8, strided<[12], offset: ?>>, %i: index) {
  %g = coop.group : !coop.group<block>
  // expected-error@+1 {{has a payload of 'vector<4xi32>', which is no whole number of items of 12 bytes}}
  %v = coop.load direct %g, %src[%i] item(<12, 4>)
      : !coop.group<block>, memref<?xi8, strided<[12], offset: ?>> -> vector<4xi32>
  return
}

// -----

// T4
func.func @payload_bytes_T4(%src: memref<?xcomplex<f64>>, %i: index) {
  %g = coop.group : !coop.group<block>
  // expected-error@+1 {{has a payload of 8208 bytes; a thread owns at most 8192}}
  %v = coop.load direct %g, %src[%i] item(<16, 8>)
      : !coop.group<block>, memref<?xcomplex<f64>> -> vector<1026xf64>
  return
}

// -----

// L2
func.func @gaps_L2(%src: memref<?xi8, strided<[16], offset: ?>>, %i: index) {
  %g = coop.group : !coop.group<block>
  // expected-error@+1 {{needs contiguous memory of items of 12 bytes, got 'memref<?xi8, strided<[16], offset: ?>>'}}
  %v = coop.load direct %g, %src[%i] item(<12, 4>)
      : !coop.group<block>, memref<?xi8, strided<[16], offset: ?>> -> vector<3xi32>
  return
}

// -----

// L9
func.func @item_size_L9(%src: memref<?xcomplex<f32>>, %i: index) {
  %g = coop.group : !coop.group<block>
  // expected-error@+1 {{needs contiguous memory of items of 16 bytes, got 'memref<?xcomplex<f32>>'}}
  %v = coop.load direct %g, %src[%i] item(<16, 8>)
      : !coop.group<block>, memref<?xcomplex<f32>> -> vector<4xf32>
  return
}

// -----

// L9
func.func @bytes_L9(%src: memref<?xi8, strided<[?], offset: ?>>, %i: index) {
  %g = coop.group : !coop.group<block>
  // expected-error@+1 {{moves 'i32' payloads, but the memory holds 'i8'}}
  %v = coop.load direct %g, %src[%i]
      : !coop.group<block>, memref<?xi8, strided<[?], offset: ?>> -> vector<4xi32>
  return
}

// -----

// L8
func.func @item_default_L8(%src: memref<?xcomplex<f32>>, %i: index, %d: f32) {
  %g = coop.group : !coop.group<block>
  // expected-error@+1 {{has a default of 'f32' for a payload of 'vector<2xf32>'}}
  %v = coop.load direct %g, %src[%i] valid(%i) default(%d : f32) item(<8, 4>)
      : !coop.group<block>, memref<?xcomplex<f32>> -> vector<4xf32>
  return
}

// -----

// L7
func.func @huge_valid_L7(%dst: memref<?xi32>, %v: vector<4xi32>, %i: index) {
  %g = coop.group : !coop.group<warp, 8>
  %more = arith.constant -9223372036854775808 : index
  // expected-error@+1 {{has -9223372036854775808 valid items (or, read without sign, 9223372036854775808); a tile of 8 x 4 takes 0 to 32}}
  coop.store direct %g, %v, %dst[%i] valid(%more) : !coop.group<warp, 8>, vector<4xi32>, memref<?xi32>
  return
}

// -----

// G2
func.func @too_many_threads_G2() attributes {gpu.known_block_size = array<i32: 64, 32, 1>} {
  // expected-error@+1 {{'coop.group' op is in a block of 64 x 32 x 1 threads; a block has three extents from 1 to 1024, 1024 and 64, and at most 1024 threads}}
  %g = coop.group : !coop.group<block>
  return
}

// -----

// G2
func.func @no_threads_G2() attributes {gpu.known_block_size = array<i32: 128, 0, 1>} {
  // expected-error@+1 {{is in a block of 128 x 0 x 1 threads}}
  %g = coop.group : !coop.group<warp>
  return
}

// -----

// G2
func.func @negative_extent_G2() attributes {gpu.known_block_size = array<i32: -32, -2, 1>} {
  // expected-error@+1 {{is in a block of -32 x -2 x 1 threads}}
  %g = coop.group : !coop.group<block>
  return
}

// -----

// G2
func.func @too_deep_G2() attributes {gpu.known_block_size = array<i32: 1, 1, 65>} {
  // expected-error@+1 {{is in a block of 1 x 1 x 65 threads}}
  %g = coop.group : !coop.group<block>
  return
}

// -----

// G2: the group may come from elsewhere.
func.func @too_many_threads_for_an_operation_G2(%g: !coop.group<block>, %src: memref<?xi32>, %i: index)
    attributes {gpu.known_block_size = array<i32: 1025, 1, 1>} {
  // expected-error@+1 {{'coop.load' op is in a block of 1025 x 1 x 1 threads}}
  %v = coop.load direct %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
  return
}

// -----

// G2: the nearest legal blocks.
func.func @many_threads_G2() attributes {gpu.known_block_size = array<i32: 1024, 1, 1>} {
  %g = coop.group : !coop.group<block>
  return
}
func.func @deep_G2() attributes {gpu.known_block_size = array<i32: 4, 4, 64>} {
  %g = coop.group : !coop.group<block>
  return
}
