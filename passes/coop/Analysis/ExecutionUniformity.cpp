//===- ExecutionUniformity.cpp - Which groups come to a place together
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/ExecutionUniformity.h"
#include "coop/Analysis/UniformityNormalize.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::coop;

/// On operations of the copy, the number of their block in the function.
static constexpr StringLiteral kBlockAttrName = "coop.block";

/// Whether normalization leaves `op` in its block: it moves and merges only
/// what computes or reads.
static bool keepsItsBlock(Operation &op) {
  if (op.getNumRegions() != 0 || op.hasTrait<OpTrait::IsTerminator>())
    return false;
  return isa<CooperativeOpInterface>(op) ||
         getBarrierLevel(&op) != kThreadLevel ||
         hasEffect<MemoryEffects::Write>(&op);
}

/// Mark what tells where the block's execution is in the normalized copy: an
/// operation without a use, which goes where the block's test is merged with
/// another one, and one that always stays.
static void mark(Block &block, IntegerAttr number) {
  auto builder = OpBuilder::atBlockBegin(&block);
  MLIRContext *context = builder.getContext();
  GroupOp::create(builder, UnknownLoc::get(context),
                  GroupType::get(context, Scope::Block))
      ->setDiscardableAttr(kBlockAttrName, number);
  auto fixed = llvm::find_if(block, keepsItsBlock);
  if (fixed != block.end())
    fixed->setDiscardableAttr(kBlockAttrName, number);
}

static SmallVector<Block *> getBlocks(FunctionOpInterface function) {
  SmallVector<Block *> blocks;
  function->walk([&](Block *block) { blocks.push_back(block); });
  return blocks;
}

ExecutionUniformity::ExecutionUniformity(Operation *function)
    : function(cast<FunctionOpInterface>(function)),
      byStructure(getStructuralUniformity(this->function)) {}

UniformityQuery ExecutionUniformity::getQuery() {
  return [this](Operation *op, GroupType group) {
    return byStructure(op, group) || isUniform(op, group);
  };
}

void ExecutionUniformity::analyze() {
  widths.emplace();
  OwningOpRef<FunctionOpInterface> marked =
      cast<FunctionOpInterface>(function->clone());
  Builder builder(function->getContext());
  for (auto [i, block] : llvm::enumerate(getBlocks(*marked)))
    mark(*block, builder.getI64IntegerAttr(i));
  OwningOpRef<FunctionOpInterface> copy = normalizeForUniformity(*marked);
  UniformityAnalysis analysis(*copy, function);
  shape = analysis.getShape();
  SmallVector<Block *> blocks = getBlocks(function);
  copy->getOperation()->walk([&](Operation *op) {
    auto number = op->getAttrOfType<IntegerAttr>(kBlockAttrName);
    if (!number)
      return;
    Execution execution = analysis.getExecution(op);
    Width width =
        execution.reached ? execution.agreement.width() : Width::Thread;
    auto [it, isNew] = widths->try_emplace(blocks[number.getInt()], width);
    if (!isNew)
      it->second = std::min(it->second, width);
  });
}

bool ExecutionUniformity::isUniform(Operation *op, GroupType group) {
  if (!widths)
    analyze();
  auto it = widths->find(op->getBlock());
  if (it == widths->end())
    return false;
  Width needed = group.isBlock()
                     ? Width::Block
                     : shape.normalize(widthOfLanes(group.getWidth()));
  return it->second >= needed;
}
