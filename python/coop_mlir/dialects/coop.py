# Builders and types of the coop dialect.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The coop dialect: operations, types and enums."""

from .._mlir_libs._coop import GroupType, TempStorageType  # noqa: F401
from ._coop_enum_gen import *  # noqa: F403
from ._coop_ops_gen import *  # noqa: F403
from ._coop_ops_gen import _Dialect  # noqa: F401
