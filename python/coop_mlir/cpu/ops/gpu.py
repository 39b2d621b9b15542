# The gpu dialect.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gpu dialect: ids, barriers, shuffles, dynamic shared memory, printing."""

from __future__ import annotations

import re

import numpy as np

from ..collectives import group_barrier
from ..meeting import Meeting
from ..printing import print_lanes
from ..registry import effect, sync
from ..values import take, uniform
from .memref import dynamic_shared_memory, whole

_DIMENSIONS = {"x": 0, "y": 1, "z": 2}


def special(find):
    """Return the entry for an operation that gives a number of the launch.

    `find` takes the batch and the dimension, and returns a number for all
    lanes of the batch.
    """

    def build(op, slots):
        dimension = _dimension(op)
        (result,) = slots.results

        def run(frame):
            value = np.asarray(find(frame.run.batch, dimension))
            value = uniform(value, np.int64) if value.ndim == 0 else value
            whole_batch = frame.lanes.size == frame.run.batch.lanes
            frame.env[result] = value if whole_batch else take(value, frame.lanes)
            frame.mark(result, None)

        return run

    return build


def _dimension(op) -> int:
    if "dimension" not in op.attributes:
        return 0
    return _DIMENSIONS[re.search(r"dim (\w)", str(op.attributes["dimension"])).group(1)]


def _global_id(batch, d):
    return batch.block_id[d] * batch.block[d] + batch.thread_id[d]


effect("gpu.thread_id")(special(lambda batch, d: batch.thread_id[d]))
effect("gpu.block_id")(special(lambda batch, d: batch.block_id[d]))
effect("gpu.block_dim")(special(lambda batch, d: batch.block[d]))
effect("gpu.grid_dim")(special(lambda batch, d: batch.grid[d]))
effect("gpu.global_id")(special(_global_id))
effect("gpu.lane_id")(special(lambda batch, d: batch.rank % 32))
effect("gpu.subgroup_id")(special(lambda batch, d: batch.warp))
effect("gpu.subgroup_size")(special(lambda batch, d: 32))
effect("gpu.num_subgroups")(special(lambda batch, d: batch.warps))


@sync("gpu.barrier")
def _barrier(op, slots):
    return Meeting("gpu.barrier", slots, lambda frame: group_barrier(frame, None))


@effect("gpu.dynamic_shared_memory")
def _dynamic(op, slots):
    number = dynamic_shared_memory(slots.builder, slots.location)
    shape = tuple(op.results[0].type.shape)
    (result,) = slots.results

    def run(frame):
        size = uniform(frame.run.shared_bytes, np.int64)
        frame.env[result] = whole(frame.run.address(number), shape, [size])

    return run


@effect("gpu.printf")
def _printf(op, slots):
    text = op.attributes["format"].value

    def run(frame):
        print_lanes(frame, text, slots)

    return run


__all__ = ["special"]
