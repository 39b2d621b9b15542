# Payloads of every type but plain numbers: bools, small floats, complex numbers, records.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Payloads of every type but plain numbers: bools, small floats, complex numbers, records.

NumPy has no bfloat16; where ml_dtypes isn't installed, its cases are left out.
"""

from __future__ import annotations

import coop_mlir as coop
import numpy as np
from numba_cuda_mlir import cuda, types

from .case import Case, copied, noise, overwritten, raw, tiles, untouched
from .copies import copy_by_each_case, padded
from .groups import WARP_ALGORITHMS, logical_warp_copy

try:
    from ml_dtypes import bfloat16
except ImportError:
    bfloat16 = None

PIXEL = np.dtype([("red", "u1"), ("green", "u1"), ("blue", "u1")])  # 3 bytes
PAIR = np.dtype([("x", "f4"), ("y", "f4")])  # 8 bytes, packed
POINT = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4")])  # 12 bytes, packed
PACKED = np.dtype([("a", "i1"), ("b", "f8"), ("c", "i4")])  # 13 bytes
MIXED = np.dtype([("a", "i1"), ("b", "f8"), ("c", "i4")], align=True)  # 24 bytes, padded
WIDE = np.dtype([("z", "c16"), ("n", "i8", (4,))], align=True)  # 48 bytes, an array inside
RECORDS = {
    "pixel": PIXEL,
    "pair": PAIR,
    "point": POINT,
    "packed": PACKED,
    "mixed": MIXED,
    "wide": WIDE,
}
SCALARS = {
    "bool": np.dtype(bool),
    "float16": np.dtype(np.float16),
    **({} if bfloat16 is None else {"bfloat16": np.dtype(bfloat16)}),
    "complex64": np.dtype(np.complex64),
    "complex128": np.dtype(np.complex128),
}
DTYPES = SCALARS | RECORDS

ORIGIN = np.array([(7, -2.5, 11)], MIXED)[0]


def padded_by_first(source, valid, defaults, destination):
    """A guarded load whose invalid slots get what an array holds."""
    block = coop.this_block()
    items = coop.ThreadData(3)
    coop.load(
        block,
        source,
        items,
        algorithm="transpose",
        valid_items=valid,
        oob_default=defaults[0],
    )
    coop.store(block, destination, items, algorithm="striped")


def padded_by_argument(source, valid, default, destination):
    """The same with an argument."""
    block = coop.this_block()
    items = coop.ThreadData(3)
    coop.load(block, source, items, valid_items=valid, oob_default=default)
    coop.store(block, destination, items, algorithm="warp_transpose")


def padded_on_two_ways(source, valid, default, second, destination):
    """The same on two ways, of which a compiler makes one."""
    block = coop.this_block()
    items = coop.ThreadData(3)
    if second:
        coop.load(block, source, items, valid_items=valid, oob_default=default)
        coop.store(block, destination, items)
    else:
        coop.load(block, source, items, valid_items=valid, oob_default=default)
        coop.store(block, destination, items)


def negated(source, destination):
    """Logic on bools."""
    block = coop.this_block()
    items = coop.ThreadData(4)
    coop.load(block, source, items, algorithm="transpose")
    for i in range(4):
        items[i] = not items[i]
    coop.store(block, destination, items, algorithm="vectorize")


def doubled(source, destination):
    """Arithmetic on floats of any width."""
    block = coop.this_block()
    items = coop.ThreadData(4)
    coop.load(block, source, items, algorithm="transpose")
    for i in range(4):
        items[i] = items[i] + items[i]
    coop.store(block, destination, items, algorithm="warp_transpose")


def turned(source, destination):
    """Arithmetic on complex numbers and on their parts."""
    block = coop.this_block()
    items = coop.ThreadData(2)
    coop.load(block, source, items, algorithm="vectorize")
    for i in range(2):
        items[i] = complex(items[i].imag, items[i].real) * items[i]
    coop.store(block, destination, items, algorithm="transpose")


def signs(source, destination):
    """Bools from typed assignments alone."""
    block = coop.this_block()
    numbers = coop.ThreadData(2)
    items = coop.ThreadData(2, dtype=types.boolean)
    coop.load(block, source, numbers)
    for i in range(2):
        items[i] = numbers[i] < 0
    coop.store(block, destination, items)


def mirrored(source, destination):
    """Records moved between slots, one by a negative index."""
    block = coop.this_block()
    items = coop.ThreadData(3)
    swapped = coop.ThreadData(3)
    coop.load(block, source, items, algorithm="transpose")
    swapped[0] = items[-1]
    swapped[1] = items[1]
    swapped[-1] = items[0]
    coop.store(block, destination, swapped, algorithm="warp_transpose_timesliced")


@cuda.jit(device=True)
def advance(items):
    for i in range(len(items)):
        items[i].c = items[i].c + types.int32(i)
        items[i]["b"] = items[i]["b"] * 2.0


def fields(source, destination):
    """Fields of records, read and written, in a helper too."""
    block = coop.this_block()
    items = coop.ThreadData(2)
    coop.load(block, source, items, algorithm="transpose")
    advance(items)
    for i in range(2):
        items[i].a = 1
    coop.store(block, destination, items, algorithm="vectorize")


def built(destination):
    """Records made field by field; their padding is zero."""
    block = coop.this_block()
    items = coop.ThreadData(2)
    for i in range(2):
        items[i].a = types.int8(i)
        items[i].b = cuda.threadIdx.x / 2
        items[i].c = types.int32(cuda.threadIdx.x)
    coop.store(block, destination, items, algorithm="transpose")


def _random(dtype: np.dtype, size: int) -> np.ndarray:
    """Return random bits; of bools only those that they may have."""
    return noise(np.uint8, size) > 127 if dtype.kind == "b" else noise(dtype, size)


def _numbers(dtype: np.dtype, size: int) -> np.ndarray:
    """Return small numbers, of which sums and products are exact in any type."""
    whole = np.random.default_rng(size).integers(-8, 8, (2, size))
    return (whole[0] + (1j * whole[1] if dtype.kind == "c" else 0)).astype(dtype)


def _moved(source, *rest):
    return overwritten(rest[-1], 0, source)


def _tail(source, count, _items, destination):
    return overwritten(destination, 0, source[:count])


def _warp_case(name: str, kernel, dtype: np.dtype, items: int, count: int = 275) -> Case:
    def args():
        return _random(dtype, count), np.int64(count), items, untouched(dtype, count + 16)

    return Case(name, kernel, args, _tail, grid=tiles(count, 128 * items))


def _filled(source, valid, default, destination):
    one = raw(np.full(1, default, destination.dtype))
    if isinstance(default, np.void):
        one = np.frombuffer(default.tobytes(), one.dtype)
    wanted = np.repeat(one, destination.size).view(destination.dtype)
    return overwritten(wanted, 0, source[:valid])


def _constant_case(name: str, algorithm: str, default, valid: int = 130) -> Case:
    dtype = DTYPES[name]

    def args():
        return _random(dtype, valid), np.int64(valid), untouched(dtype, 3 * 128)

    def expect(source, valid, destination):
        return _filled(source, valid, default, destination)

    return Case(f"L8-default-{algorithm}-{name}", padded(algorithm, default), args, expect)


def _first_case(name: str) -> Case:
    dtype = DTYPES[name]

    def args():
        defaults = copied(_random(dtype, 9)[-2:])
        return _random(dtype, 100), np.int64(100), defaults, untouched(dtype, 3 * 128)

    def expect(source, valid, defaults, destination):
        wanted = np.repeat(raw(defaults[:1]), 3 * 128).view(defaults.dtype)
        items = raw(overwritten(wanted, 0, source[:valid]))
        return items.reshape(128, 3).T.reshape(-1).view(defaults.dtype)

    return Case(f"L8-run-time-default-{name}", padded_by_first, args, expect)


def _argument_case(default) -> Case:
    dtype = default.dtype

    def args():
        return _random(dtype, 100), np.int64(100), default, untouched(dtype, 3 * 128)

    return Case(f"L8-argument-default-{dtype.name}", padded_by_argument, args, _filled)


def _two_ways_case(default) -> Case:
    dtype = default.dtype

    def args():
        destination = untouched(dtype, 3 * 128)
        return _random(dtype, 100), np.int64(100), default, np.int64(1), destination

    def expect(source, valid, default, _second, destination):
        return _filled(source, valid, default, destination)

    return Case(f"L8-two-ways-{dtype.name}", padded_on_two_ways, args, expect)


def _work_case(name: str, kernel, dtype: np.dtype, size: int, expect, numbers=_numbers) -> Case:
    def args():
        return numbers(dtype, size), untouched(dtype, size)

    return Case(name, kernel, args, expect)


def _turned(source, _destination):
    return (source.imag + 1j * source.real).astype(source.dtype) * source


def _advanced(source, _destination):
    wanted = copied(source)
    wanted["a"] = 1
    wanted["c"] += np.arange(source.size, dtype=np.int32) % 2
    wanted["b"] *= 2
    return wanted


def _records(size: int) -> np.ndarray:
    values = untouched(MIXED, size)
    values["a"], values["b"], values["c"] = 3, np.arange(size) / 4, np.arange(size) * 5
    return values


def _built(destination):
    wanted = np.zeros(destination.nbytes, np.uint8).view(destination.dtype)  # Padding, too.
    t = np.arange(destination.size) // 2
    wanted["a"], wanted["b"], wanted["c"] = np.arange(destination.size) % 2, t / 2, t
    return wanted


CASES = [
    *(copy_by_each_case(name, dtype, 1, _random) for name, dtype in DTYPES.items()),
    # Several items a thread: vectors of items, and of the wrappers that no number shares.
    *(
        copy_by_each_case(name, DTYPES[name], items, _random)
        for name, items in (
            ("complex64", 4),
            ("complex128", 2),
            ("pixel", 4),
            ("point", 2),
            ("packed", 2),
            ("mixed", 4),
        )
    ),
    *(
        _warp_case(f"T4-warp-{a}-{n}", logical_warp_copy(32, a), DTYPES[n], 2)
        for a, n in zip(WARP_ALGORITHMS, ("float16", "complex64", "point", "mixed"), strict=True)
    ),
    *(
        _warp_case(f"T4-warp{w}-{a}-{n}", logical_warp_copy(w, a), DTYPES[n], k)
        for w, a, n, k in (
            (8, "transpose", "complex128", 3),
            (4, "striped", "pixel", 4),
            (2, "vectorize", "point", 4),
        )
    ),
    _constant_case("bool", "direct", True),
    _constant_case("float16", "striped", 1.5),
    _constant_case("complex64", "transpose", 1.5 - 2j),
    _constant_case("complex128", "vectorize", 3),
    _constant_case("mixed", "transpose", ORIGIN),
    *([] if bfloat16 is None else [_constant_case("bfloat16", "warp_transpose", -1.25)]),
    *map(_first_case, DTYPES),
    *map(_argument_case, (np.float16(2.5), np.complex64(1 - 3j), np.bool_(True))),
    *map(_two_ways_case, (np.float16(2.5), np.int16(-7))),
    _work_case(
        "T4-not-bool", negated, SCALARS["bool"], 512, lambda source, _: ~source, numbers=_random
    ),
    *(
        _work_case(f"T4-sum-{n}", doubled, SCALARS[n], 512, lambda source, _: source + source)
        for n in SCALARS
        if n != "bool"
    ),
    *(
        _work_case(f"T4-parts-{n}", turned, SCALARS[n], 256, _turned)
        for n in ("complex64", "complex128")
    ),
    Case(
        "T4-signs",
        signs,
        lambda: (noise("int32", 256), untouched("bool", 256)),
        lambda source, _: source < 0,
    ),
    *(
        _work_case(
            f"T4-mirror-{n}",
            mirrored,
            RECORDS[n],
            384,
            lambda source, _: source.reshape(-1, 3)[:, ::-1].reshape(-1).copy(),
            numbers=_random,
        )
        for n in ("point", "packed", "wide")
    ),
    Case("T4-fields", fields, lambda: (_records(256), untouched(MIXED, 256)), _advanced),
    Case("T4-built", built, lambda: (untouched(MIXED, 256),), _built),
]
