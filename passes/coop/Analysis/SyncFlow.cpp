//===- SyncFlow.cpp - The sync graph of a function
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/Analysis/SyncFlow.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::coop;

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

SyncLevel mlir::coop::getSyncLevel(GroupType group) {
  return group.isBlock() ? kBlockLevel : llvm::Log2_64(group.getWidth());
}

GroupType mlir::coop::getSyncGroup(MLIRContext *context, SyncLevel level) {
  if (level == kBlockLevel)
    return GroupType::get(context, Scope::Block);
  return GroupType::get(context, Scope::Warp, int64_t(1) << level);
}

/// Upstream's barriers by name: the headers of their dialects are large.
static SyncLevel getUpstreamBarrierLevel(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == "gpu.barrier" || name == "nvvm.barrier0")
    return kBlockLevel;
  // With operands, it may be a barrier of some threads only.
  if (name == "nvvm.barrier")
    return op->getNumOperands() == 0 ? kBlockLevel : kThreadLevel;
  APInt mask;
  if (name == "nvvm.bar.warp.sync" &&
      matchPattern(op->getOperand(0), m_ConstantInt(&mask)) && mask.isAllOnes())
    return kWarpLevel;
  return kThreadLevel;
}

SyncLevel mlir::coop::getBarrierLevel(Operation *op) {
  auto cooperative = dyn_cast<CooperativeOpInterface>(op);
  if (!cooperative)
    return getUpstreamBarrierLevel(op);
  GroupType group = cooperative.getBarrierGroup();
  return group ? getSyncLevel(group) : kThreadLevel;
}

//===----------------------------------------------------------------------===//
// Uniformity by structure
//===----------------------------------------------------------------------===//

static bool isInLoop(Block *block) {
  SmallVector<Block *> pending(block->succ_begin(), block->succ_end());
  llvm::SmallPtrSet<Block *, 8> seen;
  while (!pending.empty()) {
    Block *next = pending.pop_back_val();
    if (next == block)
      return true;
    if (seen.insert(next).second)
      llvm::append_range(pending, next->getSuccessors());
  }
  return false;
}

UniformityQuery
mlir::coop::getStructuralUniformity(FunctionOpInterface function) {
  auto dominance = std::make_shared<PostDominanceInfo>(function);
  Region *body = &function.getFunctionBody();
  return [=](Operation *op, GroupType) {
    Block *block = op->getBlock();
    return block->getParent() == body &&
           dominance->postDominates(block, &body->front()) && !isInLoop(block);
  };
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

namespace {
class FlowBuilder {
public:
  FlowBuilder(llvm::function_ref<bool(Operation *)> isAccess,
              const UniformityQuery &isUniform)
      : isAccess(isAccess), isUniform(isUniform) {}

  /// Adds the nodes of a region, and the edges between its blocks.
  void addRegion(Region &region);
  SyncFlow finish() {
    findUniformLevels();
    flow.graph.findLoops();
    return std::move(flow);
  }

private:
  bool isEvent(Operation *op) {
    return isAccess(op) || getBarrierLevel(op) != kThreadLevel;
  }
  bool holdsEvents(Operation *op) {
    return op->getNumRegions() != 0 &&
           op->walk([&](Operation *nested) {
               return WalkResult(failure(nested != op && isEvent(nested)));
             }).wasInterrupted();
  }

  void addBlock(Block &block);
  void findUniformLevels();
  SyncLevel findUniformLevel(Block &block);
  /// Appends a node for `op` to the block that is being added.
  unsigned append(Operation *op);
  void addEvent(Operation *op);
  /// Adds `op`, its regions, and a node where they meet again.
  void addNested(Operation *op);
  void connectByInterface(RegionBranchOpInterface op, unsigned before,
                          unsigned after);
  void connectAnyWay(Operation *op, unsigned before, unsigned after);

  llvm::function_ref<bool(Operation *)> isAccess;
  const UniformityQuery &isUniform;
  SyncFlow flow;
  DenseMap<Block *, unsigned> first, last;
  Block *current = nullptr;
};
} // namespace

/// The widest level that comes to the block together.
SyncLevel FlowBuilder::findUniformLevel(Block &block) {
  SyncLevel level = kThreadLevel;
  for (auto op : block.getOps<CooperativeOpInterface>())
    level = std::max(level, getSyncLevel(op.getGroup().getType()));
  Operation *front = &block.front();
  for (SyncLevel asked = kBlockLevel; asked > level; --asked)
    if (isUniform(front, getSyncGroup(front->getContext(), asked)))
      return asked;
  return level;
}

/// The query may cost much; without accesses no barrier will stand anywhere.
void FlowBuilder::findUniformLevels() {
  if (flow.graph.accesses.empty())
    return;
  DenseMap<Block *, SyncLevel> levels;
  for (auto [node, op] : llvm::zip(flow.graph.nodes, flow.ops)) {
    if (!op)
      continue;
    auto [it, isNew] = levels.try_emplace(op->getBlock(), kThreadLevel);
    if (isNew)
      it->second = findUniformLevel(*op->getBlock());
    node.uniform = it->second;
  }
}

unsigned FlowBuilder::append(Operation *op) {
  unsigned node = flow.graph.addNode();
  flow.ops.push_back(op);
  auto [it, isFirst] = first.try_emplace(current, node);
  if (!isFirst)
    flow.graph.addEdge(last[current], node);
  last[current] = node;
  return node;
}

void FlowBuilder::addEvent(Operation *op) {
  SyncNode &node = flow.graph.nodes[append(op)];
  node.barrier = getBarrierLevel(op);
  if (!isAccess(op))
    return;
  node.access = flow.graph.accesses.size();
  flow.graph.accesses.push_back(last[current]);
}

void FlowBuilder::addBlock(Block &block) {
  current = &block;
  for (Operation &op : block) {
    if (isEvent(&op))
      addEvent(&op);
    if (holdsEvents(&op))
      addNested(&op);
  }
  bool hasTerminator = !block.empty() && block.mightHaveTerminator();
  append(hasTerminator ? &block.back() : nullptr);
}

void FlowBuilder::addRegion(Region &region) {
  for (Block &block : region)
    addBlock(block);
  for (Block &block : region)
    for (Block *succ : block.getSuccessors())
      flow.graph.addEdge(last[&block], first[succ]);
}

void FlowBuilder::addNested(Operation *op) {
  unsigned before = append(op);
  Block *outer = current;
  for (Region &region : op->getRegions())
    addRegion(region);
  current = outer;
  unsigned after = flow.graph.addNode();
  flow.ops.push_back(op->getNextNode());
  last[current] = after;
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    connectByInterface(branch, before, after);
  else
    connectAnyWay(op, before, after);
}

void FlowBuilder::connectByInterface(RegionBranchOpInterface op,
                                     unsigned before, unsigned after) {
  auto connect = [&](unsigned from, RegionBranchPoint point) {
    SmallVector<RegionSuccessor> successors;
    op.getSuccessorRegions(point, successors);
    for (const RegionSuccessor &successor : successors)
      flow.graph.addEdge(from, successor.isParent()
                                   ? after
                                   : first[&successor.getSuccessor()->front()]);
  };
  connect(before, RegionBranchPoint::parent());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (auto end = dyn_cast_if_present<RegionBranchTerminatorOpInterface>(
              block.empty() ? nullptr : &block.back()))
        connect(last[&block], end);
}

void FlowBuilder::connectAnyWay(Operation *op, unsigned before,
                                unsigned after) {
  SmallVector<unsigned> ends{before};
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (block.hasNoSuccessors())
        ends.push_back(last[&block]);
  for (unsigned end : ends) {
    flow.graph.addEdge(end, after);
    for (Region &region : op->getRegions())
      if (!region.empty())
        flow.graph.addEdge(end, first[&region.front()]);
  }
}

SyncFlow
mlir::coop::buildSyncFlow(FunctionOpInterface function,
                          llvm::function_ref<bool(Operation *)> isAccess,
                          const UniformityQuery &isUniform) {
  FlowBuilder builder(isAccess, isUniform);
  builder.addRegion(function.getFunctionBody());
  return builder.finish();
}
