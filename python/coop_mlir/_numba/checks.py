# What the operands of cooperative operations must be.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the operands of cooperative operations must be.

The checks run once all types are known, when a call is lowered.
"""

from __future__ import annotations

from ..errors import CoopTypingError
from . import specs
from .host import types
from .layouts import item_bytes, name_of
from .typing import GroupType, PayloadType, StorageType

_WARP_ALGORITHMS = ("auto", "direct", "striped", "vectorize", "transpose")
_BY_WARPS = ("warp_transpose", "warp_transpose_timesliced")


def check_access(access: specs.Access, group, array, items, controls) -> None:
    """Check the Numba types and the constants of a load or store.

    Parameters
    ----------
    access : Access
        The call.
    group, array, items : Numba type
        The types of its positional operands.
    controls : dict
        The types of the controls that are given and not None.

    Raises
    ------
    CoopTypingError
        At the first rule that is broken.
    """
    check = _AccessCheck(access, controls)
    check.items(items)
    check.array(array, items)
    check.group(check_group(access, group))
    check.offset()
    check.valid_items(group.group, items)
    check.oob_default(items)
    check.temp_storage()


def check_group(call, ty) -> specs.Group:
    """Return the group of a type; warps must fill the block."""
    if not isinstance(ty, GroupType):
        raise _error(call, f"the group must be this_block(), this_warp() or a part, not {ty}")
    group = ty.group
    if group.scope == "warp" and group.block_size % specs.WARP:
        raise _error(
            call,
            f"a warp operation needs a block size divisible by {specs.WARP}, and the block has "
            f"{group.block_size} threads; round it up",
        )
    return group


def check_uniform(statement: specs.Uniform, ty) -> None:
    """Check that a value is a number, of which all threads may have the same."""
    if not isinstance(ty, (types.Number, types.Boolean)):
        raise _error(statement, f"the value must be a number or a bool, not {_shown(ty)}")


class _AccessCheck:
    """The rules of load and store, one a method."""

    def __init__(self, access: specs.Access, controls):
        self._access = access
        self._controls = controls

    def _refuse(self, message) -> None:
        raise _error(self._access, message)

    def items(self, ty) -> None:
        if not isinstance(ty, PayloadType):
            self._refuse(f"the items must be a coop.ThreadData, not {ty}")

    def array(self, ty, items) -> None:
        role = "source" if self._access.name == "load" else "destination"
        if not isinstance(ty, types.Array) or ty.ndim != 1 or ty.layout not in "CF":
            self._refuse(f"the {role} must be a contiguous 1-D array, not {_shown(ty)}")
        if role == "destination" and not ty.mutable:
            self._refuse(f"the destination is read-only: {_shown(ty)}")
        if ty.dtype != items.dtype:
            self._refuse(
                f"the {role} has elements of {name_of(ty.dtype)}, the payload of "
                f"{name_of(items.dtype)}; {_cast_hint('the values', 'items[i] = ', ty.dtype)}"
            )

    def group(self, group: specs.Group) -> None:
        algorithm = self._access.algorithm
        if group.scope == "warp" and algorithm not in _WARP_ALGORITHMS:
            self._refuse(
                f"the algorithm {algorithm!r} is for blocks; a warp group takes one of "
                f"{', '.join(map(repr, _WARP_ALGORITHMS))}"
            )
        if algorithm in _BY_WARPS and group.block_size % specs.WARP:
            self._refuse(
                f"the algorithm {algorithm!r} needs a block size divisible by {specs.WARP}, and "
                f"the block has {group.block_size} threads"
            )

    def offset(self) -> None:
        value = self._integer("offset")
        if value is not None and value < 0:
            self._refuse(f"the offset {value} is negative; it counts from the array's start")

    def valid_items(self, group: specs.Group, items) -> None:
        value, limit = self._integer("valid_items"), group.size * items.count
        if value is not None and not 0 <= value <= limit:
            self._refuse(
                f"valid_items is {value}, outside [0, {limit}] ({group.size} threads of "
                f"{items.count} items)"
            )

    def oob_default(self, items) -> None:
        ty = self._controls.get("oob_default")
        if ty is None:
            return
        if "valid_items" not in self._controls:
            self._refuse("oob_default needs valid_items; without it no slot is out of bounds")
        if "oob_default" in self._access.constants:
            self._constant_default(self._access.constants["oob_default"], items.dtype)
        elif types.unliteral(ty) != items.dtype:
            self._refuse(
                f"oob_default is {name_of(types.unliteral(ty))}, but the payload is "
                f"{name_of(items.dtype)}; {_cast_hint('it', '', items.dtype)}"
            )

    def _constant_default(self, value, dtype) -> None:
        try:
            item_bytes(value, dtype)
        except ValueError:
            self._refuse(
                f"oob_default {value!r} can't be represented in {name_of(dtype)}"
                f"{_CONSTANTS.get(type(dtype), '')}"
            )

    def temp_storage(self) -> None:
        ty = self._controls.get("temp_storage")
        if ty is not None and not isinstance(ty, StorageType):
            self._refuse(f"temp_storage must be a coop.TempStorage, not {ty}")

    def _integer(self, name):
        """Check that a control is an int; return its value if it is constant."""
        ty = self._controls.get(name)
        if ty is None:
            return None
        if not isinstance(ty, types.Integer):
            self._refuse(f"{name} must be an int, not {ty}")
        return self._access.constants.get(name)


def _error(call, message) -> CoopTypingError:
    return CoopTypingError(f"coop.{call.name}: {message}", call.location)


# What a constant of some types has to be, where that isn't just a number.
_CONSTANTS = {
    types.Boolean: "; it must be True or False",
    types.Record: "; it must be a record of that dtype: an element of an array, or a NumPy record "
    "as a global",
}


def _cast_hint(what: str, assignment: str, dtype) -> str:
    """Say how a value comes to be of a type."""
    if isinstance(dtype, types.Record):
        return "records are never cast; give both the same dtype"
    prefix = "" if dtype == types.bfloat16 else "types."
    return f"cast {what}, such as {assignment}{prefix}{name_of(dtype)}(...)"


def _shown(ty) -> str:
    """Return an array type in words, any other by its name."""
    if not isinstance(ty, types.Array):
        return str(ty)
    layout = "contiguous" if ty.layout in "CF" else "strided"
    return f"a {layout} {ty.ndim}-D array of {ty.dtype}"
