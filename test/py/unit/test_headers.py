# Resolution of CCCL's and CUDA's headers, and the fit of headers and libraries.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Resolution of CCCL's and CUDA's headers, and the fit of headers and libraries."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest
from coop_mlir import CoopProviderError
from coop_mlir._cub import headers
from coop_mlir._cub.toolkit import Toolkit, check

LAYOUTS = {
    "checkout": ("cub", "thrust", "libcudacxx/include"),
    "bundle": ("include",) * 3,
    "toolkit-like bundle": ("include/cccl",) * 3,
    "include directory": (".",) * 3,
}


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def make_cccl(root: Path, layout=LAYOUTS["checkout"], version: int = 3002001) -> Path:
    cub, thrust, libcudacxx = layout
    write(root / cub / "cub/version.cuh", "")
    write(root / thrust / "thrust/version.h", "")
    write(
        root / libcudacxx / "cuda/std/__cccl/version.h",
        f"#pragma once\n#define CCCL_VERSION {version}\n",
    )
    return root


def make_cuda(include: Path, version: int = 13000) -> Path:
    write(include / "cuda_runtime_api.h", f"  # define CUDART_VERSION  {version}\n")
    return include


@pytest.fixture(autouse=True)
def empty_environment(monkeypatch, tmp_path):
    """No toolkit but the ones that a test makes."""
    for name in (headers.CCCL_ROOT, *headers.TOOLKIT_ROOTS):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(headers, "_located_cuda_include", lambda: None)


@pytest.fixture
def cuda(monkeypatch, tmp_path):
    include = make_cuda(tmp_path / "toolkit/include")
    monkeypatch.setenv("CUDA_PATH", str(tmp_path / "toolkit"))
    return include


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_C3_root_selects_the_headers(monkeypatch, tmp_path, cuda, layout):
    root = make_cccl(tmp_path / "cccl", layout)
    monkeypatch.setenv(headers.CCCL_ROOT, str(root))
    found = headers.resolve(13)
    assert found.include_dirs == (*dict.fromkeys((root / part).resolve() for part in layout), cuda)
    assert (found.cccl_version, found.cuda_version) == ((3, 2, 1), (13, 0))


@pytest.mark.parametrize(
    "missing", ["cub/cub/version.cuh", "libcudacxx/include/cuda/std/__cccl/version.h"]
)
def test_C3_invalid_root_does_not_fall_back(monkeypatch, tmp_path, cuda, missing):
    root = make_cccl(tmp_path / "cccl")
    (root / missing).unlink()
    monkeypatch.setenv(headers.CCCL_ROOT, str(root))
    with pytest.raises(
        CoopProviderError, match=f"{headers.CCCL_ROOT} is '{root}', which holds no CCCL"
    ):
        headers.resolve(13)


def test_C3_package_is_the_default(monkeypatch, tmp_path, cuda):
    include = make_cccl(tmp_path / "nvidia/cu13/include/cccl", LAYOUTS["include directory"])
    install(monkeypatch, tmp_path, "nvidia-cuda-cccl")
    assert headers.resolve(13).cccl == (include.resolve(),)


def test_C3_package_follows_the_major_version(monkeypatch, tmp_path, cuda):
    include = make_cccl(
        tmp_path / "nvidia/cuda_cccl/include", LAYOUTS["include directory"], 2008002
    )
    install(monkeypatch, tmp_path, "nvidia-cuda-cccl-cu12")
    assert headers.resolve(12).cccl == (include.resolve(),)
    with pytest.raises(CoopProviderError, match="install the package 'nvidia-cuda-cccl'"):
        headers.resolve(13)


def test_C3_never_the_toolkits_own_cccl(monkeypatch, tmp_path, cuda):
    make_cccl(cuda / "cccl", LAYOUTS["include directory"])
    make_cccl(cuda, LAYOUTS["include directory"])
    install(monkeypatch, tmp_path, "something-else")
    with pytest.raises(CoopProviderError, match="a CUDA toolkit's own copy is not used"):
        headers.resolve(13)


def install(monkeypatch, site: Path, name: str) -> None:
    """Let `site` hold one distribution."""
    info = site / f"{name.replace('-', '_')}-1.0.dist-info"
    write(info / "METADATA", f"Name: {name}\nVersion: 1.0\n")
    write(info / "RECORD", "")

    def distribution(wanted):
        if wanted != name:
            raise metadata.PackageNotFoundError(wanted)
        return metadata.Distribution.at(info)

    monkeypatch.setattr(headers.metadata, "distribution", distribution)


def test_toolkit_roots_in_order(monkeypatch, tmp_path):
    monkeypatch.setenv(headers.CCCL_ROOT, str(make_cccl(tmp_path / "cccl")))
    for name in reversed(headers.TOOLKIT_ROOTS):
        include = make_cuda(tmp_path / name / "include")
        monkeypatch.setenv(name, str(tmp_path / name))
        assert headers.resolve(13).cuda == include.resolve()
    located = make_cuda(tmp_path / "located", 13010)
    monkeypatch.setattr(headers, "_located_cuda_include", lambda: located)
    assert headers.resolve(13).cuda == located.resolve()


def test_no_cuda_headers_names_what_was_tried(monkeypatch, tmp_path):
    monkeypatch.setenv(headers.CCCL_ROOT, str(make_cccl(tmp_path / "cccl")))
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "nowhere"))
    monkeypatch.setattr(headers, "_POSIX_TOOLKIT", str(tmp_path / "nor-here"))
    with pytest.raises(
        CoopProviderError, match=f"tried {tmp_path}/nowhere/include, {tmp_path}/nor-here/include"
    ):
        headers.resolve(13)


def test_an_edit_changes_the_identity(monkeypatch, tmp_path, cuda):
    root = make_cccl(tmp_path / "cccl")
    monkeypatch.setenv(headers.CCCL_ROOT, str(root))
    before = headers.resolve(13)
    assert headers.resolve(13).identity == before.identity
    write(root / "cub/cub/block/block_load.cuh", "// edited")
    after = headers.resolve(13)
    assert after.identity != before.identity
    make_cuda(cuda, 130000)
    assert headers.resolve(13).identity != after.identity


def found(cuda=(13, 0), cccl=(3, 2, 0)) -> headers.Headers:
    return headers.Headers((Path("/cccl"),), Path("/cuda"), cccl, cuda, "")


@pytest.mark.parametrize(
    ("cuda", "nvrtc", "nvjitlink", "cccl"),
    [
        ((13, 0), (13, 0), (13, 0), (3, 0, 1)),
        ((13, 0), (13, 0), (13, 5), (3, 5, 0)),
        ((12, 9), (12, 9), (12, 9), (2, 8, 2)),
        ((12, 9), (12, 9), (12, 9), (3, 5, 0)),
        ((14, 0), (14, 0), (14, 0), (4, 0, 0)),
    ],
)
def test_C3_one_toolkit_is_accepted(cuda, nvrtc, nvjitlink, cccl):
    check(found(cuda, cccl), Toolkit(nvrtc, nvjitlink))


@pytest.mark.parametrize(
    ("headers_", "toolkit", "both"),
    [
        (
            found((12, 9)),
            Toolkit((13, 0), (13, 0)),
            ("CUDA headers in '/cuda' are 12.9", "NVRTC is 13.0"),
        ),
        (found((13, 1)), Toolkit((13, 0), (13, 0)), ("are 13.1", "NVRTC is 13.0")),
        (found(), Toolkit((13, 0), (12, 9)), ("nvJitLink is 12.9", "NVRTC is 13.0")),
        (found((13, 5)), Toolkit((13, 5), (13, 0)), ("nvJitLink is 13.0", "NVRTC is 13.5")),
        (
            found(cccl=(2, 8, 2)),
            Toolkit((13, 0), (13, 0)),
            ("CCCL headers in '/cccl' are 2.8.2", "NVRTC 13.0 needs CCCL 3.0"),
        ),
    ],
)
def test_C3_a_mix_names_both(headers_, toolkit, both):
    with pytest.raises(CoopProviderError) as caught:
        check(headers_, toolkit)
    assert all(part in str(caught.value) for part in both)
