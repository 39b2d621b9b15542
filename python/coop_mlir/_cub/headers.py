# Finds the CCCL and CUDA headers that the wrappers are compiled against.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Resolution and identity of the CCCL and CUDA headers.

CCCL comes from ``CUDA_COOP_CCCL_ROOT`` when that is set, else from the ``nvidia-cuda-cccl`` package; the copy that a CUDA
toolkit ships is never taken. The CUDA headers come from cuda-pathfinder, else from ``include`` below ``CUDA_PATH``,
``CUDA_HOME``, ``CUDA_ROOT`` or, on POSIX systems, ``/usr/local/cuda``.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from coop_mlir.errors import CoopProviderError

__all__ = ["Headers", "Version", "resolve"]

Version = tuple[int, ...]

CCCL_ROOT = "CUDA_COOP_CCCL_ROOT"
TOOLKIT_ROOTS = ("CUDA_PATH", "CUDA_HOME", "CUDA_ROOT")

# A directory list is CCCL when together it holds these.
_CCCL_VERSION_HEADER = "cuda/std/__cccl/version.h"
_CCCL_MARKERS = ("cub/version.cuh", "thrust/version.h", _CCCL_VERSION_HEADER)
_CCCL_LAYOUTS = (
    ("cub", "thrust", "libcudacxx/include"),  # a source checkout
    ("include/cccl",),
    ("include",),
    (".",),  # the include directory itself
)
_CUDA_VERSION_HEADER = "cuda_runtime_api.h"
_POSIX_TOOLKIT = "/usr/local/cuda"


@dataclass(frozen=True)
class Headers:
    """The headers of one compilation.

    Attributes
    ----------
    cccl : tuple of Path
        CCCL's include directories, searched before `cuda`.
    cuda : Path
        The CUDA toolkit's include directory.
    cccl_version, cuda_version : tuple of int
        Major, minor and, for CCCL, patch, as the headers define them.
    fingerprint : str
        Changes when the headers do.
    """

    cccl: tuple[Path, ...]
    cuda: Path
    cccl_version: Version
    cuda_version: Version
    fingerprint: str

    @property
    def include_dirs(self) -> tuple[Path, ...]:
        return (*self.cccl, self.cuda)

    @property
    def identity(self) -> tuple[str, ...]:
        """What a cache key holds of the headers: their places, in order, and their contents."""
        return (*map(str, self.include_dirs), self.fingerprint)


def resolve(cuda_major: int) -> Headers:
    """Find the headers for NVRTC of a CUDA major version.

    Parameters
    ----------
    cuda_major : int
        Picks the package: ``nvidia-cuda-cccl`` from 13 on, ``nvidia-cuda-cccl-cu12`` for 12.

    Raises
    ------
    CoopProviderError
        When ``CUDA_COOP_CCCL_ROOT`` is no CCCL, or when headers are missing.
    """
    root = os.environ.get(CCCL_ROOT, "")
    cccl, contents = _configured_cccl(root) if root else _packaged_cccl(cuda_major)
    cuda = _cuda_include()
    return Headers(
        cccl,
        cuda,
        _cccl_version(cccl),
        _cuda_version(cuda),
        _digest([contents, _stat(cuda / _CUDA_VERSION_HEADER)]),
    )


def _configured_cccl(root: str) -> tuple[tuple[Path, ...], str]:
    for layout in _CCCL_LAYOUTS:
        dirs = tuple(Path(root, part).resolve() for part in layout)
        if _is_cccl(dirs):
            return dirs, _tree_digest(dirs)
    raise CoopProviderError(
        f"{CCCL_ROOT} is '{root}', which holds no CCCL: neither a source checkout (cub, thrust, libcudacxx/include) "
        f"nor an include directory with {', '.join(_CCCL_MARKERS)}; correct or unset it"
    )


def _packaged_cccl(cuda_major: int) -> tuple[tuple[Path, ...], str]:
    package = "nvidia-cuda-cccl" if cuda_major >= 13 else f"nvidia-cuda-cccl-cu{cuda_major}"
    try:
        installed = metadata.distribution(package)
    except metadata.PackageNotFoundError:
        installed = None
    for place in (
        (f"nvidia/cu{cuda_major}/include/cccl", "nvidia/cuda_cccl/include") if installed else ()
    ):
        include = Path(installed.locate_file(place)).resolve()
        if _is_cccl((include,)):
            # RECORD lists a hash of each file as installed; files edited since go unseen.
            return (include,), f"{package} {installed.version} {installed.read_text('RECORD')}"
    raise CoopProviderError(
        f"found no CCCL headers for CUDA {cuda_major}: install the package '{package}' (the extra 'coop-mlir[cu{cuda_major}]' "
        f"brings it) or point {CCCL_ROOT} to a CCCL source checkout; a CUDA toolkit's own copy is not used"
    )


def _is_cccl(dirs: tuple[Path, ...]) -> bool:
    return all(any((d / marker).is_file() for d in dirs) for marker in _CCCL_MARKERS)


def _cuda_include() -> Path:
    candidates = list(_cuda_candidates())
    for candidate in candidates:
        if (candidate / _CUDA_VERSION_HEADER).is_file():
            return candidate.resolve()
    tried = ", ".join(map(str, candidates)) or "nothing"
    raise CoopProviderError(
        f"found no CUDA headers ({_CUDA_VERSION_HEADER}); tried {tried}; install 'nvidia-cuda-runtime' or set CUDA_PATH"
    )


def _cuda_candidates() -> Iterator[Path]:
    if located := _located_cuda_include():
        yield located
    for name in TOOLKIT_ROOTS:
        if root := os.environ.get(name):
            yield Path(root, "include")
    if os.name == "posix":
        yield Path(_POSIX_TOOLKIT, "include")


def _located_cuda_include() -> Path | None:
    try:
        from cuda.pathfinder import locate_nvidia_header_directory
    except ImportError:
        return None
    found = locate_nvidia_header_directory("cudart")
    return Path(found.abs_path) if found and found.abs_path else None


def _cccl_version(dirs: tuple[Path, ...]) -> Version:
    header = next(d / _CCCL_VERSION_HEADER for d in dirs if (d / _CCCL_VERSION_HEADER).is_file())
    number = _macro(header, "CCCL_VERSION")
    return number // 1000000, number // 1000 % 1000, number % 1000


def _cuda_version(include: Path) -> Version:
    number = _macro(include / _CUDA_VERSION_HEADER, "CUDART_VERSION")
    return number // 1000, number % 1000 // 10


def _macro(header: Path, name: str) -> int:
    match = re.search(
        rf"^\s*#\s*define\s+{name}\s+(\d+)", header.read_text(errors="replace"), re.MULTILINE
    )
    if match is None:
        raise CoopProviderError(f"'{header}' does not define {name}")
    return int(match[1])


def _tree_digest(dirs: tuple[Path, ...]) -> str:
    """Digest name, size and time of each header below `dirs`, so that an edited checkout is compiled anew."""
    return _digest(f"{path} {_stat(path)}" for d in dirs for path in _headers_below(d))


def _headers_below(directory: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(directory):
        folders.sort()
        yield from (Path(folder, name) for name in sorted(names))


def _stat(path: Path) -> str:
    status = path.stat()
    return f"{status.st_size} {status.st_mtime_ns}"


def _digest(parts) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()
