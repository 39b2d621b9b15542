//===- CoopInterfaces.td - What passes know of an operation
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_IR_COOPINTERFACES_TD
#define COOP_IR_COOPINTERFACES_TD

include "mlir/IR/OpBase.td"

def Coop_CooperativeOpInterface : OpInterface<"CooperativeOpInterface"> {
  let cppNamespace = "::mlir::coop";
  let description = [{
    An operation that every thread of its group executes together. Passes that
    prove participation, plan scratch and insert barriers know operations only
    by this interface.
  }];
  let methods = [
    InterfaceMethod<"The group whose threads must all reach the operation.",
      "::mlir::TypedValue<::mlir::coop::GroupType>", "getGroup">,
    InterfaceMethod<[{
      The operands on which all threads of the group must agree.
      }], "::llvm::SmallVector<::mlir::OpOperand *>", "getUniformOperands",
      (ins), "", "return {};">,
    InterfaceMethod<"What programs call an operand.",
      "::llvm::StringRef", "getOperandWord", (ins "::mlir::OpOperand &":$operand),
      "", [{ return "operand"; }]>,
    InterfaceMethod<[{
      The groups whose threads meet in the operation: it orders the shared-memory
      accesses that a group's threads made before it against those they make
      after it. They may be parts of the operation's own group; null if no
      threads meet.
      }], "::mlir::coop::GroupType", "getBarrierGroup", (ins), "",
      "return {};">,
    InterfaceMethod<"Whether the operation needs scratch.",
      "bool", "usesScratch", (ins), "", "return false;">,
    InterfaceMethod<[{
      The bytes and alignment that one group needs; null while unknown and for
      operations without scratch.
      }], "::mlir::coop::ScratchLayoutAttr", "getScratchLayout", (ins), "",
      "return {};">,
    InterfaceMethod<"Record what one group needs; only if `usesScratch`.",
      "void", "setScratchLayout",
      (ins "::mlir::coop::ScratchLayoutAttr":$layout), "",
      [{ llvm_unreachable("this operation has no scratch"); }]>,
    InterfaceMethod<[{
      Which threads exchange through the scratch. By default all of the group,
      through all of it.
      }], "::mlir::coop::ScratchParts", "getScratchParts", (ins), "",
      "return {$_op.getGroup().getType(), {}};">,
    InterfaceMethod<"The program's own descriptor of the scratch, or null.",
      "::mlir::Value", "getStorageDescriptor", (ins), "", "return {};">,
    InterfaceMethod<"Forget the program's descriptor.",
      "void", "dropStorageDescriptor", (ins), "", "return;">,
    InterfaceMethod<"The planned scratch, null before planning.",
      "::mlir::Value", "getScratchSlice", (ins), "", "return {};">,
    InterfaceMethod<[{
      Give the operation its scratch, which replaces the descriptor.
      }], "void", "setScratchSlice", (ins "::mlir::Value":$slice), "",
      [{ llvm_unreachable("this operation has no scratch"); }]>
  ];
  let extraClassDeclaration = [{
    /// Whether all threads of the operation's own group meet in it.
    bool isGroupBarrier() { return getBarrierGroup() == getGroup().getType(); }
  }];
}

def Coop_UniformResultOpInterface : OpInterface<"UniformResultOpInterface"> {
  let cppNamespace = "::mlir::coop";
  let description = [{
    An operation that gives all threads of a group the same results, whatever
    its operands are.
  }];
  let methods = [
    InterfaceMethod<"The group whose threads all get the same results.",
      "::mlir::coop::GroupType", "getUniformGroup">
  ];
}

def Coop_OpenAlgorithmOpInterface : OpInterface<"OpenAlgorithmOpInterface"> {
  let cppNamespace = "::mlir::coop";
  let description = [{
    A cooperative operation whose algorithm the program may leave to the
    compiler. Algorithms that can be chosen give the same result.
  }];
  let methods = [
    InterfaceMethod<"Whether the algorithm is still to be chosen.",
      "bool", "isAlgorithmOpen">,
    InterfaceMethod<[{
      Choose the algorithm that is likely to be the fastest among those whose
      scratch, for all groups of a block of these threads, takes `scratchBytes`
      bytes at most.
      }], "void", "chooseAlgorithm",
      (ins "int64_t":$blockSize, "int64_t":$scratchBytes)>
  ];
}

def Coop_WrappedOpInterface : OpInterface<"WrappedOpInterface"> {
  let cppNamespace = "::mlir::coop";
  let description = [{
    A cooperative operation that a CUDA C++ wrapper implements. The wrapper's
    arguments follow from the operation: scratch, memory (at the offset), the
    scalar operands in their order, then a pointer for each item or payload.
  }];
  let methods = [
    InterfaceMethod<[{
      The function that implements the operation in a block of these extents.
      }], "::mlir::coop::WrapperAttr", "getWrapper",
      (ins "::mlir::DenseI32ArrayAttr":$block)>,
    InterfaceMethod<"The global memory that holds the tile.",
      "::mlir::TypedValue<::mlir::MemRefType>", "getTileMemory">,
    InterfaceMethod<"The item of the memory at which the tile starts.",
      "::mlir::Value", "getTileOffset">,
    InterfaceMethod<"Scalars that are passed by value, in the wrapper's order.",
      "::llvm::SmallVector<::mlir::Value>", "getScalarArguments">,
    InterfaceMethod<"Items and payloads that the wrapper reads.",
      "::llvm::SmallVector<::mlir::Value>", "getItemInputs">,
    InterfaceMethod<"Whether some slots of its payloads may take no part.",
      "bool", "isPartial", (ins), "", "return false;">
  ];
}

#endif // COOP_IR_COOPINTERFACES_TD
