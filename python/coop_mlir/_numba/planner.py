# The planner: untyped Numba IR with coop calls -> calls with specs.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The planner: untyped Numba IR with coop calls -> calls with specs.

It runs once helpers are inlined and before types are inferred, and raises the
errors of users as exceptions of coop: only those that are not the host's own
leave its passes as they are.
"""

from __future__ import annotations

import math

from ..errors import CoopTypingError
from . import specs
from .calls import Call
from .dtypes import DtypeInference
from .host import (
    extending,
    mk_unique_var,
    numba_errors,
    numba_ir,
    register_planner,
    source_location,
    types,
    use_coop,
)
from .options import refuse_options_of_helpers, warn_of_vain_options
from .prune import prune_branches
from .resolve import Resolver
from .static import UNKNOWN
from .typing import call as rewritten_call
from .typing import result_type
from .unroll import unroll_literal_loops
from .variables import uses

_OPERANDS = {
    "load": ("group", "source", "items", *specs.CONTROLS),
    "store": ("group", "destination", "items", *specs.CONTROLS),
    "rank": ("self",),
    "index": ("self",),
    "sync": ("self",),
    "uniform": ("value",),
}


@register_planner
class CoopPlanner(extending.WholeFunctionPlanner):
    """Rewrites the cooperative calls of a kernel."""

    def run(self) -> bool:
        func_ir, args = self.state.func_ir, self.state.args
        function = func_ir.func_id.func
        refuse_options_of_helpers(function, self.is_device_function)
        resolver = Resolver(func_ir, args)
        resolver.finder.refuse_outlined_helpers()
        if not resolver.calls:
            warn_of_vain_options(function, self.state.metadata["targetoptions"])
            return False
        if unroll_literal_loops(func_ir, args):
            resolver = Resolver(func_ir, args)
        block = self._block_shape(resolver.calls[0])
        resolver.set_block(block)
        if requests := resolver.literal_requests():
            raise numba_errors.ForceLiteralArg(requests)
        while prune_branches(func_ir, resolver.values):
            resolver = Resolver(func_ir, args)
            resolver.set_block(block)
        specs_of = _Specs(resolver, self.state).build()
        _check_payload_indices(func_ir, resolver)
        _Rewriter(func_ir).rewrite(specs_of)
        _fold_literal_arguments(func_ir, args)
        return True

    def _block_shape(self, first: Call):
        """Return the shape of the block, which the launch gives."""
        if self.is_device_function:
            raise CoopTypingError(
                f"coop.{first.name} is used in a device function that is compiled by itself; "
                "declare it with @cuda.jit(device=True, inline='always')",
                first.location,
            )
        try:
            block = use_coop(self.state).block
        except RuntimeError:
            raise CoopTypingError(
                "the block's shape is not known before a launch; leave the signature out of "
                "@cuda.jit and launch with kernel[grid, block](...), or compile with "
                "coop.compile(kernel, signature, block=...)",
                first.location,
            ) from None
        if math.prod(block) > specs.MAX_BLOCK:
            raise CoopTypingError(
                f"the block has {math.prod(block)} threads; a GPU's has at most {specs.MAX_BLOCK}",
                first.location,
            )
        return block


class _Specs:
    """Builds the spec of every call of a kernel."""

    def __init__(self, resolver: Resolver, state):
        self._resolver = resolver
        self._state = state

    def build(self) -> dict[Call, object]:
        counts = {
            call: self._resolver.items_per_thread(call)
            for call in self._resolver.calls
            if call.name == "ThreadData"
        }
        structure = {call: self._spec(call) for call in self._resolver.calls if call not in counts}
        known = {
            call.stmt.target.name: result_type(spec)
            for call, spec in structure.items()
            if not isinstance(spec, specs.Uniform)
        }
        dtypes = DtypeInference(self._resolver, self._state, known).run()
        payloads = {
            call: specs.Payload(
                count, dtypes[call], self._resolver.payload_alignment(call), call.location
            )
            for call, count in counts.items()
        }
        return structure | payloads

    def _spec(self, call: Call):
        """Return the spec of a call that isn't a payload's constructor."""
        match call.name:
            case "this_block" | "this_warp" | "group_by":
                return self._resolver.group(call.stmt.target)
            case "TempStorage":
                return self._resolver.storage(call)
            case "load" | "store":
                return self._access(call)
            case "uniform":
                return specs.Uniform(call.location)
            case _:
                return specs.Query(call.name, call.location)

    def _access(self, call: Call) -> specs.Access:
        self._resolver.group(call.arguments["group"])  # refuses merged groups
        self._resolver.check_one_length(call)
        self._resolver.check_one_storage(call)
        known = {name: self._resolver.known(call, name) for name in specs.NUMBERS}
        return specs.Access(
            call.name,
            self._resolver.algorithm(call),
            call.location,
            {name: value for name, value in known.items() if value is not UNKNOWN},
        )


def _check_payload_indices(func_ir, resolver: Resolver) -> None:
    """Refuse constant indices that are outside their payload."""
    for block in func_ir.blocks.values():
        for stmt in block.body:
            if (access := _indexing(stmt)) is None:
                continue
            payload, index = access
            sites = resolver.payload_sites(payload)
            value = resolver.values.value(index) if isinstance(index, numba_ir.Var) else index
            for site in sites:
                count = resolver.items_per_thread(site)
                if type(value) is int and not -count <= value < count:
                    raise CoopTypingError(
                        f"index {value} is out of range for a payload of {count} items",
                        source_location(stmt.loc),
                    )


def _indexing(stmt):
    """Return the indexed variable and the index of a statement, None if it has none."""
    if isinstance(stmt, (numba_ir.SetItem, numba_ir.StaticSetItem)):
        return stmt.target, stmt.index
    if not isinstance(stmt, numba_ir.Assign):
        return None
    if getattr(stmt.value, "op", None) in ("getitem", "static_getitem", "typed_getitem"):
        return stmt.value.value, stmt.value.index
    return None


def _fold_literal_arguments(func_ir, args) -> None:
    """Make constants of the arguments that the kernel is specialized for."""
    for block in func_ir.blocks.values():
        for stmt in block.body:
            if isinstance(stmt, numba_ir.Assign) and isinstance(stmt.value, numba_ir.Arg):
                ty = args[stmt.value.index]
                if isinstance(ty, types.IntegerLiteral):
                    stmt.value = numba_ir.Const(ty.literal_value, stmt.loc)


class _Rewriter:
    """Puts ``call(spec, *operands)`` in the place of cooperative calls."""

    def __init__(self, func_ir):
        self._func_ir = func_ir

    def rewrite(self, specs_of: dict[Call, object]) -> None:
        by_statement = {call.stmt: call for call in specs_of}
        callees = {call.stmt.value.func.name for call in specs_of}
        for block in self._func_ir.blocks.values():
            body = []
            for stmt in block.body:
                if (call := by_statement.get(stmt)) is not None:
                    body += self._statements(call, specs_of[call])
                else:
                    body.append(stmt)
            block.body = body
        self._drop_unused(callees)

    def _statements(self, call: Call, spec) -> list:
        """Return the statements that replace a call."""
        stmt = call.stmt
        before = []

        def define(name, value):
            var = numba_ir.Var(stmt.target.scope, mk_unique_var(name), stmt.loc)
            before.append(numba_ir.Assign(value, var, stmt.loc))
            return var

        callee = define("$coop_call", numba_ir.Global("coop_call", rewritten_call, stmt.loc))
        operands = [define("$coop_spec", numba_ir.Global("coop_spec", spec, stmt.loc))]
        for name in _OPERANDS.get(call.name, ()):
            var = call.arguments.get(name)
            operands.append(var or define("$coop_none", numba_ir.Const(None, stmt.loc)))
        expr = numba_ir.Expr.call(callee, operands, (), stmt.loc)
        return [*before, numba_ir.Assign(expr, stmt.target, stmt.loc)]

    def _drop_unused(self, names: set[str]) -> None:
        """Drop the assignments of former callees, such as ``group.sync``."""
        used = {
            var.name
            for block in self._func_ir.blocks.values()
            for stmt in block.body
            for var in uses(stmt)
        }
        for block in self._func_ir.blocks.values():
            block.body = [
                stmt
                for stmt in block.body
                if not (
                    isinstance(stmt, numba_ir.Assign)
                    and stmt.target.name in names
                    and stmt.target.name not in used
                )
            ]
