# cuda.coop for numba-cuda-mlir: importing it registers the backend.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuda.coop for numba-cuda-mlir: importing it registers the backend.

Its ``load`` and ``store`` take ``local.array`` of fixed length, too, where those of the common
namespace take a ``ThreadData`` only.
"""

from coop_mlir import *  # noqa: F403
from coop_mlir import __all__ as _common
from coop_mlir import register as _register
from coop_mlir.api import qualified_load as load
from coop_mlir.api import qualified_store as store

_register("numba-cuda-mlir")

from numba_cuda_mlir.cuda import local, shared  # noqa: E402

__all__ = [*_common, "load", "local", "shared", "store"]
