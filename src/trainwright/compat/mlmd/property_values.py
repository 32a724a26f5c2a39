"""Between Python's values and the messages that hold them in stores and compiled pipelines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf.message import Message

from trainwright.compat.utils import proto_utils
from trainwright.proto.mlmd import metadata_store_pb2, metadata_store_service_pb2
from trainwright.proto.orchestration import execution_result_pb2, pipeline_pb2
from trainwright.proto.proto_json import proto_to_json
from trainwright.types import artifact_utils, json_utils
from trainwright.types.artifact import Artifact

_PROPERTY_TYPES = {
    "int_value": metadata_store_pb2.INT,
    "double_value": metadata_store_pb2.DOUBLE,
    "string_value": metadata_store_pb2.STRING,
    "proto_value": metadata_store_pb2.PROTO,
}


def build_artifact_dict(
    proto_dict: Mapping[str, metadata_store_service_pb2.ArtifactStructList],
) -> dict[str, list[Artifact]]:
    """Artifacts by key, from the messages that an executor's request carries."""
    return {
        key: [_artifact_of(struct) for struct in structs.elements]
        for key, structs in proto_dict.items()
    }


def _artifact_of(struct: metadata_store_service_pb2.ArtifactStruct) -> Artifact:
    if not struct.HasField("artifact"):
        raise RuntimeError("Only support artifact oneof field")
    return artifact_utils.deserialize_artifact(struct.artifact.type, struct.artifact.artifact)


def build_artifact_struct_dict(
    artifact_dict: Mapping[str, Iterable[Artifact]] | None,
) -> dict[str, metadata_store_service_pb2.ArtifactStructList]:
    """The messages of artifacts by key: what `build_artifact_dict` takes."""
    service = metadata_store_service_pb2
    return {
        key: service.ArtifactStructList(
            elements=[
                service.ArtifactStruct(
                    artifact=service.ArtifactAndType(
                        artifact=artifact.mlmd_artifact, type=artifact.artifact_type
                    )
                )
                for artifact in artifacts
            ]
        )
        for key, artifacts in (artifact_dict or {}).items()
    }


def unpack_executor_output_artifacts(
    executor_output_artifacts: Mapping[str, execution_result_pb2.ExecutorOutput.ArtifactList],
) -> dict[str, list[metadata_store_pb2.Artifact]]:
    """The messages of an executor's outputs, by key."""
    return {key: list(one.artifacts) for key, one in executor_output_artifacts.items()}


def build_value_dict(
    metadata_value_dict: Mapping[str, metadata_store_pb2.Value],
) -> dict[str, Any]:
    """The values that messages hold."""
    return {key: _content(value) for key, value in metadata_value_dict.items()}


def build_metadata_value_dict(
    value_dict: Mapping[str, Any] | None,
) -> dict[str, metadata_store_pb2.Value]:
    """Messages of a store for values; those that are None are left out."""
    return {
        key: set_metadata_value(metadata_store_pb2.Value(), value)
        for key, value in (value_dict or {}).items()
        if value is not None
    }


def build_pipeline_value_dict(
    value_dict: Mapping[str, Any] | None,
) -> dict[str, pipeline_pb2.Value]:
    """Messages of a compiled pipeline for values; those that are None are left out."""
    return {
        key: set_parameter_value(pipeline_pb2.Value(), value)
        for key, value in (value_dict or {}).items()
        if value is not None
    }


def build_parsed_value_dict(
    value_dict: Mapping[str, pipeline_pb2.Value] | None,
) -> dict[str, Any]:
    """The values that messages of a compiled pipeline hold, as their schemas say."""
    result = {}
    for key, value in (value_dict or {}).items():
        if not value.HasField("field_value"):
            raise RuntimeError(f"Field value missing for {key}")
        schema = value.schema if value.HasField("schema") else None
        result[key] = get_parsed_value(value.field_value, schema)
    return result


def get_parsed_value(
    value: metadata_store_pb2.Value, schema: pipeline_pb2.Value.Schema | None
) -> Any:
    """The value of a message: a list, a dict, a bool or a proto if the schema says so."""
    if schema is None or not value.HasField("string_value"):
        return _content(value)
    if schema.value_type.HasField("boolean_type"):
        return json_utils.loads_data(value.string_value)
    return _parsed(value.string_value, schema.value_type)


def _parsed(value: Any, value_type: pipeline_pb2.Value.Schema.ValueType) -> Any:
    kind = value_type.WhichOneof("type")
    if kind == "list_type":
        loaded = json_utils.loads_data(value)
        if not isinstance(loaded, list):
            raise RuntimeError(f"Expect list type, got {loaded!r}")
        return [_parsed(one, value_type.list_type) for one in loaded]
    if kind == "dict_type":
        loaded = json_utils.loads_data(value)
        if not isinstance(loaded, dict):
            raise RuntimeError(f"Expect dict type, got {loaded!r}")
        return {key: _parsed(one, value_type.dict_type) for key, one in loaded.items()}
    if kind == "proto_type":
        described = value_type.proto_type
        return proto_utils.deserialize_proto_message(
            value, described.message_type, described.file_descriptors
        )
    return value


def get_metadata_value_type(value: Any) -> metadata_store_pb2.PropertyType:
    """The type of property that a value needs in a store."""
    if isinstance(value, pipeline_pb2.Value):
        field = _field_value(value, RuntimeError).WhichOneof("value")
        if field not in _PROPERTY_TYPES:
            raise ValueError(f"Unexpected value type {field}")
        return _PROPERTY_TYPES[field]
    # A bool is an int here, as in TFX.
    if isinstance(value, int):
        return metadata_store_pb2.INT
    if isinstance(value, float):
        return metadata_store_pb2.DOUBLE
    if isinstance(value, (str, Message, list, dict)):
        return metadata_store_pb2.STRING
    raise ValueError(f"Unexpected value type {type(value)}")


def get_value(tfx_value: pipeline_pb2.Value) -> Any:
    """The value in a message of a compiled pipeline; RuntimeError if it is not known yet."""
    return _content(_field_value(tfx_value, RuntimeError))


def get_metadata_value(value: metadata_store_pb2.Value) -> Any:
    """The value in a message of a store, None if there is none."""
    return None if value.WhichOneof("value") is None else _content(value)


def set_metadata_value(
    metadata_value: metadata_store_pb2.Value, value: Any
) -> metadata_store_pb2.Value:
    """Puts a value into a message of a store; what is not a number or a string as JSON."""
    metadata_value.CopyFrom(
        set_parameter_value(pipeline_pb2.Value(), value, set_schema=False).field_value
    )
    return metadata_value


def set_parameter_value(
    parameter_value: pipeline_pb2.Value, value: Any, set_schema: bool | None = True
) -> pipeline_pb2.Value:
    """Puts a value into a message of a compiled pipeline.

    Args:
        parameter_value: Is changed, and returned.
        value: A number, a string or a bool; a list, a dict or a proto, which become JSON.
        set_schema: Whether the message says how to read the JSON.
    """
    field = parameter_value.field_value
    if isinstance(value, pipeline_pb2.Value):
        field.CopyFrom(_field_value(value, ValueError))
    elif isinstance(value, bool):
        parameter_value.schema.value_type.boolean_type.SetInParent()
        field.string_value = json_utils.dumps(value)
    elif isinstance(value, int):
        field.int_value = value
    elif isinstance(value, float):
        field.double_value = value
    elif isinstance(value, str):
        field.string_value = value
    elif isinstance(value, (list, tuple, dict, Message)):
        value_type = parameter_value.schema.value_type if set_schema else None
        field.string_value = _serialized(value, value_type)
    else:
        raise ValueError(f"Unexpected type {type(value)}")
    return parameter_value


def _serialized(value: Any, value_type: pipeline_pb2.Value.Schema.ValueType | None) -> Any:
    """JSON of a value; what is within a list or a dict is JSON within JSON, as TFX has it."""
    if isinstance(value, Message):
        if value_type is not None:
            described = value_type.proto_type
            described.message_type = value.DESCRIPTOR.full_name
            proto_utils.build_file_descriptor_set(value, described.file_descriptors)
        return proto_to_json(value)
    if isinstance(value, (list, tuple)):
        inner = _inner_type(value_type, "list_type")
        return json_utils.dumps([_serialized(one, inner) for one in value])
    if isinstance(value, dict):
        inner = _inner_type(value_type, "dict_type")
        return json_utils.dumps({key: _serialized(one, inner) for key, one in value.items()})
    if isinstance(value, bool) and value_type is not None:
        value_type.boolean_type.SetInParent()
    if isinstance(value, (int, float, str)):
        return value
    raise ValueError(f"Unexpected type {type(value)}")


def _inner_type(value_type: pipeline_pb2.Value.Schema.ValueType | None, kind: str) -> Any:
    if value_type is None:
        return None
    inner = getattr(value_type, kind)
    inner.SetInParent()
    return inner


def _field_value(value: pipeline_pb2.Value, error: type[Exception]) -> metadata_store_pb2.Value:
    if value.WhichOneof("value") != "field_value":
        raise error(f"Expecting field_value but got {value}.")
    return value.field_value


def _content(value: metadata_store_pb2.Value) -> Any:
    field = value.WhichOneof("value")
    if field is None:
        raise TypeError("The message holds no value.")
    return getattr(value, field)
