//===- SelectAlgorithms.cpp - Choose what programs leave open
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/ScratchLiveness.h"
#include "coop/Transforms/Passes.h"
#include "coop/Transforms/SharedMemoryLimits.h"
#include "coop/Transforms/UserSharedMemory.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::coop {
#define GEN_PASS_DEF_SELECTALGORITHMSPASS
#include "coop/Transforms/Passes.h.inc"
} // namespace mlir::coop

using namespace mlir;
using namespace mlir::coop;

/// What a block may have where the target is unknown: static memory.
static constexpr int64_t kStaticBytes = 49152;

/// The bytes that a descriptor reserves, `limit` if it says nothing. Of several
/// that control flow merges the smallest counts.
static int64_t getCapacity(Value descriptor, int64_t limit) {
  FailureOr<SmallVector<TempStorageOp>> constructors =
      findConstructors(descriptor);
  if (failed(constructors))
    return 0;
  for (TempStorageOp constructor : *constructors)
    if (std::optional<int64_t> size = constructor.getSizeInBytes())
      limit = std::min(limit, *size);
  return limit;
}

namespace {
struct SelectAlgorithms
    : public coop::impl::SelectAlgorithmsPassBase<SelectAlgorithms> {
  using SelectAlgorithmsPassBase::SelectAlgorithmsPassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      SmallVector<OpenAlgorithmOpInterface> open;
      function->walk([&](OpenAlgorithmOpInterface op) {
        if (op.isAlgorithmOpen())
          open.push_back(op);
      });
      if (!open.empty() && failed(choose(function, open)))
        signalPassFailure();
    }
  }

private:
  LogicalResult choose(FunctionOpInterface function,
                       ArrayRef<OpenAlgorithmOpInterface> open);
};
} // namespace

LogicalResult
SelectAlgorithms::choose(FunctionOpInterface function,
                         ArrayRef<OpenAlgorithmOpInterface> open) {
  int64_t limit = getOptInSharedMemory(target).value_or(kStaticBytes);
  int64_t room =
      limit - findUserSharedMemory(function).staticBytes - launchDynamicBytes;
  for (OpenAlgorithmOpInterface op : open) {
    std::optional<int64_t> blockSize = getKnownBlockSize(op);
    if (!blockSize)
      return op.emitOpError("leaves its algorithm open, which depends on the "
                            "block's size; give the function a "
                            "gpu.known_block_size");
    auto cooperative = cast<CooperativeOpInterface>(op.getOperation());
    Value descriptor = cooperative.getStorageDescriptor();
    op.chooseAlgorithm(*blockSize,
                       descriptor ? getCapacity(descriptor, room) : room);
  }
  return success();
}
