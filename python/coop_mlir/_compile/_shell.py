# The outside of a module's symbols: what no pass of ours may change.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Record the attributes of a host module's symbols, and compare them later."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["Shell", "first_change", "shell_of", "symbols"]

#: For each symbol, by operation and symbol name, its attributes as the host's objects.
Shell = dict[tuple[str, str], dict[str, Any]]


def symbols(module: Any) -> Iterator[Any]:
    """Yield the module, its operations, and those of the gpu.modules in it."""
    yield module.operation
    for view in module.body.operations:
        yield view.operation
        if view.operation.name == "gpu.module":
            for inner in view.operation.regions[0].blocks[0].operations:
                yield inner.operation


def shell_of(module: Any) -> Shell:
    """Return the attributes of each symbol, properties among them."""
    shell: Shell = {}
    for operation in symbols(module):
        attributes = dict(_named(operation.attributes))
        shell[_key(operation.name, attributes, shell)] = attributes
    return shell


def first_change(before: Shell, after: Shell) -> str | None:
    """Say which symbol or attribute is gone or changed; new ones are no change."""
    for (kind, name), attributes in before.items():
        if (kind, name) not in after:
            return f"the '{kind}' {name} is gone"
        for attribute, value in attributes.items():
            now = after[kind, name].get(attribute)
            if not _equal(value, now):
                change = "is gone" if now is None else f"became '{now}'"
                return f"the attribute '{attribute} = {value}' of the '{kind}' {name} {change}"
    return None


def _named(attributes: Any) -> Iterator[tuple[str, Any]]:
    """The items of an attribute map; iterating it differs between releases."""
    for index in range(len(attributes)):
        item = attributes[index]
        yield item.name, item.attr


def _key(kind: str, attributes: dict[str, Any], shell: Shell) -> tuple[str, str]:
    """Name a symbol; those without a name are counted."""
    if "sym_name" in attributes:
        return kind, str(attributes["sym_name"])
    return kind, f"#{sum(1 for known, _ in shell if known == kind)}"


def _equal(one: Any, other: Any) -> bool:
    """Attributes are unique in a context, but for the distinct ones in debug info."""
    return other is not None and (one == other or str(one) == str(other))
