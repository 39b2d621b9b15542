# The passes that a kernel's module goes through.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The passes that a kernel's module goes through; no CUDA is needed to know them."""

from __future__ import annotations

from .._mlir_libs import _coop
from .._options import Settings

__all__ = ["pipeline_stages"]


def pipeline_stages(
    settings: Settings, target: str = "", launch_bytes: int = 0
) -> list[tuple[str, str]]:
    """Return the name and the textual pass pipeline of each stage, in order.

    Parameters
    ----------
    settings : Settings
        What the kernel's options come to.
    target : str
        The chip, such as ``sm_90``; empty when it is unknown.
    launch_bytes : int
        Dynamic shared memory that the program's own launch asks for.
    """
    return _coop.pipeline_stages(
        target,
        launch_bytes,
        participation=settings.participation,
        keep_user_barriers=settings.keep_user_barriers,
        check_assumptions=settings.check_assumptions,
    )
