# Every example in the documentation runs.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example in the documentation runs and prints what the page says."""

from pathlib import Path

import pytest

pytest.importorskip("numba_cuda_mlir")

from markdown import run_page

DOCS = Path(__file__).parents[3] / "docs"
PAGES = [*sorted(DOCS.glob("tutorials/*.md")), DOCS / "shared-memory.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples(page, tmp_path):
    assert run_page(page, tmp_path) > 0
