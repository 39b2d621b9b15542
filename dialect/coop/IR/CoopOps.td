//===- CoopOps.td - Operations
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_IR_COOPOPS_TD
#define COOP_IR_COOPOPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "coop/IR/CoopAttrs.td"
include "coop/IR/CoopInterfaces.td"

class Coop_Op<string mnemonic, list<Trait> traits = []>
    : Op<Coop_Dialect, mnemonic, traits>;

/// The meeting of a group's threads: an effect that keeps an operation from
/// being erased, duplicated or moved over another one.
def Coop_Convergence : Resource<"::mlir::coop::ConvergenceResource">;

def Coop_ElementType : AnyTypeOf<
    [I8, I16, I32, I64, F16, BF16, F32, F64],
    "an 8 to 64 bit integer or a 16 to 64 bit float">;
def Coop_Payload : ConfinedType<VectorOfRankAndType<[1], [Coop_ElementType]>,
    [Neg<CPred<"::llvm::cast<::mlir::VectorType>($_self).isScalable()">>],
    "a payload of elements">;
def Coop_ItemValue : AnyTypeOf<[Coop_ElementType, Coop_Payload],
    "an element, or a vector of those of an item">;
def Coop_TileMemory : MemRefRankOf<
    [Coop_ElementType, Complex<F32>, Complex<F64>], [1]>;
def Coop_ScratchSlice : ConfinedType<MemRefRankOf<[I8], [1]>,
    [CPred<"::mlir::coop::isWorkgroupMemory(::llvm::cast<::mlir::MemRefType>($_self))">],
    "bytes in workgroup memory">;

//===----------------------------------------------------------------------===//
// Groups and storage
//===----------------------------------------------------------------------===//

def Coop_GroupOp : Coop_Op<"group", [Pure]> {
  let summary = "name a group of threads";
  let description = [{
    Gives the group that this thread is in. It synchronizes nothing and costs
    no instruction.

    ```mlir
    %block = coop.group : !coop.group<block>
    %warp = coop.group : !coop.group<warp>
    %eight = coop.group : !coop.group<warp, 8>
    ```
  }];
  let results = (outs Coop_GroupType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Coop_TempStorageOp : Coop_Op<"temp_storage",
    [MemoryEffects<[MemAlloc<Coop_Convergence>]>]> {
  let summary = "describe the scratch that operations shall use";
  let description = [{
    Asks for scratch of `size` bytes at least (else of what its users need), at
    an alignment of a power of two up to 1024. With `exclusive` every operation
    that names the descriptor has a slice of its own; otherwise all share one.
    With `auto_sync` the compiler places the barriers that reuse needs; without,
    the program does.

    ```mlir
    %t = coop.temp_storage size(4096) align(128) auto_sync exclusive
    ```
  }];
  let arguments = (ins
      OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$size_in_bytes,
      OptionalAttr<I64Attr>:$alignment,
      UnitAttr:$auto_sync,
      DefaultValuedAttr<Coop_SharingAttr, "::mlir::coop::Sharing::Shared">:$sharing);
  let results = (outs Coop_TempStorageType:$result);
  let assemblyFormat = [{
    (`size` `(` $size_in_bytes^ `)`)? (`align` `(` $alignment^ `)`)?
    (`auto_sync` $auto_sync^)? custom<Sharing>($sharing) attr-dict
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Load and store
//===----------------------------------------------------------------------===//

class Coop_TileOp<string mnemonic> : Coop_Op<mnemonic, [
    AttrSizedOperandSegments,
    MemoryEffects<[MemRead<Coop_Convergence>, MemWrite<Coop_Convergence>]>,
    DeclareOpInterfaceMethods<Coop_CooperativeOpInterface, [
      "getUniformOperands", "getOperandWord", "getBarrierGroup", "usesScratch",
      "getScratchLayout", "setScratchLayout", "getScratchParts",
      "getStorageDescriptor", "dropStorageDescriptor", "getScratchSlice",
      "setScratchSlice"]>,
    DeclareOpInterfaceMethods<Coop_OpenAlgorithmOpInterface>,
    DeclareOpInterfaceMethods<Coop_WrappedOpInterface, ["isPartial"]>]> {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    bool $cppClass::isPartial() { return getValidItems() != nullptr; }
  }];
}

def Coop_LoadOp : Coop_TileOp<"load"> {
  let summary = "load a tile, K consecutive or strided elements a thread";
  let description = [{
    The group reads the tile of G·K elements that starts at element `offset` of
    `source`; each thread gets K of them. In a group of warp scope, the tile of
    the group with index j starts j·G·K elements later.

    In blocked order (`direct`, `vectorize`, `transpose`, `warp_transpose`,
    `warp_transpose_timesliced`) the thread of rank t gets the tile's elements
    t·K + i; in `striped` order t + i·G. The algorithms of the transpose family
    read memory in striped order and exchange the elements through scratch.
    `auto` is one of those in blocked order, which `-coop-select-algorithms`
    chooses.

    With `valid`, only the first elements of the tile are read; their number
    must lie in [0, G·K] or the kernel traps. The other slots get the `default`,
    or are unspecified without one.

    What moves are items. An item is an element of the payload's vector, unless
    `item` says its bytes: then it is as many consecutive elements as have these
    bytes, and `offset`, `valid`, G·K and K count items. The memory is one of
    such items, such as complex numbers, or one of bytes whose stride is the
    item; items lie in it at multiples of the alignment that `item` promises.

    All threads of the group must reach the operation with the same offset,
    number of valid elements and default.

    ```mlir
    %v = coop.load transpose %g, %src[%off] valid(%n) default(%zero : i32)
        : !coop.group<block>, memref<?xi32> -> vector<4xi32>
    // Two records of three words.
    %r = coop.load direct %g, %records[%off] item(<12, 4>)
        : !coop.group<block>, memref<?xi8, strided<[12], offset: ?>> -> vector<6xi32>
    ```
  }];
  let arguments = (ins
      DefaultValuedAttr<Coop_AlgorithmAttr, "::mlir::coop::Algorithm::Direct">:$algorithm,
      OptionalAttr<Coop_ItemAttr>:$item,
      OptionalAttr<Coop_ScratchLayoutAttr>:$layout,
      Coop_GroupType:$group,
      Arg<Coop_TileMemory, "the tile's memory", [MemRead]>:$source,
      Index:$offset,
      Optional<Index>:$valid_items,
      Optional<Coop_ItemValue>:$oob_default,
      Optional<Coop_TempStorageType>:$temp_storage,
      Arg<Optional<Coop_ScratchSlice>, "scratch", [MemRead, MemWrite]>:$scratch);
  let results = (outs Coop_Payload:$result);
  let assemblyFormat = [{
    custom<Algorithm>($algorithm) $group `,` $source `[` $offset `]`
    (`valid` `(` $valid_items^ `)`)?
    (`default` `(` $oob_default^ `:` type($oob_default) `)`)?
    (`item` `(` $item^ `)`)?
    (`temp` `(` $temp_storage^ `)`)?
    (`layout` `(` $layout^ `)`)?
    (`scratch` `(` $scratch^ `:` type($scratch) `)`)?
    attr-dict `:` qualified(type($group)) `,` type($source) `->` type($result)
  }];
}

def Coop_StoreOp : Coop_TileOp<"store"> {
  let summary = "store a tile, K consecutive or strided elements a thread";
  let description = [{
    The counterpart of `coop.load`: the group writes its payloads to the tile of
    G·K elements that starts at element `offset` of `destination`. With `valid`,
    only the first elements of the tile are written and the rest of the memory
    stays as it is.

    ```mlir
    coop.store striped %g, %v, %dst[%off] valid(%n)
        : !coop.group<block>, vector<4xi32>, memref<?xi32>
    ```
  }];
  let arguments = (ins
      DefaultValuedAttr<Coop_AlgorithmAttr, "::mlir::coop::Algorithm::Direct">:$algorithm,
      OptionalAttr<Coop_ItemAttr>:$item,
      OptionalAttr<Coop_ScratchLayoutAttr>:$layout,
      Coop_GroupType:$group,
      Coop_Payload:$value,
      Arg<Coop_TileMemory, "the tile's memory", [MemWrite]>:$destination,
      Index:$offset,
      Optional<Index>:$valid_items,
      Optional<Coop_TempStorageType>:$temp_storage,
      Arg<Optional<Coop_ScratchSlice>, "scratch", [MemRead, MemWrite]>:$scratch);
  let assemblyFormat = [{
    custom<Algorithm>($algorithm) $group `,` $value `,` $destination `[` $offset `]`
    (`valid` `(` $valid_items^ `)`)?
    (`item` `(` $item^ `)`)?
    (`temp` `(` $temp_storage^ `)`)?
    (`layout` `(` $layout^ `)`)?
    (`scratch` `(` $scratch^ `:` type($scratch) `)`)?
    attr-dict `:` qualified(type($group)) `,` type($value) `,` type($destination)
  }];
}

//===----------------------------------------------------------------------===//
// What the passes put in
//===----------------------------------------------------------------------===//

def Coop_BarrierOp : Coop_Op<"barrier", [
    DeclareOpInterfaceMethods<Coop_CooperativeOpInterface, ["getBarrierGroup"]>]> {
  let summary = "make a group's threads wait for each other";
  let description = [{
    Every thread of the group waits until all have come, and sees the shared and
    global memory that the others wrote before. For a group of warp scope
    exactly its lanes take part. `reason` says which hazard a pass put it for.

    ```mlir
    coop.barrier %g reason("the load may still read the scratch")
        : !coop.group<block>
    ```
  }];
  let arguments = (ins Coop_GroupType:$group, OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = [{
    $group (`reason` `(` $reason^ `)`)? attr-dict `:` qualified(type($group))
  }];
}

def Coop_ArenaOp : Coop_Op<"arena", [Symbol]> {
  let summary = "the shared memory that holds a kernel's scratch";
  let description = [{
    `size` bytes of shared memory at an alignment. `dynamic` memory is given at
    the launch; other memory is part of the kernel.

    ```mlir
    coop.arena @copy_scratch 2064 align 16
    coop.arena @sort_scratch 65536 align 128 dynamic
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       ConfinedAttr<I64Attr, [IntPositive]>:$size,
                       I64Attr:$alignment,
                       UnitAttr:$dynamic);
  let assemblyFormat = [{
    $sym_name $size `align` $alignment (`dynamic` $dynamic^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Coop_ScratchSliceOp : Coop_Op<"scratch_slice",
    [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the bytes of an arena that operations use";
  let description = [{
    ```mlir
    %s = coop.scratch_slice @copy_scratch[0, 2064]
        : memref<2064xi8, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$arena,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$offset,
                       ConfinedAttr<I64Attr, [IntPositive]>:$size);
  let results = (outs Coop_ScratchSlice:$result);
  let assemblyFormat = [{
    $arena `[` $offset `,` $size `]` attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// What the program states
//===----------------------------------------------------------------------===//

def Coop_AssumeUniformOp : Coop_Op<"assume_uniform", [Pure,
    TypesMatchWith<"the result has the type of the value", "value", "result",
                   "$_self">,
    DeclareOpInterfaceMethods<Coop_UniformResultOpInterface>]> {
  let summary = "state that all threads of a group have the same value";
  let description = [{
    Gives `value`, of which the program states that it is the same in all
    threads of the group; without a group, of the block. It is for values that
    no analysis can prove to be the same, such as a flag that each thread has
    loaded from another address. Nothing happens at run time, and if the
    statement is wrong, the behaviour of the operations that depend on it is
    undefined.

    ```mlir
    %same = coop.assume_uniform %flag : i1
    %alike = coop.assume_uniform %flag over %g : i1, !coop.group<warp, 8>
    ```
  }];
  let arguments = (ins AnyType:$value, Optional<Coop_GroupType>:$group);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $value (`over` $group^)? attr-dict `:` type($value)
    (`,` qualified(type($group))^)?
  }];
}

#endif // COOP_IR_COOPOPS_TD
