# The part of the LLVM dialect that kernels use before their final lowering.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The LLVM dialect: pointers, aggregates, memory and atomics."""

from __future__ import annotations

import re

import numpy as np

from coop_mlir import ir

from .. import access, atomics
from ..findings import CoopCheckError, UnsupportedError, source_of
from ..program import ObjectSpec
from ..registry import effect, pure
from ..types import ArrayType, StructType, dtype_of, field_offset, layout_of, size_of
from ..types import leaves as leaves_of
from ..values import spread, uniform
from .arith import constant_value
from .memref import dynamic_shared_memory

_DYNAMIC = -(1 << 31)
_BYTE = np.dtype(np.uint8)

# ---------------------------------------------------------------------------
# Pointers
# ---------------------------------------------------------------------------


@pure("llvm.inttoptr", "llvm.ptrtoint")
def _pointer_cast(op):
    dtype = dtype_of(op.results[0].type)
    if dtype.itemsize != 8:
        raise UnsupportedError("pointers are 64 bits wide on the CPU target")
    return lambda a: a


@pure("llvm.addrspacecast", "llvm.freeze")
def _same(op):
    return lambda a: a


@pure("llvm.getelementptr")
def _element_pointer(op):
    layout = layout_of(op.attributes["elem_type"].value)
    constants = list(op.attributes["rawConstantIndices"])

    def advance(base, *dynamic):
        operands = iter(dynamic)
        address, at = base, layout
        for depth, number in enumerate(constants):
            if depth == 0:
                index = next(operands) if number == _DYNAMIC else number
                address = address + _wide(index) * size_of(at)
            elif isinstance(at, StructType):
                address, at = address + field_offset(at, number), at.members[number]
            else:
                index = next(operands) if number == _DYNAMIC else number
                at = at.element
                address = address + _wide(index) * size_of(at)
        return address

    return advance


def _wide(index):
    return index.astype(np.int64) if isinstance(index, np.ndarray) else index


@effect("llvm.mlir.addressof")
def _address_of(op, slots):
    number = _global_object(slots.builder, op.attributes["global_name"].value)
    (result,) = slots.results

    def run(frame):
        frame.env[result] = frame.run.address(number)

    return run


def _global_object(builder, name):
    op = builder.symbols[name]
    layout = layout_of(op.attributes["global_type"].value)
    space = op.attributes["addr_space"].value if "addr_space" in op.attributes else 0
    size = size_of(layout)
    if space == 3 and size == 0:
        return dynamic_shared_memory(builder, source_of(op.location))
    return builder.object(
        ObjectSpec(
            space="shared" if space == 3 else "global",
            name="the kernel's scratch" if space == 3 else f"the array '{name}'",
            size=size,
            initial=_initial(op, layout),
            location=source_of(op.location),
            writable="constant" not in op.attributes,
        ),
        key=name,
    )


def _initial(op, layout):
    if "value" not in op.attributes:
        return None
    value = op.attributes["value"]
    if isinstance(value, ir.StringAttr):
        return value.value_bytes
    if isinstance(layout, np.dtype):
        return constant_value(value, op.attributes["global_type"].value).tobytes()
    if isinstance(value, ir.DenseElementsAttr):
        _, dtype = next(leaves_of(layout))
        return np.array(value).astype(dtype).tobytes()
    raise UnsupportedError("the initial value of this global isn't supported")


@effect("llvm.alloca")
def _alloca(op, slots):
    layout = layout_of(op.attributes["elem_type"].value)
    count = slots.builder.constants.get(slots.operands[0])
    if count is None:
        raise UnsupportedError("a local array whose size isn't constant isn't supported")
    kinds = {dtype.itemsize for _, dtype in leaves_of(layout)}
    element = kinds.pop() if len(kinds) == 1 else 1
    size = int(count[0]) * size_of(layout)
    return access.local_array(slots, size, element, lambda base: base)


# ---------------------------------------------------------------------------
# Loads and stores
# ---------------------------------------------------------------------------


@effect("llvm.load")
def _load(op, slots):
    (address,), (result,) = slots.operands, slots.results
    read = _reader(layout_of_value(op.results[0].type), slots)

    def run(frame):
        frame.run.require(frame, address, "an address", slots.location)
        read(frame, frame.env[address], result)

    return run


def layout_of_value(mlir_type):
    """Return the layout of a value; a vector's is that of an array."""
    if isinstance(mlir_type, ir.VectorType):
        return ArrayType(int(np.prod(mlir_type.shape)), dtype_of(mlir_type))
    return layout_of(mlir_type)


def _reader(layout, slots):
    if isinstance(layout, np.dtype):
        return lambda frame, base, result: access.load(frame, result, base, layout, slots.location)

    def read(frame, base, result):
        values, unwritten = _read_parts(frame, base, layout, slots.location)
        frame.env[result] = values
        frame.mark(result, unwritten)

    return read


def _read_parts(frame, base, layout, location):
    """Return a tuple for an aggregate, an array for a vector."""
    if isinstance(layout, np.dtype):
        return frame.run.memory.read(base, frame.lanes, layout, location)
    is_array = isinstance(layout, ArrayType)
    count = layout.count if is_array else len(layout.members)
    parts = []
    for index in range(count):
        member = layout.element if is_array else layout.members[index]
        at = base + field_offset(layout, index)
        parts.append(_read_parts(frame, at, member, location)[0])
    return tuple(parts), None


@effect("llvm.store")
def _store(op, slots):
    value, address = slots.operands
    mlir_type = op.operands[0].type
    layout = layout_of_value(mlir_type)

    def run(frame):
        frame.run.require(frame, address, "an address", slots.location)
        base = frame.env[address]
        if isinstance(layout, np.dtype):
            access.store(frame, value, base, slots.location)
        else:
            _write_parts(frame, base, layout, frame.env[value], slots.location)

    return run


def _write_parts(frame, base, layout, value, location):
    if isinstance(layout, np.dtype):
        frame.run.memory.write(base, frame.lanes, value, None, location)
        return
    is_array = isinstance(layout, ArrayType)
    for index in range(layout.count if is_array else len(layout.members)):
        member = layout.element if is_array else layout.members[index]
        at = base + field_offset(layout, index)
        _write_parts(frame, at, member, value[index], location)


@effect("llvm.intr.memcpy", "llvm.intr.memmove")
def _copy(op, slots):
    target, source = slots.operands[:2]
    size = slots.builder.constants.get(slots.operands[2])
    if size is None:
        raise UnsupportedError(f"'{op.name}' of a size that isn't constant isn't supported")
    steps = np.arange(int(size[0]))[:, None]

    def run(frame):
        memory, lanes, where = frame.run.memory, frame.lanes, slots.location
        for address in (target, source):
            frame.run.require(frame, address, "an address", where)
        value, unwritten = memory.read(frame.env[source] + steps, lanes, _BYTE, where)

        def refuse(marks):
            marks = np.broadcast_to(marks, (len(steps), frame.count))
            frame.run.refuse_read(lanes, marks, where)

        memory.write(frame.env[target] + steps, lanes, value, unwritten, where, refuse)

    return run


# ---------------------------------------------------------------------------
# Atomics
# ---------------------------------------------------------------------------

_RMW_KINDS = (
    "xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin",
    "fadd", "fsub", "fmax", "fmin", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat",
    "fmaximum", "fminimum",
)  # fmt: skip


@effect("llvm.atomicrmw")
def _atomic(op, slots):
    address, value = slots.operands
    kind = _RMW_KINDS[op.attributes["bin_op"].value]
    if kind not in atomics.COMBINERS:
        raise UnsupportedError(f"the atomic operation '{kind}' isn't supported")
    dtype = dtype_of(op.results[0].type)
    used = any(True for _ in op.results[0].uses)

    def run(frame):
        combine = atomics.COMBINERS[kind]
        atomics.atomic(frame, slots, frame.env[address], dtype, [value], combine, used)

    return run


@effect("llvm.cmpxchg")
def _compare_exchange(op, slots):
    address, expected, new = slots.operands
    dtype = dtype_of(op.operands[1].type)
    (result,) = slots.results

    def combine(old, wanted, replacement):
        return np.where(old == wanted, replacement, old)

    def run(frame):
        atomics.atomic(frame, slots, frame.env[address], dtype, [expected, new], combine)
        old = frame.env[result]
        frame.env[result] = (old, spread(old == frame.env[expected], frame.count))

    return run


# ---------------------------------------------------------------------------
# Aggregates
# ---------------------------------------------------------------------------


@pure("llvm.extractvalue")
def _extract_value(op):
    position = list(op.attributes["position"])

    def extract(value):
        for index in position:
            value = value[index]
        return value

    return extract


@pure("llvm.insertvalue")
def _insert_value(op):
    position = list(op.attributes["position"])
    return lambda value, part: _replaced(value, position, part)


def _replaced(value, position, part):
    if not position:
        return part
    index, *rest = position
    return (*value[:index], _replaced(value[index], rest, part), *value[index + 1 :])


# ---------------------------------------------------------------------------
# Assembly, debug information and intrinsics
# ---------------------------------------------------------------------------

_CACHED_LOAD = re.compile(r"ld\.global\.\w+\.b\d+ \$0, \[\$1\];")
_CACHED_STORE = re.compile(r"st\.global\.\w+\.b\d+ \[\$0\], \$1;")


@effect("llvm.inline_asm")
def _assembly(op, slots):
    text = op.attributes["asm_string"].value
    if _CACHED_LOAD.fullmatch(text):
        dtype = dtype_of(op.results[0].type)
        (address,), (result,) = slots.operands, slots.results
        return lambda frame: access.load(frame, result, frame.env[address], dtype, slots.location)
    if _CACHED_STORE.fullmatch(text):
        address, value = slots.operands
        return lambda frame: access.store(frame, value, frame.env[address], slots.location)
    if text == "mov.b16 $0, $1;":
        return _moved(slots)
    if text == "trap;":
        return _trap_of(slots)
    if text.startswith("activemask.b32"):
        return _active_mask(slots)
    if text.startswith("mov.u32 $0, %dynamic_smem_size;"):
        return _dynamic_size(slots)
    if re.match(r"(membar|fence|nanosleep)\b", text):
        return lambda frame: None
    raise UnsupportedError(f"the assembly {text!r} isn't supported on the CPU target")


def _moved(slots):
    (value,), (result,) = slots.operands, slots.results

    def run(frame):
        frame.env[result] = frame.env[value]
        frame.mark(result, None)

    return run


def _dynamic_size(slots):
    (result,) = slots.results

    def run(frame):
        frame.env[result] = uniform(frame.run.shared_bytes, np.int32)
        frame.mark(result, None)

    return run


def _active_mask(slots):
    (result,) = slots.results

    def run(frame):
        warps = frame.run.batch.group_of(32)
        bits = np.uint32(1) << (frame.run.batch.rank[frame.lanes] % 32).astype(np.uint32)
        masks = np.zeros(int(warps[-1]) + 1, np.uint32)
        np.bitwise_or.at(masks, warps[frame.lanes], bits)
        frame.env[result] = masks[warps[frame.lanes]].view(np.int32)
        frame.mark(result, None)

    return run


@effect(
    "llvm.intr.dbg.declare",
    "llvm.intr.dbg.value",
    "llvm.intr.dbg.label",
    "llvm.intr.lifetime.start",
    "llvm.intr.lifetime.end",
    "llvm.intr.assume",
    "llvm.fence",
)
def _nothing(op, slots):
    return lambda frame: None


@effect("llvm.intr.trap")
def _trap(op, slots):
    return _trap_of(slots)


def _trap_of(slots):
    def run(frame):
        name = frame.run.batch.name(int(frame.lanes[0]))
        raise CoopCheckError("trap", f"{name} traps", slots.location)

    return run
