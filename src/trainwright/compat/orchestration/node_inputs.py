"""Inputs of a compiled node: its input artifacts and its parameters."""

from __future__ import annotations

import logging
from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any

from trainwright.compat.compiler.expression_text import debug_str
from trainwright.compat.compiler.placeholder_expressions import (
    ResolutionContext,
    resolve_placeholder_expression,
)
from trainwright.compat.input_resolution import node_inputs_resolver
from trainwright.compat.mlmd.connection_manager import HandleLike
from trainwright.compat.utils.typing_utils import ArtifactMultiMap
from trainwright.dsl.input_resolution import exceptions
from trainwright.proto.mlmd.metadata_store_pb2 import Context
from trainwright.proto.orchestration import pipeline_pb2

_logger = logging.getLogger(__name__)


class Trigger(tuple[ArtifactMultiMap, ...]):
    """The inputs of each execution that a node is to have: one or more."""

    __slots__ = ()

    def __new__(cls, resolved_inputs: Iterable[ArtifactMultiMap]) -> Trigger:
        made = super().__new__(cls, resolved_inputs)
        if not made:
            raise AssertionError("resolved inputs should be non-empty. Use Skip() for none.")
        return made


class Skip(tuple[ArtifactMultiMap, ...]):
    """No inputs: the node is not to be executed."""

    __slots__ = ()

    def __new__(cls) -> Skip:
        return super().__new__(cls)


def resolve_input_artifacts(
    *, pipeline_node: pipeline_pb2.PipelineNode, metadata_handle: HandleLike
) -> Trigger | Skip:
    """Finds the inputs of a node among what the store has.

    Args:
        pipeline_node: The node, as compiled.
        metadata_handle: A `Metadata` that is open, or a connection manager.

    Raises:
        InputResolutionError: They cannot be found, or are fewer than needed; it names the node.

    Example:
        >>> inputs = resolve_input_artifacts(pipeline_node=trainer, metadata_handle=metadata)
        >>> [examples] = inputs[0]["examples"]
    """
    node = pipeline_node.node_info.id
    try:
        resolved = node_inputs_resolver.resolve(metadata_handle, pipeline_node.inputs)
    except exceptions.SkipSignal as signal:
        _logger.info("%s is skipped: %s", node, signal)
        return Skip()
    except exceptions.InputResolutionError as error:
        error.args = (f"Error while resolving inputs for {node}: {error}",)
        raise
    except Exception as error:
        raise exceptions.InputResolutionError(
            f"Error while resolving inputs for {node}: {error}"
        ) from error
    return Trigger(resolved) if resolved else Skip()


def resolve_parameters(node_parameters: pipeline_pb2.NodeParameters) -> dict[str, Any]:
    """The values of parameters; RuntimeError if one of them has no value yet."""
    values = {}
    for key, parameter in node_parameters.parameters.items():
        _check_has_value(key, parameter)
        held = parameter.field_value.WhichOneof("value")
        values[key] = getattr(parameter.field_value, str(held))
    return values


def resolve_parameters_with_schema(
    node_parameters: pipeline_pb2.NodeParameters,
) -> dict[str, pipeline_pb2.Value]:
    """The messages of parameters, which say how to read a value; placeholders are left out.

    RuntimeError if one of them has no value yet.
    """
    messages = {}
    for key, parameter in node_parameters.parameters.items():
        if not parameter.HasField("placeholder"):
            _check_has_value(key, parameter)
            messages[key] = parameter
    return messages


def _check_has_value(key: str, parameter: pipeline_pb2.Value) -> None:
    if not parameter.HasField("field_value"):
        raise RuntimeError(
            f"Parameter value not ready for {key}: it is a {parameter.WhichOneof('value')}. "
            "Give it a value first (substitute_runtime_parameter, resolve_dynamic_parameters)."
        )


def resolve_dynamic_parameters(
    node_parameters: pipeline_pb2.NodeParameters, context: ResolutionContext
) -> dict[str, Any]:
    """The values of those parameters that are placeholders.

    Raises:
        InvalidArgument: One of them has no value; the cause says why.
    """
    values = {}
    for key, parameter in node_parameters.parameters.items():
        if not parameter.HasField("placeholder"):
            continue
        expression = parameter.placeholder
        where = f"Key: {key}. Value: {debug_str(expression)}"
        try:
            value = resolve_placeholder_expression(expression, context)
        except Exception as error:
            raise exceptions.InvalidArgument(
                f"Failed to resolve dynamic exec property. {where}: {error}"
            ) from error
        if value is None:
            raise exceptions.InvalidArgument(
                "Failed to resolve dynamic exec property. Cannot find input artifact to resolve "
                f"dynamic exec property. {where}"
            )
        values[key] = value
    return values


@dataclass
class InputAndParam:
    """The inputs and properties of one execution that a node is to have."""

    input_artifacts: ArtifactMultiMap | None = None
    exec_properties: MutableMapping[str, Any] | None = None


@dataclass
class ResolvedInfo:
    """The executions that a node is to have, and the contexts that they belong to."""

    contexts: list[Context]
    input_and_params: list[InputAndParam]
