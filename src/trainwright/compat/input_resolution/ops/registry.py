"""Operators and strategies by the names that compiled pipelines have for them."""

from __future__ import annotations

from typing import Any

from trainwright.compat.input_resolution.conditional_strategy import ConditionalStrategy
from trainwright.compat.input_resolution.ops import lineage, lists, models, spans
from trainwright.compat.utils.name_utils import get_full_name, resolve_full_name
from trainwright.dsl.input_resolution.resolver_op import ResolverOp
from trainwright.dsl.resolver_strategy import ResolverStrategy
from trainwright.dsl.strategies import (
    LatestArtifactStrategy,
    LatestBlessedModelStrategy,
    SpanRangeStrategy,
)
from trainwright.types.classes import is_class, is_subclass

_BY_CLASS_PATH: dict[str, type[Any]] = {}
_BY_NAME: dict[str, type[ResolverOp]] = {}


def testonly_register(cls: Any) -> Any:
    """Makes an operator or strategy known by its name, and returns it: a decorator."""
    class_path = get_full_name(cls, strict_check=False)
    if class_path in _BY_CLASS_PATH:
        raise ValueError(f"Duplicated class path {class_path} while registering.")
    if issubclass(cls, ResolverOp):
        if cls.canonical_name in _BY_NAME:
            raise ValueError(f"Duplicated name {cls.canonical_name} while registering.")
        _BY_NAME[cls.canonical_name] = cls
    _BY_CLASS_PATH[class_path] = cls
    return cls


def get_by_class_path(class_path: str) -> Any:
    """The operator or strategy at a dotted path."""
    found = _BY_CLASS_PATH.get(class_path) or resolve_full_name(class_path)
    if not (is_class(found) and issubclass(found, (ResolverOp, ResolverStrategy))):
        raise ValueError(f"{class_path} is not compatible with ResolverOp or ResolverStrategy.")
    return found


def get_by_name(name: str) -> type[ResolverOp]:
    """The operator with this canonical name; KeyError if there is none."""
    return _BY_NAME[name]


for _strategy in (
    ConditionalStrategy,
    LatestArtifactStrategy,
    LatestBlessedModelStrategy,
    SpanRangeStrategy,
):
    testonly_register(_strategy)
for _module in (lists, spans, lineage, models):
    for _value in list(vars(_module).values()):
        if is_subclass(_value, ResolverOp) and _value is not ResolverOp:
            testonly_register(_value)
