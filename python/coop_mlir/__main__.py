# The self-check: what is installed, and one kernel all the way.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile a copy kernel, show its stages, run it and check the result.

``python -m coop_mlir`` is the first thing to run after an installation: it
tells the versions in use and takes one kernel from Python to a cubin. Without a
GPU the kernel runs on the CPU, under the checker.
"""

from __future__ import annotations

import argparse
import sys
from importlib import metadata


def main(argv=None) -> int:
    """Run the self-check; return the exit status."""
    options = _parse(argv)
    for line in _versions():
        print(line)

    import coop_mlir as coop

    from ._demo import copy_tile, signature

    result = coop.compile(
        copy_tile, signature(options.items), block=128, cc=tuple(map(int, options.cc.split(".")))
    )
    if options.stages:
        for stage, text in result.stages.items():
            print(f"\n// ----- {stage} -----\n{text.rstrip()}")
    print(f"\n{result}")
    return _run(options.items)


def _parse(argv):
    parser = argparse.ArgumentParser(prog="python -m coop_mlir", description=__doc__)
    parser.add_argument("--cc", default="9.0", help="compute capability to compile for (9.0)")
    parser.add_argument("--items", type=int, default=4, help="items per thread (4)")
    parser.add_argument(
        "--no-stages", dest="stages", action="store_false", help="don't print the module's stages"
    )
    return parser.parse_args(argv)


def _versions():
    for name in ("coop-mlir", "numba-cuda-mlir", "cuda-bindings", "nvidia-cuda-cccl"):
        try:
            yield f"{name} {metadata.version(name)}"
        except metadata.PackageNotFoundError:
            yield f"{name} is not installed"


def _run(items) -> int:
    """Run the kernel, on the CPU where there is no GPU, and check what it did."""
    from ._demo import check_copy, launch_on_cpu, launch_on_gpu

    present = _gpu_is_present()
    wrong = check_copy(launch_on_gpu if present else launch_on_cpu, items)
    place = "GPU" if present else "CPU (there is no GPU here)"
    print(f"run on the {place}: {wrong or 'the copy is right'}")
    return 1 if wrong else 0


def _gpu_is_present() -> bool:
    from numba_cuda_mlir import cuda

    try:
        return cuda.is_available()
    except Exception:  # no driver at all
        return False


if __name__ == "__main__":
    sys.exit(main())
