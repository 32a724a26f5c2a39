"""SlicingConfig: which parts of the data get statistics of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict


class SlicingSpec(TypedDict):
    """One way to slice: by each value of some features, and by one value of others."""

    feature_keys: list[str]
    feature_values: dict[str, str]


class SlicingConfig(TypedDict):
    """All ways to slice; each is independent of the others."""

    slicing_specs: list[SlicingSpec]


def make_slicing_config(value: Any) -> SlicingConfig:
    """The config from a dict or from tfx-bsl's proto of that name.

    >>> make_slicing_config({"slicing_specs": [{"feature_keys": ["city"]}]})
    {'slicing_specs': [{'feature_keys': ['city'], 'feature_values': {}}]}
    """
    if not isinstance(value, Mapping):
        value = _from_proto(value)
    # Protos as JSON have names like featureKeys.
    specs = value.get("slicing_specs", value.get("slicingSpecs"))
    unknown = set(value) - {"slicing_specs", "slicingSpecs"}
    if unknown or not isinstance(specs, (list, tuple)):
        raise ValueError(
            f"slicing_config is {value!r}: expected {{'slicing_specs': [...]}}, each of them with "
            "feature_keys and feature_values."
        )
    # A spec without features means the whole data, which there are statistics of anyway.
    found = [_make_spec(spec) for spec in specs]
    return {
        "slicing_specs": [spec for spec in found if spec["feature_keys"] or spec["feature_values"]]
    }


def _make_spec(spec: Mapping[str, Any]) -> SlicingSpec:
    if spec.get("slice_keys_sql", spec.get("sliceKeysSql")):
        raise ValueError(
            "slicing_config has slice_keys_sql, which is not supported: there is no SQL engine "
            "here. Use feature_keys and feature_values."
        )
    keys = spec.get("feature_keys", spec.get("featureKeys", []))
    values = spec.get("feature_values", spec.get("featureValues", {}))
    if isinstance(keys, str) or not isinstance(values, Mapping):
        raise ValueError(
            f"A slicing spec is {dict(spec)!r}: expected feature_keys, a list of names, and "
            "feature_values, a value by name."
        )
    return {
        "feature_keys": [str(key) for key in keys],
        "feature_values": {str(name): str(value) for name, value in values.items()},
    }


def _from_proto(value: Any) -> Mapping[str, Any]:
    from google.protobuf import json_format
    from google.protobuf.message import Message

    if not isinstance(value, Message):
        raise TypeError(f"slicing_config is {value!r}: expected a dict or a SlicingConfig proto.")
    described: Mapping[str, Any] = json_format.MessageToDict(
        value, preserving_proto_field_name=True
    )
    return described or {"slicing_specs": []}
