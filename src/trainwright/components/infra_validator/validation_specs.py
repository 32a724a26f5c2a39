"""The specs of an InfraValidator as messages, checked, with TFX's defaults filled in."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from trainwright.proto import infra_validator_pb2, proto_json
from trainwright.serving.model_directory import is_model_name

_logger = logging.getLogger(__name__)

DEFAULT_MODEL_NAME = "infra-validation-model"
_DEFAULT_TRIES = 5
_DEFAULT_LOADING_SECONDS = 300


@dataclass(frozen=True)
class ValidationSpecs:
    """What an InfraValidator was given.

    Args:
        serving: The server.
        validation: How long and how often.
        request: The requests; None without any.
    """

    serving: infra_validator_pb2.ServingSpec
    validation: infra_validator_pb2.ValidationSpec
    request: infra_validator_pb2.RequestSpec | None

    @property
    def image(self) -> str:
        """The container image that the spec names, for messages."""
        config = self.serving.tensorflow_serving
        names = [f":{tag}" for tag in config.tags] + [f"@{digest}" for digest in config.digests]
        image = config.image_name or "tensorflow/serving"
        return ", ".join(f"{image}{name}" for name in names) or image


def read_specs(exec_properties: Mapping[str, Any]) -> ValidationSpecs:
    """The specs among the execution properties.

    Raises:
        ValueError: if one cannot be met here; the message says what to do.
    """
    serving = _read(exec_properties.get("serving_spec"), infra_validator_pb2.ServingSpec())
    validation = _read(exec_properties.get("validation_spec"), infra_validator_pb2.ValidationSpec())
    request = None
    if exec_properties.get("request_spec"):
        request = _read(exec_properties["request_spec"], infra_validator_pb2.RequestSpec())
    _check(serving, validation, request)
    serving.model_name = serving.model_name or DEFAULT_MODEL_NAME
    validation.num_tries = validation.num_tries or _DEFAULT_TRIES
    validation.max_loading_time_seconds = (
        validation.max_loading_time_seconds or _DEFAULT_LOADING_SECONDS
    )
    return ValidationSpecs(serving, validation, request)


def _read(encoded: Any, message: Any) -> Any:
    if isinstance(encoded, Message):
        message.CopyFrom(encoded)
    elif encoded:
        proto_json.json_to_proto(encoded, message)
    return message


def _check(
    serving: infra_validator_pb2.ServingSpec,
    validation: infra_validator_pb2.ValidationSpec,
    request: infra_validator_pb2.RequestSpec | None,
) -> None:
    if serving.WhichOneof("serving_platform") == "kubernetes":
        raise ValueError(
            "serving_spec has kubernetes: servers are started on this machine alone. Give "
            "local_docker={} instead; for a cluster, validate in a component of your own."
        )
    if serving.model_name and not is_model_name(serving.model_name):
        raise ValueError(
            f"serving_spec.model_name is {serving.model_name!r}, which is a part of a path in "
            "requests: expected letters, digits, dots, dashes and underscores."
        )
    numbers = [
        (f"validation_spec.{name}", getattr(validation, name))
        for name in ("num_tries", "max_loading_time_seconds")
    ]
    if request is not None:
        numbers.append(("request_spec.num_examples", request.num_examples))
    for name, number in numbers:
        if number < 0:
            raise ValueError(f"{name} is {number}: expected 1 or more, or 0 for the default.")
