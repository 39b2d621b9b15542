# Options that have no kernel of coop to go with.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options that have no kernel of coop to go with: of device functions, and of other kernels."""

from __future__ import annotations

import warnings

from .._options import OPTIONS, device_function
from ..errors import CoopError, CoopWarning, SourceLocation
from .reach import helpers

__all__ = ["refuse_options_of_helpers", "warn_of_vain_options"]


def refuse_options_of_helpers(function, is_device_function: bool) -> None:
    """Raise for options of a device function, or of a helper that a kernel names."""
    if is_device_function:
        _refuse(function)
    for helper in helpers(function):
        if helper.targetoptions.get("device"):
            _refuse(helper.py_func)


def warn_of_vain_options(function, targetoptions) -> None:
    """Tell of options of a kernel that has no cooperative call."""
    if targetoptions.get(OPTIONS):
        place = _definition(function)
        warnings.warn_explicit(
            f"coop.options on the kernel '{function.__name__}' do nothing: it has no cooperative "
            "call",
            CoopWarning,
            place.filename,
            place.line,
        )


def _refuse(function) -> None:
    if hasattr(function, OPTIONS):
        raise CoopError(device_function(function.__name__), _definition(function))


def _definition(function) -> SourceLocation:
    code = function.__code__
    return SourceLocation(code.co_filename, code.co_firstlineno)
