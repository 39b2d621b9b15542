# Rewritten calls -> coop operations in the host's module.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewritten calls -> coop operations in the host's module.

Every operation gets the location of its call. Groups and descriptors have no
value: each use makes a new ``coop.group`` from the group's type, and refers to
the one ``coop.temp_storage`` of the descriptor's constructor.
"""

from __future__ import annotations

import operator

from . import specs
from .checks import check_access, check_group, check_uniform
from .host import arith, extending, gpu, kernel_facts, llvm, memref, mlir, types, vector
from .items import item_of, record_pointer
from .layouts import item_bytes, layout_of
from .typing import GroupType, PayloadType, RecordPayloadType, payload_type
from .typing import call as rewritten_call

_ALIGNMENT = 16


@extending.lowering_registry.lower(rewritten_call, types.VarArg(types.Any))
def _lower_call(builder, target, args, kws):
    spec, operands = builder.get_numba_type(args[0]).spec, args[1:]
    _mark_kernel(builder)
    match spec:
        case specs.Payload():
            value = _payload(builder, spec)
        case specs.Storage():
            _storage(builder, spec)
            value = _no_content()
        case specs.Group():
            value = _no_content()
        case specs.Access():
            value = _access(builder, spec, *operands)
        case specs.Uniform():
            value = _uniform(builder, spec, *operands)
        case specs.Query():
            value = _query(builder, spec, *operands)
    builder.store_var(target, value)


def _mark_kernel(builder) -> None:
    """Allow coop's operations, and put the block's shape on the kernel.

    The shape is also the launch's bound, so that the assembler gives no thread more registers
    than let a block of this size start; bounds that the user has given stay.
    """
    builder.mlir_funcOp.operation.context.allow_unregistered_dialects = True
    attributes = builder.mlir_funcOp.attributes
    block = mlir.DenseI32ArrayAttr.get(kernel_facts(builder.metadata).block)
    attributes["gpu.known_block_size"] = block
    if "nvvm.maxntid" not in attributes:
        attributes["nvvm.maxntid"] = block


# ---------------------------------------------------------------------------
# Groups, payloads and descriptors
# ---------------------------------------------------------------------------


def _no_content():
    return arith.constant(mlir.IntegerType.get_signless(8), 0)


def _group(group: specs.Group):
    return _create("coop.group", results=[mlir.Type.parse(group.ir_type)])


def _payload(builder, payload: specs.Payload):
    ty = builder.get_value_type(payload_type(payload.dtype, payload.count))
    alignment = max(payload.alignment or 0, _ALIGNMENT)
    with builder.alloca_insertion_point():
        if isinstance(payload.dtype, types.Record):
            slots = _records(ty, payload, alignment)
        else:
            slots = memref.alloca(ty, [], [], alignment=alignment)
            slots.owner.attributes["coop.payload"] = mlir.UnitAttr.get()
    item_of(builder, payload.dtype).prepare(slots, payload.count)
    return slots


def _records(ty, payload: specs.Payload, alignment):
    """Return a view of new bytes, one for each record."""
    size = payload.dtype.size
    whole = mlir.MemRefType.get([payload.count * size], ty.element_type)
    storage = memref.alloca(whole, [], [], alignment=alignment)
    return memref.reinterpret_cast(ty, storage, [], [], [], [0], [payload.count], [size])


def _storage(builder, storage: specs.Storage):
    """Return the descriptor of a constructor, made once where it reaches all uses."""
    made = kernel_facts(builder.metadata).storages
    if storage not in made:
        with builder.alloca_insertion_point():
            made[storage] = _create(
                "coop.temp_storage",
                results=[mlir.Type.parse("!coop.temp_storage")],
                attributes=_storage_attributes(storage),
            )
    return made[storage]


def _storage_attributes(storage: specs.Storage) -> dict:
    attributes = {"sharing": mlir.Attribute.parse(f"#coop.sharing<{storage.sharing}>")}
    if storage.size is not None:
        attributes["size_in_bytes"] = _i64_attribute(storage.size)
    if storage.alignment is not None:
        attributes["alignment"] = _i64_attribute(storage.alignment)
    if storage.auto_sync:
        attributes["auto_sync"] = mlir.UnitAttr.get()
    return attributes


# ---------------------------------------------------------------------------
# Load and store
# ---------------------------------------------------------------------------


def _access(builder, access: specs.Access, group, array, items, *controls):
    """Emit a load or a store."""
    operands = _Operands(builder, access, group, array, items, controls)
    attributes = {"algorithm": mlir.Attribute.parse(f"#coop.algorithm<{access.algorithm}>")}
    if operands.layout is not None:
        size, alignment = operands.layout.size, operands.layout.alignment
        attributes["item"] = mlir.Attribute.parse(f"#coop.item<{size}, {alignment}>")
    if access.name == "load":
        tile = _create("coop.load", operands.of_load(), [operands.tile_type], attributes)
        operands.item.write_slots(operands.payload, _elements(tile))
    else:
        words = operands.item.read_slots(operands.payload, operands.count)
        tile = vector.from_elements(operands.tile_type, words)
        _create("coop.store", operands.of_store(tile), [], attributes)
    return _none()


def _elements(tile) -> list:
    """Return the elements of a vector."""
    count = tile.type.shape[0]
    return [vector.extract(tile, dynamic_position=[], static_position=[i]) for i in range(count)]


class _Operands:
    """The operands of a load or store, checked and converted.

    Attributes
    ----------
    payload : value
        The slots.
    count : int
        How many.
    item : Item
        What is in them.
    tile_type : MLIR type
        Of the vector of their words.
    layout : Layout or None
        How items lie in the array, None when that follows from the vector.
    """

    def __init__(self, builder, access: specs.Access, group, array, items, controls):
        self._builder = builder
        self._constants = access.constants
        self._controls = {
            name: var
            for name, var in zip(specs.CONTROLS, controls, strict=True)
            if not isinstance(builder.get_numba_type(var), types.NoneType)
        }
        group_type, array_type, items_type = map(builder.get_numba_type, (group, array, items))
        self._types = {n: builder.get_numba_type(v) for n, v in self._controls.items()}
        check_access(access, group_type, array_type, items_type, self._types)
        self._dtype = items_type.dtype
        self._array = builder.load_var(array)
        self.payload = builder.load_var(items)
        self.count = items_type.count
        self.item = item_of(builder, self._dtype)
        self.tile_type = mlir.VectorType.get([self.count * self.item.words], self.item.word)
        layout = layout_of(self._dtype, array_type.aligned)
        is_element = self.item.words == 1 and not isinstance(self._dtype, types.Record)
        self.layout = None if is_element and layout.size == layout.alignment else layout
        self._group = _group(group_type.group)

    def of_load(self) -> list:
        return [
            self._group,
            self._array,
            self._index("offset") or _index_constant(0),
            self._index("valid_items"),
            self._default(),
            self._descriptor(),
            None,
        ]

    def of_store(self, tile) -> list:
        return [
            self._group,
            tile,
            self._array,
            self._index("offset") or _index_constant(0),
            self._index("valid_items"),
            self._descriptor(),
            None,
        ]

    def _index(self, name):
        """Return an integer control as an index; nothing of its value is lost."""
        if name not in self._controls:
            return None
        if name in self._constants:
            return _index_constant(self._constants[name])
        value, ty = self._builder.load_var(self._controls[name]), self._types[name]
        i64 = mlir.IntegerType.get_signless(64)
        if ty.bitwidth < 64:
            value = arith.extsi(i64, value) if ty.signed else arith.extui(i64, value)
        return arith.index_cast(mlir.IndexType.get(), value)

    def _default(self):
        if "oob_default" not in self._controls:
            return None
        if "oob_default" in self._constants:
            words = self.item.constant(item_bytes(self._constants["oob_default"], self._dtype))
        else:
            value = self._builder.load_var(self._controls["oob_default"])
            words = self.item.words_of(value)
        if len(words) == 1:
            return words[0]
        return vector.from_elements(mlir.VectorType.get([len(words)], self.item.word), words)

    def _descriptor(self):
        ty = self._types.get("temp_storage")
        return None if ty is None else _storage(self._builder, ty.storage)


# ---------------------------------------------------------------------------
# Slots of records
# ---------------------------------------------------------------------------


def _record_slot(builder, items, index):
    """Return the pointer to a slot; `index` is a variable or an int."""
    value = _index_constant(index) if isinstance(index, int) else builder.load_var(index)
    record = builder.get_numba_type(items).dtype
    return record_pointer(builder.load_var(items), value, record)


@extending.lowering_registry.lower(operator.getitem, RecordPayloadType, types.Integer)
def _lower_record_getitem(builder, target, args, kws):
    builder.store_var(target, _record_slot(builder, *args))


@extending.lowering_registry.lower(operator.setitem, RecordPayloadType, types.Integer, types.Record)
def _lower_record_setitem(builder, target, args, kws):
    items, index, value = args
    size = arith.constant(
        mlir.IntegerType.get_signless(64), builder.get_numba_type(items).dtype.size
    )
    llvm.intr_memcpy(_record_slot(builder, items, index), builder.load_var(value), size, False)


# ---------------------------------------------------------------------------
# Statements of the user
# ---------------------------------------------------------------------------


def _uniform(builder, statement, value):
    """Emit the statement that all threads of the block have the same value."""
    check_uniform(statement, builder.get_numba_type(value))
    value = builder.load_var(value)
    return _create("coop.assume_uniform", [value], [value.type])


# ---------------------------------------------------------------------------
# Methods and attributes
# ---------------------------------------------------------------------------


def _query(builder, query: specs.Query, group):
    """Emit a method of a group."""
    group = check_group(query, builder.get_numba_type(group))
    if query.name == "sync":
        _create("coop.barrier", [_group(group)])
        return _none()
    size = arith.constant(_i32(), group.size)
    rank = _rank_in_block(group.block)
    if query.name == "rank":
        return arith.remui(rank, size)
    return arith.divui(rank, size)


def _rank_in_block(block):
    """Return x + y * Dx + z * Dx * Dy as an i32."""
    dims = (gpu.Dimension.x, gpu.Dimension.y, gpu.Dimension.z)
    x, y, z = (arith.index_cast(_i32(), gpu.thread_id(dim)) for dim in dims)
    row = arith.addi(y, arith.muli(z, arith.constant(_i32(), block[1])))
    return arith.addi(x, arith.muli(row, arith.constant(_i32(), block[0])))


def _lower_constant_attribute(context, builder, target, value, attr=None):
    """Lower an attribute whose type is its value."""
    literal = builder.get_numba_type(target).literal_value
    builder.store_var(target, arith.constant(mlir.IntegerType.get_signless(64), literal))


for _type, _name in ((GroupType, "size"), (GroupType, "count"), (PayloadType, "items_per_thread")):
    extending.lowering_registry.lower_getattr(_type, _name)(_lower_constant_attribute)


# ---------------------------------------------------------------------------
# MLIR helpers
# ---------------------------------------------------------------------------


def _create(name, operands=(), results=(), attributes=None):
    """Create an operation of coop; an operand of None is an absent one.

    Return its result, None when it has none.
    """
    attributes = dict(attributes or {})
    if any(operand is None for operand in operands):
        attributes["operandSegmentSizes"] = mlir.DenseI32ArrayAttr.get(
            [int(operand is not None) for operand in operands]
        )
    present = [operand for operand in operands if operand is not None]
    op = mlir.Operation.create(name, results=list(results), operands=present, attributes=attributes)
    return op.results[0] if results else None


def _i32():
    return mlir.IntegerType.get_signless(32)


def _i64_attribute(value):
    return mlir.IntegerAttr.get(mlir.IntegerType.get_signless(64), value)


def _index_constant(value):
    return arith.constant(mlir.IndexType.get(), value)


def _none():
    """Return what stands for None in the host's lowering."""
    return mlir.NoneType.get()


extending.refresh_registries(typing=False, target=True, include_uninitialized_cuda=False)
