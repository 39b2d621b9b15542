# The command coop-run.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command ``coop-run``: run a kernel of an MLIR file on the CPU, under the checker."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from coop_mlir import ir

from .._compile._context import own_context
from .._options import DEFAULTS, PARTICIPATION, Settings
from ..errors import CoopError
from .builder import build
from .execute import MAX_STEPS, execute_program
from .stages import reach, stage_names

__all__ = ["main"]

_DTYPES = {
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}
_MAKERS = {
    "arange": lambda size, dtype: np.arange(size).astype(dtype),
    "zeros": np.zeros,
    "ones": np.ones,
    "random": lambda size, dtype: np.random.default_rng(0).integers(0, 100, size).astype(dtype),
}
_EPILOG = """\
an argument is one of
  FILE.npy              an array from a file
  arange:SIZE:TYPE      0, 1, 2, ...; also zeros, ones and random (the same each time)
  NUMBER                a scalar
TYPE is i8, i16, i32, i64, f16, f32 or f64.

example:
  coop-run copy.mlir --entry copy --block 128 --grid 2 \\
      --arg arange:1024:i32 --arg zeros:1024:i32 --arg 1000
"""


def main(argv=None) -> int:
    """Run the command; return 1 when the checker or the compiler objects."""
    options = _parser().parse_args(argv)
    try:
        args = [argument(text) for text in options.arg]
        run(options, args)
    except (CoopError, OSError, ValueError, ir.MLIRError) as error:
        kind = getattr(error, "kind", None)
        print(f"coop-run: {f'{kind}: ' if kind else ''}{error}", file=sys.stderr)
        return 1
    _show(args, options.save)
    return 0


def argument(text: str):
    """Return the argument that a word of the command line describes."""
    if text.endswith(".npy"):
        return np.load(text)
    maker, _, rest = text.partition(":")
    if maker in _MAKERS:
        size, _, dtype = rest.partition(":")
        if dtype not in _DTYPES or not size.isdecimal():
            raise ValueError(
                f"{text!r} must be {maker}:SIZE:TYPE, TYPE one of {', '.join(_DTYPES)}"
            )
        return _MAKERS[maker](int(size), dtype=_DTYPES[dtype])
    try:
        return int(text, 0)
    except ValueError:
        return float(text)


def run(options, args) -> None:
    """Run the file's kernel on arguments."""
    text = sys.stdin.read() if options.file == "-" else Path(options.file).read_text()
    with own_context():
        module = _parse(text, options.file)
        settings = Settings(options.participation, keep_user_barriers=not options.drop_barriers)
        scratch = (
            reach(module, options.stage, settings, options.shared_bytes) if options.stage else 0
        )
        program = build(module, options.entry)
    execute_program(
        program,
        _shape(options.grid),
        _shape(options.block),
        args,
        check=not options.no_check,
        shared_bytes=options.shared_bytes + scratch,
        max_steps=options.max_steps,
        schedule=options.schedule,
    )


def _parse(text, name):
    """Parse a module; its locations name the file."""
    if name != "-" and hasattr(ir.Module, "parseFile"):
        return ir.Module.parseFile(name)
    return ir.Module.parse(text)


def _shape(text: str) -> tuple:
    return tuple(int(size) for size in text.replace("x", ",").split(","))


def _show(args, save) -> None:
    """Print the arrays, or write them to files of a folder."""
    for number, arg in enumerate(args):
        if not isinstance(arg, np.ndarray):
            continue
        if save is None:
            print(f"argument {number}: {np.array2string(arg, threshold=64)}")
        else:
            Path(save).mkdir(parents=True, exist_ok=True)
            np.save(Path(save) / f"{number}.npy", arg)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="coop-run",
        description="Run a kernel of an MLIR file on the CPU, under the checker.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("file", help="a module at any stage; - is the standard input")
    add("--entry", help="the kernel; may be left out when there is one")
    add("--block", default="1", help="threads of a block, such as 128 or 16,8 (default: 1)")
    add("--grid", default="1", help="blocks of the grid (default: 1)")
    add("--arg", action="append", default=[], metavar="ARGUMENT", help="see below; repeat for each")
    add("--stage", choices=stage_names(), help="run the passes up to this stage first")
    add(
        "--participation",
        choices=PARTICIPATION,
        default=DEFAULTS.participation,
        help="what the passes make of a call that threads may skip (default: %(default)s)",
    )
    add(
        "--drop-barriers",
        action="store_true",
        help="let the passes take out barriers of the program that order nothing",
    )
    add("--shared-bytes", type=int, default=0, help="dynamic shared memory (default: 0)")
    add("--max-steps", type=int, default=MAX_STEPS, help="when a kernel counts as without end")
    add("--schedule", type=int, metavar="SEED", help="let warps take their turns at random")
    add("--no-check", action="store_true", help="look for faults that trap only")
    add("--save", metavar="FOLDER", help="write the arrays to FOLDER/NUMBER.npy; print nothing")
    return parser


if __name__ == "__main__":
    sys.exit(main())
