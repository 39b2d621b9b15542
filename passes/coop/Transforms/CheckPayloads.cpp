//===- CheckPayloads.cpp - Warn of slots that are read and never written
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/UnwrittenSlots.h"
#include "coop/Transforms/Passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::coop {
#define GEN_PASS_DEF_CHECKPAYLOADSPASS
#include "coop/Transforms/Passes.h.inc"
} // namespace mlir::coop

using namespace mlir;
using namespace mlir::coop;

/// What is read of a payload of `size` slots at one place of the program.
static std::string describeSlots(ArrayRef<UnwrittenRead> reads, int64_t size) {
  std::string total = std::to_string(size);
  llvm::SmallSetVector<int64_t, 8> slots;
  for (const UnwrittenRead &read : reads) {
    if (!read.slot)
      return "a slot of a payload of " + total + " is";
    slots.insert(*read.slot);
  }
  if (slots.size() == 1)
    return "slot " + std::to_string(slots[0]) + " of a payload of " + total +
           " is";
  if (int64_t(slots.size()) == size)
    return "all " + total + " slots of a payload are";
  SmallVector<int64_t> sorted = llvm::to_vector(slots);
  llvm::sort(sorted);
  auto names =
      llvm::map_range(sorted, [](int64_t s) { return std::to_string(s); });
  return "slots " + llvm::join(names, ", ") + " of a payload of " + total +
         " are";
}

/// One warning for all that one line of the program reads.
static void report(memref::AllocaOp payload, Location place,
                   ArrayRef<UnwrittenRead> reads) {
  int64_t size = payload.getType().getDimSize(0);
  std::string what = describeSlots(reads, size);
  InFlightDiagnostic diagnostic =
      emitWarning(place) << what << " read, and nothing has written "
                         << (StringRef(what).ends_with("is") ? "it" : "them");
  diagnostic.attachNote(payload.getLoc())
      << "the payload is made here, and a slot holds nothing until it is "
         "written: load the payload, or assign to each slot before it is read";
}

namespace {
struct CheckPayloadsPass
    : mlir::coop::impl::CheckPayloadsPassBase<CheckPayloadsPass> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (getOperation().isExternal())
      return;
    for (const PayloadReads &found : findUnwrittenReads(getOperation())) {
      llvm::MapVector<Location, SmallVector<UnwrittenRead>> readsAt;
      for (UnwrittenRead read : found.reads)
        readsAt[read.load.getLoc()].push_back(read);
      for (auto &[place, reads] : readsAt)
        report(found.payload, place, reads);
    }
  }
};
} // namespace
