"""The environment of a component's function: values that it may ask for by name and type."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Container, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, get_args, get_origin

from google.protobuf.message import Message

from trainwright.compat.orchestration.execution_info import ExecutionInfo
from trainwright.compat.utils.dependency_injection import (
    DependencyModule,
    FalseMatchError,
    InvalidTypeHintError,
    Provider,
)
from trainwright.types import standard_artifacts
from trainwright.types.artifact import Artifact
from trainwright.types.json_compat import is_json_compatible
from trainwright.types.type_hints import is_compatible, maybe_unwrap_optional

T = TypeVar("T")

_VALUE_TYPES: dict[Any, type[Artifact]] = {
    int: standard_artifacts.Integer,
    float: standard_artifacts.Float,
    str: standard_artifacts.String,
    bytes: standard_artifacts.Bytes,
    bool: standard_artifacts.Boolean,
}


class Environ(contextlib.ExitStack):
    """Has the inputs, outputs and properties of an execution by name, and its context by type.

    Example:
        >>> environ = Environ(execution_info=ExecutionInfo(exec_properties={"steps": 3}))
        >>> environ.strict_get("steps", int)
        3
    """

    def __init__(
        self,
        *,
        execution_info: ExecutionInfo,
        executor_spec: Message | None = None,
        platform_config: Message | None = None,
        pipeline_platform_config: Message | None = None,
    ) -> None:
        super().__init__()
        names = {
            *execution_info.input_dict,
            *execution_info.output_dict,
            *execution_info.exec_properties,
        }
        self._module = DependencyModule()
        self._module.provide_value(execution_info)
        self._module.add_provider(FlatExecutionInfoProvider(names))
        self._module.provide_value(
            ExecutionContext(
                execution_info,
                executor_spec=executor_spec,
                platform_config=platform_config,
                pipeline_platform_config=pipeline_platform_config,
            )
        )

    def strict_get(self, name: str, type_hint: type[T]) -> T:
        """The value of this name; InvalidTypeHintError if it is not of the type."""
        value: T = self._module.get(name, type_hint)
        return value


@dataclass(init=False)
class ExecutionContext:
    """Which execution it is, of which node and run, and its directories."""

    execution_id: int | None = None
    stateful_working_dir: str | None = None
    tmp_dir: str | None = None
    node_id: str | None = None
    pipeline_id: str | None = None
    pipeline_run_id: str | None = None
    top_level_pipeline_run_id: str | None = None
    frontend_url: str | None = None

    def __init__(self, exec_info: ExecutionInfo, **unused_kwargs: Any) -> None:
        node, pipeline = exec_info.pipeline_node, exec_info.pipeline_info
        self.execution_id = exec_info.execution_id
        self.stateful_working_dir = exec_info.stateful_working_dir
        self.tmp_dir = exec_info.tmp_dir
        self.node_id = None if node is None else node.node_info.id
        self.pipeline_id = None if pipeline is None else pipeline.id
        self.pipeline_run_id = exec_info.pipeline_run_id
        self.top_level_pipeline_run_id = exec_info.top_level_pipeline_run_id
        self.frontend_url = exec_info.frontend_url


class FlatExecutionInfoProvider(Provider[Any]):
    """Provides inputs, outputs and properties of an execution by their names.

    Args:
        names: The names it is for.
        strict: Whether a value must be of the type that is asked for.
    """

    def __init__(self, names: Container[str], /, strict: bool = True) -> None:
        self._names = names
        self._strict = strict

    def match(self, name: str, type_hint: Any) -> bool:
        return name in self._names

    def make_factory(self, name: str, type_hint: Any) -> Callable[..., Any]:
        # Its argument is found by the type alone, which an annotation in quotes would hide.
        def provide(exec_info: Any) -> Any:
            value = _find(exec_info, name, type_hint)
            if self._strict and not _fits(value, type_hint):
                raise InvalidTypeHintError(
                    f"Given type_hint = {type_hint} but {name} = {value} is not compatible."
                )
            return value

        provide.__annotations__["exec_info"] = ExecutionInfo
        return provide


def _find(execution: ExecutionInfo, name: str, type_hint: Any) -> Any:
    if name in execution.input_dict:
        return _as_hinted(execution.input_dict[name], type_hint, may_be_value=True)
    if name in execution.output_dict:
        return _as_hinted(execution.output_dict[name], type_hint, may_be_value=False)
    if name in execution.exec_properties:
        return execution.exec_properties[name]
    raise FalseMatchError


def _fits(value: Any, type_hint: Any) -> bool:
    try:
        return type_hint is None or is_compatible(value, type_hint)
    except NotImplementedError:  # a hint that cannot be checked
        return True


def _as_hinted(artifacts: list[Artifact], type_hint: Any, *, may_be_value: bool) -> Any:
    """Artifacts as a list, one of them, or the value that one has: as the hint says."""
    if type_hint is None:
        return artifacts
    arguments = get_args(type_hint)
    if get_origin(type_hint) in (list, Sequence, MutableSequence) and _is_artifact_type(
        arguments[0]
    ):
        return _of_type(arguments[0], artifacts)
    is_optional, wanted = maybe_unwrap_optional(type_hint)
    artifact_type = wanted if _is_artifact_type(wanted) else None
    is_value = artifact_type is None and may_be_value
    if is_value:
        artifact_type = _value_type(wanted)
    if artifact_type is None:
        raise InvalidTypeHintError(f"Unsupported annotation: {type_hint}")
    found = _of_type(artifact_type, artifacts)
    if is_optional and not found:
        return None
    if len(found) != 1:
        raise InvalidTypeHintError(
            f"type_hint = {type_hint} but got {len(found)} artifacts. Please use "
            f"list[{artifact_type.__name__}] for any number, or Optional for none or one."
        )
    artifact: Any = found[0]
    if not is_value:
        return artifact
    artifact.read()
    return artifact.value


def _is_artifact_type(hint: Any) -> bool:
    return inspect.isclass(hint) and issubclass(hint, Artifact) and bool(hint.TYPE_NAME)


def _value_type(hint: Any) -> type[Artifact] | None:
    if hint in _VALUE_TYPES:
        return _VALUE_TYPES[hint]
    return standard_artifacts.JsonValue if is_json_compatible(hint) else None


def _of_type(artifact_type: type[Artifact], artifacts: list[Artifact]) -> list[Artifact]:
    """The artifacts as instances of this class, which may not be the one known by its name."""
    result = []
    for artifact in artifacts:
        if artifact.type_name != artifact_type.TYPE_NAME:
            raise InvalidTypeHintError(
                f"type_hint uses {artifact_type.TYPE_NAME} but the resolved artifacts have "
                f"type_name = {artifact.type_name}"
            )
        if type(artifact) is not artifact_type:
            made = artifact_type()
            made.set_mlmd_artifact_type(artifact.artifact_type)
            made.set_mlmd_artifact(artifact.mlmd_artifact)
            artifact = made
        result.append(artifact)
    return result
