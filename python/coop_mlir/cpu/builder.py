# From a module to a program.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a module to a program: regions and calls become steps of one function."""

from __future__ import annotations

from coop_mlir import ir

from . import ops
from .apply import on_frame
from .findings import CoopError, UnsupportedError, source_of
from .order import arrange
from .program import Exit, Jump, Meet, ObjectSpec, Parameter, Program, Step
from .registry import CONTROL, EFFECTS, MOVES, PURE, SYNC, Slots
from .types import dtype_of

__all__ = ["Builder", "build", "kernels_of"]

_FUNCTIONS = ("gpu.func", "func.func", "llvm.func")


def build(module, entry: str | None = None) -> Program:
    """Return the program of a kernel of a module.

    Parameters
    ----------
    module : ir.Module
        A module at any stage.
    entry : str, optional
        The kernel's symbol, or the part of it that its user wrote; may be left
        out when there is only one.
    """
    ops.load()
    return Builder(module).kernel(_find_kernel(module, entry))


def kernels_of(module) -> dict:
    """Return the kernels of a module by symbol."""
    found = {}
    for function in _functions(module):
        attributes = function.attributes
        is_gpu = function.name == "gpu.func"
        if is_gpu or "gpu.kernel" in attributes or "nvvm.kernel" in attributes:
            found[_symbol(function)] = function
    return found


def _find_kernel(module, entry):
    kernels = kernels_of(module)
    if entry is None and len(kernels) == 1:
        return next(iter(kernels.values()))
    matching = [k for k in kernels if k == entry] or [k for k in kernels if entry and entry in k]
    if len(matching) != 1:
        raise CoopError(f"{entry or 'which kernel'!r} must name one kernel of {sorted(kernels)}")
    return kernels[matching[0]]


def _functions(module):
    for op in _nested(module.operation):
        if op.name in _FUNCTIONS:
            yield op


def _nested(op):
    """Yield the operations in a module's and its GPU modules' bodies."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                if inner.operation.name in ("gpu.module", "builtin.module"):
                    yield from _nested(inner.operation)


def _symbol(op) -> str:
    return op.attributes["sym_name"].value


class Builder:
    """Builds the program of one kernel.

    Attributes
    ----------
    symbols : dict of str to operation
        The module's functions and globals.
    step : Step
        Where operations go at present.
    """

    def __init__(self, module):
        self.symbols = {
            _symbol(op): op for op in _nested(module.operation) if "sym_name" in op.attributes
        }
        self.constants = {}
        self.objects: list[ObjectSpec] = []
        self.block = None
        #: Dynamic shared memory that the kernel needs for itself.
        self.scratch_bytes = 0
        self.step = None
        self._registers = 0
        self._scope = {}
        self._blocks = {}
        self._globals = {}
        self._calls = []
        self._leave = []
        #: Where the regions and loops that are being built go on, innermost last.
        self.yields = []
        self.conditions = []

    # -- registers -----------------------------------------------------------

    def register(self, value=None) -> int:
        """Return a new register, that of an MLIR value if one is given."""
        number = self._registers
        self._registers += 1
        if value is not None:
            self._scope[value] = number
        return number

    def of(self, value) -> int:
        """Return the register of an MLIR value."""
        return self._scope[value]

    def values(self, values) -> list[int]:
        """Return the registers of MLIR values."""
        return [self._scope[value] for value in values]

    def constant(self, value, result=None) -> int:
        """Return a register that always holds a value."""
        number = self.register(result)
        self.constants[number] = value
        return number

    # -- steps ---------------------------------------------------------------

    def begin(self, step=None) -> Step:
        """Make a step the one that operations go to."""
        self.step = step or Step()
        return self.step

    def end(self, end) -> None:
        """End the present step."""
        if self.step is not None:
            self.step.end = end
        self.step = None

    def jump(self, target: Step, sources=(), targets=()) -> Jump:
        """Return the edge to a step that takes values along."""
        return Jump(target, list(zip(sources, targets, strict=True)))

    def edge(self, block, operands) -> Jump:
        """Return the edge to an MLIR block with values for its arguments."""
        step, arguments = self._blocks[block]
        return self.jump(step, self.values(operands), arguments)

    # -- the walk ------------------------------------------------------------

    def kernel(self, function) -> Program:
        """Return the program of a kernel."""
        if "gpu.known_block_size" in function.attributes:
            self.block = tuple(function.attributes["gpu.known_block_size"])
        location = source_of(function.location)
        entry_block = function.regions[0].blocks[0]
        entry = Step()
        parameters = [self._parameter(a) for a in entry_block.arguments]
        self.region(function.regions[0], entry, [one.register for one in parameters])
        steps = arrange(entry, self.constants)
        return Program(
            name=_symbol(function),
            steps=steps,
            parameters=parameters,
            constants=self.constants,
            registers=self._registers,
            objects=self.objects,
            scratch_bytes=self.scratch_bytes,
            block=self.block,
            location=location,
        )

    def _parameter(self, argument) -> Parameter:
        kind, rank = argument.type, None
        if isinstance(kind, ir.MemRefType):
            kind, rank = kind.element_type, kind.rank
        return Parameter(self.register(argument), dtype_of(kind), rank, str(argument.type))

    def region(self, region, entry: Step, arguments) -> None:
        """Put a region's blocks into the program, from `entry` on.

        `arguments` are the registers of the first block's arguments.
        """
        for index, block in enumerate(region.blocks):
            if index == 0:
                for argument, number in zip(block.arguments, arguments, strict=True):
                    self._scope[argument] = number
                self._blocks[block] = (entry, list(arguments))
            else:
                numbers = [self.register(argument) for argument in block.arguments]
                self._blocks[block] = (Step(), numbers)
        for block in _by_dominance(region):
            self.begin(self._blocks[block][0])
            for op in block.operations:
                self.operation(op.operation)

    def inline(self, function, arguments, results, after: Step, location) -> None:
        """Put a function's body into the program, to go on at `after`."""
        name = _symbol(function)
        if name in self._calls:
            raise UnsupportedError(f"the recursive call of '{name}' isn't supported", location)
        outer = self._scope, self._blocks
        self._scope, self._blocks = {}, {}
        self._calls.append(name)
        entry = Step()
        self.end(Jump(entry))
        self._leave.append((after, results))
        self.region(function.regions[0], entry, arguments)
        self._leave.pop()
        self._calls.pop()
        self._scope, self._blocks = outer

    def exit(self, op) -> None:
        """End the step by leaving the function that `op` is in."""
        if self._leave:
            after, results = self._leave[-1]
            self.end(self.jump(after, self.values(op.operands), results))
        else:
            self.end(Exit(source_of(op.location)))

    def operation(self, op) -> None:
        """Put an operation into the program."""
        if self.step.location is None:
            self.step.location = source_of(op.location)
        try:
            self._dispatch(op)
        except UnsupportedError as error:
            if error.location is None:
                error.location = source_of(op.location)
            raise

    def _dispatch(self, op):
        name = op.name
        if name in CONTROL:
            CONTROL[name](self, op)
        elif name in PURE:
            self.pure(op, PURE[name](op), name in MOVES)
        elif name in EFFECTS:
            slots = self.slots(op)
            self.step.ops.append(EFFECTS[name](op, slots))
            self._touch(slots)
        elif name in SYNC:
            self.meet(SYNC[name](op, self.slots(op)))
        else:
            raise UnsupportedError(f"operation '{name}' isn't supported on the CPU target")

    def slots(self, op) -> Slots:
        """Return the registers of an operation; its results get new ones."""
        return Slots(
            tuple(self.values(op.operands)),
            tuple(self.register(result) for result in op.results),
            source_of(op.location),
            self,
        )

    def slots_for(self, op, operands, results) -> Slots:
        """Return the given registers as those of an operation."""
        return Slots(tuple(operands), tuple(results), source_of(op.location), self)

    def pure(self, op, function, moves=False) -> None:
        """Put a function of an operation's operands into the program."""
        operands = self.values(op.operands)
        if not operands:
            self.constant(function(), op.results[0])
            return
        slots = self.slots(op)
        self.step.ops.append(on_frame(function, slots.operands, slots.results, moves))
        self._touch(slots)

    def meet(self, meeting) -> None:
        """End the step at a meeting and begin the one after it."""
        after = Step()
        self.step.writes.update(meeting.slots.results)
        self.end(Meet(meeting, Jump(after)))
        self.begin(after)

    def _touch(self, slots):
        self.step.reads.update(slots.operands)
        self.step.writes.update(slots.results)

    # -- memory --------------------------------------------------------------

    def object(self, spec: ObjectSpec, key=None) -> int:
        """Return the number of a memory object; equal keys share one."""
        if key is not None and key in self._globals:
            return self._globals[key]
        number = len(self.objects)
        self.objects.append(spec)
        if key is not None:
            self._globals[key] = number
        return number


def _by_dominance(region):
    """Return a region's blocks such that values are defined before they are used."""
    blocks = list(region.blocks)
    seen, order = {blocks[0]}, []
    stack = [(blocks[0], iter(_successors(blocks[0])))]
    while stack:
        block, successors = stack[-1]
        following = next(successors, None)
        if following is None:
            order.append(block)
            stack.pop()
        elif following not in seen:
            seen.add(following)
            stack.append((following, iter(_successors(following))))
    return order[::-1]


def _successors(block):
    operations = list(block.operations)
    return list(operations[-1].operation.successors) if operations else []
