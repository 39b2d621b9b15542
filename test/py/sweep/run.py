# Running kernels of the sweep on the CPU or on a GPU.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running kernels of the sweep on the CPU or on a GPU, in several processes."""

from __future__ import annotations

import functools
import multiprocessing
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from coop_mlir import cpu
from numba_cuda_mlir import cuda

from .kernels import make
from .oracle import refusal
from .space import Kernel
from .tables import Launch, launches

CPU_CC = (9, 0)  #: What the CPU target compiles for.
_MOST_VALUES = 1 << 20  # of a launch on the CPU, so that one takes seconds at most
_PATIENCE = 600  # seconds for one kernel, after which it counts as hanging


@dataclass
class Outcome:
    """What came of a kernel.

    Attributes
    ----------
    kernel : str
        Its name.
    right : int
        Cases whose results are those of NumPy, to the last byte.
    refused : str
        The rule by which it was refused, as documented; else empty.
    faults : list of str
        What is wrong, in words; empty when all is well.
    """

    kernel: str
    right: int = 0
    refused: str = ""
    faults: list[str] = field(default_factory=list)


@dataclass
class Summary:
    """What came of all kernels."""

    kernels: int = 0
    cases: int = 0
    right: int = 0
    documented_errors: Counter = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count an outcome."""
        self.kernels += 1
        self.right += outcome.right
        self.cases += outcome.right + bool(outcome.refused) + len(outcome.faults)
        if outcome.refused:
            self.documented_errors[outcome.refused] += 1
        self.faults += [f"{outcome.kernel}: {fault}" for fault in outcome.faults]

    def __str__(self) -> str:
        rules = ", ".join(f"{rule} {n}" for rule, n in sorted(self.documented_errors.items()))
        return (
            f"{self.kernels} kernels, {self.cases} cases: {self.right} right, "
            f"{self.documented_errors.total()} documented errors ({rules or 'none'}), "
            f"{len(self.faults)} faults"
        )

    def as_dict(self) -> dict:
        """Return the summary for JSON."""
        return vars(self) | {"documented_errors": dict(sorted(self.documented_errors.items()))}


def launch_on_cpu(function, launch: Launch, stage: str) -> np.ndarray:
    """Run a launch on the CPU; return the destination."""
    source, destination = launch.source.copy(), launch.destination()
    arrays = source[launch.source_slice :], destination[launch.destination_slice :]
    cpu.launch(
        function,
        len(launch.cases),
        launch.kernel.shape,
        launch.table,
        arrays[0],
        launch.default,
        arrays[1],
        stage=stage,
    )
    return destination


def launch_on_gpu(dispatcher, launch: Launch) -> np.ndarray:
    """Run a launch on the GPU; return the destination."""
    source, destination = cuda.to_device(launch.source), cuda.to_device(launch.destination())
    dispatcher[len(launch.cases), launch.kernel.shape](
        cuda.to_device(launch.table),
        source[launch.source_slice :],
        launch.default,
        destination[launch.destination_slice :],
    )
    cuda.synchronize()
    return destination.copy_to_host()


def run_on_cpu(kernel: Kernel) -> Outcome:
    """Run a kernel on the CPU, as decided and as lowered by turns."""
    function = make(kernel)
    turns = enumerate(_bounded(launches(kernel)))
    stages = ("insert-barriers", "lower-to-cub")
    return _outcome(
        kernel,
        CPU_CC,
        ((one, launch_on_cpu(function, one, stages[turn % 2])) for turn, one in turns),
    )


def run_on_gpu(kernel: Kernel) -> Outcome:
    """Compile a kernel for the present GPU and launch it there."""
    dispatcher = cuda.jit(make(kernel))
    results = ((one, launch_on_gpu(dispatcher, one)) for one in launches(kernel))
    return _outcome(kernel, cuda.get_current_device().compute_capability, results)


def _bounded(all_launches: Iterable[Launch]) -> Iterator[Launch]:
    """Yield the launches whose values together are not too many; one at least."""
    values = 0
    for one in all_launches:
        if values and values + one.pitch * len(one.cases) > _MOST_VALUES:
            return
        values += one.pitch * len(one.cases)
        yield one


def _outcome(kernel: Kernel, cc, results: Iterable[tuple[Launch, np.ndarray]]) -> Outcome:
    """Compare results, which are computed on the way, with what is documented."""
    outcome = Outcome(str(kernel))
    single = len(kernel.algorithms) == 1
    expected = refusal(kernel, tuple(cc)) if single else None
    try:
        for launch, got in results:
            wrong = launch.wrong(got)
            outcome.right += len(launch.cases) - len(wrong)
            outcome.faults += [f"{case}, slices of {_slices(launch)}" for case in wrong]
    except Exception as error:
        if expected and type(error) is expected.error and _says(error, expected.says):
            outcome.refused = expected.rule
        else:
            outcome.faults.append(f"{type(error).__name__}: {error}")
        return outcome
    if expected:
        outcome.faults.append(f"not refused, though {expected.rule} says so")
    return outcome


def _says(error, words: tuple[str, ...]) -> bool:
    return all(word in str(error) for word in words)


def _slices(launch: Launch) -> str:
    return f"{launch.source_slice} and {launch.destination_slice}"


# ---------------------------------------------------------------------------
# Many kernels
# ---------------------------------------------------------------------------


def run_all(kernels: list[Kernel], target: str, processes: int) -> Iterator[Outcome]:
    """Yield the outcomes of kernels, the longest to compile first, as they come.

    Each process has its own CUDA context, so that what breaks one does not break the others.
    """
    kernels = sorted(kernels, key=lambda kernel: -kernel.cost)
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes) as pool:
        results = pool.imap_unordered(functools.partial(_attempt, target), kernels)
        for _ in kernels:
            yield results.next(timeout=_PATIENCE)


def _attempt(target: str, kernel: Kernel) -> Outcome:
    try:
        return {"cpu": run_on_cpu, "gpu": run_on_gpu}[target](kernel)
    except Exception as error:
        return Outcome(str(kernel), faults=[f"{type(error).__name__}: {error}"])
