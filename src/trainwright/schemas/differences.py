"""Differences between two schemas, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

from trainwright.schemas.feature_paths import path_text
from trainwright.schemas.feature_words import (
    describe_domain,
    describe_presence,
    describe_type,
    describe_valency,
    describe_values,
)
from trainwright.schemas.schema_index import SchemaIndex

ADDED, REMOVED, CHANGED = "added", "removed", "changed"

_PRESENCE = ("presence", "in_environment", "not_in_environment")
_VALENCY = ("value_count", "value_counts", "shape")
_TYPE = ("type", "deprecated", "lifecycle_stage")


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One difference between two schemas.

    Args:
        kind: "added", "removed" or "changed".
        name: What differs, for example "feature age" or "domain species".
        text: How, for example "presence: optional, was required".
    """

    kind: str
    name: str
    text: str


def diff_schemas(old: schema_pb2.Schema, new: schema_pb2.Schema) -> list[Difference]:
    """What a change from one schema to another adds, removes and changes.

    The order of features, domains and values says nothing about data and is not compared.

    Example: `for difference in diff_schemas(inferred, frozen): print(difference.text)`
    """
    old_index, new_index = SchemaIndex(old), SchemaIndex(new)
    return [
        *_diff_features(old_index, new_index),
        *_diff_named("domain", old.string_domain, new.string_domain, _diff_values),
        *_diff_named("sparse feature", old.sparse_feature, new.sparse_feature, _diff_text),
        *_diff_named("weighted feature", old.weighted_feature, new.weighted_feature, _diff_text),
        *_diff_rest(old, new),
    ]


def _diff_features(old: SchemaIndex, new: SchemaIndex) -> Iterator[Difference]:
    for path, feature in old.features():
        name = f"feature {path_text(path)}"
        other = new.feature(path)
        if other is None:
            yield Difference(kind=REMOVED, name=name, text=_summary(feature, old))
            continue
        for text in _feature_changes(feature, old, other, new):
            yield Difference(kind=CHANGED, name=name, text=text)
    for path, feature in new.features():
        if old.feature(path) is None:
            name = f"feature {path_text(path)}"
            yield Difference(kind=ADDED, name=name, text=_summary(feature, new))


def _summary(feature: Any, index: SchemaIndex) -> str:
    domain = describe_domain(feature, index)
    parts = [describe_type(feature), describe_presence(feature), _values(feature)]
    return ", ".join([*parts, domain] if domain else parts)


def _values(feature: Any) -> str:
    valency = describe_valency(feature)
    return valency if valency.startswith("shape") else f"values: {valency}"


def _feature_changes(
    old: Any, old_index: SchemaIndex, new: Any, new_index: SchemaIndex
) -> Iterator[str]:
    old_fields, new_fields = _fields(old), _fields(new)
    changed = {
        name
        for name in {**old_fields, **new_fields}
        if old_fields.get(name) != new_fields.get(name)
    }
    aspects: tuple[tuple[str, tuple[str, ...], Callable[[Any], str]], ...] = (
        ("type", _TYPE, describe_type),
        ("presence", _PRESENCE, describe_presence),
        ("number of values", _VALENCY, describe_valency),
    )
    for title, names, describe in aspects:
        if changed & set(names):
            yield _was(title, describe(old), describe(new), old, new, names)
    domains = {field.name for field in old.DESCRIPTOR.oneofs_by_name["domain_info"].fields}
    if changed & domains:
        before = describe_domain(old, old_index) or "none"
        after = describe_domain(new, new_index) or "none"
        yield _was("domain", before, after, old, new, tuple(changed & domains))
    described = {*_TYPE, *_PRESENCE, *_VALENCY, *domains}
    for name in sorted(changed - described):
        yield _was(name, _field_text(old, name), _field_text(new, name), old, new, (name,))


def _was(title: str, before: str, after: str, old: Any, new: Any, names: tuple[str, ...]) -> str:
    """A change in words; what the words do not tell apart is shown in the schema's own text."""
    if before == after:
        before = ", ".join(_field_text(old, name) for name in sorted(names))
        after = ", ".join(_field_text(new, name) for name in sorted(names))
    return f"{title}: {after}, was {before}"


def _fields(feature: Any) -> dict[str, Any]:
    """What is set on a feature; what is inside a struct is compared by itself."""
    fields = {field.name: value for field, value in feature.ListFields()}
    if "struct_domain" in fields:
        fields["struct_domain"] = True
    if "string_domain" in fields:
        fields["string_domain"] = sorted(feature.string_domain.value)
    return fields


def _field_text(message: Any, name: str) -> str:
    field = message.DESCRIPTOR.fields_by_name[name]
    if field.has_presence and not message.HasField(name):
        return "not set"
    part = type(message)()
    for found, value in message.ListFields():
        if found.name != name:
            continue
        if not field.has_presence:
            getattr(part, name).extend(value)
        elif field.message_type is not None:
            getattr(part, name).CopyFrom(value)
        else:
            setattr(part, name, value)
    return str(text_format.MessageToString(part, as_one_line=True, as_utf8=True)) or "not set"


def _diff_named(
    kind: str, old: Any, new: Any, compare: Callable[[Any, Any], str]
) -> Iterator[Difference]:
    old_by_name = {item.name: item for item in old}
    new_by_name = {item.name: item for item in new}
    for name, item in old_by_name.items():
        other = new_by_name.get(name)
        if other is None:
            yield Difference(kind=REMOVED, name=f"{kind} {name}", text=_shown(item))
        elif text := compare(item, other):
            yield Difference(kind=CHANGED, name=f"{kind} {name}", text=text)
    for name, item in new_by_name.items():
        if name not in old_by_name:
            yield Difference(kind=ADDED, name=f"{kind} {name}", text=_shown(item))


def _shown(item: Any) -> str:
    if isinstance(item, schema_pb2.StringDomain):
        return describe_values(item.value)
    return str(text_format.MessageToString(item, as_one_line=True, as_utf8=True))


def _diff_values(old: Any, new: Any) -> str:
    known, wanted = set(old.value), set(new.value)
    parts = []
    if added := [value for value in new.value if value not in known]:
        parts.append(f"values added: {describe_values(added)}")
    if removed := [value for value in old.value if value not in wanted]:
        parts.append(f"values removed: {describe_values(removed)}")
    return "; ".join(parts)


def _diff_text(old: Any, new: Any) -> str:
    return "" if old == new else f"{_shown(new)}, was {_shown(old)}"


def _diff_rest(old: Any, new: Any) -> Iterator[Difference]:
    """Everything else that a schema says, field by field."""
    compared = {"feature", "string_domain", "sparse_feature", "weighted_feature"}
    for field in old.DESCRIPTOR.fields:
        before, after = _field_text(old, field.name), _field_text(new, field.name)
        if field.name in compared or before == after:
            continue
        kind = ADDED if before == "not set" else REMOVED if after == "not set" else CHANGED
        text = after if kind == ADDED else before if kind == REMOVED else f"{after}, was {before}"
        yield Difference(kind=kind, name=field.name, text=text)
