# The persistent cache of compiled wrappers.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled wrappers on disk, shared by processes; on when ``CUDA_COOP_ENABLE_CACHE`` is truthy.

An entry is one file, named by its key, that holds a checksum of all the rest. Entries appear by a rename, so a reader sees a
whole one or none and no lock is needed: two processes that miss at once both compile, and either result serves. An entry
that is damaged, or of another format, is a miss. No failure of the cache fails a compilation.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path

__all__ = ["MAX_BYTES", "cache_dir", "enabled", "load", "store"]

ENABLE = "CUDA_COOP_ENABLE_CACHE"
MAX_BYTES = 256 << 20

_MAGIC = b"coop-provider-1\n"
_SUFFIX = ".ltoir"
_DIGEST_BYTES = hashlib.sha256().digest_size


def enabled() -> bool:
    """Return whether the environment turns the cache on."""
    return os.environ.get(ENABLE, "").strip().lower() not in ("", "0", "false", "no", "off")


def cache_dir() -> Path:
    """Return the directory of the entries: below ``$XDG_CACHE_HOME/cccl`` or, on Windows, ``%LOCALAPPDATA%\\cccl``.

    An unset, empty or relative variable gives ``~/.cache`` or ``~\\AppData\\Local``.
    """
    variable, default = (
        ("LOCALAPPDATA", "AppData/Local") if os.name == "nt" else ("XDG_CACHE_HOME", ".cache")
    )
    base = Path(os.environ.get(variable, ""))
    if not base.is_absolute():
        base = Path.home() / default
    return base / "cccl" / "coop-mlir"


def load(key: str) -> tuple[bytes, dict[str, tuple[int, int]]] | None:
    """Return the LTO-IR and layouts stored under a key, None when there is no sound entry."""
    try:
        path = _path(key)
        entry = _decode(key, path.read_bytes())
        os.utime(path)  # the least recently used entries go first
    except (OSError, ValueError, KeyError, TypeError, RuntimeError):
        return None
    return entry


def store(key: str, ltoir: bytes, layouts: dict[str, tuple[int, int]]) -> None:
    """Store an entry, then remove the oldest ones above `MAX_BYTES`."""
    try:
        path = _path(key)
        write_atomically(path, _encode(key, ltoir, layouts))
        _trim(path.parent)
    except (OSError, RuntimeError):
        pass  # a read-only or full disk, or no home: the next process compiles again


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that nobody sees a part of it, creating its directory."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _path(key: str) -> Path:
    return cache_dir() / f"{key}{_SUFFIX}"


def _encode(key: str, ltoir: bytes, layouts: dict[str, tuple[int, int]]) -> bytes:
    body = json.dumps({"key": key, "layouts": layouts}, sort_keys=True).encode() + b"\n" + ltoir
    return _MAGIC + hashlib.sha256(body).digest() + body


def _decode(key: str, data: bytes) -> tuple[bytes, dict[str, tuple[int, int]]]:
    magic, rest = data[: len(_MAGIC)], data[len(_MAGIC) :]
    digest, body = rest[:_DIGEST_BYTES], rest[_DIGEST_BYTES:]
    if magic != _MAGIC or hashlib.sha256(body).digest() != digest:
        raise ValueError("damaged entry")
    head, _, ltoir = body.partition(b"\n")
    facts = json.loads(head)
    if facts["key"] != key:
        raise ValueError("entry of another key")
    return ltoir, {name: (size, alignment) for name, (size, alignment) in facts["layouts"].items()}


def _trim(directory: Path) -> None:
    entries = []
    for entry in os.scandir(directory):
        try:
            status = entry.stat()
        except FileNotFoundError:  # another process trims too
            continue
        entries.append((status.st_mtime_ns, status.st_size, entry.path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= MAX_BYTES:
            return
        Path(path).unlink(missing_ok=True)
        total -= size
