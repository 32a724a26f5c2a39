"""The specs of a BulkInferrer: which splits, which signatures, which columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from google.protobuf.message import Message

from trainwright.proto import bulk_inferrer_pb2, proto_json
from trainwright.types.standard_component_specs import (
    DATA_SPEC_KEY,
    MODEL_SPEC_KEY,
    OUTPUT_EXAMPLE_SPEC_KEY,
)

_Spec = TypeVar("_Spec", bound=Message)


@dataclass(frozen=True)
class Specs:
    """The three specs of a BulkInferrer; `output` is None where logs are written."""

    data: bulk_inferrer_pb2.DataSpec
    model: bulk_inferrer_pb2.ModelSpec
    output: bulk_inferrer_pb2.OutputExampleSpec | None


def read_specs(exec_properties: Mapping[str, Any]) -> Specs:
    """The specs of the execution properties, which are JSON.

    Raises:
        ValueError: if one of them is not what it should be, or a split is named twice.
    """
    output = exec_properties.get(OUTPUT_EXAMPLE_SPEC_KEY)
    return Specs(
        data=_read(exec_properties.get(DATA_SPEC_KEY), bulk_inferrer_pb2.DataSpec()),
        model=_read(exec_properties.get(MODEL_SPEC_KEY), bulk_inferrer_pb2.ModelSpec()),
        output=_read(output, bulk_inferrer_pb2.OutputExampleSpec()) if output else None,
    )


def _read(given: Any, empty: _Spec) -> _Spec:
    if not given:
        return empty
    return proto_json.json_to_proto(given, empty) if isinstance(given, str) else given
