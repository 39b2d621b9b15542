//===- SharedMemoryBudget.cpp - What a launch gives a block, and may give
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Transforms/SharedMemoryBudget.h"
#include "coop/Transforms/DynamicSharedMemory.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::coop;

/// Messages name so many storages.
static constexpr unsigned kNamedStorages = 3;

/// Static bytes with an arena among the program's arrays, whichever of the two
/// the assembler puts first.
static int64_t getStaticBytes(const ScratchPlan &plan, int64_t user) {
  if (user == 0)
    return plan.size;
  constexpr int64_t granule = 16;
  return std::max<int64_t>(llvm::alignTo(user, plan.alignment) + plan.size,
                           llvm::alignTo(plan.size, granule) + user);
}

SharedMemoryBudget mlir::coop::makeBudget(FunctionOpInterface kernel,
                                          const ScratchPlan &plan,
                                          const UserSharedMemory &user,
                                          int64_t launchDynamicBytes,
                                          const SharedMemoryLimit &limit) {
  ArenaShape arena{plan.size, plan.alignment, /*dynamic=*/false};
  int64_t staticBytes = getStaticBytes(plan, user.staticBytes);
  int64_t dynamicBytes = launchDynamicBytes;
  int64_t dynamicAlignment =
      user.dynamic.empty() ? 1 : getDynamicAlignment(kernel);
  if (staticBytes > limit.staticBytes) {
    arena.dynamic = true;
    // The program's part follows at its alignment.
    arena.alignment = dynamicAlignment =
        std::max(plan.alignment, dynamicAlignment);
    if (!user.dynamic.empty())
      arena.size = llvm::alignTo(plan.size, arena.alignment);
    staticBytes = user.staticBytes;
    dynamicBytes += arena.size;
  }
  if (dynamicBytes != 0)
    staticBytes = llvm::alignTo(staticBytes, dynamicAlignment);
  return {arena, plan.size, user.staticBytes, launchDynamicBytes,
          staticBytes + dynamicBytes};
}

/// Where a storage comes from: its descriptor, else its call.
static std::pair<Location, StringRef>
getOrigin(const ScratchStorage &storage, const ScratchLiveness &liveness) {
  if (storage.constructors.empty()) {
    ScratchUse use = liveness.getUses()[storage.uses.front()];
    return {use.op->getLoc(), "call"};
  }
  TempStorageOp constructor = storage.constructors.front();
  return {constructor.getLoc(), "descriptor"};
}

static void noteLargest(InFlightDiagnostic &error,
                        const ScratchLiveness &liveness) {
  ArrayRef<ScratchStorage> storages = liveness.getStorages();
  auto order = llvm::to_vector(llvm::seq<unsigned>(storages.size()));
  llvm::stable_sort(order, [&](unsigned i, unsigned j) {
    return storages[i].size > storages[j].size;
  });
  for (unsigned i : ArrayRef(order).take_front(kNamedStorages)) {
    auto [loc, kind] = getOrigin(storages[i], liveness);
    error.attachNote(loc) << (i == order.front() ? "the largest storage, "
                                                 : "the next largest, ")
                          << storages[i].size << " bytes, belongs to this "
                          << kind;
  }
}

LogicalResult mlir::coop::checkBudget(FunctionOpInterface kernel,
                                      const SharedMemoryBudget &budget,
                                      const SharedMemoryLimit &limit,
                                      const ScratchLiveness &liveness) {
  if (budget.needed <= limit.bytes)
    return success();
  InFlightDiagnostic error = emitError(kernel->getLoc(), "kernel '")
                             << kernel.getName() << "' needs " << budget.needed
                             << " bytes of shared memory; the limit"
                             << limit.target << " is " << limit.bytes;
  noteLargest(error, liveness);
  auto note = [&](int64_t bytes, StringRef what) {
    if (bytes)
      error.attachNote(kernel->getLoc())
          << bytes << " of the bytes are " << what;
  };
  note(budget.userStatic, "the program's own shared memory");
  note(budget.launchDynamic, "the dynamic shared memory that the launch asks "
                             "for");
  note(budget.getPadding(), "there for alignment");
  return error;
}
