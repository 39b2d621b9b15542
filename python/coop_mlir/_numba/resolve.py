# The compile-time facts of cooperative calls, and the errors about them.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compile-time facts of cooperative calls, and the errors about them."""

from __future__ import annotations

from .. import api
from ..errors import CoopTypingError, Note
from . import specs
from .calls import CONSTANTS, Call, CallFinder
from .host import numba_ir, types
from .static import UNKNOWN, StaticValues

# Each slot is an operation or two; registers end far below.
_MAX_ITEMS = 1024
_MAX_ALIGNMENT = 1024


class Resolver:
    """Resolves the groups, payloads, storages and constants of one kernel.

    Parameters
    ----------
    func_ir : FunctionIR
        The kernel, with helpers inlined.
    args : sequence of Numba types
        The types of the kernel's arguments.
    """

    def __init__(self, func_ir, args):
        self._args = args
        self._arg_names = func_ir.arg_names
        # The finder asks for what is called; of attributes nothing is known before it is done.
        self.calls, self._by_node, self._block = [], {}, None
        self.values = StaticValues(func_ir, args, self._attribute)
        self.finder = CallFinder(func_ir, self.values)
        self.calls = self.finder.find()
        self._by_node = {id(call.stmt.value): call for call in self.calls}

    def set_block(self, block) -> None:
        """Say what the block's shape is; groups can be resolved from now on."""
        self._block = block

    # -- constants ---------------------------------------------------------

    def literal_requests(self) -> set[int]:
        """Return the kernel arguments whose values must be known to go on."""
        requests = set()
        for call in self.calls:
            for name in CONSTANTS.get(call.name, ()):
                var = call.arguments.get(name)
                if var is not None and self.values.value(var) is UNKNOWN:
                    requests |= self.values.arguments(var)
        return {index for index in requests if isinstance(self._args[index], types.Integer)}

    def constant(self, call: Call, name: str, default=None):
        """Return the value of a parameter that must be constant."""
        var = call.arguments.get(name)
        if var is None:
            return default
        value = self.values.value(var)
        if value is UNKNOWN:
            raise CoopTypingError(
                f"coop.{call.name}: {name} must be known at compile time{self._given(var)}; use a "
                "literal, a global, a kernel argument that is a Python int, or a value of "
                "literal_unroll over constants",
                call.location,
            )
        return value

    def known(self, call: Call, name: str):
        """Return the value of a parameter if it happens to be constant, else `UNKNOWN`."""
        var = call.arguments.get(name)
        return UNKNOWN if var is None else self.values.value(var)

    def _given(self, var) -> str:
        """Say which argument of the kernel a variable is, if it is one."""
        roots = self.values.roots(var)
        if len(roots) == 1 and isinstance(roots[0], numba_ir.Arg):
            index = roots[0].index
            return f", but the argument '{self._arg_names[index]}' is {self._args[index]}"
        return ""

    def _positive_int(self, call, name):
        value = self.constant(call, name)
        if type(value) is not int or value <= 0:
            raise CoopTypingError(
                f"coop.{call.name}: {name} must be a positive int, not {value!r}", call.location
            )
        return value

    def _alignment(self, call, limit=None):
        value = self.constant(call, "alignment")
        if value is None:
            return None
        if type(value) is not int or value <= 0 or value & (value - 1):
            raise CoopTypingError(
                f"coop.{call.name}: alignment must be a power of two, not {value!r}", call.location
            )
        if limit is not None and value > limit:
            raise CoopTypingError(
                f"coop.{call.name}: alignment {value} is above the limit of {limit}", call.location
            )
        return value

    # -- groups ------------------------------------------------------------

    def group(self, var) -> specs.Group | None:
        """Return the group that `var` is, None when it isn't known to be one.

        Raises
        ------
        CoopTypingError
            When control flow merges different groups.
        """
        if not self.finder.is_group(var):
            return None
        makers = [self._by_node[id(root)] for root in self.values.roots(var)]
        groups = [self._make_group(call) for call in makers]
        for call, group in zip(makers, groups, strict=True):
            if group != groups[0]:
                raise CoopTypingError(
                    "control flow merges different groups into one variable; use a variable "
                    "for each",
                    call.location,
                    [Note(f"{groups[0]} is made here", makers[0].location)],
                )
        return groups[0]

    def _make_group(self, call: Call) -> specs.Group:
        if call.name == "this_block":
            return specs.Group.of_block(self._block)
        if call.name == "this_warp":
            return specs.Group.of_warp(self._block)
        parent = self.group(call.arguments["self"])
        width = self.constant(call, "width")
        if parent.scope != "warp" or parent.size != specs.WARP:
            raise CoopTypingError(
                f"coop.group_by: {parent} can't be partitioned; use coop.this_warp().group_by",
                call.location,
            )
        if type(width) is not int or width not in specs.WIDTHS:
            raise CoopTypingError(
                f"coop.group_by: the width must be one of {_listed(specs.WIDTHS)}, not {width!r}",
                call.location,
            )
        return specs.Group.of_warp(self._block, width)

    # -- payloads and storages ---------------------------------------------

    def payload_sites(self, var) -> list[Call]:
        """Return the ``ThreadData`` constructors that `var` may come from."""
        return self._sites(var, "ThreadData")

    def _sites(self, var, name) -> list[Call]:
        calls = (self._by_node.get(id(root)) for root in self.values.roots(var))
        return [call for call in calls if call is not None and call.name == name]

    def items_per_thread(self, call: Call) -> int:
        """Return the number of slots that a ``ThreadData`` call asks for."""
        count = self._positive_int(call, "items_per_thread")
        if count > _MAX_ITEMS:
            raise CoopTypingError(
                f"coop.ThreadData: items_per_thread is {count}; a thread owns at most "
                f"{_MAX_ITEMS} items, so give the kernel more threads or loop over tiles",
                call.location,
            )
        return count

    def payload_alignment(self, call: Call) -> int | None:
        return self._alignment(call)

    def storage(self, call: Call) -> specs.Storage:
        """Return what a ``TempStorage`` call asks for."""
        size = self.constant(call, "size_in_bytes")
        auto_sync = self.constant(call, "auto_sync", False)
        sharing = self.constant(call, "sharing", "shared")
        if type(auto_sync) is not bool:
            raise CoopTypingError(
                f"coop.TempStorage: auto_sync must be True or False, not {auto_sync!r}",
                call.location,
            )
        if sharing not in ("shared", "exclusive"):
            raise CoopTypingError(
                f"coop.TempStorage: sharing must be 'shared' or 'exclusive', not {sharing!r}",
                call.location,
            )
        return specs.Storage(
            size=None if size is None else self._positive_int(call, "size_in_bytes"),
            alignment=self._alignment(call, _MAX_ALIGNMENT),
            auto_sync=auto_sync,
            sharing=sharing,
            location=call.location,
        )

    def check_one_length(self, call: Call) -> None:
        """Refuse a payload that control flow merges from several lengths."""
        sites = self.payload_sites(call.arguments["items"])
        lengths = sorted({self.items_per_thread(site) for site in sites})
        if len(lengths) > 1:
            raise CoopTypingError(
                f"coop.{call.name}: control flow merges payloads of {_listed(lengths)} items; "
                "use a variable for each",
                call.location,
                [Note("one of them", site.location) for site in sites],
            )

    def check_one_storage(self, call: Call) -> None:
        """Refuse a descriptor that control flow merges from several constructors."""
        var = call.arguments.get("temp_storage")
        sites = [] if var is None else self._sites(var, "TempStorage")
        if len(sites) > 1:
            raise CoopTypingError(
                f"coop.{call.name}: temp_storage comes from {len(sites)} constructors; "
                "use one constructor per descriptor",
                call.location,
                [Note("one of them", site.location) for site in sites],
            )

    # -- accesses ----------------------------------------------------------

    def algorithm(self, call: Call) -> str:
        """Return the algorithm of a load or store."""
        value = self.constant(call, "algorithm", "direct")
        if value not in api.ALGORITHMS:
            raise CoopTypingError(
                f"coop.{call.name}: unknown algorithm {value!r}; the known ones are "
                f"{_listed(map(repr, api.ALGORITHMS))}",
                call.location,
            )
        return value

    def _attribute(self, base, name):
        """Return the compile-time attribute of a group or payload."""
        if not self.calls:
            return UNKNOWN
        if name in ("size", "count") and self._block and self.finder.is_group(base):
            return getattr(self.group(base), name)
        if name in ("items_per_thread", "__len__"):
            sites = self.payload_sites(base)
            counts = {self.values.value(site.arguments["items_per_thread"]) for site in sites}
            return counts.pop() if len(counts) == 1 else UNKNOWN
        return UNKNOWN


def _listed(values) -> str:
    return ", ".join(map(str, values))
