# User code that type checkers accept, and lines that they refuse.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""User code that type checkers accept, and lines that they refuse.

A line that must be refused says so: with warnings for ignores that nothing needs, a checker
complains when it is accepted.
"""

from typing import Any

import coop_mlir as coop
from coop_mlir.api import Group, Payload


def helper(group: Group, source: Any, items: Payload) -> None:
    coop.load(group, source, items, algorithm="striped", valid_items=3, oob_default=0)


def kernel(source: Any, destination: Any, scale: int) -> None:
    block = coop.this_block()
    warp = coop.this_warp().group_by(8)
    storage = coop.TempStorage(4096, alignment=128, sharing="exclusive")
    items = coop.ThreadData(4, "int32")
    helper(block, source, items)
    for i in range(items.items_per_thread):
        items[i] = items[i] * scale + warp.rank() + len(items) + block.size
    warp.sync()
    coop.store(block, destination, items, temp_storage=storage)


def reusing(items: coop.ThreadDataLike, scratch: coop.TempStorageLike, source: Any) -> None:
    coop.load(coop.this_block(), source, items, algorithm="transpose", temp_storage=scratch)
    items[0] = items[1]


def wrong(source: Any, items: Payload) -> None:
    coop.load(coop.this_block(), source, items, algorithm="fastest")  # type: ignore[arg-type]
    coop.load(coop.this_block(), source, items, valid=3)  # type: ignore[call-arg]
    coop.load(source=source)  # type: ignore[call-arg]
    coop.this_block().group_by("8")  # type: ignore[arg-type]
    coop.ThreadData()  # type: ignore[call-arg]
    coop.TempStorage(sharing="private")  # type: ignore[arg-type]


@coop.options(participation="strict", keep_user_barriers=False)
def strict(source: Any, scale: int) -> None:
    coop.this_block().sync()


def optional(source: Any) -> None:
    strict(source, 3)
    strict(source, "3")  # type: ignore[arg-type]
    coop.options(participation="loud")  # type: ignore[arg-type]
    coop.options(strict=True)  # type: ignore[call-arg]
    coop.options(check_assumptions=True)(kernel)(source, source, 3)


def offline(signature: tuple[Any, ...]) -> str:
    coop.register("numba-cuda-mlir")
    try:
        result: coop.CompileResult = coop.compile(
            kernel, signature, block=(16, 8), grid=4, cc=(9, 0), options={"fastmath": True}
        )
    except coop.CoopProviderError as error:
        return error.log
    except coop.CoopError as error:
        return (
            "" if error.location is None else error.location.source + str(error.notes[0].location)
        )
    return result.stages["coop"] + result.ptx + result.cubin.hex() + str(result.plan)
