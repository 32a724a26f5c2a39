"""Placeholders for a node's properties and for what surrounds its execution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

from google.protobuf.message import Message

from trainwright.types.placeholders.placeholder import (
    KnownValues,
    Placeholder,
    ValueType,
    new_expression,
)

if TYPE_CHECKING:
    from trainwright.proto.orchestration.placeholder_pb2 import PlaceholderExpression

RuntimeInfoKeys = Literal["executor_spec", "platform_config", "pipeline_platform_config"]


class _Named(Placeholder):
    """A value that is known by its kind and a key."""

    _KIND: str

    def __init__(self, key: str = "") -> None:
        self._key = key

    def encode(self, component_spec: Any = None) -> PlaceholderExpression:
        expression = new_expression()
        placeholder: Any = expression.placeholder
        placeholder.type = placeholder.Type.Value(self._KIND)
        placeholder.key = self._key
        return expression


class ExecPropertyPlaceholder(_Named):
    """A property of the node that uses the placeholder."""

    _KIND = "EXEC_PROPERTY"

    @property
    def key(self) -> str:
        return self._key

    @property
    def expected_type(self) -> Any:
        return Message | ValueType

    def resolve(self, known: KnownValues) -> Any:
        if known.exec_properties is None or self._key not in known.exec_properties:
            raise ValueError(f"{self} is not known here.")
        return known.exec_properties[self._key]

    def __str__(self) -> str:
        return f"exec_property({self._key!r})"


class RuntimeInfoPlaceholder(_Named):
    """A message of the runner about the node."""

    _KIND = "RUNTIME_INFO"

    def __init__(self, key: str) -> None:
        if key not in get_args(RuntimeInfoKeys):
            raise ValueError(
                f"Got unsupported runtime info key: {key}. Those that there are: "
                f"{', '.join(get_args(RuntimeInfoKeys))}."
            )
        super().__init__(key)

    @property
    def expected_type(self) -> Any:
        return Message

    def resolve(self, known: KnownValues) -> Message:
        if self._key not in known.runtime_info:
            raise ValueError(f"{self} is not known here: the runner has set none.")
        return known.runtime_info[self._key]

    def __str__(self) -> str:
        return f"runtime_info({self._key!r})"


class ExecInvocationPlaceholder(_Named):
    """The ExecutionInvocation message: all that the node's executor is called with."""

    _KIND = "EXEC_INVOCATION"

    def __init__(self) -> None:
        super().__init__()

    @property
    def expected_type(self) -> Any:
        return Message

    def resolve(self, known: KnownValues) -> Message:
        if known.invocation is None:
            raise ValueError(f"{self} is not known before the node is executed.")
        return known.invocation()

    def __str__(self) -> str:
        return "execution_invocation()"


class EnvironmentVariablePlaceholder(_Named):
    """An environment variable of the runner; None if it is not set."""

    _KIND = "ENVIRONMENT_VARIABLE"

    @property
    def expected_type(self) -> Any:
        return ValueType

    def resolve(self, known: KnownValues) -> str | None:
        return known.environment.get(self._key)

    def __str__(self) -> str:
        return f"environment_variable({self._key!r})"


def exec_property(key: str) -> ExecPropertyPlaceholder:
    """A property of the node; if it is a message, its fields: `exec_property("config").layers`."""
    return ExecPropertyPlaceholder(key)


def runtime_info(key: RuntimeInfoKeys) -> RuntimeInfoPlaceholder:
    """A message of the runner: executor_spec, platform_config or pipeline_platform_config."""
    return RuntimeInfoPlaceholder(key)


def execution_invocation() -> ExecInvocationPlaceholder:
    """What the executor is called with: `execution_invocation().pipeline_run_id`."""
    return ExecInvocationPlaceholder()


def environment_variable(key: str) -> EnvironmentVariablePlaceholder:
    """An environment variable of the machine that the node runs on."""
    return EnvironmentVariablePlaceholder(key)
