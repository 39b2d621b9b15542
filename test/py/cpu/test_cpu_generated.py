# Random kernels: each pass keeps what they do, and no barrier is missing.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels: each pass keeps what they do, no barrier is missing, and no warning is given.

``COOP_TEST_KERNELS`` is the number of kernels: the default takes some seconds, the nightly run asks
for 20000.
"""

from __future__ import annotations

import os

import pytest
from generator import kernels
from hypothesis import HealthCheck, given, settings
from support import all_stages, run, same

COUNT = int(os.environ.get("COOP_TEST_KERNELS", "100"))


@pytest.mark.filterwarnings("error::coop_mlir.CoopWarning")
@settings(
    max_examples=COUNT,
    deadline=None,
    derandomize=COUNT <= 100,
    suppress_health_check=list(HealthCheck),
)
@given(kernels())
def test_every_stage_gives_the_same(kernel):
    texts = all_stages(kernel.text)
    wanted = run(texts.pop("coop"), kernel)
    texts.pop("plan-shared-memory")  # Without barriers yet.
    for stage, text in texts.items():
        assert same(run(text, kernel), wanted), f"stage {stage} changes the results"
