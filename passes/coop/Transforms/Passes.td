//===- Passes.td - The passes
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COOP_TRANSFORMS_PASSES_TD
#define COOP_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckParticipationPass
    : InterfacePass<"coop-check-participation", "mlir::FunctionOpInterface"> {
  let summary = "Prove that all threads of a group reach its operations";
  let description = [{
    Refuses an operation that some threads of its group skip, or reach more
    often than others, because control flow depends on a thread's id; and an
    operand that differs where the threads of the group must agree. A barrier
    of the block is checked alike, whoever put it. Where only data decides, the
    threads may or may not take the same way: that is a warning, or an error in
    `strict` mode, unless a `coop.assume_uniform` states that they agree. The IR
    is not changed. In mode `off` the program answers for all of it; only warps
    that are not whole are refused.

    ```mlir
    %c = arith.cmpi slt, %tid, %n : index       // the id decides
    cf.cond_br %c, ^work, ^end
    ^work:
      // error: 'coop.load' op is executed in control flow that diverges
      //        within its block
      %v = coop.load direct %g, %src[%off] : ...
    ```

    becomes legal with all threads at the call:

    ```mlir
    %v = coop.load direct %g, %src[%off] valid(%n) : ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::coop::CoopDialect"];
  let options = [
    Option<"participation", "participation", "::mlir::coop::Participation",
           "::mlir::coop::Participation::Warn",
           "What becomes of a call whose participation is not proven",
           [{::llvm::cl::values(
             clEnumValN(::mlir::coop::Participation::Off, "off",
                        "it is accepted, and so is one that diverges"),
             clEnumValN(::mlir::coop::Participation::Warn, "warn", "a warning"),
             clEnumValN(::mlir::coop::Participation::Strict, "strict",
                        "an error"))}]>,
    Option<"explain", "explain", "bool", "false",
           "Remark on each branch where threads part, and say why they do">
  ];
}

def SelectAlgorithmsPass
    : Pass<"coop-select-algorithms", "mlir::gpu::GPUModuleOp"> {
  let summary = "Choose the algorithms that programs leave open";
  let description = [{
    Gives each operation with the algorithm `auto` one that suits its elements,
    items, group and block, and whose scratch fits beside the kernel's own shared
    memory, and into the operation's descriptor if that has a size. Of an
    operation in a block of unknown extents it fails.

    ```mlir
    %v = coop.load auto %g, %src[%off]
        : !coop.group<block>, memref<?xi32> -> vector<8xi32>
    ```

    becomes, in a block of 128 threads,

    ```mlir
    %v = coop.load warp_transpose %g, %src[%off]
        : !coop.group<block>, memref<?xi32> -> vector<8xi32>
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "The chip, such as sm_90, whose limit of shared memory counts">,
    Option<"launchDynamicBytes", "launch-dynamic-bytes", "int64_t", "0",
           "The dynamic shared memory that the program itself launches with">,
  ];
}

def CheckPayloadsPass
    : InterfacePass<"coop-check-payloads", "mlir::FunctionOpInterface"> {
  let summary = "Warn of payload slots that are read before they are written";
  let description = [{
    A payload is a `memref.alloca` that is marked `coop.payload`. A read is
    reported where no write to its slot can be executed before it: not on any
    way to it, in no loop that it is in, and by no variable index. What can't be
    proved is not reported. Where only a prefix of a tile is stored, the payload
    is reported if none of its slots was written. The IR is not changed, and must
    still hold its payloads in memory.

    ```mlir
    %items = memref.alloca() {coop.payload} : memref<2xi32>
    memref.store %x, %items[%c0] : memref<2xi32>
    // warning: slot 1 of a payload of 2 is read, and nothing has written it
    %y = memref.load %items[%c1] : memref<2xi32>
    ```
  }];
}

def CheckAssumptionsPass
    : Pass<"coop-check-assumptions", "mlir::gpu::GPUModuleOp"> {
  let summary = "Check at run time that threads agree where the program says so";
  let description = [{
    Puts a check before each `coop.assume_uniform`: the threads of its group
    compare the bits of their values with those of the group's first thread, and
    a thread whose value is another one traps. Lanes of a warp shuffle; a block
    goes by 8 bytes of shared memory and two barriers.

    ```mlir
    %same = coop.assume_uniform %flag over %g : i32, !coop.group<warp, 8>
    ```

    becomes

    ```mlir
    %first = nvvm.shfl.sync idx %mask, %flag, %lane, %c31 : i32 -> i32
    %differs = arith.cmpi ne, %first, %flag : i32
    cf.cond_br %differs, ^trap, ^rest
    ```

    The check is a meeting of the group, although the statement is none. A
    statement that not all threads of the group are known to make gets a warning
    and no check, as do values that are neither integers nor floats of up to 64
    bits. For debugging: it costs time, and barriers that the program
    then has only when it is checked.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::coop::CoopDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def PlanSharedMemoryPass
    : Pass<"coop-plan-shared-memory", "mlir::gpu::GPUModuleOp"> {
  let summary = "Give each operation its slice of one arena per kernel";
  let description = [{
    Reads the layout of each operation that uses scratch and makes a
    `coop.arena` for each kernel, with a `coop.scratch_slice` for each use.
    Scratch whose lives don't overlap shares bytes. The arena is static memory
    while it fits, with the kernel's own shared arrays, in `max-static-bytes`,
    else dynamic; more than the limit of the target is an error. Dynamic shared
    memory of the program comes to lie behind a dynamic arena.
  }];
  let options = [
    Option<"maxStaticBytes", "max-static-bytes", "int64_t", "49152",
           "The most static shared memory of a kernel">,
    Option<"maxDynamicBytes", "max-dynamic-bytes", "int64_t", "232448",
           "The most shared memory of a kernel, where the target's is unknown">,
    Option<"launchDynamicBytes", "launch-dynamic-bytes", "int64_t", "0",
           "The dynamic shared memory that the program itself launches with">,
    Option<"target", "target", "std::string", "\"\"",
           "The chip, such as sm_90, whose limit counts">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect",
                           "mlir::coop::CoopDialect", "mlir::LLVM::LLVMDialect",
                           "mlir::memref::MemRefDialect"];
}

def InsertBarriersPass
    : InterfacePass<"coop-insert-barriers", "mlir::FunctionOpInterface"> {
  let summary = "Put barriers between conflicting uses of scratch";
  let description = [{
    Follows the pending accesses of each slice through the control flow and
    puts a `coop.barrier` where an operation would touch bytes that other
    threads may still use; nowhere else. A barrier stands only where all threads
    of its group are proven to come together, or where a cooperative operation
    of the group stands too.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect",
                           "mlir::coop::CoopDialect"];
}

def EliminateBarriersPass
    : InterfacePass<"coop-eliminate-barriers", "mlir::FunctionOpInterface"> {
  let summary = "Remove barriers that order no two accesses";
  let description = [{
    A barrier goes if no access that comes to it and no access that follows,
    both without another barrier between, may touch the same memory with a
    write among them. At a kernel's end nothing follows. Barriers of a warp that
    the program has placed stay.
  }];
  let options = [
    Option<"keepUserBarriers", "keep-user-barriers", "bool", "true",
           "Consider only the barriers that coop-insert-barriers has put">,
  ];
  let dependentDialects = ["mlir::coop::CoopDialect"];
}

def TestPrintPlanPass
    : InterfacePass<"coop-test-print-plan", "mlir::FunctionOpInterface"> {
  let summary = "Print the plan of each function's scratch";
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect",
                           "mlir::coop::CoopDialect"];
}

def TestPrintHazardsPass
    : InterfacePass<"coop-test-print-hazards", "mlir::FunctionOpInterface"> {
  let summary = "Print the hazards between planned uses of scratch";
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect",
                           "mlir::coop::CoopDialect"];
}

def LowerToCUBPass : Pass<"coop-lower-to-cub", "mlir::gpu::GPUModuleOp"> {
  let summary = "Turn operations into calls of CUDA C++ wrappers";
  let description = [{
    Each operation becomes a call of a declared function, which carries the
    `#coop.wrapper` that its source is printed from. Payloads become local
    arrays, arenas become shared memory of the LLVM dialect, and barriers those
    of the hardware. Nothing of the dialect stays in the functions.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
                           "mlir::memref::MemRefDialect", "mlir::NVVM::NVVMDialect",
                           "mlir::vector::VectorDialect"];
}

def UnrollPayloadLoopsPass
    : InterfacePass<"coop-unroll-payload-loops", "mlir::FunctionOpInterface"> {
  let summary = "Unroll the loops over the slots of payloads";
  let description = [{
    A payload whose slots are indexed by a variable can't live in registers. A
    loop is unrolled in full if an index into a `memref.alloca` that is marked
    `coop.payload` changes from turn to turn, and if constants decide how many
    turns there are. Outer loops come first, so that the bounds of inner ones
    may depend on them.

    ```mlir
    cf.br ^head(%c0 : index)
    ^head(%i: index):
      %more = arith.cmpi slt, %i, %c2 : index
      cf.cond_br %more, ^body, ^end
    ^body:
      memref.store %x, %items[%i] : memref<2xi32>
      %next = arith.addi %i, %c1 : index
      cf.br ^head(%next : index)
    ```

    becomes, once folded:

    ```mlir
    memref.store %x, %items[%c0] : memref<2xi32>
    memref.store %x, %items[%c1] : memref<2xi32>
    cf.br ^end
    ```
  }];
  let options = [
    Option<"maxTurns", "max-turns", "int64_t", "64",
           "The most turns of a loop that is unrolled">,
    Option<"maxOperations", "max-operations", "int64_t", "16384",
           "The most operations that are added to a function">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::cf::ControlFlowDialect"];
}

#endif // COOP_TRANSFORMS_PASSES_TD
