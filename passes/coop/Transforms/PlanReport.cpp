//===- PlanReport.cpp - A plan as an attribute, for those who show it
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Transforms/PlanReport.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::coop;

namespace {
/// A dictionary in the making.
class Entries {
public:
  explicit Entries(Builder &builder) : builder(builder) {}

  Entries &add(StringRef name, Attribute value) {
    entries.push_back(builder.getNamedAttr(name, value));
    return *this;
  }
  Entries &add(StringRef name, int64_t value) {
    return add(name, builder.getI64IntegerAttr(value));
  }
  Entries &addIf(bool condition, StringRef name) {
    return condition ? add(name, builder.getUnitAttr()) : *this;
  }
  /// `loc`, where the file is known.
  Entries &addLocation(Location loc) {
    auto place = loc->findInstanceOf<FileLineColLoc>();
    if (!place)
      return *this;
    Entries where(builder);
    where.add("file", place.getFilename())
        .add("line", place.getLine())
        .add("column", place.getColumn());
    return add("loc", where.get());
  }
  DictionaryAttr get() { return builder.getDictionaryAttr(entries); }

private:
  Builder &builder;
  SmallVector<NamedAttribute> entries;
};
} // namespace

static Attribute reportStorage(Builder &builder, const ScratchStorage &storage,
                               int64_t offset,
                               const ScratchLiveness &liveness) {
  ScratchUse use = liveness.getUses()[storage.uses.front()];
  Location loc = use.op->getLoc();
  StringRef kind = "call";
  if (!storage.constructors.empty()) {
    TempStorageOp constructor = storage.constructors.front();
    loc = constructor.getLoc();
    kind = stringifySharing(constructor.getSharing());
  }
  return Entries(builder)
      .add("offset", offset)
      .add("size", storage.size)
      .add("alignment", storage.alignment)
      .add("kind", builder.getStringAttr(kind))
      .addLocation(loc)
      .addIf(storage.isUserSynced(), "user_sync")
      .get();
}

static Attribute reportUse(Builder &builder, ScratchUse use, unsigned storage,
                           unsigned liveUntil) {
  return Entries(builder)
      .add("storage", storage)
      .add("group", TypeAttr::get(use.op.getGroup().getType()))
      .add("count", use.count)
      .add("group_bytes", use.groupBytes)
      .add("live_until", liveUntil)
      .get();
}

static ArrayAttr reportUses(Builder &builder, const ScratchLiveness &liveness,
                            const ScratchPlan &plan) {
  SmallVector<unsigned> storageOf(liveness.getUses().size());
  for (auto [i, storage] : llvm::enumerate(liveness.getStorages()))
    for (unsigned use : storage.uses)
      storageOf[use] = i;
  SmallVector<Attribute> uses;
  for (auto [use, storage, liveUntil] :
       llvm::zip(liveness.getUses(), storageOf, liveness.findLiveEnds(plan)))
    uses.push_back(reportUse(builder, use, storage, liveUntil));
  return builder.getArrayAttr(uses);
}

static Attribute reportArray(Builder &builder, const UserArray &array) {
  return Entries(builder)
      .add("name", builder.getStringAttr(array.name))
      .add("size", array.bytes)
      .addLocation(array.loc)
      .get();
}

DictionaryAttr mlir::coop::makePlanReport(MLIRContext *context,
                                          const ScratchLiveness &liveness,
                                          const ScratchPlan &plan,
                                          const UserSharedMemory &user,
                                          const SharedMemoryBudget &budget,
                                          const SharedMemoryLimit &limit) {
  Builder builder(context);
  SmallVector<Attribute> storages, arrays;
  for (auto [storage, offset] : llvm::zip(liveness.getStorages(), plan.offsets))
    storages.push_back(reportStorage(builder, storage, offset, liveness));
  for (const UserArray &array : user.arrays)
    arrays.push_back(reportArray(builder, array));
  return Entries(builder)
      .add("lower_bound", plan.lowerBound)
      .addIf(plan.isOptimal, "optimal")
      .add("needed", budget.needed)
      .add("limit", limit.bytes)
      .add("user_static", budget.userStatic)
      .add("launch_dynamic", budget.launchDynamic)
      .add("padding", budget.getPadding())
      .add("storages", builder.getArrayAttr(storages))
      .add("uses", reportUses(builder, liveness, plan))
      .add("arrays", builder.getArrayAttr(arrays))
      .get();
}
