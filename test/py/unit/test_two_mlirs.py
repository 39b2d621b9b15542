# Our MLIR beside the host's.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our MLIR and the host's live in one process, whichever comes first."""

import subprocess
import sys

import pytest

ORDERS = ["coop_mlir numba_cuda_mlir._mlir", "numba_cuda_mlir._mlir coop_mlir"]

USE_BOTH = """
import importlib, sys
irs = [importlib.import_module(f"{name}.ir") for name in sys.argv[1:]]
contexts = [ir.Context() for ir in irs]
modules = []
for ir, context in zip(irs, contexts):
    with context:
        modules.append(ir.Module.parse("func.func @f(%x: i32) -> i32 { return %x : i32 }"))
for ir, module in zip(irs, modules):
    assert module.operation.verify()
    assert isinstance(module, ir.Module)
assert type(modules[0]) is not type(modules[1])
for ir, context, other in zip(irs, contexts, reversed(modules)):
    try:
        ir.Type.parse(str(other), context)
    except ir.MLIRError:
        pass
print("both")
"""


@pytest.mark.parametrize("order", ORDERS)
def test_both_import_orders(order):
    pytest.importorskip("numba_cuda_mlir")
    done = subprocess.run(
        [sys.executable, "-c", USE_BOTH, *order.split()], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "both"
