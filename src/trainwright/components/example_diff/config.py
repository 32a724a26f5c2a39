"""The config of an ExampleDiff, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright.proto import example_diff_pb2, proto_json
from trainwright.types.standard_component_specs import EXAMPLE_DIFF_CONFIG_KEY


def read_config(exec_properties: Mapping[str, Any]) -> example_diff_pb2.PairedExampleSkew:
    """What to compare by, from the execution properties.

    Raises:
        ValueError: if nothing says how examples are paired, or a feature is named twice.
    """
    given = exec_properties.get(EXAMPLE_DIFF_CONFIG_KEY)
    config = given
    if isinstance(given, str):
        config = proto_json.json_to_proto(given, example_diff_pb2.ExampleDiffConfig())
    if config is None or not config.HasField("paired_example_skew"):
        raise ValueError(
            "ExampleDiffConfig missing required paired_example_skew. Write "
            "config={'paired_example_skew': {'identifier_features': ['id']}}, with the features "
            "that are the same in the examples of a pair."
        )
    skew: example_diff_pb2.PairedExampleSkew = config.paired_example_skew
    if not skew.identifier_features or "" in skew.identifier_features:
        raise ValueError(
            f"identifier_features of paired_example_skew is {list(skew.identifier_features)}: "
            "expected the names of the features by which examples are paired."
        )
    counted = [one.feature_name for one in skew.confusion_config]
    if "" in counted:
        raise ValueError("A confusion_config has no feature_name: expected that of a feature.")
    twice = sorted({name for name in counted if counted.count(name) > 1})
    if twice:
        raise ValueError(f"confusion_config names the feature {twice[0]!r} more than once.")
    return skew
