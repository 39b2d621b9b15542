//===- WantedWrappers.cpp - The wrappers that a module calls or will call
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Target/WantedWrappers.h"

#include <map>

using namespace mlir;
using namespace mlir::coop;

/// The wrapper of a cooperative operation or of a declaration, or null.
static WrapperAttr getWrapper(Operation *op) {
  if (auto open = dyn_cast<OpenAlgorithmOpInterface>(op);
      open && open.isAlgorithmOpen())
    return {};
  if (auto wrapped = dyn_cast<WrappedOpInterface>(op)) {
    DenseI32ArrayAttr block = getKnownBlockDims(op);
    return block ? wrapped.getWrapper(block) : WrapperAttr();
  }
  return op->getAttrOfType<WrapperAttr>(kWrapperAttrName);
}

SmallVector<WrapperAttr> mlir::coop::getWantedWrappers(Operation *root) {
  std::map<std::string, WrapperAttr> wanted;
  root->walk([&](Operation *op) {
    if (WrapperAttr wrapper = getWrapper(op))
      wanted.emplace(wrapper.getSymbolName(), wrapper);
  });
  return llvm::to_vector(llvm::make_second_range(wanted));
}

int64_t mlir::coop::attachScratchLayout(Operation *root, StringRef name,
                                        int64_t size, int64_t alignment) {
  auto layout = ScratchLayoutAttr::get(root->getContext(), size, alignment);
  int64_t count = 0;
  root->walk([&](WrappedOpInterface op) {
    WrapperAttr wrapper = getWrapper(op);
    if (!wrapper || !wrapper.usesScratch() || wrapper.getSymbolName() != name)
      return;
    cast<CooperativeOpInterface>(op.getOperation()).setScratchLayout(layout);
    ++count;
  });
  return count;
}
