# Modules between the host's MLIR and ours: nothing is lost, or it refuses.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Carry modules from the host's MLIR to ours and back.

The host ships another version of MLIR than the one our passes are built on.
Modules cross as generic text with locations, and each reader must prove that it
kept everything: it prints what it has read, and that has to be the text it was
given (see :mod:`._fidelity`).

    host module --print--> text --read by ours--> passes --print--> text --read by the host
                             ^                                        ^
                  ours prints it back: same?              the host prints it back: same?

What our MLIR is known to lose takes another way: ``kernel`` of ``gpu.func``, a
property that ours has no word for, travels as the attribute ``coop.kernel``;
debug-info attributes stay behind (see :mod:`._foreign`).

The passes in between may change bodies, but never the outside of a symbol that
the host made: its attributes are compared when the module comes home.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from coop_mlir import ir as own_ir
from coop_mlir.errors import CoopInternalError, SourceLocation

from ._context import own_context
from ._fidelity import first_loss
from ._foreign import Foreign, UnknownStandIn, take_out
from ._shell import Shell, first_change, shell_of, symbols
from .diagnostics import source_location

__all__ = ["KERNEL", "ExportedText", "export_module", "import_module", "print_module"]

#: The discardable attribute that says ``kernel`` while a module is with us.
KERNEL = "coop.kernel"

_HOST_KERNEL = "kernel"


@dataclass(frozen=True)
class ExportedText:
    """A host module as text for our MLIR, and what it needs to come home.

    Attributes
    ----------
    text : str
        Generic form with locations; our MLIR reads it without loss.
    foreign : Foreign
        The attributes that stayed behind.
    context : object
        The host's context, in which the module is made again.
    host_ir : module
        The host's ``ir`` bindings.
    shell : dict
        The attributes of each symbol, as the host's own objects.
    """

    text: str
    foreign: Foreign
    context: Any
    host_ir: ModuleType
    shell: Shell


def print_module(module: Any) -> str:
    """Print a module of either MLIR in the form that crosses the bridge."""
    return module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)


def export_module(host_module: Any) -> ExportedText:
    """Turn a module of the host into text that our MLIR reads without loss.

    Parameters
    ----------
    host_module : Module
        A module of the host's MLIR. It is unchanged afterwards.

    Returns
    -------
    ExportedText
        The text, and what :func:`import_module` needs.

    Raises
    ------
    CoopInternalError
        If our MLIR can't read the module, or would lose a part of it.
    """
    shell = shell_of(host_module)
    with _kernels_carried(host_module):
        original = print_module(host_module)
    text, foreign = take_out(original)
    exported = ExportedText(text, foreign, host_module.context, _ir_of(host_module), shell)
    if foreign:
        # Stand-ins need no alias, so locations number differently: let the host
        # print it, because only a printer's own text can be compared.
        exported = replace(exported, text=print_module(_read_by_host(text, exported)))
    _check_own_reader(exported.text)
    return exported


def import_module(text: str, exported: ExportedText) -> Any:
    """Make a module of the host from text of our MLIR.

    Parameters
    ----------
    text : str
        What :func:`print_module` gives for our module after the passes.
    exported : ExportedText
        The answer of :func:`export_module` for the same module.

    Returns
    -------
    Module
        A verified module in the host's context.

    Raises
    ------
    CoopInternalError
        If the host can't read the text, would lose a part of it, or misses
        a symbol, or an attribute of one, that it had before.
    """
    module = _read_by_host(text, exported)
    _check("the host's MLIR", text, print_module(module))
    if exported.foreign:
        module = _read_by_host(_put_back(text, exported.foreign), exported)
    for operation in symbols(module):
        _restore_kernel(operation)
    change = first_change(exported.shell, shell_of(module))
    if change is not None:
        raise _refusal(f"{change} after the passes", text)
    _verify(module, text)
    return module


def _check_own_reader(text: str) -> None:
    """Refuse a text that our MLIR does not print back as it was."""
    with own_context():
        try:
            module = own_ir.Module.parse(text)
        except own_ir.MLIRError as error:
            message = f"our MLIR can't read the host's module: {error}"
            raise CoopInternalError(message, location=_user_line(error), ir=text) from error
        _check("our MLIR", text, print_module(module), same=_same_attribute)


def _check(reader: str, sent: str, printed: str, **how: Any) -> None:
    loss = first_loss(sent, printed, **how)
    if loss is not None:
        message = f"{reader} would not keep the module: {loss}"
        raise CoopInternalError(message, location=loss.location, ir=sent)


def _user_line(error: own_ir.MLIRError) -> SourceLocation | None:
    """The user's line that our verifier complains of; none for a syntax error."""
    places = (source_location(one.location) for one in error.error_diagnostics)
    return next((place for place in places if place and place.filename != "-"), None)


def _same_attribute(one: str, other: str) -> bool:
    """Whether two spellings are one attribute of our MLIR."""
    try:
        return own_ir.Attribute.parse(one) == own_ir.Attribute.parse(other)
    except own_ir.MLIRError:
        return False


def _read_by_host(text: str, exported: ExportedText) -> Any:
    with exported.context:
        try:
            return exported.host_ir.Module.parse(text)
        except exported.host_ir.MLIRError as error:
            raise _refusal(f"the host's MLIR can't read our module: {error}", text) from error


def _put_back(text: str, foreign: Foreign) -> str:
    try:
        return foreign.put_back(text)
    except UnknownStandIn as error:
        raise _refusal(f"a debug-info attribute went astray: {error}", text) from error


def _verify(module: Any, text: str) -> None:
    try:
        module.operation.verify()
    except _ir_of(module).MLIRError as error:
        raise _refusal(f"the module that came back is invalid: {error}", text) from error


def _ir_of(module: Any) -> ModuleType:
    """The ``ir`` bindings that a module belongs to.

    Taking them from the object keeps the bridge free of any host's name.
    """
    return sys.modules[type(module.operation).__module__]


@contextmanager
def _kernels_carried(module: Any) -> Iterator[None]:
    """Spell ``kernel`` as ``coop.kernel`` for as long as the module is printed."""
    kernels = [op for op in symbols(module) if _is_kernel(op)]
    unit = _ir_of(module).UnitAttr.get(context=module.context)
    for operation in kernels:
        del operation.attributes[_HOST_KERNEL]
        operation.attributes[KERNEL] = unit
    try:
        yield
    finally:
        for operation in kernels:
            _restore_kernel(operation)


def _is_kernel(operation: Any) -> bool:
    return operation.name == "gpu.func" and _HOST_KERNEL in operation.attributes


def _restore_kernel(operation: Any) -> None:
    attributes = operation.attributes
    if operation.name == "gpu.func" and KERNEL in attributes:
        attributes[_HOST_KERNEL] = attributes[KERNEL]
        del attributes[KERNEL]


def _refusal(message: str, text: str) -> CoopInternalError:
    return CoopInternalError(message, ir=text)
