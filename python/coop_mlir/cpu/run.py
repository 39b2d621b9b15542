# Running a program.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running a program: all lanes at once, the earliest step first."""

from __future__ import annotations

import numpy as np

from ..errors import CoopError, CoopInternalError
from .address import AddressMap
from .findings import CoopCheckError, Note
from .hang import report_hang, report_steps
from .meeting import complete
from .memory import GlobalObject, LocalObject, SharedObject
from .program import Branch, Exit, Meet, Program
from .races import RaceDetector
from .registry import Frame
from .turns import Drawn, Earliest, merged
from .values import scatter, spread, take, uniform

__all__ = ["Run"]


class Run:
    """The run of a program by the threads of a batch.

    Lanes wait at steps. The earliest step with lanes runs for all of them, so
    lanes that parted meet again where their ways do; or steps and lanes are drawn
    by lot. A lane that comes to a meeting waits there until all members of its
    group have come.

    Parameters
    ----------
    program : Program
        What runs.
    batch : Batch
        Who runs it.
    shared_bytes : int
        Bytes of dynamic shared memory.
    check : bool
        Whether to look for races, unwritten values and operands that differ.
    max_steps : int
        The steps after which the run counts as one without end.
    globals_ : dict
        The module's globals that earlier batches have made.
    schedule : int or None
        Draws whose turn it is; None is the earliest step, for all.
    """

    def __init__(
        self, program: Program, batch, *, shared_bytes, check, max_steps, globals_, schedule=None
    ):
        self.program = program
        self.batch = batch
        self.check = check
        self.memory = AddressMap(batch)
        self.races = RaceDetector(batch) if check else None
        self.shared_bytes = shared_bytes
        #: Where a register's values became unspecified.
        self.origins = {}
        self.objects = [self._object(spec, globals_, n) for n, spec in enumerate(program.objects)]
        self.exits = np.full(batch.lanes, -1)
        self.parted = np.full(batch.lanes, -1)
        self._regs = [None] * program.registers
        for register, value in program.constants.items():
            self._regs[register] = value
        self._marks = {}
        self._ready = {}
        self._waiting = {}
        self._turns = Earliest() if schedule is None else Drawn(schedule, batch)
        self.max_steps = self._fuel = max_steps

    # -- what operations ask for ---------------------------------------------

    def address(self, number: int) -> np.ndarray:
        """Return the address of a memory object."""
        return uniform(self.objects[number].start, np.int64)

    def require(self, frame, register, use, location) -> None:
        """Refuse a use of values that no one has given."""
        marks = frame.marks(register)
        if marks is not None:
            self.refuse_unwritten(frame, register, marks, use, location)

    def refuse_unwritten(self, frame, register, marks, use, location):
        """Raise the error for a use of values that no one has given."""
        lane = _first_lane(frame.lanes, marks)
        origin = self.origins.get(register) or self._origin(frame)
        self._raise_unwritten(lane, use, origin or location, location)

    def refuse_read(self, lanes, marks, location):
        """Raise the error for a read of bytes that no one has written."""
        self._raise_unwritten(_first_lane(lanes, marks), "a value", location, location)

    def _origin(self, frame):
        """Return the oldest place where values of the frame became unspecified.

        Values that went through memory since then have lost their own.
        """
        places = [self.origins[r] for r in frame.unspecified if r in self.origins]
        places += [self.origins[r] for r in self._marks if r in self.origins]
        return places[0] if places else None

    def _raise_unwritten(self, lane, use, origin, location):
        notes = [] if origin == location else [Note(f"it is used here, as {use}", location)]
        raise CoopCheckError(
            "unwritten",
            f"{self.batch.name(lane)} uses a value that no one has written",
            origin,
            notes,
        )

    # -- the run -------------------------------------------------------------

    def run(self, arguments) -> None:
        """Run all lanes from the entry to their ends."""
        for parameter, value in zip(self.program.parameters, arguments, strict=True):
            self._regs[parameter.register] = value
        self._send(self.program.steps[0], self.batch.all)
        with np.errstate(all="ignore"):
            self._loop()
        if self._waiting:
            report_hang(self, self._waiting, self._regs)

    def _loop(self):
        while self._ready:
            number, lanes = self._turns.take(self._ready, self._fuel)
            step = self.program.steps[number]
            self._fuel -= 1
            if self._fuel < 0:
                report_steps(self, step, lanes)
            try:
                self._step(step, lanes)
            except CoopError:
                raise
            except Exception as error:
                message = f"the CPU target fails: {type(error).__name__}: {error}"
                raise CoopInternalError(message, step.location) from error

    def _send(self, step, lanes):
        """Make lanes wait for their turn at a step."""
        self._ready.setdefault(step.number, []).append(lanes)

    def _step(self, step, lanes):
        frame = self._frame(step.inputs, lanes)
        for run in step.ops:
            run(frame)
        if frame.env is not self._regs:
            for register in step.outputs:
                self._assign(register, lanes, frame.env[register], frame.unspecified.get(register))
        self._leave(step.end, frame, step.number)

    def _frame(self, inputs, lanes) -> Frame:
        """Return the frame of some lanes: the registers themselves if it's all."""
        if lanes.size == self.batch.lanes:
            return Frame(self._regs, self._marks, lanes, self)
        env = list(self._regs)
        marks = {}
        for register in inputs:
            if env[register] is not None:
                env[register] = take(env[register], lanes)
            if self._marks and (mark := self._marks.get(register)) is not None:
                marks[register] = take(mark, lanes)
        return Frame(env, marks, lanes, self)

    def _assign(self, register, lanes, value, mark):
        count = self.batch.lanes
        if lanes.size == count:
            self._regs[register] = value
        else:
            self._regs[register] = scatter(self._regs[register], lanes, value, count)
        old = self._marks.pop(register, None)
        if mark is None and old is None:
            return
        if isinstance(value, tuple):
            return
        blank = np.zeros((*value.shape[:-1], 1), bool)
        if lanes.size != count:
            old = np.array(spread(blank if old is None else old, count))
            old[..., lanes] = blank if mark is None else mark
            mark = old
        if mark is not None and mark.any():
            self._marks[register] = mark

    def _leave(self, end, frame, number):
        if isinstance(end, Meet):
            self._wait(end, frame)
        elif isinstance(end, Exit):
            self.exits[frame.lanes] = number
        elif isinstance(end, Branch):
            self._branch(end, frame, number)
        else:
            self._take(end, frame, None)

    def _take(self, edge, frame, rows):
        """Let the rows of a frame go along an edge; None is all of them."""
        lanes = frame.lanes if rows is None else frame.lanes[rows]
        moved = [(to, frame.env[source], frame.marks(source), source) for source, to in edge.moves]
        for to, value, mark, source in moved:
            if rows is not None:
                value = take(value, rows)
                mark = None if mark is None else take(mark, rows)
            self._assign(to, lanes, value, mark)
            if mark is not None and source in self.origins:
                self.origins[to] = self.origins[source]
        self._send(edge.target, lanes)

    def _branch(self, branch, frame, number):
        if frame.unspecified:
            self.require(frame, branch.condition, "the condition of a branch", branch.location)
        condition = frame.env[branch.condition]
        if branch.cases is None:
            chosen = np.where(condition, 0, 1)
        else:
            chosen = np.zeros(condition.shape, np.int64)
            for number, case in enumerate(branch.cases):
                chosen[condition == case] = number + 1
        first = int(chosen[0])
        if (chosen == first).all():
            self._take(branch.edges[first], frame, None)
            return
        self.parted[frame.lanes] = number
        for side in np.unique(chosen):
            self._take(branch.edges[side], frame, np.flatnonzero(chosen == side))

    # -- meetings ------------------------------------------------------------

    def _wait(self, end: Meet, frame):
        """Let lanes wait at a meeting; whole groups act and go on."""
        for register in end.meeting.slots.operands:
            if frame.env is not self._regs:
                self._assign(register, frame.lanes, frame.env[register], frame.marks(register))
        waiting = merged([frame.lanes, *self._waiting.pop(end, [])])
        done = complete(end.meeting, waiting, self._regs, self.batch)
        if not done.all():
            self._waiting[end] = [waiting[~done]]
        if done.any():
            self._meet(end, waiting[done])

    def _meet(self, end: Meet, lanes):
        slots = end.meeting.slots
        frame = self._frame(slots.operands, lanes)
        end.meeting.act(frame)
        if frame.env is not self._regs:
            for register in slots.results:
                self._assign(register, lanes, frame.env[register], frame.marks(register))
        self._send(end.edge.target, lanes)

    # -- memory --------------------------------------------------------------

    def _object(self, spec, globals_, number):
        memory = self._make(spec, globals_, number)
        self.memory.add(memory)
        return memory

    def _make(self, spec, globals_, number):
        size = self.shared_bytes if spec.size is None else spec.size
        if spec.space == "local":
            return LocalObject(spec.name, size, spec.element, self.batch, spec.location, self.check)
        if spec.space == "shared":
            memory = SharedObject(spec.name, size, self.batch, spec.location, self.check)
            if self.check:
                memory.shadow = self.races.shadow(memory)
            return memory
        if number not in globals_:
            storage = np.zeros(max(size, 1), np.uint8)
            if spec.initial is not None:
                storage[: len(spec.initial)] = np.frombuffer(spec.initial, np.uint8)
            globals_[number] = GlobalObject(spec.name, storage, spec.location, spec.writable)
        return globals_[number]


def _first_lane(lanes, marks) -> int:
    marks = np.asarray(marks).reshape(-1, np.shape(marks)[-1]).any(0)
    return int(lanes[int(np.argmax(marks))])
