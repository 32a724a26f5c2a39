"""The JSON of options, as TFDV and we write it."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

# What TFDV calls differently inside.
_RENAMED = {
    "slice_functions": "experimental_slice_functions",
    "slice_sqls": "experimental_slice_sqls",
    "per_feature_weight_override_json": "per_feature_weight_override",
    "slicing_config_json": "slicing_config",
}


def read_tfdv_options(text: str, names: Collection[str]) -> dict[str, Any]:
    """The options in a JSON text, by name; TFDV writes its attributes, underscores included.

    Args:
        text: What `to_json` wrote.
        names: The names that are known.
    """
    try:
        described = json.loads(text)
    except ValueError as error:
        raise ValueError(f"The options are no JSON: {error}. They are {text[:200]!r}.") from error
    if not isinstance(described, dict) or described.pop("TYPE_NAME", None) != "StatsOptions":
        raise ValueError(f"Expected the JSON of StatsOptions, got {text[:200]!r}.")
    options: dict[str, Any] = {}
    for key, value in described.items():
        name = key.removeprefix("_")
        name = _RENAMED.get(name, name)
        if name == "schema_json":
            options["schema"] = _parse_schema(value)
        elif name == "slicing_config" and isinstance(value, str):
            options[name] = json.loads(value)
        elif name in names:
            options[name] = value
        elif value:
            raise ValueError(f"StatsOptions.{name} is {value!r}, which is not known here.")
    return options


def _parse_schema(text: str) -> Any:
    from google.protobuf import json_format
    from tensorflow_metadata.proto.v0 import schema_pb2

    return json_format.Parse(text, schema_pb2.Schema())
