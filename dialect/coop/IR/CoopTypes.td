//===- CoopTypes.td - Groups and storage descriptors
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_IR_COOPTYPES_TD
#define COOP_IR_COOPTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "coop/IR/CoopEnums.td"

class Coop_Type<string name, string typeMnemonic> : TypeDef<Coop_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Coop_GroupType : Coop_Type<"Group", "group"> {
  let summary = "the threads that execute an operation together";
  let description = [{
    `!coop.group<block>` is the whole thread block, `!coop.group<warp>` a warp of
    32 lanes, and `!coop.group<warp, 8>` one of the four aligned parts of eight
    consecutive lanes. A thread's rank in its block is x + y·Dx + z·Dx·Dy; warps
    and their parts are consecutive ranks. The type says everything about a
    group, so a value of it has no representation at run time.
  }];
  let parameters = (ins EnumParameter<Coop_Scope>:$scope,
                        DefaultValuedParameter<"int64_t", "32">:$width);
  let assemblyFormat = "`<` $scope (`,` $width^)? `>`";
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilder<(ins "Scope":$scope), [{
      return $_get($_ctxt, scope, kWarpWidth);
    }]>
  ];
  let extraClassDeclaration = [{
    static constexpr int64_t kWarpWidth = 32;
    bool isBlock() const { return getScope() == Scope::Block; }
    /// Threads of the group in a block of `blockSize` threads.
    int64_t getSize(int64_t blockSize) const {
      return isBlock() ? blockSize : getWidth();
    }
    /// Groups of this type in a block of `blockSize` threads.
    int64_t getCount(int64_t blockSize) const {
      return blockSize / getSize(blockSize);
    }
  }];
}

def Coop_TempStorageType : Coop_Type<"TempStorage", "temp_storage">,
    BuildableType<"$_builder.getType<::mlir::coop::TempStorageType>()"> {
  let summary = "a descriptor of scratch that the program asks for";
}

#endif // COOP_IR_COOPTYPES_TD
