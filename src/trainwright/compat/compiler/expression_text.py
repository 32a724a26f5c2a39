"""Encoded placeholders as text, and their parts."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from trainwright.proto.orchestration import placeholder_pb2

_Expression = placeholder_pb2.PlaceholderExpression

_NAMES = {
    placeholder_pb2.Placeholder.INPUT_ARTIFACT: "input",
    placeholder_pb2.Placeholder.OUTPUT_ARTIFACT: "output",
    placeholder_pb2.Placeholder.EXEC_PROPERTY: "exec_property",
    placeholder_pb2.Placeholder.RUNTIME_INFO: "runtime_info",
    placeholder_pb2.Placeholder.EXEC_INVOCATION: "execution_invocation",
    placeholder_pb2.Placeholder.ENVIRONMENT_VARIABLE: "environment_variable",
}
_SYMBOLS = {"EQUAL": "==", "LESS_THAN": "<", "GREATER_THAN": ">"}


def debug_str(expression: _Expression) -> str:
    """The expression as a program would write it."""
    kind = expression.WhichOneof("expression_type")
    if kind == "value":
        held = expression.value.WhichOneof("value")
        return f'"{getattr(expression.value, str(held))}"'
    if kind == "placeholder":
        key = expression.placeholder.key
        return f"{_NAMES[expression.placeholder.type]}({_quoted(key) if key else ''})"
    if kind == "operator":
        name = str(expression.operator.WhichOneof("operator_type"))
        op: Any = getattr(expression.operator, name)
        if name in get_unary_operator_names():
            return _unary_text(name, op)
        if name in get_binary_operator_names():
            return f"({debug_str(op.lhs)} {_binary_symbol(name, op)} {debug_str(op.rhs)})"
        return _other_text(name, op)
    return "Unknown placeholder expression"


def _unary_text(name: str, op: Any) -> str:
    inner = debug_str(op.expression)
    if name == "artifact_uri_op":
        return f"{inner}.split_uri({_quoted(op.split)})" if op.split else f"{inner}.uri"
    if name == "artifact_value_op":
        return f"{inner}.value"
    if name == "artifact_property_op":
        return f"{inner}.{'custom_' * op.is_custom_property}property({_quoted(op.key)})"
    if name == "index_op":
        return f"{inner}[{_quoted(op.key) if op.key else op.index}]"
    if name == "base64_encode_op":
        return f"{inner}.b64encode()"
    if name == "dir_name_op":
        return f"dirname({inner})"
    if name == "unary_logical_op":
        return f"not({inner})"
    if name == "proto_op":
        inner += "".join(op.proto_field_path)
    if not op.serialization_format:
        return inner
    method = "serialize" if name == "proto_op" else "serialize_list"
    return f"{inner}.{method}({op.SerializationFormat.Name(op.serialization_format)})"


def _binary_symbol(name: str, op: Any) -> str:
    operation = op.Operation.Name(op.op)
    return _SYMBOLS[operation] if name == "compare_op" else str(operation).lower()


def _other_text(name: str, op: Any) -> str:
    if name == "make_dict_op":
        entries = (f"{debug_str(entry.key)}: {debug_str(entry.value)}" for entry in op.entries)
        return f"make_dict({{{', '.join(entries)}}})"
    if name == "make_proto_op":
        fields = (f"{field}={debug_str(value)}" for field, value in sorted(op.fields.items()))
        return f"MakeProto({str(op.base).strip()}, {', '.join(fields)})"
    parts = [debug_str(part) for part in op.expressions]
    if name == "concat_op":
        return f"({' + '.join(parts)})"
    if name == "join_path_op":
        return f"join_path({', '.join(parts)})"
    return f"to_list([{', '.join(parts)}])"


def _quoted(text: str) -> str:
    return f'"{text}"'


@functools.cache
def _operators_with(field: str) -> frozenset[str]:
    """The operators whose message has a field of a name."""
    operators = placeholder_pb2.PlaceholderExpressionOperator.DESCRIPTOR.fields_by_name
    return frozenset(
        name
        for name, operator in operators.items()
        if operator.message_type and field in operator.message_type.fields_by_name
    )


def get_unary_operator_names() -> set[str]:
    """The operators that work on one expression."""
    return set(_operators_with("expression"))


def get_binary_operator_names() -> set[str]:
    """The operators that work on two expressions."""
    return set(_operators_with("lhs"))


def get_nary_operator_names() -> set[str]:
    """The operators that work on any number of expressions."""
    return set(_operators_with("expressions"))


def get_all_types_in_placeholder_expression(placeholder: _Expression) -> set[int]:
    """The `Placeholder.Type`s that an expression depends on."""
    kind = placeholder.WhichOneof("expression_type")
    if kind == "placeholder":
        return {placeholder.placeholder.type}
    if kind == "value":
        return set()
    if kind is None:
        raise ValueError(f"Unrecognized placeholder expression: {placeholder}")
    found: set[int] = set()
    for part in _parts(placeholder):
        found |= get_all_types_in_placeholder_expression(part)
    return found


def _parts(expression: _Expression) -> Iterable[_Expression]:
    name = str(expression.operator.WhichOneof("operator_type"))
    op: Any = getattr(expression.operator, name, None)
    if name in get_unary_operator_names():
        return [op.expression]
    if name in get_binary_operator_names():
        return [op.lhs, op.rhs]
    if name in get_nary_operator_names():
        return list(op.expressions)
    if name == "make_proto_op":
        return list(op.fields.values())
    if name == "make_dict_op":
        return [part for entry in op.entries for part in (entry.key, entry.value)]
    raise ValueError(f"Unrecognized placeholder operator {name} in expression: {expression}")
