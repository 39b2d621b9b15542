# What a kernel asks of coop's compiler.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel asks of coop's compiler: the decorator ``coop.options``, and how it is kept."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeVar, cast, get_args

from .errors import CoopError

__all__ = [
    "DEFAULTS",
    "OPTIONS",
    "PARTICIPATION",
    "Options",
    "Participation",
    "Settings",
    "device_function",
    "options",
    "settings_of",
    "with_options",
]

Participation = Literal["strict", "warn", "off"]

OPTIONS = "__coop_options__"
"""The attribute of a function, and the target option, that hold a kernel's options."""

PARTICIPATION: tuple[str, ...] = get_args(Participation)
"""How strict the check of participation can be."""

_Kernel = TypeVar("_Kernel", bound=Callable[..., Any])


@dataclass(frozen=True)
class Settings:
    """What coop's passes are told of a kernel: its options, none of them open.

    Attributes
    ----------
    participation : str
        ``strict``, ``warn`` or ``off``.
    keep_user_barriers : bool
        Whether the program's barriers stay that order nothing.
    check_assumptions : bool
        Whether the kernel checks ``coop.uniform`` when it runs.
    """

    participation: Participation = "warn"
    keep_user_barriers: bool = True
    check_assumptions: bool = False


@dataclass(frozen=True)
class Options:
    """The options of a kernel as they are stated; None is an open one.

    The attributes are those of :class:`Settings`.

    Raises
    ------
    ValueError
        For a value that an option can't have, with those that it can.
    """

    participation: Participation | None = None
    keep_user_barriers: bool | None = None
    check_assumptions: bool | None = None

    def __post_init__(self) -> None:
        if self.participation not in (None, *PARTICIPATION):
            known = ", ".join(map(repr, PARTICIPATION))
            raise ValueError(f"participation must be one of {known}, not {self.participation!r}")
        for name in ("keep_user_barriers", "check_assumptions"):
            value = getattr(self, name)
            if value is not None and type(value) is not bool:
                raise ValueError(f"{name} must be True or False, not {value!r}")

    def __bool__(self) -> bool:
        return self != Options()

    def over(self, others: Options) -> Options:
        """Return these options, with those of `others` where one is open."""
        return Options(**{**others._given(), **self._given()})

    def settle(self, debug: bool) -> Settings:
        """Return the settings of a kernel that is compiled with `debug` or not."""
        return Settings(**{"check_assumptions": debug, **self._given()})

    def _given(self) -> dict[str, Any]:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}


DEFAULTS = Settings()
"""The settings of a kernel without options."""

NOTHING = Options()
"""The options of a kernel that says nothing."""


def options(
    *,
    participation: Participation | None = None,
    keep_user_barriers: bool | None = None,
    check_assumptions: bool | None = None,
) -> Callable[[_Kernel], _Kernel]:
    """Return a decorator that sets how coop compiles a kernel.

    It stands above or below ``@cuda.jit``. Of two, the upper one counts where
    both say something. An option that is None, or not given, is left open.

    Parameters
    ----------
    participation : {"strict", "warn", "off"}, optional
        What becomes of a call of which it can't be proven that all threads of
        its group reach it: an error, a warning (the default), or nothing. With
        ``"off"`` calls that provably diverge are accepted, too, and the kernel
        may hang or give wrong results.
    keep_user_barriers : bool, optional
        Whether barriers that the kernel places stay when they order no two
        accesses of memory; by default True. With False, such barriers of the
        block are taken out.
    check_assumptions : bool, optional
        Whether the kernel checks, when it runs, what ``coop.uniform`` states;
        by default if it is compiled with ``debug=True``.

    Returns
    -------
    callable
        The decorator. It gives back the dispatcher that it is given, or a copy
        of the function.

    Raises
    ------
    ValueError
        For a value that an option can't have.
    CoopError
        From the decorator, for a device function, which is compiled with the
        options of the kernel that calls it, and for a kernel that has been
        launched before.
    """
    given = Options(participation, keep_user_barriers, check_assumptions)

    def decorate(kernel: _Kernel) -> _Kernel:
        if isinstance(kernel, types.FunctionType):
            return cast(_Kernel, _with_options(kernel, given))
        if not hasattr(kernel, "targetoptions"):
            raise TypeError(f"coop.options decorates kernels, not {kernel!r}")
        _set_options(kernel, given)
        return kernel

    return decorate


def with_options(
    function: Callable[..., Any], targetoptions: Mapping[str, Any], given: Options = NOTHING
) -> dict[str, Any]:
    """Return target options that hold all options of a kernel.

    These are `given`, else those of the dispatcher, whose target options these
    are, else those of the Python function.
    """
    own: Options = getattr(function, OPTIONS, NOTHING)
    options = given.over(targetoptions.get(OPTIONS, NOTHING)).over(own)
    return {**targetoptions, OPTIONS: options} if options else dict(targetoptions)


def settings_of(targetoptions: Mapping[str, Any]) -> Settings:
    """Return what coop's passes are told of a kernel with the target options."""
    options: Options = targetoptions.get(OPTIONS, NOTHING)
    return options.settle(debug=bool(targetoptions.get("debug")))


def _with_options(function: types.FunctionType, given: Options) -> types.FunctionType:
    """Return a copy: other kernels of the same function keep their options."""
    copy = types.FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    for name in ("__kwdefaults__", "__annotations__", "__qualname__", "__module__", "__doc__"):
        setattr(copy, name, getattr(function, name))
    copy.__dict__.update(function.__dict__)
    setattr(copy, OPTIONS, given.over(getattr(function, OPTIONS, NOTHING)))
    return copy


def _set_options(dispatcher: Any, given: Options) -> None:
    """Put options on a kernel that is not compiled yet."""
    name = dispatcher.py_func.__name__
    if dispatcher.targetoptions.get("device"):
        raise CoopError(device_function(name))
    if dispatcher.signatures:
        raise CoopError(
            f"kernel '{name}' has been compiled already; set its coop.options before its first "
            "launch"
        )
    before = dispatcher.targetoptions.get(OPTIONS, NOTHING)
    dispatcher.targetoptions[OPTIONS] = given.over(before)


def device_function(name: str) -> str:
    """Return the message for options of a device function."""
    return (
        f"coop.options on the device function '{name}': it is compiled with the options of the "
        "kernel that calls it; set them there"
    )
