# The Numba types of cooperative values, and the typing of rewritten calls.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Numba types of cooperative values, and the typing of rewritten calls.

The planner rewrites every cooperative call to ``call(spec, *operands)``, whose
type follows from the spec; only that of ``uniform`` is its operand's. So type
inference never fails because of a cooperative call; what the operands must be is
checked when they are lowered.
"""

from __future__ import annotations

from .. import api
from . import specs
from .host import (
    AbstractTemplate,
    AttributeTemplate,
    PrimitiveModel,
    extending,
    mlir,
    numba_errors,
    signature,
    types,
)
from .reach import operation_name


def call(spec, *operands):
    """Stand for the cooperative operation `spec` in rewritten Numba IR."""
    raise NotImplementedError


class SpecType(types.Dummy):
    """The type of a spec: one type for one spec."""

    def __init__(self, spec):
        self.spec = spec
        super().__init__(f"coop.{type(spec).__name__.lower()}")

    @property
    def key(self):
        return (SpecType, self.spec)


class GroupType(types.Type):
    """The type of a group: it says everything, a value has no content."""

    def __init__(self, group: specs.Group):
        self.group = group
        super().__init__(f"coop.Group({group}, {group.block})")


class StorageType(types.Type):
    """The type of a storage descriptor: one for each constructor."""

    def __init__(self, storage: specs.Storage):
        self.storage = storage
        super().__init__("coop.TempStorage")

    @property
    def key(self):
        return (StorageType, self.storage)


class PayloadType(types.Array):
    """A fixed number of slots; an array type, so that Numba can index it.

    Slots of records are a type of their own, as the host doesn't keep them as
    elements: :func:`payload_type` picks it.
    """

    def __init__(self, dtype, count: int):
        super().__init__(dtype, 1, "C", aligned=True)
        self.count = count
        self.name = f"coop.ThreadData({dtype}, {count})"

    @property
    def key(self):
        return (type(self), self.dtype, self.count)

    @property
    def mangling_args(self):
        return "ThreadData", [self.dtype, self.count]

    def copy(self, dtype=None, ndim=None, layout=None, readonly=None):
        return payload_type(self.dtype if dtype is None else dtype, self.count)

    def unify(self, typingctx, other):
        return self if self == other else None

    def can_convert_to(self, typingctx, other):
        return None


class RecordPayloadType(PayloadType):
    """The slots are records: bytes, of which each record has a pointer to its own."""


def payload_type(dtype, count: int) -> PayloadType:
    """Return the type of payloads of `count` items of a Numba type."""
    kind = RecordPayloadType if isinstance(dtype, types.Record) else PayloadType
    return kind(dtype, count)


def result_type(spec, *operands):
    """Return the type of the value that a rewritten call gives."""
    match spec:
        case specs.Uniform():
            return types.unliteral(operands[0])
        case specs.Group():
            return GroupType(spec)
        case specs.Payload():
            return payload_type(spec.dtype, spec.count)
        case specs.Storage():
            return StorageType(spec)
        case specs.Query(name="rank" | "index"):
            return types.int32
        case _:
            return types.none


for _spec in (specs.Group, specs.Payload, specs.Storage, specs.Access, specs.Uniform, specs.Query):
    extending.typeof_impl.register(_spec)(lambda value, context: SpecType(value))


@extending.typing_registry.register_global(call)
class _CallTemplate(AbstractTemplate):
    key = call

    def generic(self, args, kws):
        return signature(result_type(args[0].spec, *args[1:]), *args)


def _register_stub(function):
    """Type a function of coop that the planner left: one that isn't called by name."""

    class StubTemplate(AbstractTemplate):
        key = function

        def generic(self, args, kws):
            raise numba_errors.TypingError(
                f"coop.{operation_name(function)} must be called by its name, not as a run-time "
                "value"
            )

    extending.typing_registry.register_global(function)(StubTemplate)


for _function in api.DEVICE_FUNCTIONS:
    _register_stub(_function)


@extending.typing_registry.register_attr
class _GroupAttributes(AttributeTemplate):
    key = GroupType

    def resolve_size(self, ty):
        return types.literal(ty.group.size)

    def resolve_count(self, ty):
        return types.literal(ty.group.count)


@extending.typing_registry.register_attr
class _PayloadAttributes(AttributeTemplate):
    key = PayloadType

    def resolve_items_per_thread(self, ty):
        return types.literal(ty.count)


@extending.register_model(GroupType)
@extending.register_model(StorageType)
class _NoContentModel(PrimitiveModel):
    """A byte that nothing reads: variables of the type may merge and be returned."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, mlir.IntegerType.get_signless(8))


@extending.register_model(PayloadType)
class _PayloadModel(PrimitiveModel):
    def __init__(self, dmm, fe_type):
        element = dmm.lookup(fe_type.dtype).get_data_type()
        super().__init__(dmm, fe_type, mlir.MemRefType.get([fe_type.count], element))


@extending.register_model(RecordPayloadType)
class _RecordPayloadModel(PrimitiveModel):
    """A byte for each record, a record apart: as the host keeps arrays of records."""

    def __init__(self, dmm, fe_type):
        layout = mlir.StridedLayoutAttr.get(0, [fe_type.dtype.size])
        byte = mlir.IntegerType.get_signless(8)
        super().__init__(dmm, fe_type, mlir.MemRefType.get([fe_type.count], byte, layout=layout))


extending.refresh_registries(typing=True, target=False, include_uninitialized_cuda=False)
