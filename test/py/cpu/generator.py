# Random kernels of the coop dialect that are right.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels of the coop dialect that are right: as MLIR text, with arguments to run them.

A kernel reads the arrays ``source``, writes the arrays ``destination`` and branches on scalars,
block ids and the numbers of its warps, so that each group's members always go the same way.
Payloads are local arrays, as the front end makes them. Each store has a part of its destination for
itself: the result doesn't depend on the order of groups.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

__all__ = ["Kernel", "kernels"]

TYPES = {"i8": np.int8, "i32": np.int32, "f64": np.float64}
ALGORITHMS = {
    None: (
        "direct",
        "striped",
        "vectorize",
        "transpose",
        "warp_transpose",
        "warp_transpose_timesliced",
    ),
    "warp": ("direct", "striped", "vectorize", "transpose"),
}
GRID = 2
REGION = 4096  # elements of a store's part of its destination


@dataclass
class Kernel:
    """A kernel's text and its launch.

    Attributes
    ----------
    text : str
        The module.
    block : tuple of int
        The shape of the block.
    stores : int
        How many parts the destinations have.
    scalars : tuple of int
        The run-time numbers: valid items, a flag.
    """

    text: str
    block: tuple[int, int, int]
    stores: int
    scalars: tuple[int, int]
    grid: int = GRID

    def arguments(self) -> list:
        """Return new arguments, the same each time."""
        made = []
        for dtype in TYPES.values():
            made.append(np.arange(4 * REGION, dtype=np.int64).astype(dtype))
            made.append(np.full(max(self.stores, 1) * REGION, 77).astype(dtype))
        return [*made, *self.scalars]

    def __repr__(self):
        return f"Kernel(block={self.block}, scalars={self.scalars}, text='''\n{self.text}''')"


@dataclass
class _Writer:
    """The text so far.

    Attributes
    ----------
    width : int or None
        The widest group whose members all are at the present point; None is the block.
    """

    draw: object
    threads: int
    lines: list = field(default_factory=list)
    numbers: int = 0
    stores: int = 0
    width: int | None = None
    descriptors: list = field(default_factory=list)
    payloads: list = field(default_factory=list)

    def value(self, text: str) -> str:
        self.numbers += 1
        self.lines.append(f"    %v{self.numbers} = {text}")
        return f"%v{self.numbers}"

    def line(self, text: str) -> None:
        self.lines.append(f"    {text}")

    def label(self) -> str:
        self.numbers += 1
        return f"^bb{self.numbers}"

    def begin(self, label: str) -> None:
        self.lines.append(f"  {label}:")

    def pick(self, options):
        return self.draw(st.sampled_from(list(options)))

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(0, 99)) < percent


# ---------------------------------------------------------------------------
# Loads and stores
# ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Payload:
    name: str
    items: int
    element: str

    @property
    def memref(self) -> str:
        return f"memref<{self.items}x{self.element}>"

    @property
    def vector(self) -> str:
        return f"vector<{self.items}x{self.element}>"


def _group(w: _Writer):
    """Draw a group that is whole here; return its width, type and algorithms."""
    narrow = [
        width for width in (32, 16, 8, 4, 2, 1) if width <= (w.width or 32) and w.threads % 32 == 0
    ]
    choices = [*([None] * 3 if w.width is None else []), *narrow]
    width = w.pick(choices) if choices else None
    if width is None:
        names = ALGORITHMS[None][: 6 if w.threads % 32 == 0 else 4]
        return None, "!coop.group<block>", names
    return width, f"!coop.group<warp, {width}>".replace(", 32", ""), ALGORITHMS["warp"]


def _start(w: _Writer, payload: _Payload, base: int) -> str:
    """Return the index of the block's part of an array."""
    per_block = w.threads * payload.items
    size = w.value(f"arith.constant {per_block} : index")
    block = w.value("gpu.block_id x")
    shift = w.value(f"arith.muli {block}, {size} : index")
    first = w.value(f"arith.constant {base} : index")
    return w.value(f"arith.addi {shift}, {first} : index")


def _valid(w: _Writer, tile: int) -> str | None:
    """Return a number of valid items, the same for all threads."""
    if not w.chance(50):
        return None
    bound = w.value(f"arith.constant {tile} : index")
    return w.value(f"arith.minui %valid, {bound} : index")


def _descriptor(w: _Writer, uses_scratch: bool) -> str:
    """Return a clause that names one of the kernel's descriptors, or none."""
    if not (uses_scratch and w.descriptors and w.chance(60)):
        return ""
    name, automatic = w.pick(w.descriptors)
    if not automatic:
        if w.width is not None:
            return ""
        w.line("gpu.barrier")
    return f" temp({name})"


def _load(w: _Writer) -> None:
    payload = w.pick(w.payloads)
    width, group_type, algorithms = _group(w)
    algorithm = w.pick(algorithms)
    group = w.value(f"coop.group : {group_type}")
    start = _start(w, payload, w.pick((0, 3, 64)))
    valid = _valid(w, (width or w.threads) * payload.items)
    clauses = ""
    if valid:
        constant = "5.0" if payload.element == "f64" else "5"
        default = w.value(f"arith.constant {constant} : {payload.element}")
        clauses = f" valid({valid}) default({default} : {payload.element})"
    clauses += _descriptor(w, "transpose" in algorithm)
    loaded = w.value(
        f"coop.load {algorithm} {group}, %source_{payload.element}[{start}]{clauses} "
        f": {group_type}, "
        f"memref<?x{payload.element}> -> {payload.vector}"
    )
    for slot in range(payload.items):
        item = w.value(f"vector.extract {loaded}[{slot}] : {payload.element} from {payload.vector}")
        w.line(f"memref.store {item}, {payload.name}[%c{slot}] : {payload.memref}")


def _store(w: _Writer) -> None:
    payload = w.pick(w.payloads)
    width, group_type, algorithms = _group(w)
    algorithm = w.pick(algorithms)
    group = w.value(f"coop.group : {group_type}")
    start = _start(w, payload, w.stores * REGION)
    w.stores += 1
    valid = _valid(w, (width or w.threads) * payload.items)
    items = [
        w.value(f"memref.load {payload.name}[%c{slot}] : {payload.memref}")
        for slot in range(payload.items)
    ]
    value = w.value(f"vector.from_elements {', '.join(items)} : {payload.vector}")
    clauses = f" valid({valid})" if valid else ""
    clauses += _descriptor(w, "transpose" in algorithm)
    w.line(
        f"coop.store {algorithm} {group}, {value}, "
        f"%destination_{payload.element}[{start}]{clauses} : {group_type}, "
        f"{payload.vector}, memref<?x{payload.element}>"
    )


def _change(w: _Writer) -> None:
    """Change a slot of a payload."""
    payload = w.pick(w.payloads)
    slot = w.draw(st.integers(0, payload.items - 1))
    other = w.draw(st.integers(0, payload.items - 1))
    add = "arith.addf" if payload.element == "f64" else "arith.addi"
    first = w.value(f"memref.load {payload.name}[%c{slot}] : {payload.memref}")
    second = w.value(f"memref.load {payload.name}[%c{other}] : {payload.memref}")
    total = w.value(f"{add} {first}, {second} : {payload.element}")
    w.line(f"memref.store {total}, {payload.name}[%c{slot}] : {payload.memref}")


def _barrier(w: _Writer) -> None:
    """A barrier of the user's, for the whole block or a group."""
    if w.width is None and w.chance(50):
        w.line("gpu.barrier")
        return
    _, group_type, _ = _group(w)
    group = w.value(f"coop.group : {group_type}")
    w.line(f"coop.barrier {group} : {group_type}")


def _share(w: _Writer) -> None:
    """Turn the threads' values round through the user's own shared memory."""
    if w.width is not None:
        return
    payload = next((p for p in w.payloads if p.element == "i32"), None)
    if payload is None:
        return
    tile = w.value("memref.get_global @tile : memref<1024xi32, #gpu.address_space<workgroup>>")
    item = w.value(f"memref.load {payload.name}[%c0] : {payload.memref}")
    w.line("gpu.barrier")
    w.line(f"memref.store {item}, {tile}[%rank] : memref<1024xi32, #gpu.address_space<workgroup>>")
    w.line("gpu.barrier")
    last = w.value(f"arith.constant {w.threads - 1} : index")
    other = w.value(f"arith.subi {last}, %rank : index")
    item = w.value(f"memref.load {tile}[{other}] : memref<1024xi32, #gpu.address_space<workgroup>>")
    w.line(f"memref.store {item}, {payload.name}[%c0] : {payload.memref}")


# ---------------------------------------------------------------------------
# Control flow
# ---------------------------------------------------------------------------


def _condition(w: _Writer) -> tuple[str, int | None]:
    """Return a condition and the widest group on which it is uniform."""
    kinds = ["flag", "block"] + (["warp", "logical"] if w.threads % 32 == 0 else [])
    kind = w.pick(kinds)
    if kind == "flag":
        number = w.value(f"arith.constant {w.draw(st.integers(0, 2))} : index")
        return w.value(f"arith.cmpi ult, %flag, {number} : index"), w.width
    if kind == "block":
        block = w.value("gpu.block_id x")
        return w.value(f"arith.cmpi eq, {block}, %c0 : index"), w.width
    width = 32 if kind == "warp" else w.pick((8, 4))
    size = w.value(f"arith.constant {width} : index")
    number = w.value(f"arith.divui %rank, {size} : index")
    parity = w.value(f"arith.remui {number}, %c2 : index")
    return w.value(f"arith.cmpi eq, {parity}, %c0 : index"), min(width, w.width or width)


def _if(w: _Writer, depth: int) -> None:
    condition, width = _condition(w)
    yes, no, after = w.label(), w.label(), w.label()
    w.line(f"cf.cond_br {condition}, {yes}, {no}")
    outer = w.width
    w.width = width
    for label in (yes, no):
        w.begin(label)
        if label == yes or w.chance(50):
            _statements(w, depth + 1)
        w.line(f"cf.br {after}")
    w.width = outer
    w.begin(after)


def _loop(w: _Writer, depth: int) -> None:
    head, body, after = w.label(), w.label(), w.label()
    w.numbers += 1
    index = f"%i{w.numbers}"
    trips = w.value("arith.addi %flag, %c1 : index") if w.chance(40) else w.pick(("%c2", "%c3"))
    w.line(f"cf.br {head}(%c0 : index)")
    w.begin(f"{head}({index}: index)")
    more = w.value(f"arith.cmpi ult, {index}, {trips} : index")
    w.line(f"cf.cond_br {more}, {body}, {after}")
    w.begin(body)
    _statements(w, depth + 1)
    following = w.value(f"arith.addi {index}, %c1 : index")
    w.line(f"cf.br {head}({following} : index)")
    w.begin(after)


def _statements(w: _Writer, depth: int) -> None:
    for _ in range(w.draw(st.integers(1, 4 if depth == 0 else 3))):
        choices = [_load, _store, _load, _store, _change, _barrier, _share]
        choices += [_if, _loop] if depth < 2 else []
        statement = w.pick(choices)
        if statement in (_if, _loop):
            statement(w, depth)
        else:
            statement(w)


# ---------------------------------------------------------------------------
# Kernels
# ---------------------------------------------------------------------------


def _entry(w: _Writer, block) -> None:
    """What dominates all: constants, the rank, descriptors, payloads with a first value."""
    for number in range(9):
        w.line(f"%c{number} = arith.constant {number} : index")
    x, y = (w.value(f"gpu.thread_id {axis}") for axis in "xy")
    size = w.value(f"arith.constant {block[0]} : index")
    row = w.value(f"arith.muli {y}, {size} : index")
    w.line(f"%rank = arith.addi {x}, {row} : index")
    for _ in range(w.draw(st.integers(0, 2))):
        automatic = w.chance(70)
        clauses = " auto_sync" * automatic + w.pick(("", " exclusive"))
        w.descriptors.append((w.value(f"coop.temp_storage{clauses}"), automatic))
    for _ in range(w.draw(st.integers(1, 3))):
        payload = _Payload("", w.pick((1, 2, 3, 4, 8)), w.pick(TYPES))
        payload = _Payload(
            w.value(f"memref.alloca() : {payload.memref}"), payload.items, payload.element
        )
        w.payloads.append(payload)
        wide = w.value("arith.index_cast %rank : index to i64")
        if payload.element == "f64":
            first = w.value(f"arith.sitofp {wide} : i64 to f64")
        else:
            first = w.value(f"arith.trunci {wide} : i64 to {payload.element}")
        for slot in range(payload.items):
            w.line(f"memref.store {first}, {payload.name}[%c{slot}] : {payload.memref}")


@st.composite
def kernels(draw) -> Kernel:
    """Draw a kernel."""
    block = draw(st.sampled_from([(32, 1, 1), (64, 1, 1), (16, 4, 1), (128, 1, 1), (24, 1, 1)]))
    w = _Writer(draw, block[0] * block[1] * block[2])
    _entry(w, block)
    _statements(w, 0)
    _store(w)
    arrays = ", ".join(
        f"%{side}_{t}: memref<?x{t}>" for t in TYPES for side in ("source", "destination")
    )
    body = "\n".join(w.lines)
    shape = ", ".join(map(str, block))
    text = (
        "module {\ngpu.module @m {\n"
        '  memref.global "private" @tile : memref<1024xi32, #gpu.address_space<workgroup>>\n'
        f"  gpu.func @k({arrays}, %valid: index, %flag: index)\n"
        f"      attributes {{coop.kernel, gpu.known_block_size = array<i32: {shape}>}} {{\n"
        f"{body}\n    gpu.return\n  }}\n}}\n}}\n"
    )
    scalars = draw(st.sampled_from([0, 1, 31, 100, 4096])), draw(st.integers(0, 2))
    return Kernel(text, block, w.stores, scalars)
