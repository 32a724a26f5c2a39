"""Evaluation configs from all the forms that they are given in, and as the JSON that is stored."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from google.protobuf.message import Message

from trainwright.evaluation.config.eval_config import EvalConfig
from trainwright.evaluation.config.message_values import fill_message, places_of_nan
from trainwright.proto.proto_json import object_with_unique_keys, proto_to_json
from trainwright.proto.tfma import config_pb2


def read_eval_config(value: object) -> config_pb2.EvalConfig:
    """Reads an evaluation config.

    Args:
        value: Our `EvalConfig`, TFMA's, a mapping of its fields, or JSON text. Inside, the forms
            may be mixed, and a bound may be written `0.6` or `{"value": 0.6}`.

    Raises:
        ValueError: A name is not a field or a value does not fit; the message says where.
        TypeError: Something of another kind stands where a value is needed.

    Example:
        >>> config = read_eval_config({"model_specs": [{"label_key": "tips"}]})
        >>> config.model_specs[0].label_key
        'tips'
    """
    config = config_pb2.EvalConfig()
    if isinstance(value, (str, bytes)):
        fill_message(config, _parse_json(value), "EvalConfig")
    elif isinstance(value, (EvalConfig, Mapping, Message)):
        fill_message(config, value, "EvalConfig")
    else:
        raise TypeError(
            "An evaluation config must be an EvalConfig, a mapping of its fields or its JSON text, "
            f"got {value!r} of type {type(value).__name__}."
        )
    for place in places_of_nan(config, "EvalConfig"):
        # No number is below or above it, so that a threshold would never be met.
        raise ValueError(f"{place} is NaN: expected a number. Leave it out if there is no bound.")
    return config


def eval_config_to_json(config: config_pb2.EvalConfig) -> str:
    """The text that is stored as an execution property: sorted, with the names of the fields."""
    return proto_to_json(config)


def _parse_json(text: str | bytes) -> Mapping[str, Any]:
    try:
        decoded = json.loads(text, object_pairs_hook=object_with_unique_keys)
    except ValueError as error:
        raise ValueError(
            f"EvalConfig cannot be read from {text!r}: {error}. Expected the config itself as JSON "
            "text; for a file, give what it contains."
        ) from error
    if not isinstance(decoded, dict):
        raise TypeError(
            f"EvalConfig must be a JSON object, got {decoded!r} of type {type(decoded).__name__}."
        )
    return decoded
