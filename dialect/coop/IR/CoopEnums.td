//===- CoopEnums.td - Scopes, algorithms and sharing
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_IR_COOPENUMS_TD
#define COOP_IR_COOPENUMS_TD

include "mlir/IR/EnumAttr.td"
include "coop/IR/CoopDialect.td"

class Coop_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::coop";
  let genSpecializedAttr = 0;
}

def Coop_Scope : Coop_Enum<"Scope", "the level at which a group's threads meet", [
    I32EnumAttrCase<"Block", 0, "block">,
    I32EnumAttrCase<"Warp", 1, "warp">]>;

def Coop_Algorithm : Coop_Enum<"Algorithm",
    "how a tile moves between memory and the payloads", [
    I32EnumAttrCase<"Direct", 0, "direct">,
    I32EnumAttrCase<"Striped", 1, "striped">,
    I32EnumAttrCase<"Vectorize", 2, "vectorize">,
    I32EnumAttrCase<"Transpose", 3, "transpose">,
    I32EnumAttrCase<"WarpTranspose", 4, "warp_transpose">,
    I32EnumAttrCase<"WarpTransposeTimesliced", 5, "warp_transpose_timesliced">,
    I32EnumAttrCase<"Auto", 6, "auto">]>;

def Coop_Sharing : Coop_Enum<"Sharing",
    "whether the calls that name a descriptor share its bytes", [
    I32EnumAttrCase<"Shared", 0, "shared">,
    I32EnumAttrCase<"Exclusive", 1, "exclusive">]>;

class Coop_EnumAttr<EnumInfo info, string name>
    : EnumAttr<Coop_Dialect, info, name> {
  let assemblyFormat = "`<` $value `>`";
}
def Coop_AlgorithmAttr : Coop_EnumAttr<Coop_Algorithm, "algorithm">;
def Coop_SharingAttr : Coop_EnumAttr<Coop_Sharing, "sharing">;

#endif // COOP_IR_COOPENUMS_TD
