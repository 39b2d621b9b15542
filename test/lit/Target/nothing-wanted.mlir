// RUN: coop-translate --coop-to-cuda %s | count 0

// Without the extents of the block, no wrapper can be named.
func.func @unknown_block(%src: memref<?xi32>, %i: index) {
  %g = coop.group : !coop.group<block>
  %v = coop.load direct %g, %src[%i] : !coop.group<block>, memref<?xi32> -> vector<4xi32>
  return
}
