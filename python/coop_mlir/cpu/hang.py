# Reports of threads that wait in vain.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports of threads that wait in vain."""

from __future__ import annotations

import numpy as np

from .findings import CoopCheckError, Note
from .meeting import missing

__all__ = ["report_hang", "report_steps"]


def report_hang(run, waiting, regs):
    """Raise the error for threads whose group never comes together."""
    found = [
        (end, *missing(end.meeting, lanes, regs, run.batch)) for end, (lanes,) in waiting.items()
    ]
    end, lane, absent = min(found, key=lambda one: one[1])
    meeting = end.meeting
    notes = list(_whereabouts(run, waiting, absent, end))
    parted = run.parted[lane] if run.parted[lane] >= 0 else run.parted[absent[0]]
    if parted >= 0:
        branch = run.program.steps[parted].end
        notes.append(Note("the threads parted at this branch", branch.location))
    raise CoopCheckError(
        "participation",
        f"{run.batch.name(lane)} waits at '{meeting.name}', but {_counted(run, absent)} of its "
        f"{meeting.scope} never come{'s' * (absent.size == 1)}",
        meeting.slots.location,
        notes,
    )


def _whereabouts(run, waiting, absent, here):
    """Yield where the absent threads are, each place once."""
    left = absent[run.exits[absent] >= 0]
    for step in np.unique(run.exits[left]):
        there = left[run.exits[left] == step]
        location = run.program.steps[step].end.location
        yield Note(f"{_counted(run, there)} left the kernel here", location)
    for end, (lanes,) in waiting.items():
        there = np.intersect1d(absent, lanes)
        if there.size:
            same = "another call of " if end is here else ""
            yield Note(
                f"{_counted(run, there)} wait{'s' * (there.size == 1)} at {same}"
                f"'{end.meeting.name}' here",
                end.meeting.slots.location,
            )


def _counted(run, lanes) -> str:
    first = run.batch.name(int(lanes[0]), with_block=False)
    return first if lanes.size == 1 else f"{first} and {lanes.size - 1} more"


def report_steps(run, step, lanes):
    """Raise the error for a run that doesn't end."""
    raise CoopCheckError(
        "hang",
        f"{_counted(run, lanes)} still run after {run.max_steps} steps; raise max_steps if the "
        "kernel is right",
        step.location or run.program.location,
    )
