# Rewritten calls -> coop operations in the host's module.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewritten calls -> coop operations in the host's module.

Every operation gets the location of its call. Groups and descriptors have no
value: each use makes a new ``coop.group`` from the group's type, and refers to
the one ``coop.temp_storage`` of the descriptor's constructor.
"""

from __future__ import annotations

from . import specs
from .checks import as_element, check_access, check_group, check_uniform
from .host import arith, extending, gpu, kernel_facts, memref, mlir, types, vector
from .typing import GroupType, PayloadType
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
    ty = builder.get_value_type(PayloadType(payload.dtype, payload.count))
    with builder.alloca_insertion_point():
        slots = memref.alloca(ty, [], [], alignment=max(payload.alignment or 0, _ALIGNMENT))
    slots.owner.attributes["coop.payload"] = mlir.UnitAttr.get()
    return slots


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
    algorithm = {"algorithm": mlir.Attribute.parse(f"#coop.algorithm<{access.algorithm}>")}
    if access.name == "load":
        tile = _create("coop.load", operands.of_load(), [operands.tile_type], algorithm)
        _write(operands.payload, tile)
    else:
        tile = _read(operands.payload, operands.tile_type)
        _create("coop.store", operands.of_store(tile), [], algorithm)
    return _none()


class _Operands:
    """The operands of a load or store, checked and converted."""

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
        self.tile_type = mlir.VectorType.get([items_type.count], self.payload.type.element_type)
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
            element = self.tile_type.element_type
            value = self._constants["oob_default"]
            return arith.constant(element, _signless(as_element(value, self._dtype), self._dtype))
        return self._builder.load_var(self._controls["oob_default"])

    def _descriptor(self):
        ty = self._types.get("temp_storage")
        return None if ty is None else _storage(self._builder, ty.storage)


def _write(payload, tile) -> None:
    """Put the elements of a vector into a payload's slots."""
    for slot in range(tile.type.shape[0]):
        element = vector.extract(tile, dynamic_position=[], static_position=[slot])
        memref.store(element, payload, [_index_constant(slot)])


def _read(payload, tile_type):
    """Return the contents of a payload's slots as a vector."""
    slots = range(tile_type.shape[0])
    elements = [memref.load(payload, [_index_constant(slot)]) for slot in slots]
    return vector.from_elements(tile_type, elements)


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


def _signless(value, dtype):
    """Return an element as its signless attribute takes it: ints in two's complement."""
    if isinstance(dtype, types.Integer) and value > dtype.maxval >> (not dtype.signed):
        return value - (1 << dtype.bitwidth)
    return value


def _index_constant(value):
    return arith.constant(mlir.IndexType.get(), value)


def _none():
    """Return what stands for None in the host's lowering."""
    return mlir.NoneType.get()


extending.refresh_registries(typing=False, target=True, include_uninitialized_cuda=False)
