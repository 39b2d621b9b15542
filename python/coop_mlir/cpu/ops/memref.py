# The memref dialect.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memref dialect: views of memory, and what goes in and out of it."""

from __future__ import annotations

import numpy as np

from coop_mlir import ir

from .. import access, atomics
from ..findings import UnsupportedError, source_of
from ..program import ObjectSpec, Step
from ..registry import control, effect, pure
from ..types import dtype_of
from ..values import MemRef, spread, uniform

_DYNAMIC = ir.ShapedType.get_dynamic_size()
_ZERO = uniform(0, np.int64)


def index_value(number: int) -> np.ndarray:
    """Return an index on which all lanes agree."""
    return uniform(number, np.int64)


def contiguous(sizes) -> tuple:
    """Return the strides of a contiguous view, in elements."""
    strides = [index_value(1)]
    for size in reversed(sizes[1:]):
        strides.append(strides[-1] * size)
    return tuple(reversed(strides))[: len(sizes)]


def whole(base, shape, dynamic=()) -> MemRef:
    """Return the view of all of an object of a shape."""
    dynamic = iter(dynamic)
    sizes = tuple(next(dynamic) if n == _DYNAMIC else index_value(n) for n in shape)
    return MemRef(base, _ZERO, sizes, contiguous(sizes))


def is_shared(mlir_type) -> bool:
    """Whether a memref is in workgroup memory."""
    space = str(mlir_type.memory_space)
    return "workgroup" in space or space.startswith("3")


# ---------------------------------------------------------------------------
# Objects
# ---------------------------------------------------------------------------


def dynamic_shared_memory(builder, location) -> int:
    """Return the number of the object that all shared symbols without a size mean."""
    spec = ObjectSpec("shared", "the dynamic shared memory", None, location=location)
    return builder.object(spec, key="dynamic shared memory")


@effect("memref.alloca")
def _alloca(op, slots):
    mlir_type = op.results[0].type
    if _DYNAMIC in mlir_type.shape:
        raise UnsupportedError("a local array whose size isn't constant isn't supported")
    dtype = dtype_of(mlir_type.element_type)
    shape = tuple(mlir_type.shape)
    count = int(np.prod(shape, dtype=np.int64))

    def view(base):
        return whole(base, shape)

    return access.local_array(slots, count * dtype.itemsize, dtype.itemsize, view)


@effect("memref.get_global")
def _get_global(op, slots):
    name = op.attributes["name"].value
    shape = tuple(op.results[0].type.shape)
    number = _global_object(slots.builder, name)
    (result,) = slots.results

    def run(frame):
        frame.env[result] = whole(frame.run.address(number), shape)

    return run


def _global_object(builder, name):
    op = builder.symbols[name]
    mlir_type = op.attributes["type"].value
    dtype = dtype_of(mlir_type.element_type)
    count = int(np.prod(mlir_type.shape, dtype=np.int64))
    if count == 0 and is_shared(mlir_type):
        return dynamic_shared_memory(builder, source_of(op.location))
    initial = None
    if isinstance(op.attributes.get("initial_value"), ir.DenseElementsAttr):
        values = np.array(op.attributes["initial_value"]).astype(dtype)
        initial = np.broadcast_to(values, mlir_type.shape).tobytes()
    return builder.object(
        ObjectSpec(
            space="shared" if is_shared(mlir_type) else "global",
            name=f"the array '{name}'",
            size=count * dtype.itemsize,
            initial=initial,
            location=source_of(op.location),
            writable="constant" not in op.attributes,
        ),
        key=name,
    )


# ---------------------------------------------------------------------------
# Loads and stores
# ---------------------------------------------------------------------------


@effect("memref.load")
def _load(op, slots):
    memory, *indices = slots.operands
    dtype = dtype_of(op.results[0].type)
    (result,) = slots.results

    def run(frame):
        address = access.element_address(frame, memory, indices, dtype.itemsize, slots)
        access.load(frame, result, address, dtype, slots.location)

    return run


@effect("memref.store")
def _store(op, slots):
    value, memory, *indices = slots.operands
    dtype = dtype_of(op.operands[0].type)

    def run(frame):
        address = access.element_address(frame, memory, indices, dtype.itemsize, slots)
        access.store(frame, value, address, slots.location)

    return run


@effect("memref.atomic_rmw")
def _atomic(op, slots):
    value, memory, *indices = slots.operands
    combine = atomics.COMBINERS[_ATOMIC_KINDS[op.attributes["kind"].value]]
    dtype = dtype_of(op.results[0].type)
    used = any(True for _ in op.results[0].uses)

    def run(frame):
        address = access.element_address(frame, memory, indices, dtype.itemsize, slots)
        atomics.atomic(frame, slots, address, dtype, [value], combine, used)

    return run


_ATOMIC_KINDS = {
    0: "fadd", 1: "add", 2: "xchg", 3: "fmaximum", 4: "max", 5: "umax", 6: "fminimum",
    7: "min", 8: "umin", 9: "mul", 10: "or", 11: "and", 12: "fmax", 13: "fmin", 14: "xor",
}  # fmt: skip


@control("memref.generic_atomic_rmw")
def _generic_atomic(builder, op):
    """One lane after the other where several mean one address."""
    memory, *indices = builder.values(op.operands)
    (result,) = [builder.register(value) for value in op.results]
    slots = builder.slots_for(op, [memory, *indices], [result])
    dtype = dtype_of(op.results[0].type)
    block = op.regions[0].blocks[0]
    argument, yielded = builder.register(block.arguments[0]), builder.register()
    outer, body = builder.step, Step()
    builder.begin(body)
    builder.yields.append((Step(), [yielded]))
    for inner in block.operations:
        builder.operation(inner.operation)
    builder.yields.pop()
    (source, _), *_ = body.end.moves

    def combine_in(frame):
        def combine(old, *_):
            frame.env[argument] = old
            for run in body.ops:
                run(frame)
            return frame.env[source]

        return combine

    def run(frame):
        address = access.element_address(frame, memory, indices, dtype.itemsize, slots)
        atomics.serial(frame, slots, address, dtype, body.reads, combine_in)

    builder.begin(outer)
    outer.ops.append(run)
    outer.reads.update([memory, *indices, *(body.reads - body.writes - {argument})])
    outer.writes.add(result)


# ---------------------------------------------------------------------------
# Views
# ---------------------------------------------------------------------------


@effect("memref.dim")
def _dim(op, slots):
    memory, index = slots.operands
    (result,) = slots.results

    def run(frame):
        sizes = frame.env[memory].sizes
        wanted = frame.env[index]
        if wanted.shape == (1,):
            frame.env[result] = sizes[int(wanted[0])]
        else:
            table = np.stack([spread(size, frame.count) for size in sizes])
            frame.env[result] = table[wanted, np.arange(frame.count)]

    return run


@pure("memref.cast", "memref.memory_space_cast", "memref.assume_alignment")
def _same(op):
    if op.name == "memref.cast":
        return lambda memory: memory
    return lambda memory, *_: memory


@pure("memref.extract_aligned_pointer_as_index")
def _pointer(op):
    return lambda memory: memory.base


@pure("memref.extract_strided_metadata")
def _metadata(op):
    def split(memory):
        base = MemRef(memory.base, _ZERO, (), ())
        return (base, memory.offset, *memory.sizes, *memory.strides)

    return split


@pure("memref.subview")
def _subview(op):
    segments = list(op.attributes["operandSegmentSizes"])[1:]
    names = ("static_offsets", "static_sizes", "static_strides")
    static = [list(op.attributes[name]) for name in names]
    dropped = _dropped_dimensions(op)

    def view(memory, *dynamic):
        offsets, sizes, steps = _mixed(static, segments, dynamic)
        offset = memory.offset
        for position, stride in zip(offsets, memory.strides, strict=True):
            offset = offset + position * stride
        strides = [a * b for a, b in zip(memory.strides, steps, strict=True)]
        kept = [d for d in range(len(sizes)) if d not in dropped]
        return MemRef(
            memory.base, offset, tuple(sizes[d] for d in kept), tuple(strides[d] for d in kept)
        )

    return view


@pure("memref.reinterpret_cast")
def _reinterpret(op):
    segments = list(op.attributes["operandSegmentSizes"])[1:]
    names = ("static_offsets", "static_sizes", "static_strides")
    static = [list(op.attributes[name]) for name in names]

    def view(memory, *dynamic):
        (offset,), sizes, strides = _mixed(static, segments, dynamic)
        return MemRef(memory.base, offset, tuple(sizes), tuple(strides))

    return view


def _mixed(static, segments, dynamic):
    """Return lists of values from constants and the operands in their gaps."""
    operands = iter(dynamic)
    del segments
    return [
        [next(operands) if number == _DYNAMIC else index_value(number) for number in numbers]
        for numbers in static
    ]


def _dropped_dimensions(op) -> set:
    """Return the dimensions of size one that a subview's result doesn't have."""
    sizes, rank = list(op.attributes["static_sizes"]), op.results[0].type.rank
    result = list(op.results[0].type.shape)
    dropped = set()
    for dimension, size in enumerate(sizes):
        at = dimension - len(dropped)
        if (
            len(sizes) - len(dropped) > rank
            and size == 1
            and not (at < rank and result[at] == 1 and len(sizes) - dimension <= rank - at)
        ):
            dropped.add(dimension)
    return dropped


@pure("memref.collapse_shape")
def _collapse(op):
    groups = [[d.value for d in group] for group in op.attributes["reassociation"]]

    def view(memory):
        sizes, strides = [], []
        for group in groups:
            size = index_value(1)
            for dimension in group:
                size = size * memory.sizes[dimension]
            sizes.append(size)
            strides.append(memory.strides[_innermost(memory, group)])
        return MemRef(memory.base, memory.offset, tuple(sizes), tuple(strides))

    return view


def _innermost(memory, group) -> int:
    """Return the last dimension of a group that isn't of size one."""
    longer = [d for d in group if memory.sizes[d].shape != (1,) or memory.sizes[d][0] != 1]
    return (longer or group)[-1]


@pure("memref.expand_shape")
def _expand(op):
    groups = [[d.value for d in group] for group in op.attributes["reassociation"]]
    static = list(op.attributes["static_output_shape"])

    def view(memory, *dynamic):
        operands = iter(dynamic)
        sizes = [next(operands) if n == _DYNAMIC else index_value(n) for n in static]
        strides = [None] * len(sizes)
        for group, stride in zip(groups, memory.strides, strict=True):
            for dimension in reversed(group):
                strides[dimension] = stride
                stride = stride * sizes[dimension]
        return MemRef(memory.base, memory.offset, tuple(sizes), tuple(strides))

    return view


@pure("memref.view")
def _view(op):
    shape = tuple(op.results[0].type.shape)
    return lambda memory, shift, *sizes: whole(memory.base + memory.offset + shift, shape, sizes)


@pure("builtin.unrealized_conversion_cast")
def _descriptor(op):
    """Turn a memref into LLVM's struct of it, or back."""
    if isinstance(op.results[0].type, ir.MemRefType):
        return _from_descriptor
    if isinstance(op.operands[0].type, ir.MemRefType):
        return _to_descriptor
    return lambda value: value


def _to_descriptor(memory):
    parts = (memory.base, memory.base, memory.offset)
    return (*parts, memory.sizes, memory.strides) if memory.sizes else parts


def _from_descriptor(struct):
    _, base, offset, *shape = struct
    sizes, strides = shape or ((), ())
    return MemRef(base, offset, tuple(sizes), tuple(strides))


@effect("memref.copy")
def _copy(op, slots):
    raise UnsupportedError("operation 'memref.copy' isn't supported on the CPU target")
