# Importing and registering: no GPU, no kernel compiler, any order.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Importing and registering: no GPU, no kernel compiler, any order."""

import os
import subprocess
import sys
import warnings

import pytest

import coop_mlir as coop
from coop_mlir import api

DISABLE = "CUDA_COOP_DISABLE_AUTO_DSL_REGISTRATION"
HIDE_HOST = (
    "import sys; sys.modules['numba_cuda_mlir'] = None; sys.modules['cuda.bindings'] = None\n"
)
NO_HOST_SPEC = (
    "import importlib.util as u; find = u.find_spec\n"
    "u.find_spec = lambda n, *a: None if n == 'numba_cuda_mlir' else find(n, *a)\n"
)


def run(code, **environment):
    """Run code in a new process; return what it prints."""
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def needs_host():
    return pytest.importorskip("numba_cuda_mlir")


def test_R1_import_needs_no_host():
    assert run(HIDE_HOST + "import coop_mlir; print(coop_mlir.load.__name__)") == "load"


def test_R1_import_loads_no_host():
    code = (
        "import coop_mlir, sys; print([m for m in sys.modules if 'numba' in m or 'mlir.ir' in m])"
    )
    assert run(code) == "[]"


def test_R1_both_names_give_the_same_objects():
    from cuda import coop as other

    assert all(getattr(other, name) is getattr(coop, name) for name in coop.__all__)
    assert other.__all__ == coop.__all__


def test_R1_cuda_has_no_init():
    import cuda

    assert getattr(cuda, "__file__", None) is None


def test_R2_unknown_backend_lists_the_known():
    with pytest.raises(ValueError, match="unknown backend 'triton'.*'numba-cuda-mlir'"):
        coop.register("triton")


@pytest.mark.parametrize("name", ["numba-cuda-mlir", "numba_cuda_mlir"])
def test_R2_register_is_idempotent(name):
    needs_host()
    coop.register(name)
    coop.register(name)


def test_R2_register_in_any_order():
    needs_host()
    code = (
        "{}; coop.register('numba-cuda-mlir'); from coop_mlir._numba import register as r;"
        "print(r._registered)"
    )
    for order in ("import coop_mlir as coop, numba_cuda_mlir", "import coop_mlir as coop"):
        assert run(code.format(order)) == "True"


def test_R2_missing_backend_names_the_extra():
    code = NO_HOST_SPEC + (
        "import coop_mlir\n"
        "try: coop_mlir.register('numba-cuda-mlir')\n"
        "except ImportError as error: print(error)"
    )
    assert "coop-mlir[cu13]" in (text := run(code)) and "0.5.x and 0.6.x" in text


AUTO = (
    "import numba_cuda_mlir, coop_mlir; import sys; print('coop_mlir._numba.host' in sys.modules)"
)


def test_R3_registers_by_itself_when_the_host_is_there():
    needs_host()
    assert run(AUTO, **{DISABLE: ""}) == "True"


@pytest.mark.parametrize("value", ["1", "yes", " TRUE ", "anything"])
def test_R3_truthy_disables_the_automatic_part(value):
    needs_host()
    assert run(AUTO, **{DISABLE: value}) == "False"


@pytest.mark.parametrize("value", ["0", " False ", "no", "OFF"])
def test_R3_falsy_does_not(value):
    needs_host()
    assert run(AUTO, **{DISABLE: value}) == "True"


def test_R3_qualified_import_registers_even_so():
    needs_host()
    code = (
        "import cuda.coop.numba_mlir as numba_coop, coop_mlir, sys;"
        "print('coop_mlir._numba.host' in sys.modules, numba_coop.ThreadData is coop_mlir.ThreadData)"
    )
    assert run(code, **{DISABLE: "1"}) == "True True"


def test_R4_old_version_is_refused():
    from coop_mlir._numba.register import check_version

    with pytest.raises(ImportError, match=r"0\.4\.9 is not supported.*0\.5\.x and 0\.6\.x"):
        check_version("0.4.9")


def test_R4_new_version_warns_once():
    from coop_mlir._numba.register import check_version

    with pytest.warns(coop.CoopWarning, match="1.2.0 is newer") as caught:
        check_version("1.2.0")
    assert len(caught) == 1


@pytest.mark.parametrize("version", ["0.5.0", "0.5.4", "0.6.0", "0.6.1rc1"])
def test_R4_supported_versions_pass(version):
    from coop_mlir._numba.register import check_version

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_version(version)


@pytest.mark.parametrize("function", api.DEVICE_FUNCTIONS, ids=lambda f: f.__name__)
def test_R5_host_call_is_an_error(function):
    name = function.__wrapped__.__name__
    with pytest.raises(coop.CoopError, match=f"coop.{name} is a device operation"):
        function(1, 2, 3)


@pytest.mark.parametrize("block", [0, -1, (), (1, 2, 3, 4), (32, 0), 1.5, True])
def test_C1_bad_block_is_refused(block):
    with pytest.raises((ValueError, TypeError)):
        coop.compile(None, (), block=block, cc=(9, 0))
