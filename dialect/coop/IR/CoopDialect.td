//===- CoopDialect.td - The coop dialect
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_IR_COOPDIALECT_TD
#define COOP_IR_COOPDIALECT_TD

include "mlir/IR/OpBase.td"

def Coop_Dialect : Dialect {
  let name = "coop";
  let cppNamespace = "::mlir::coop";
  let summary = "Operations that all threads of a group execute together";
  let description = [{
    A *group* is a set of threads of one GPU thread block: the block itself, a
    warp, or an aligned part of a warp. A cooperative operation is executed by
    every thread of its group together: each passes and gets a *payload* of K
    elements as a `vector<KxT>`, and the group as a whole owns a *tile* of G·K
    elements. While it runs, an operation may use *scratch*, a slice of shared
    memory.

    ```mlir
    gpu.func @copy(%src: memref<?xi32>, %dst: memref<?xi32>, %n: index) kernel
        attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i32
      %g = coop.group : !coop.group<block>
      %v = coop.load transpose %g, %src[%c0] valid(%n) default(%zero : i32)
          : !coop.group<block>, memref<?xi32> -> vector<4xi32>
      coop.store transpose %g, %v, %dst[%c0] valid(%n)
          : !coop.group<block>, vector<4xi32>, memref<?xi32>
      gpu.return
    }
    ```

    Operations start without scratch; `-coop-plan-shared-memory` gives each its
    slice, `-coop-insert-barriers` separates the uses that conflict, and
    `-coop-lower-to-cub` turns them into calls of CUDA C++ wrappers.

    The shape of the block is the attribute `gpu.known_block_size` of the
    enclosing function.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
  }];
}

#endif // COOP_IR_COOPDIALECT_TD
