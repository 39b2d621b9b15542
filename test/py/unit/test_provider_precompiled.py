# When a precompiled header is made and used.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""When a precompiled header is made and used."""

from __future__ import annotations

import pytest
from coop_mlir._cub import precompiled

SOURCE = "#include <one.cuh>\nint x;\n"


@pytest.fixture(autouse=True)
def new_process(monkeypatch):
    monkeypatch.setattr(precompiled, "_seen", set())
    monkeypatch.setattr(precompiled, "_made", set())
    monkeypatch.setattr(precompiled, "_failed", False)


def wanted(source=SOURCE, options=("-arch=a",)) -> bool:
    with precompiled.session(source, options) as extra:
        return bool(extra)


def test_from_the_second_request_on():
    assert [wanted(), wanted(), wanted()] == [False, True, True]


def test_only_headers_and_options_count():
    wanted()
    assert wanted(SOURCE.replace("x", "y"))
    assert not wanted(SOURCE.replace("one", "two"))
    assert not wanted(options=("-arch=b",))


def test_their_number_is_bounded():
    targets = [(f"-arch={number}",) for number in range(precompiled.LIMIT + 1)]
    assert not any(wanted(options=target) for target in targets)
    assert [wanted(options=target) for target in targets] == [True] * precompiled.LIMIT + [False]


def test_none_after_a_failure(monkeypatch):
    wanted()
    monkeypatch.setattr(precompiled, "_failed", True)
    assert not wanted()
