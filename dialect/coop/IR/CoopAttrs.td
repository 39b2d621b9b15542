//===- CoopAttrs.td - Scratch layouts and wrappers
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_IR_COOPATTRS_TD
#define COOP_IR_COOPATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "coop/IR/CoopTypes.td"

class Coop_Attr<string name, string attrMnemonic> : AttrDef<Coop_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Coop_ScratchLayoutAttr : Coop_Attr<"ScratchLayout", "scratch_layout"> {
  let summary = "bytes and alignment of one group's scratch";
  let description = [{
    `#coop.scratch_layout<2064, 16>`: 2064 bytes, aligned to 16. It is what
    `sizeof` and `alignof` of the implementation's temporary storage say.
  }];
  let parameters = (ins "int64_t":$size, "int64_t":$alignment);
  let assemblyFormat = "`<` $size `,` $alignment `>`";
  let genVerifyDecl = 1;
}

def Coop_ItemAttr : Coop_Attr<"Item", "item"> {
  let summary = "bytes of an item, and the alignment of its place in memory";
  let description = [{
    `#coop.item<12, 4>`: items of 12 bytes, each at a multiple of 4. An item is
    what a slot of a payload holds. Loads and stores move its bytes and ask for
    no more: a record, a complex number and an integer of one size are the same
    to them.
  }];
  let parameters = (ins "int64_t":$size, "int64_t":$alignment);
  let assemblyFormat = "`<` $size `,` $alignment `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static constexpr int64_t kWidestWord = 16;
    /// Bytes of the widest word, up to 16, that items consist of. Accesses may
    /// have its width where the memory has its alignment.
    int64_t getWordBytes() const {
      return std::gcd(getSize(), kWidestWord);
    }
  }];
}

def Coop_WrapperAttr : Coop_Attr<"Wrapper", "wrapper"> {
  let summary = "a CUDA C++ function that implements a cooperative operation";
  let description = [{
    Everything that the source of the function depends on. Two operations with
    equal wrappers call one function, whose name is made from the parameters.

    The function takes, in this order and each only if it applies: a pointer to
    the scratch, a pointer to the tile in memory, the number of valid items
    (`i64`), a pointer to the default of the invalid ones, a pointer to the
    payload.
  }];
  let parameters = (ins
      StringRefParameter<"the operation: load or store">:$collective,
      "::mlir::coop::GroupType":$group,
      "::mlir::DenseI32ArrayAttr":$block,
      "int64_t":$items,
      "::mlir::coop::ItemAttr":$item,
      EnumParameter<Coop_Algorithm>:$algorithm,
      DefaultValuedParameter<"bool", "false">:$guarded,
      DefaultValuedParameter<"bool", "false">:$defaulted);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The function's symbol, e.g. coop_block_load_b32_128x1x1_k4_transpose.
    std::string getSymbolName() const;
    /// Threads of the block.
    int64_t getBlockSize() const;
    /// Whether the function takes a pointer to scratch.
    bool usesScratch() const;
  }];
}

#endif // COOP_IR_COOPATTRS_TD
