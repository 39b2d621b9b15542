# The adapter's part for launches: which kernels pay for coop, and what tells launches apart.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The adapter's part for launches: which kernels pay for coop, and what tells launches apart.

A planner in the host's registry puts every kernel of the process on its slow
launch path and out of its disk cache. So coop's planner runs beside that
registry, and only kernels that use coop are marked as needing the launch.
"""

from __future__ import annotations

from numba_cuda_mlir import descriptor
from numba_cuda_mlir._launch_config import _launch_config_key
from numba_cuda_mlir._whole_function_planners import _WholeFunctionPlannerRegistry

from .reach import uses_coop

__all__ = ["configure", "launch_key", "plan", "register_planner"]

_planners = _WholeFunctionPlannerRegistry()
register_planner = _planners.register


class AnyGrid(tuple):
    """A grid that equals any other, so that it tells no two launches apart."""

    __slots__ = ()

    def __eq__(self, other) -> bool:
        return isinstance(other, AnyGrid)

    def __ne__(self, other) -> bool:
        return not isinstance(other, AnyGrid)

    def __hash__(self) -> int:
        return hash(AnyGrid)


def plan(original, planners_pass, state) -> bool:
    """Run coop's planner after those of the host's registry."""
    return original(planners_pass, state) | _planners.apply(state)


def configure(original, dispatcher, enabled, extensions, grid, *rest):
    """Make a launcher that the host has not cached; mark a kernel that uses coop.

    The host compiles a marked kernel for each launch's grid, block, bytes of
    shared memory and cluster. Coop's code does not depend on the grid.
    """
    if not dispatcher.overloads and uses_coop(dispatcher.py_func):
        dispatcher._mark_requires_launch_config()
        # The host would warn that it doesn't cache marked kernels on disk; host_cache does.
        dispatcher._launch_config_cache_notice_emitted = True
        if not _sees_grid(dispatcher):
            grid = AnyGrid(grid)
    return original(dispatcher, enabled, extensions, grid, *rest)


def _sees_grid(dispatcher) -> bool:
    """Whether others may make the kernel's code depend on the grid."""
    return (
        bool(dispatcher.targetoptions.get("experimental_ast_transforms"))
        or descriptor._extensions_use_launch_config(dispatcher.extensions)
        or descriptor._planner_registry.has_planners
    )


def launch_key(launch_config) -> tuple:
    """Return what of a launch its kernel's code depends on."""
    items = _launch_config_key(launch_config)
    return tuple(item for item in items if not isinstance(item[1], AnyGrid))
