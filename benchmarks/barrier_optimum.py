# The fewest barriers of a planned kernel, by trying.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fewest barriers of a planned kernel, found by trying under the CPU checker.

The barriers that the compiler put in are taken out; then barriers of the widest group of the
kernel's calls are put at every set of places, small sets first, until the checker finds nothing.
Places are those before each call that uses scratch, before each operation with regions and at the
end of each block: of all other places one of these separates the same accesses. A set counts as
enough when runs with all small trip counts and both ways of each branch, with all threads at once
and with warps that drift apart, find nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np
from coop_mlir import cpu, ir
from coop_mlir._compile._context import own_context
from coop_mlir.cpu.builder import build, kernels_of
from coop_mlir.cpu.execute import execute_program

__all__ = ["Kernel", "kernels"]

ELEMENTS = 4096
TRIPS = (2, 1, 0)  # The long ones first: they find most.
SCHEDULES = (None, 0, 1)


def kernels(text: str) -> list[Kernel]:
    """Return the kernels of a module that coop-insert-barriers has left."""
    with own_context():
        return [Kernel(text, name) for name in kernels_of(ir.Module.parse(text))]


@dataclass(frozen=True)
class Kernel:
    """A kernel of a module after the insertion of barriers.

    Attributes
    ----------
    text : str
        The module.
    name : str
        The kernel's symbol.
    """

    text: str
    name: str

    # -- the answers ---------------------------------------------------------

    @cached_property
    def ours(self) -> int:
        """How many barriers the compiler put in."""
        with own_context():
            _module, function = self._copy()
            return len(_inserted(function))

    def check(self) -> None:
        """Raise what the checker finds in the kernel as it is."""
        with own_context():
            module, _function = self._copy()
            self._run(module)

    def weakened(self) -> list[tuple[str, bool]]:
        """Weaken one barrier of the compiler's at a time; return what was done and if it races.

        Each barrier is taken out and, where the kernel has calls of narrower groups, replaced by
        the barrier of each of these.
        """
        with own_context():
            _module, function = self._copy()
            widths = sorted({_width(op) for op in _calls(function)})
            barriers = [_width(op) for op in _inserted(function)]
            return [
                (_change(number, width), self._races(self._with(number, width)))
                for number, widest in enumerate(barriers)
                for width in (0, *widths)
                if width < widest
            ]

    def fewest(self) -> int:
        """Return how many barriers are enough; no more than the compiler's.

        A set that leaves a race leaves it with fewer barriers, too. So a place that all others
        together can't make up for is in each set that is enough.
        """
        if self.ours == 0:
            return 0
        with own_context():
            _module, function = self._copy()
            places = range(len(_places(function)))
            needed = [place for place in places if not self._enough(set(places) - {place})]
            others = [place for place in places if place not in needed]
            for extra in range(max(self.ours - len(needed), 0)):
                for chosen in combinations(others, extra):
                    if self._enough({*needed, *chosen}):
                        return len(needed) + extra
            return self.ours

    # -- variants ------------------------------------------------------------

    def _copy(self) -> tuple:
        """Return a new copy of the module, and the kernel in it, which does not keep it alive."""
        module = ir.Module.parse(self.text)
        return module, kernels_of(module)[self.name]

    def _with(self, number: int, width: int):
        """Return the module with a narrower barrier, or none, in place of the compiler's."""
        module, function = self._copy()
        barrier = _inserted(function)[number]
        if width:
            _put_barrier(barrier, width)
        barrier.erase()
        return module

    def _enough(self, chosen: set[int]) -> bool:
        """Whether barriers at the chosen places leave no race."""
        module, function = self._copy()
        width = max(map(_width, _calls(function)), default=0)
        places = _places(function)
        for barrier in _inserted(function):
            barrier.erase()
        for number in chosen:
            _put_barrier(places[number], width)
        return not self._races(module)

    # -- runs ----------------------------------------------------------------

    def _races(self, module) -> bool:
        try:
            self._run(module)
        except cpu.CoopCheckError as error:
            if error.kind != "race":
                raise
            return True
        return False

    def _run(self, module) -> None:
        """Run the kernel on all kinds of arguments, in several orders of its warps."""
        program = build(module, self.name)
        choices = [_choices(parameter) for parameter in program.parameters]
        for args, schedule in product(product(*choices), SCHEDULES):
            given = [np.arange(ELEMENTS, dtype=a) if isinstance(a, np.dtype) else a for a in args]
            execute_program(program, 1, program.block, given, schedule=schedule)


def _change(number: int, width: int) -> str:
    return f"barrier {number} " + (f"narrowed to {width} threads" if width else "taken out")


def _choices(parameter) -> tuple:
    """Return the values that a parameter is tried with; for an array, its type."""
    if parameter.rank is not None:
        return (parameter.dtype,)
    return (True, False) if parameter.dtype == np.bool_ else TRIPS


def _nested(op) -> Iterator:
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                yield from _nested(inner.operation)


def _places(function) -> list:
    return [op for op in _nested(function) if _is_place(op)]


def _is_place(op) -> bool:
    return _uses_scratch(op) or len(op.regions) > 0 or _ends_block(op)


def _uses_scratch(op) -> bool:
    return op.name.startswith("coop.") and "layout" in op.attributes


def _ends_block(op) -> bool:
    """Whether it ends a block from which ways lead on."""
    block = op.block
    return op == block.operations[len(block.operations) - 1].operation and op.name != "gpu.return"


def _inserted(function) -> list:
    return [
        op for op in _nested(function) if op.name == "coop.barrier" and "reason" in op.attributes
    ]


def _calls(function) -> list:
    return [op for op in _nested(function) if _uses_scratch(op)]


def _group(op) -> str:
    groups = [str(value.type) for value in op.operands]
    return next(group for group in groups if group.startswith("!coop.group<"))


def _width(op) -> int:
    """Return the threads of an operation's group; of the block, more than any warp's."""
    group = _group(op)
    if group == "!coop.group<block>":
        return 1024
    return 32 if group == "!coop.group<warp>" else int(group.rstrip(">").rpartition(",")[2])


def _put_barrier(before, width: int) -> None:
    """Put a barrier of a group of a width before an operation."""
    name = "block" if width == 1024 else "warp" if width == 32 else f"warp, {width}"
    with ir.InsertionPoint(before), before.location:
        kind = ir.Type.parse(f"!coop.group<{name}>")
        group = ir.Operation.create("coop.group", results=[kind])
        ir.Operation.create("coop.barrier", operands=[group.result])
