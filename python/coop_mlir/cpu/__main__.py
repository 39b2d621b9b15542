# Runs coop-run as python -m coop_mlir.cpu.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``python -m coop_mlir.cpu`` is the command ``coop-run``."""

import sys

from .cli import main

sys.exit(main())
