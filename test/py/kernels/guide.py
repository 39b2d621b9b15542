# Programs as a reader of the public guide writes them, under both names of the package.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as a reader of the public guide writes them, under both names of the package."""

import cuda.coop.numba_mlir as numba_coop
import numpy as np
from cuda import coop
from numba_cuda_mlir import cuda, types

from .case import Case, noise, overwritten, tiles, untouched

WIDTH = 8
BINS = 16


# ---------------------------------------------------------------------------
# Tiles of blocks and warps
# ---------------------------------------------------------------------------


def first_copy(src, length, per_thread, dst):
    """Every thread takes part in every call; the last tile is short."""
    block = coop.this_block()
    part = coop.ThreadData(per_thread)
    origin = cuda.blockIdx.x * cuda.blockDim.x * per_thread
    left = min(max(length - origin, 0), cuda.blockDim.x * per_thread)
    coop.load(block, src, part, offset=origin, valid_items=left, oob_default=0)
    coop.store(block, dst, part, offset=origin, valid_items=left)


def both_names(src, dst):
    """Objects of either import go into the calls of the other."""
    block = numba_coop.this_block()
    part = coop.ThreadData(2)
    numba_coop.load(block, src, part, algorithm="vectorize")
    coop.store(coop.this_block(), dst, part, algorithm="vectorize")


def by_eighths(src, length, per_thread, dst):
    """Logical warps add their own origin; the block's goes into `offset`."""
    lanes = coop.this_warp().group_by(WIDTH)
    part = coop.ThreadData(per_thread)
    origin = cuda.blockIdx.x * cuda.blockDim.x * per_thread
    own = cuda.threadIdx.x // WIDTH * WIDTH * per_thread
    left = min(max(length - origin - own, 0), WIDTH * per_thread)
    coop.load(lanes, src, part, offset=origin, valid_items=left, oob_default=0)
    coop.store(lanes, dst, part, offset=origin, valid_items=left)


def grid_stride(src, length, dst):
    """Few blocks walk over many tiles."""
    block = coop.this_block()
    part = coop.ThreadData(3)
    size = block.size * 3
    for tile in range(cuda.blockIdx.x, (length + size - 1) // size, cuda.gridDim.x):
        left = min(size, length - tile * size)
        coop.load(block, src, part, algorithm="transpose", offset=tile * size, valid_items=left)
        for i in range(part.items_per_thread):
            part[i] = types.int64(part[i] + tile)
        coop.store(block, dst, part, algorithm="transpose", offset=tile * size, valid_items=left)


def of_a_plane(src, dst):
    """A block of two dimensions: one rank for its threads."""
    block = coop.this_block()
    part = coop.ThreadData(2, alignment=16)
    x, y = cuda.grid(2)
    coop.load(block, src, part, algorithm="striped")
    for i in range(2):
        part[i] = types.int32(part[i] + x * 100 + y)
    coop.store(block, dst, part, algorithm="striped")


# ---------------------------------------------------------------------------
# What threads do with their slots
# ---------------------------------------------------------------------------


def doubled(src, per_thread, dst):
    """The result of arithmetic is cast back to the destination's type."""
    block = coop.this_block()
    part = coop.ThreadData(per_thread)
    coop.load(block, src, part)
    for i in range(part.items_per_thread):
        part[i] = types.int16(part[i] * 2)
    coop.store(block, dst, part)


def total(src, length, dst):
    """Padding by zero is right for a sum."""
    block = coop.this_block()
    part = coop.ThreadData(4)
    origin = cuda.blockIdx.x * block.size * 4
    left = min(max(length - origin, 0), block.size * 4)
    coop.load(block, src, part, offset=origin, valid_items=left, oob_default=0)
    mine = types.int64(0)
    for i in range(4):
        mine += part[i]
    cuda.atomic.add(dst, 0, mine)


def smallest(src, length, bound, dst):
    """Padding by an upper bound, given at run time, is right for a minimum."""
    block = coop.this_block()
    part = coop.ThreadData(4)
    coop.load(block, src, part, algorithm="striped", valid_items=length, oob_default=bound)
    mine = part[0]
    for i in range(1, 4):
        mine = min(mine, part[i])
    cuda.atomic.min(dst, 0, mine)


def filled_afterwards(src, length, dst):
    """A partial load without a default; the program gives the other slots their values."""
    block = coop.this_block()
    part = coop.ThreadData(4)
    coop.load(block, src, part, algorithm="transpose", valid_items=length)
    for i in range(4):
        if block.rank() * 4 + i >= length:
            part[i] = types.float32(-1)
    coop.store(block, dst, part, algorithm="transpose")


def rearranged(src, dst):
    """From striped to blocked order by way of two arrays and a barrier."""
    block = coop.this_block()
    part = coop.ThreadData(4)
    coop.load(block, src, part, algorithm="striped")
    coop.store(block, dst, part, algorithm="striped")
    cuda.syncthreads()
    again = coop.ThreadData(4)
    coop.load(block, dst, again)
    for i in range(4):
        again[i] = types.uint32(again[i] + cuda.threadIdx.x)
    coop.store(block, dst, again)


# ---------------------------------------------------------------------------
# Helpers
# ---------------------------------------------------------------------------


@cuda.jit(device=True, inline="always")
def read_into(group: coop.Group, src, part: coop.ThreadDataLike):
    coop.load(group, src, part, algorithm="transpose")


@cuda.jit(device=True)
def read(group, src, per_thread):
    part = coop.ThreadData(per_thread)
    read_into(group, src, part)
    return part


@cuda.jit(device=True)
def eighth():
    return coop.this_warp().group_by(WIDTH)


@cuda.jit(device=True)
def move_rows(group, src, rows, pitch, dst):
    part = coop.ThreadData(2)
    for row in range(rows):
        coop.load(group, src, part, offset=row * pitch)
        coop.store(group, dst, part, offset=row * pitch)


@cuda.jit(device=True, inline="never")
def square_each(part):
    for i in range(len(part)):
        part[i] = part[i] * part[i]


@cuda.jit(device=True, inline="never")
def middle(low, high):
    return (low + high) / 2


def by_helpers(src, per_thread, dst):
    """A payload that is made two helpers deep."""
    block = coop.this_block()
    part = read(block, src, per_thread)
    coop.store(block, dst, part)


def rows_by_a_helper(src, rows, dst):
    """A helper with a loop around its calls, for a group that another one made."""
    move_rows(eighth(), src, rows, 128, dst)


def out_of_line(src, dst):
    """An ordinary helper stays out of line and changes the caller's payload."""
    block = coop.this_block()
    part = coop.ThreadData(4)
    coop.load(block, src, part)
    square_each(part)
    coop.store(block, dst, part)


def scalar_out_of_line(src, dst):
    """The result of an ordinary helper gets its type by a cast."""
    block = coop.this_block()
    part = coop.ThreadData(4)
    means = coop.ThreadData(3)
    coop.load(block, src, part)
    for i in range(3):
        means[i] = types.float64(middle(part[i], part[i + 1]))
    coop.store(block, dst, means)


# ---------------------------------------------------------------------------
# Scratch and shared memory
# ---------------------------------------------------------------------------


def manual_in_a_loop(src, turns, dst):
    """One descriptor; a barrier of the program before each use but the first."""
    block = coop.this_block()
    scratch = coop.TempStorage()
    part = coop.ThreadData(4)
    for turn in range(turns):
        coop.load(block, src, part, algorithm="transpose", offset=turn * 512, temp_storage=scratch)
        cuda.syncthreads()
        coop.store(block, dst, part, algorithm="transpose", offset=turn * 512, temp_storage=scratch)
        cuda.syncthreads()


def automatic_in_a_loop(src, turns, dst):
    """The compiler's barriers, and a capacity that is more than enough."""
    block = coop.this_block()
    scratch = coop.TempStorage(4096, auto_sync=True)
    part = coop.ThreadData(4)
    for turn in range(turns):
        coop.load(block, src, part, algorithm="transpose", offset=turn * 512, temp_storage=scratch)
        coop.store(
            block, dst, part, algorithm="warp_transpose", offset=turn * 512, temp_storage=scratch
        )


def exclusive_in_a_loop(src, turns, dst):
    """A slice for each call, so that a barrier is due only between turns."""
    block = coop.this_block()
    scratch = coop.TempStorage(sharing="exclusive", alignment=16)
    part = coop.ThreadData(4)
    for turn in range(turns):
        coop.load(block, src, part, algorithm="transpose", offset=turn * 512, temp_storage=scratch)
        coop.store(block, dst, part, algorithm="transpose", offset=turn * 512, temp_storage=scratch)
        cuda.syncthreads()


def neighbours(src, dst):
    """Values go through shared memory of the program, by the qualified name's namespaces."""
    block = numba_coop.this_block()
    shelf = numba_coop.shared.array(512, types.int32)
    kept = numba_coop.local.array(4, types.int32)
    part = numba_coop.ThreadData(4)
    t = block.rank()
    numba_coop.load(block, src, part, algorithm="transpose")
    for i in range(4):
        shelf[t * 4 + i] = part[i]
        kept[i] = part[i]
    cuda.syncthreads()
    for i in range(4):
        part[i] = types.int32(kept[i] - shelf[(t * 4 + i + 1) % 512])
    numba_coop.store(block, dst, part, algorithm="transpose")


def histogram(src, length, dst):
    """A histogram of each block in shared memory, added up in global memory."""
    block = coop.this_block()
    counts = cuda.shared.array(BINS, types.int32)
    t = cuda.threadIdx.x
    if t < BINS:
        counts[t] = 0
    cuda.syncthreads()
    part = coop.ThreadData(4)
    origin = cuda.blockIdx.x * block.size * 4
    left = min(max(length - origin, 0), block.size * 4)
    coop.load(block, src, part, algorithm="striped", offset=origin, valid_items=left)
    for i in range(4):
        if t + i * block.size < left:
            cuda.atomic.add(counts, part[i] % BINS, 1)
    cuda.syncthreads()
    if t < BINS:
        cuda.atomic.add(dst, t, counts[t])


def through_dynamic(src, dst):
    """Shared memory whose size comes from the launch, beside scratch."""
    shelf = cuda.shared.array(0, types.float32)
    block = coop.this_block()
    part = coop.ThreadData(2)
    coop.load(block, src, part, algorithm="warp_transpose")
    for i in range(2):
        shelf[cuda.threadIdx.x * 2 + i] = part[i]
    cuda.syncthreads()
    for i in range(2):
        part[i] = shelf[shelf.size - 1 - (cuda.threadIdx.x * 2 + i)]
    coop.store(block, dst, part, algorithm="warp_transpose")


# ---------------------------------------------------------------------------
# Cases
# ---------------------------------------------------------------------------

LENGTH = 531


def _prefix(src, length, *rest):
    return overwritten(rest[-1], 0, src[:length])


def _partial_case(name, kernel, per_thread) -> Case:
    def args():
        source, destination = noise("int32", LENGTH), untouched("int32", LENGTH + 64)
        return source, np.int64(LENGTH), per_thread, destination

    return Case(name, kernel, args, _prefix, grid=tiles(LENGTH, 128 * per_thread))


def _case(name, kernel, dtype, size, expect=lambda src, *_: src, *between, **launch) -> Case:
    """Return a case whose arguments are a source, what comes between, and a destination."""
    return Case(
        name,
        kernel,
        lambda: (noise(dtype, size), *between, untouched(dtype, size)),
        expect,
        **launch,
    )


def _walked(src, length, dst):
    with np.errstate(over="ignore"):
        return overwritten(dst, 0, src[:length] + np.arange(length) // 192)


def _on_a_plane(src, _):
    x, y = np.tile(np.arange(16), 8), np.repeat(np.arange(8), 16)
    with np.errstate(over="ignore"):
        return (src + np.tile(x * 100 + y, 2)).astype(np.int32)


def _counted(src, length, dst):
    return (dst + np.bincount(src[:length] % BINS, minlength=BINS)).astype(dst.dtype)


def _means(src, _):
    rows = src.reshape(-1, 4)
    return ((rows[:, :3] + rows[:, 1:]) / 2).reshape(-1)


def _numbers(dtype, size):
    return (np.arange(size) * 7919 % 1009 - 300).astype(dtype)


CASES = [
    *(_partial_case(f"R1-guide-copy-k{k}", first_copy, k) for k in (1, 4)),
    _case("R1-guide-both-names", both_names, "int64", 256),
    *(_partial_case(f"L6-guide-eighths-k{k}", by_eighths, k) for k in (1, 4)),
    Case(
        "L3-guide-grid-stride",
        grid_stride,
        lambda: (noise("int64", 2000), np.int64(2000), untouched("int64", 2048)),
        _walked,
        block=64,
        grid=3,
    ),
    _case("G2-guide-plane", of_a_plane, "int32", 256, _on_a_plane, block=(16, 8)),
    *(
        _case(f"L9-guide-doubled-k{k}", doubled, "int16", 128 * k, lambda s, *_: s * np.int16(2), k)
        for k in (1, 4)
    ),
    Case(
        "L8-guide-sum",
        total,
        lambda: (_numbers("int32", LENGTH), np.int64(LENGTH), np.zeros(1, np.int64)),
        lambda src, *_: np.array([src.sum()]),
        grid=2,
    ),
    Case(
        "L8-guide-minimum",
        smallest,
        lambda: (
            _numbers("int32", 77),
            np.int64(77),
            np.int32(2**31 - 1),
            np.full(1, 2**31 - 1, np.int32),
        ),
        lambda src, *_: np.array([src.min()]),
        block=64,
    ),
    Case(
        "L8-guide-filled-afterwards",
        filled_afterwards,
        lambda: (noise("float32", 333), np.int64(333), untouched("float32", 512)),
        lambda src, *_: np.concatenate([src, np.full(512 - 333, -1, np.float32)]),
    ),
    _case(
        "L4-guide-rearranged",
        rearranged,
        "uint32",
        512,
        lambda src, _: src + np.arange(512, dtype=np.uint32) // np.uint32(4),
    ),
    *(
        _case(f"H1-guide-helpers-k{k}", by_helpers, "int32", 128 * k, lambda s, *_: s, k)
        for k in (1, 4)
    ),
    _case(
        "H1-guide-rows",
        rows_by_a_helper,
        "uint8",
        640,
        lambda src, *_: src,
        np.int64(5),
        block=64,
    ),
    Case(
        "H2-guide-out-of-line",
        out_of_line,
        lambda: (_numbers("int32", 512), untouched("int32", 512)),
        lambda src, _: src * src,
        registers_only=False,
    ),
    Case(
        "H2-guide-scalar",
        scalar_out_of_line,
        lambda: (_numbers("float64", 512), untouched("float64", 384)),
        _means,
    ),
    *(
        _case(f"{row}-guide-{name}", kernel, "float32", 1536, lambda src, *_: src, np.int64(3))
        for row, name, kernel in (
            ("S4", "manual", manual_in_a_loop),
            ("S3", "automatic", automatic_in_a_loop),
            ("S5", "exclusive", exclusive_in_a_loop),
        )
    ),
    _case("S8-guide-neighbours", neighbours, "int32", 512, lambda src, _: src - np.roll(src, -1)),
    Case(
        "S2-guide-histogram",
        histogram,
        lambda: (_numbers("uint8", LENGTH), np.int64(LENGTH), np.zeros(BINS, np.int32)),
        _counted,
        grid=2,
    ),
    _case(
        "S8-guide-dynamic",
        through_dynamic,
        "float32",
        256,
        lambda src, _: src[::-1].copy(),
        dynamic_bytes=1024,
    ),
]
