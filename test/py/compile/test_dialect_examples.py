# Every example of the dialect's reference parses and verifies.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example of the dialect's reference parses, verifies and prints as it was read."""

import re
from pathlib import Path

import pytest
from markdown import examples

from coop_mlir import ir

PAGE = Path(__file__).parents[3] / "docs/generated/dialect.md"
EXAMPLES = [example.text for example in examples(PAGE) if example.language == "mlir"]

# The types of values that an example uses without defining them.
FREE = {
    "%src": "memref<?xi32>",
    "%dst": "memref<?xi32>",
    "%records": "memref<?xi8, strided<[12], offset: ?>>",
    "%n": "index",
    "%off": "index",
    "%zero": "i32",
    "%v": "vector<4xi32>",
    "%flag": "i1",
}
ARENA = "coop.arena @copy_scratch 2064 align 16\n"


def as_module(example: str) -> str:
    """Put what an example needs around it."""
    if example.startswith("gpu.func"):
        return f"gpu.module @m {{\n{example}}}"
    if example.startswith("coop.arena"):
        return example
    defined = set(re.findall(r"^\s*(%\w+)\s*=", example, re.M))
    used = set(re.findall(r"%[a-z]\w*", example)) - defined
    group = re.search(r"!coop\.group<[^>]*>", example)
    types = FREE | {"%g": group.group() if group else ""}
    arguments = ", ".join(f"{name}: {types[name]}" for name in sorted(used))
    return f"{ARENA}func.func @example({arguments}) {{\n{example}return\n}}"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.split("\n")[0][:40])
def test_example(example):
    with ir.Context():
        module = ir.Module.parse(as_module(example))
        assert module.operation.verify()
        assert "coop." in str(module)
        assert str(ir.Module.parse(str(module))) == str(module)


def test_there_is_an_example_for_each_operation():
    operations = set(re.findall(r"^### `(coop\.\w+)`", PAGE.read_text(), re.M))
    assert operations == {name for name in operations if any(name in text for text in EXAMPLES)}
