"""Evaluates placeholders that are messages of a compiled pipeline.

`trainwright.types.placeholders` has them as a program writes them, which a run evaluates itself.
Here they are what `encode` wrote, with what a platform of TFX has at hand.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from absl import logging
from google.protobuf.message import Message

from trainwright.compat.compiler.expression_text import debug_str
from trainwright.compat.utils import proto_utils
from trainwright.proto.orchestration import placeholder_pb2
from trainwright.types.artifact import Artifact
from trainwright.types.placeholders import placeholder_values
from trainwright.types.splits import get_split_uri
from trainwright.types.value_artifact import ValueArtifact

if TYPE_CHECKING:
    from trainwright.compat.orchestration.execution_info import ExecutionInfo

_Expression = placeholder_pb2.PlaceholderExpression
_Type = placeholder_pb2.Placeholder

_RESULT_TYPES = (int, float, str, bool, type(None), list, dict)
PlaceholderResolvedTypeHints = int | float | str | bool | None | list[Any] | dict[str, Any]


class NullDereferenceError(Exception):
    """Something was asked of a value that is not there, as of an optional input."""

    def __init__(self, placeholder: Any) -> None:
        self.placeholder = placeholder
        super().__init__()


@dataclass(frozen=True)
class ResolutionContext:
    """What placeholders are evaluated with.

    Args:
        exec_info: The execution: its artifacts and properties.
        executor_spec: The message of `runtime_info("executor_spec")`.
        platform_config: The message of `runtime_info("platform_config")`.
        pipeline_platform_config: The message of `runtime_info("pipeline_platform_config")`.
    """

    exec_info: ExecutionInfo | None = None
    executor_spec: Message | None = None
    platform_config: Message | None = None
    pipeline_platform_config: Message | None = None


def resolve_placeholder_expression(
    expression: _Expression, context: ResolutionContext
) -> PlaceholderResolvedTypeHints:
    """The value of an expression, of the type that it has; None if a part of it is not there.

    Raises:
        ValueError: It has no value, or one that is a message, an artifact or bytes.
    """
    try:
        result = _Evaluation(context).resolve(expression)
    except NullDereferenceError as error:
        logging.warning(
            "Placeholder %s is None: %r is not there.", debug_str(expression), error.placeholder
        )
        return None
    except Exception as error:
        raise ValueError(
            f"Failed to resolve placeholder expression: {debug_str(expression)}"
        ) from error
    if not isinstance(result, _RESULT_TYPES):
        raise ValueError(
            f"Placeholder {debug_str(expression)} evaluates to an unsupported type: "
            f"{type(result)}. Only strings, numbers, booleans, lists and dicts can be passed on: "
            "serialize a message, encode bytes as base64."
        )
    return result


class _Evaluation:
    """Evaluates an expression from its leaves up; a method for each operator, named after it."""

    def __init__(self, context: ResolutionContext) -> None:
        self._context = context

    def resolve(self, expression: _Expression) -> Any:
        kind = expression.WhichOneof("expression_type")
        if kind == "value":
            held = expression.value.WhichOneof("value")
            return getattr(expression.value, held or "string_value")
        if kind == "placeholder":
            return self._resolve_placeholder(expression.placeholder)
        if kind == "operator":
            name = expression.operator.WhichOneof("operator_type")
            evaluate: Callable[[Any], Any] | None = getattr(self, f"_{name}", None)
            if evaluate is None:
                raise KeyError(f"Unsupported placeholder operator: {name}.")
            return evaluate(getattr(expression.operator, str(name)))
        raise ValueError(f"Unexpected placeholder expression type: {kind}.")

    def _resolve_placeholder(self, placeholder: placeholder_pb2.Placeholder) -> Any:
        if placeholder.type == _Type.ENVIRONMENT_VARIABLE:
            return os.environ.get(placeholder.key)
        known: Mapping[str, Any]
        if placeholder.type == _Type.RUNTIME_INFO:
            known = {
                "executor_spec": self._context.executor_spec,
                "platform_config": self._context.platform_config,
                "pipeline_platform_config": self._context.pipeline_platform_config,
            }
        else:
            execution: Any = self._context.exec_info
            if placeholder.type == _Type.EXEC_INVOCATION:
                return execution.to_proto()
            known = {
                _Type.INPUT_ARTIFACT: execution.input_dict,
                _Type.OUTPUT_ARTIFACT: execution.output_dict,
                _Type.EXEC_PROPERTY: execution.exec_properties,
            }[placeholder.type]
        if placeholder.key not in known:
            # An optional input or property that was left out cannot be told from a wrong name.
            raise NullDereferenceError(placeholder)
        return known[placeholder.key]

    def _resolve_present(self, expression: _Expression, *, non_empty: bool = False) -> Any:
        """The value of a part without which an operator has none."""
        value = self.resolve(expression)
        if value is None or (non_empty and not isinstance(value, Artifact) and not value):
            raise NullDereferenceError(expression)
        return value

    def _resolve_boolean(self, expression: _Expression, message: str) -> bool:
        value = self.resolve(expression)
        if not isinstance(value, bool):
            raise ValueError(
                f"{message}\nexpression: {expression}\nresolved value type: {type(value)}\n"
                f"resolved value: {value}"
            )
        return value

    def _artifact_uri_op(self, op: placeholder_pb2.ArtifactUriOperator) -> str:
        artifact = self._resolve_present(op.expression)
        if not isinstance(artifact, Artifact):
            raise ValueError(
                "ArtifactUriOperator expects the expression to evaluate to an artifact. "
                f"Got {type(artifact)}"
            )
        return get_split_uri([artifact], op.split) if op.split else artifact.uri

    def _artifact_value_op(self, op: placeholder_pb2.ArtifactValueOperator) -> Any:
        artifact = self._resolve_present(op.expression)
        if not isinstance(artifact, ValueArtifact):
            raise ValueError(
                "ArtifactValueOperator expects the expression to evaluate to a value artifact."
                f"Got {type(artifact)}"
            )
        return artifact.read()

    def _artifact_property_op(self, op: placeholder_pb2.ArtifactPropertyOperator) -> Any:
        artifact = self._resolve_present(op.expression, non_empty=True)
        if not isinstance(artifact, Artifact):
            raise ValueError(
                f"ArtifactPropertyOperator failed to access property {op.key}. Expected Artifact "
                f"type. Got {type(artifact)}."
            )
        try:
            if op.is_custom_property:
                return artifact.get_custom_property(op.key)
            return getattr(artifact, op.key)
        except (AttributeError, KeyError, ValueError) as error:
            raise ValueError(
                f"ArtifactPropertyOperator failed to find property with key {op.key}."
            ) from error

    def _concat_op(self, op: placeholder_pb2.ConcatOperator) -> str:
        return "".join(str(self._resolve_present(part)) for part in op.expressions)

    def _join_path_op(self, op: placeholder_pb2.JoinPathOperator) -> str:
        parts: list[str] = [self._resolve_present(part) for part in op.expressions]
        return os.path.join(*parts)

    def _dir_name_op(self, op: placeholder_pb2.DirNameOperator) -> str:
        return os.path.dirname(str(self._resolve_present(op.expression)))

    def _index_op(self, op: placeholder_pb2.IndexOperator) -> Any:
        value = self._resolve_present(op.expression, non_empty=True)
        index: str | int = op.key or op.index
        try:
            return value[index]
        except (TypeError, IndexError) as error:
            raise ValueError(f"IndexOperator failed to access the given index {index}.") from error

    def _base64_encode_op(self, op: placeholder_pb2.Base64EncodeOperator) -> str:
        value = self._resolve_present(op.expression)
        return placeholder_values.to_base64(value, url_safe=not op.is_standard_b64)

    def _list_serialization_op(self, op: placeholder_pb2.ListSerializationOperator) -> str:
        value = self._resolve_present(op.expression)
        return placeholder_values.serialize_list(
            value, op.SerializationFormat.Name(op.serialization_format)
        )

    def _list_concat_op(self, op: placeholder_pb2.ListConcatOperator) -> list[Any]:
        return [self._resolve_present(part) for part in op.expressions]

    def _make_dict_op(self, op: placeholder_pb2.MakeDictOperator) -> dict[str, Any]:
        result = {}
        for entry in op.entries:
            try:
                key = self.resolve(entry.key)
            except NullDereferenceError as error:
                raise ValueError("A key resolved to None") from error
            if not isinstance(key, str):
                raise ValueError(f"Expected string for dict key, got {key!r}.")
            result[key] = self._resolve_or_none(entry.value)
        return {key: value for key, value in result.items() if value is not None}

    def _resolve_or_none(self, expression: _Expression) -> Any:
        try:
            return self.resolve(expression)
        except NullDereferenceError:
            return None

    def _proto_op(self, op: placeholder_pb2.ProtoOperator) -> Any:
        message = self._resolve_present(op.expression)
        if isinstance(message, str):  # an execution property that is stored as JSON
            schema = op.proto_schema
            message = proto_utils.deserialize_proto_message(
                message, schema.message_type, file_descriptors=schema.file_descriptors
            )
        elif not isinstance(message, Message):
            raise ValueError(f"Got unsupported value type for proto operator: {type(message)}.")
        found = placeholder_values.follow_field_path(message, op.proto_field_path)
        name = op.SerializationFormat.Name(op.serialization_format)
        return placeholder_values.plain_or_serialized(found, None if name == "DEFAULT" else name)

    def _make_proto_op(self, op: placeholder_pb2.MakeProtoOperator) -> Message:
        pool = proto_utils.get_pool_with_descriptors(op.file_descriptors)
        message = proto_utils.unpack_proto_any(op.base, pool)
        fields = {}
        for name, expression in op.fields.items():
            try:
                fields[name] = self._resolve_or_none(expression)
            except Exception as error:
                raise ValueError(
                    f"Failed to resolve field {message.DESCRIPTOR.full_name}.{name}"
                ) from error
        return placeholder_values.fill_message(message, fields)

    def _compare_op(self, op: placeholder_pb2.ComparisonOperator) -> bool:
        left, right = self.resolve(op.lhs), self.resolve(op.rhs)
        if op.op == op.EQUAL:
            return bool(left == right)
        if op.op == op.LESS_THAN:
            return bool(left < right)
        if op.op == op.GREATER_THAN:
            return bool(left > right)
        raise ValueError(f"Unrecognized comparison operation {op.op}")

    def _unary_logical_op(self, op: placeholder_pb2.UnaryLogicalOperator) -> bool:
        value = self._resolve_boolean(
            op.expression, "Unary logical operations' sub-expression must resolve to bool."
        )
        if op.op != op.NOT:
            raise ValueError(f"Unrecognized unary logical operation {op.op}.")
        return not value

    def _binary_logical_op(self, op: placeholder_pb2.BinaryLogicalOperator) -> bool:
        message = "Binary logical operations' sub-expression must resolve to bool. {} is not bool."
        left = self._resolve_boolean(op.lhs, message.format("lhs"))
        right = self._resolve_boolean(op.rhs, message.format("rhs"))
        if op.op == op.AND:
            return left and right
        if op.op == op.OR:
            return left or right
        raise ValueError(f"Unrecognized binary logical operation {op.op}.")
