//===- CoopOps.cpp - Assembly, verifiers and interfaces of the operations
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coop/IR/Coop.h"
#include "coop/IR/TileAlgorithm.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::coop;

static constexpr int64_t kMaxAlignment = 1024;
static constexpr int64_t kMaxItems = 1024;
static constexpr int64_t kMaxPayloadBytes = 8192;

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

static std::string listAlgorithms() {
  std::string names;
  for (uint32_t i = 0; i <= getMaxEnumValForAlgorithm(); ++i) {
    names += i ? ", " : "";
    names += stringifyAlgorithm(static_cast<Algorithm>(i));
  }
  return names;
}

/// An algorithm by its bare name.
static ParseResult parseAlgorithm(OpAsmParser &parser, AlgorithmAttr &attr) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<Algorithm> algorithm = symbolizeAlgorithm(name);
  if (!algorithm)
    return parser.emitError(loc, "unknown algorithm '")
           << name << "'; the algorithms are " << listAlgorithms();
  attr = AlgorithmAttr::get(parser.getContext(), *algorithm);
  return success();
}

static void printAlgorithm(OpAsmPrinter &printer, Operation *,
                           AlgorithmAttr attr) {
  printer << stringifyAlgorithm(attr.getValue());
}

/// `exclusive` or `shared`, which may be left out.
static ParseResult parseSharing(OpAsmParser &parser, SharingAttr &attr) {
  Sharing sharing = Sharing::Shared;
  if (succeeded(parser.parseOptionalKeyword("exclusive")))
    sharing = Sharing::Exclusive;
  else
    (void)parser.parseOptionalKeyword("shared");
  attr = SharingAttr::get(parser.getContext(), sharing);
  return success();
}

static void printSharing(OpAsmPrinter &printer, Operation *, SharingAttr attr) {
  printer << stringifySharing(attr.getValue());
}

//===----------------------------------------------------------------------===//
// Rules that load and store share
//===----------------------------------------------------------------------===//

/// L5 and G3: the algorithm fits the group, and the group fits the block.
static LogicalResult verifyGroupUse(Operation *op, GroupType group,
                                    Algorithm algorithm) {
  if (failed(verifyKnownBlockDims(op)))
    return failure();
  bool byWarps = algorithm == Algorithm::WarpTranspose ||
                 algorithm == Algorithm::WarpTransposeTimesliced;
  if (byWarps && !group.isBlock())
    return op->emitOpError("'")
           << stringifyAlgorithm(algorithm)
           << "' needs a block group; on a warp use 'transpose'";
  if (group.isBlock() && !byWarps)
    return success();
  std::optional<int64_t> blockSize = getKnownBlockSize(op);
  if (blockSize && *blockSize % GroupType::kWarpWidth != 0)
    return op->emitOpError("works on whole warps: the block has ")
           << *blockSize << " threads, which is not a multiple of "
           << GroupType::kWarpWidth;
  return success();
}

/// Bytes of an element of memory; a complex number has two parts.
static int64_t getElementBytes(MemRefType memory) {
  Type element = memory.getElementType();
  if (auto parts = dyn_cast<ComplexType>(element))
    return parts.getElementType().getIntOrFloatBitWidth() / 4;
  return element.getIntOrFloatBitWidth() / 8;
}

/// How many items a payload has.
static int64_t getItems(VectorType payload, ItemAttr item) {
  return payload.getNumElements() / getItemElements(payload, item);
}

/// The type of an item's value: an element, or a vector of its elements.
static Type getItemType(VectorType payload, ItemAttr item) {
  int64_t elements = getItemElements(payload, item);
  if (elements == 1)
    return payload.getElementType();
  return VectorType::get({elements}, payload.getElementType());
}

/// The bytes from one element of a memory to the next; nullopt when the type
/// doesn't say.
static std::optional<int64_t> getPitch(MemRefType memory) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(memory.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(strides[0]))
    return std::nullopt;
  return strides[0] * getElementBytes(memory);
}

/// L2: items without gaps, as elements or as bytes.
static bool isContiguous(MemRefType memory, ItemAttr item) {
  int64_t element = getElementBytes(memory);
  if (element != item.getSize() && element != 1)
    return false;
  std::optional<int64_t> pitch = getPitch(memory);
  return memory.isStrided() && (!pitch || *pitch == item.getSize());
}

/// L2 and L9: a contiguous tile of the payload's items. Those that the
/// operation tells the bytes of may lie in memory of bytes.
static LogicalResult verifyTile(Operation *op, MemRefType memory,
                                VectorType payload, ItemAttr item,
                                bool mayBeBytes) {
  mayBeBytes &= memory.getElementType().isInteger(8);
  if (getItemElements(payload, item) == 1 && !mayBeBytes &&
      memory.getElementType() != payload.getElementType())
    return op->emitOpError("moves ")
           << payload.getElementType() << " payloads, but the memory holds "
           << memory.getElementType();
  if (!isContiguous(memory, item))
    return op->emitOpError("needs contiguous memory of items of ")
           << item.getSize() << " bytes, got " << memory;
  return success();
}

/// T1 and T4: a payload is whole items, so few that each of their elements may
/// be an operation.
static LogicalResult verifyPayload(Operation *op, VectorType payload,
                                   ItemAttr item) {
  int64_t element = payload.getElementTypeBitWidth() / 8;
  int64_t bytes = payload.getNumElements() * element;
  if (item.getSize() % element != 0 || bytes % item.getSize() != 0)
    return op->emitOpError("has a payload of ")
           << payload << ", which is no whole number of items of "
           << item.getSize() << " bytes";
  if (int64_t items = bytes / item.getSize(); items > kMaxItems)
    return op->emitOpError("has a payload of ")
           << items << " items; a thread owns at most " << kMaxItems;
  if (bytes > kMaxPayloadBytes)
    return op->emitOpError("has a payload of ")
           << bytes << " bytes; a thread owns at most " << kMaxPayloadBytes;
  return success();
}

/// L7: a constant number of valid items lies in the tile.
static LogicalResult verifyValidItems(Operation *op, GroupType group,
                                      int64_t items, Value validItems) {
  APInt valid;
  std::optional<int64_t> size = getKnownGroupSize(op, group);
  if (!validItems || !size || !matchPattern(validItems, m_ConstantInt(&valid)))
    return success();
  int64_t tile = *size * items;
  if (valid.ule(tile))
    return success();
  InFlightDiagnostic error = op->emitOpError("has ")
                             << valid.getSExtValue() << " valid items";
  // The type tells no sign.
  if (valid.isNegative())
    error << " (or, read without sign, " << valid.getZExtValue() << ")";
  return error << "; a tile of " << *size << " x " << items << " takes 0 to "
               << tile;
}

/// S2: scratch only where the algorithm uses it.
static LogicalResult verifyScratch(Operation *op, Algorithm algorithm,
                                   bool hasLayout, bool hasSlice) {
  if (usesScratch(algorithm) || (!hasLayout && !hasSlice))
    return success();
  return op->emitOpError("has scratch, but '")
         << stringifyAlgorithm(algorithm) << "' uses none";
}

template <typename TileOp>
static LogicalResult verifyTileOp(TileOp op, TypedValue<MemRefType> memory,
                                  VectorType payload) {
  GroupType group = op.getGroup().getType();
  Algorithm algorithm = op.getAlgorithm();
  ItemAttr item = getPayloadItem(payload, op.getItemAttr());
  if (failed(verifyGroupUse(op, group, algorithm)) ||
      failed(verifyPayload(op, payload, item)) ||
      failed(verifyTile(op, memory.getType(), payload, item,
                        bool(op.getItemAttr()))) ||
      failed(verifyValidItems(op, group, getItems(payload, item),
                              op.getValidItems())) ||
      failed(verifyScratch(op, algorithm, bool(op.getLayoutAttr()),
                           bool(op.getScratch()))))
    return failure();
  return success();
}

/// Replace a tile operation's descriptor by its slice.
template <typename TileOp> static void takeSlice(TileOp op, Value slice) {
  op.getTempStorageMutable().clear();
  op.getScratchMutable().assign(slice);
}

/// The keyword of an operand in Python's load and store.
template <typename TileOp>
static StringRef getTileOperandWord(TileOp op, OpOperand &operand,
                                    Value oobDefault) {
  if (&operand == &op.getOffsetMutable())
    return "offset";
  MutableOperandRange valid = op.getValidItemsMutable();
  if (!valid.empty() && &operand == &*valid.begin())
    return "valid_items";
  return oobDefault && operand.get() == oobDefault ? "oob_default" : "operand";
}

/// Who meets between writing and reading the scratch: all of the group, but in
/// the block's warp_transpose ones each warp for itself.
static GroupType getExchangeBarrier(GroupType group, Algorithm algorithm) {
  switch (algorithm) {
  case Algorithm::Direct:
  case Algorithm::Striped:
  case Algorithm::Vectorize:
  case Algorithm::Auto:
    return {};
  case Algorithm::Transpose:
    return group;
  case Algorithm::WarpTranspose:
  case Algorithm::WarpTransposeTimesliced:
    return GroupType::get(group.getContext(), Scope::Warp);
  }
  llvm_unreachable("unknown algorithm");
}

/// A warp_transpose keeps each warp to bytes of its own, which lie where the
/// number and size of a thread's items put them. The timesliced one lets all
/// warps use the same bytes, one after the other.
static ScratchParts getExchangeParts(GroupType group, Algorithm algorithm,
                                     VectorType payload, ItemAttr itemAttr) {
  if (algorithm != Algorithm::WarpTranspose)
    return {group, {}};
  MLIRContext *context = group.getContext();
  ItemAttr item = getPayloadItem(payload, itemAttr);
  return {GroupType::get(context, Scope::Warp),
          DenseI64ArrayAttr::get(context,
                                 {getItems(payload, item), item.getSize()})};
}

/// Replace `auto` by what suits the tile.
template <typename TileOp>
static void chooseTileAlgorithm(TileOp op, VectorType payload,
                                int64_t blockSize, int64_t scratchBytes) {
  GroupType group = op.getGroup().getType();
  TileShape shape;
  ItemAttr item = getPayloadItem(payload, op.getItemAttr());
  // Blocked, an item's words are elements like any.
  shape.elementBytes = item.getWordBytes();
  shape.items = getItems(payload, item) * item.getSize() / item.getWordBytes();
  shape.blockSize = blockSize;
  if (!group.isBlock())
    shape.warpWidth = group.getWidth();
  op.setAlgorithm(coop::chooseAlgorithm(shape, scratchBytes));
}

template <typename TileOp>
static WrapperAttr makeWrapper(TileOp op, StringRef collective,
                               DenseI32ArrayAttr block, VectorType payload,
                               bool defaulted) {
  ItemAttr item = getPayloadItem(payload, op.getItemAttr());
  return WrapperAttr::get(op.getContext(), collective, op.getGroup().getType(),
                          block, getItems(payload, item), item,
                          op.getAlgorithm(), bool(op.getValidItems()),
                          defaulted);
}

//===----------------------------------------------------------------------===//
// LoadOp
//===----------------------------------------------------------------------===//

LogicalResult LoadOp::verify() {
  auto payload = cast<VectorType>(getResult().getType());
  if (failed(verifyTileOp(*this, getTileMemory(), payload)))
    return failure();
  if (!getOobDefault())
    return success();
  if (!getValidItems())
    return emitOpError("has a default, but no number of valid items");
  Type wanted = getItemType(payload, getPayloadItem(payload, getItemAttr()));
  if (getOobDefault().getType() != wanted)
    return emitOpError("has a default of ")
           << getOobDefault().getType() << " for a payload of " << wanted;
  return success();
}

SmallVector<OpOperand *> LoadOp::getUniformOperands() {
  SmallVector<OpOperand *> operands{&getOffsetMutable()};
  for (MutableOperandRange range :
       {getValidItemsMutable(), getOobDefaultMutable()})
    for (OpOperand &operand : range)
      operands.push_back(&operand);
  return operands;
}

StringRef LoadOp::getOperandWord(OpOperand &operand) {
  return getTileOperandWord(*this, operand, getOobDefault());
}

bool LoadOp::usesScratch() { return coop::usesScratch(getAlgorithm()); }
GroupType LoadOp::getBarrierGroup() {
  return getExchangeBarrier(getGroup().getType(), getAlgorithm());
}
ScratchParts LoadOp::getScratchParts() {
  return getExchangeParts(getGroup().getType(), getAlgorithm(),
                          cast<VectorType>(getResult().getType()),
                          getItemAttr());
}
ScratchLayoutAttr LoadOp::getScratchLayout() { return getLayoutAttr(); }
void LoadOp::setScratchLayout(ScratchLayoutAttr layout) {
  setLayoutAttr(layout);
}
Value LoadOp::getStorageDescriptor() { return getTempStorage(); }
void LoadOp::dropStorageDescriptor() { getTempStorageMutable().clear(); }
Value LoadOp::getScratchSlice() { return getScratch(); }
void LoadOp::setScratchSlice(Value slice) { takeSlice(*this, slice); }

TypedValue<MemRefType> LoadOp::getTileMemory() {
  return cast<TypedValue<MemRefType>>(getSource());
}
Value LoadOp::getTileOffset() { return getOffset(); }

SmallVector<Value> LoadOp::getScalarArguments() {
  if (Value valid = getValidItems())
    return {valid};
  return {};
}

SmallVector<Value> LoadOp::getItemInputs() {
  if (Value oobDefault = getOobDefault())
    return {oobDefault};
  return {};
}

bool LoadOp::isAlgorithmOpen() { return getAlgorithm() == Algorithm::Auto; }

void LoadOp::chooseAlgorithm(int64_t blockSize, int64_t scratchBytes) {
  chooseTileAlgorithm(*this, cast<VectorType>(getResult().getType()), blockSize,
                      scratchBytes);
}

WrapperAttr LoadOp::getWrapper(DenseI32ArrayAttr block) {
  return makeWrapper(*this, "load", block,
                     cast<VectorType>(getResult().getType()),
                     bool(getOobDefault()));
}

//===----------------------------------------------------------------------===//
// StoreOp
//===----------------------------------------------------------------------===//

LogicalResult StoreOp::verify() {
  return verifyTileOp(*this, getTileMemory(),
                      cast<VectorType>(getValue().getType()));
}

SmallVector<OpOperand *> StoreOp::getUniformOperands() {
  SmallVector<OpOperand *> operands{&getOffsetMutable()};
  for (OpOperand &operand : getValidItemsMutable())
    operands.push_back(&operand);
  return operands;
}

StringRef StoreOp::getOperandWord(OpOperand &operand) {
  return getTileOperandWord(*this, operand, /*oobDefault=*/{});
}

bool StoreOp::usesScratch() { return coop::usesScratch(getAlgorithm()); }
GroupType StoreOp::getBarrierGroup() {
  return getExchangeBarrier(getGroup().getType(), getAlgorithm());
}
ScratchParts StoreOp::getScratchParts() {
  return getExchangeParts(getGroup().getType(), getAlgorithm(),
                          cast<VectorType>(getValue().getType()),
                          getItemAttr());
}
ScratchLayoutAttr StoreOp::getScratchLayout() { return getLayoutAttr(); }
void StoreOp::setScratchLayout(ScratchLayoutAttr layout) {
  setLayoutAttr(layout);
}
Value StoreOp::getStorageDescriptor() { return getTempStorage(); }
void StoreOp::dropStorageDescriptor() { getTempStorageMutable().clear(); }
Value StoreOp::getScratchSlice() { return getScratch(); }
void StoreOp::setScratchSlice(Value slice) { takeSlice(*this, slice); }

TypedValue<MemRefType> StoreOp::getTileMemory() {
  return cast<TypedValue<MemRefType>>(getDestination());
}
Value StoreOp::getTileOffset() { return getOffset(); }

SmallVector<Value> StoreOp::getScalarArguments() {
  if (Value valid = getValidItems())
    return {valid};
  return {};
}

SmallVector<Value> StoreOp::getItemInputs() { return {getValue()}; }

bool StoreOp::isAlgorithmOpen() { return getAlgorithm() == Algorithm::Auto; }

void StoreOp::chooseAlgorithm(int64_t blockSize, int64_t scratchBytes) {
  chooseTileAlgorithm(*this, cast<VectorType>(getValue().getType()), blockSize,
                      scratchBytes);
}

WrapperAttr StoreOp::getWrapper(DenseI32ArrayAttr block) {
  return makeWrapper(*this, "store", block,
                     cast<VectorType>(getValue().getType()),
                     /*defaulted=*/false);
}

//===----------------------------------------------------------------------===//
// The other operations
//===----------------------------------------------------------------------===//

LogicalResult GroupOp::verify() { return verifyKnownBlockDims(*this); }

GroupType BarrierOp::getBarrierGroup() { return getGroup().getType(); }

static LogicalResult verifyAlignment(Operation *op, int64_t alignment) {
  if (alignment > 0 && llvm::isPowerOf2_64(alignment) &&
      alignment <= kMaxAlignment)
    return success();
  return op->emitOpError("needs an alignment that is a power of two up to ")
         << kMaxAlignment << ", got " << alignment;
}

LogicalResult TempStorageOp::verify() {
  if (std::optional<int64_t> alignment = getAlignment())
    return verifyAlignment(*this, *alignment);
  return success();
}

LogicalResult ArenaOp::verify() {
  return verifyAlignment(*this, getAlignment());
}

LogicalResult ScratchSliceOp::verify() {
  int64_t bytes = cast<MemRefType>(getResult().getType()).getNumElements();
  if (bytes != static_cast<int64_t>(getSize()))
    return emitOpError("names ") << getSize() << " bytes, but gives " << bytes;
  return success();
}

LogicalResult
ScratchSliceOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto arena =
      symbolTable.lookupNearestSymbolFrom<ArenaOp>(*this, getArenaAttr());
  if (!arena)
    return emitOpError("names no arena: ") << getArenaAttr();
  if (getOffset() + getSize() > arena.getSize())
    return emitOpError("ends at byte ")
           << getOffset() + getSize() << " of an arena of " << arena.getSize();
  return success();
}

GroupType AssumeUniformOp::getUniformGroup() {
  if (Value group = getGroup())
    return cast<GroupType>(group.getType());
  return GroupType::get(getContext(), Scope::Block);
}

#define GET_OP_CLASSES
#include "coop/IR/CoopOps.cpp.inc"
