# When NVRTC shall make and use precompiled headers.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""When NVRTC shall make and use precompiled headers.

Of a compile of 1.6 s, all but 0.4 s goes into CUB's headers. NVRTC can keep them for the rest of the process, in a file below
the temporary directory that it deletes at exit; but making it adds 1.2 s, and it takes 250 MiB. So the second request with
the same headers and options makes one, `LIMIT` bounds their number, and after a failure none is made any more.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

__all__ = ["LIMIT", "SINCE", "note_outcome", "session"]

SINCE = (12, 8)
LIMIT = 2

_OPTIONS = ("--pch", "--pch-messages=false")

# NVRTC's heap for precompiled headers is one for the process: one compile at a time.
_compiling = threading.RLock()
_lock = threading.Lock()
_seen: set[tuple] = set()
_made: set[tuple] = set()
_failed = False


@contextmanager
def session(source: str, options: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Give the options to add for a compile in the body, none when it shall be a plain one."""
    if not _wanted((tuple(re.findall(r"^#include.*", source, re.MULTILINE)), tuple(options))):
        yield ()
        return
    with _compiling:
        yield _OPTIONS


def _wanted(key: tuple) -> bool:
    with _lock:
        if key not in _seen:
            _seen.add(key)
            return False
        if not _failed and len(_made) < LIMIT:
            _made.add(key)
        return not _failed and key in _made


def note_outcome(program, options: Sequence[str]) -> None:
    """Make no more precompiled headers when one could not be made: the heap is too small, or the disk full."""
    global _failed
    if _OPTIONS[0] not in options:
        return
    from cuda.bindings import nvrtc

    (status,) = nvrtc.nvrtcGetPCHCreateStatus(program)
    fine = nvrtc.nvrtcResult.NVRTC_SUCCESS, nvrtc.nvrtcResult.NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED
    with _lock:
        _failed = _failed or status not in fine
