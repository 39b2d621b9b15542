# What the front end emits is valid coop IR to the dialect itself.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the front end emits is valid coop IR to the dialect itself."""

import pytest
import test_frontend_emission as kernels
from frontend_support import F32, I32, emit, types

ir = pytest.importorskip("coop_mlir.ir")


@pytest.mark.parametrize(
    "kernel, signature, block",
    [
        (kernels.copy, kernels.COPY, 128),
        (kernels.aliases, (I32, I32), 128),
        (kernels.warps, (I32, I32), (16, 4)),
        (kernels.merged, (I32, I32, types.int32), 128),
        (kernels.helpers, (F32, F32, 2), 128),
        (kernels.outlined, (I32, I32), 128),
        (kernels.queries, (I32,), (32, 4)),
        (kernels.explicit_storage, (I32, I32, 2048), 128),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_the_dialect_accepts(kernel, signature, block):
    text = emit(kernel, signature, block, generic=True)
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(text)
        assert module.operation.verify()
    assert '"coop.' not in str(module)
