# The provider's caches and dumps, with a stand-in for NVRTC.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The provider's caches and dumps, with a stand-in for NVRTC."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from coop_mlir import CoopInternalError, CoopProviderError
from coop_mlir._cub import cache, headers, nvrtc, provider, toolkit

SOURCE = "// wrappers\n"
PROBES = [("wrapper", "&coop_layout_probe<…>")]
CC = (9, 0)


@pytest.fixture(autouse=True)
def compiler(monkeypatch, tmp_path):
    """A compiler that counts its calls; no cache on disk, no dumps."""
    for name in (cache.ENABLE, provider.DUMP_DIR):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    found = headers.Headers((Path("/cccl"),), Path("/cuda"), (3, 2, 0), (13, 0), "fingerprint")
    monkeypatch.setattr(headers, "resolve", lambda major: found)
    monkeypatch.setattr(toolkit, "current", lambda: toolkit.Toolkit((13, 0), (13, 0)))
    fake = FakeCompiler()
    monkeypatch.setattr(nvrtc, "compile_source", fake)
    provider.clear()
    yield fake
    provider.clear()


class FakeCompiler:
    def __init__(self):
        self.calls = 0
        self.lowered = "_Z17coop_layout_probeILy2048ELy16EE"
        self.fails = False
        self.go = threading.Event()
        self.go.set()

    def __call__(self, source, expressions, cc, include_dirs, version):
        self.calls += 1
        self.go.wait(10)
        if self.fails:
            raise CoopProviderError("no", log="the log")
        return nvrtc.Compiled(
            b"ltoir of " + source.encode(), dict.fromkeys(expressions, self.lowered), "a remark"
        )


def request(source=SOURCE, probes=PROBES, cc=CC):
    return provider.compile_wrappers(source, probes, cc)


def test_a_layout_is_read_off_the_lowered_name(compiler):
    assert request() == provider.Provider(
        b"ltoir of " + SOURCE.encode(), {"wrapper": (2048, 16)}, "a remark"
    )
    compiler.lowered = "_Z5otherv"
    with pytest.raises(CoopInternalError, match="_Z5otherv"):
        request("// others\n")


def test_nothing_wanted_compiles_nothing(compiler):
    assert request("", []) == provider.Provider(b"") and compiler.calls == 0


def test_C7_equal_requests_compile_once(compiler):
    assert request() is request() and compiler.calls == 1


def test_C7_equal_requests_at_once_compile_once(compiler):
    compiler.go.clear()
    with ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(request) for _ in range(8)]
        compiler.go.set()
        assert len({id(future.result(10)) for future in futures}) == 1
    assert compiler.calls == 1


def other_headers(patch):
    patch.setattr(
        headers,
        "resolve",
        lambda _: headers.Headers((Path("/c"),), Path("/cuda"), (3, 2, 0), (13, 0), "edited"),
    )


def other_toolkit(patch):
    patch.setattr(toolkit, "current", lambda: toolkit.Toolkit((13, 0), (13, 0), "another build"))


CHANGES = {
    "source": lambda patch: request("// others\n"),
    "probes": lambda patch: request(probes=[("another", "&coop_layout_probe<1, 1>")]),
    "target": lambda patch: request(cc=(10, 0)),
    "options": lambda patch: patch.setattr(nvrtc, "OPTIONS", ("-O0",)),
    "headers": other_headers,
    "libraries": other_toolkit,
    "version": lambda patch: patch.setattr(provider, "_own_version", lambda: "next"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_C5_the_key_holds(monkeypatch, compiler, change):
    request()
    change(monkeypatch)
    if compiler.calls == 1:
        request()
    assert compiler.calls == 2


def test_a_failure_is_not_remembered(compiler):
    compiler.fails = True
    with pytest.raises(CoopProviderError, match="no\nthe log"):
        request()
    compiler.fails = False
    assert request().ltoir and compiler.calls == 2


def test_C2_each_request_dumps_its_source(monkeypatch, tmp_path, compiler):
    monkeypatch.setenv(provider.DUMP_DIR, str(tmp_path / "not/yet"))
    request()
    (file,) = (tmp_path / "not/yet").iterdir()
    assert (
        file.name.startswith("cuda_coop_numba_mlir_")
        and file.suffix == ".cu"
        and file.read_text() == SOURCE
    )
    file.unlink()
    request()
    assert file.read_text() == SOURCE and compiler.calls == 1


def test_C2_a_directory_that_cannot_be_written_is_named(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(provider.DUMP_DIR, str(tmp_path / "file"))
    with pytest.raises(CoopProviderError, match=f"{provider.DUMP_DIR} is '{tmp_path}/file'"):
        request()


@pytest.fixture
def disk(monkeypatch):
    monkeypatch.setenv(cache.ENABLE, "1")
    return cache.cache_dir()


def again():
    """Request as another process would."""
    provider.clear()
    return request()


def test_C4_off_by_default(compiler):
    request()
    assert not cache.cache_dir().exists()


@pytest.mark.parametrize(
    ("value", "on"),
    [
        ("", 0),
        ("0", 0),
        (" False ", 0),
        ("no", 0),
        ("OFF", 0),
        ("1", 1),
        ("yes", 1),
        ("anything", 1),
    ],
)
def test_C4_truth(monkeypatch, value, on):
    monkeypatch.setenv(cache.ENABLE, value)
    assert cache.enabled() == bool(on)


@pytest.mark.skipif(os.name == "nt", reason="the rule of POSIX systems")
@pytest.mark.parametrize("value", [None, "", "relative/path"])
def test_C4_default_directory(monkeypatch, tmp_path, value):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME")
    if value is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", value)
    assert cache.cache_dir().parent == tmp_path / ".cache/cccl"


def test_C4_another_process_loads(disk, compiler):
    first = request()
    second = again()
    assert (second.ltoir, second.layouts) == (first.ltoir, first.layouts) and compiler.calls == 1
    assert disk.is_relative_to(Path(os.environ["XDG_CACHE_HOME"], "cccl"))


DAMAGES = {
    "cut": lambda data: data[:-1],
    "flipped bit": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "layout changed": lambda data: data.replace(b"2048", b"2049"),
    "empty": lambda data: b"",
    "another format": lambda data: data.replace(b"provider-1", b"provider-0"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_C4_a_damaged_entry_is_rebuilt(disk, compiler, damage):
    good = request()
    (entry,) = disk.iterdir()
    data = entry.read_bytes()
    entry.write_bytes(damage(data))
    assert again() == good and compiler.calls == 2
    assert entry.read_bytes() == data


def test_C4_an_entry_of_another_key_is_not_trusted(disk, compiler):
    request()
    (entry,) = disk.iterdir()
    data = entry.read_bytes()
    request("// others\n")
    other = next(file for file in disk.iterdir() if file != entry)
    other.write_bytes(data)
    provider.clear()
    assert request("// others\n").ltoir == b"ltoir of // others\n" and compiler.calls == 3


def test_C4_the_oldest_entries_go_first(monkeypatch, disk):
    for number in range(4):
        request(f"// {number}\n")
        newest = max(disk.iterdir(), key=lambda file: file.stat().st_mtime_ns)
        os.utime(newest, ns=(number, number))
    size = newest.stat().st_size
    monkeypatch.setattr(cache, "MAX_BYTES", 3 * size)
    request("// 5\n")
    assert sorted(file.stat().st_mtime_ns for file in disk.iterdir())[:2] == [2, 3]
    assert sum(file.stat().st_size for file in disk.iterdir()) <= 3 * size


def test_C4_no_failure_of_the_cache_fails_a_request(monkeypatch, tmp_path, disk, compiler):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert request().ltoir and again().ltoir and compiler.calls == 2
