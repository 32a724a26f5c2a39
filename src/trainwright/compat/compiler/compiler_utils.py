"""Small parts of a compiled pipeline: runtime parameters, outputs, the names of nodes and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from trainwright.compat.compiler import constants
from trainwright.compat.mlmd import property_values
from trainwright.dsl import contexts
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.importer import Importer
from trainwright.dsl.pipeline import ExecutionMode, Pipeline
from trainwright.dsl.resolver import Resolver
from trainwright.proto.mlmd import metadata_store_pb2
from trainwright.proto.orchestration import pipeline_pb2
from trainwright.types.channel import BaseChannel, Channel, OutputChannel
from trainwright.types.pipeline_channels import ExternalPipelineChannel, PipelineInputChannel
from trainwright.types.placeholders.artifact_placeholder import ArtifactPlaceholder
from trainwright.types.placeholders.placeholder import Placeholder
from trainwright.types.placeholders.runtime_placeholders import ExecPropertyPlaceholder

_PARAMETER_TYPES: dict[Any, tuple[str, str]] = {
    int: ("INT", "int_value"),
    float: ("DOUBLE", "double_value"),
    str: ("STRING", "string_value"),
}


def set_runtime_parameter_pb(
    pb: pipeline_pb2.RuntimeParameter, name: str, ptype: Any, default_value: Any = None
) -> pipeline_pb2.RuntimeParameter:
    """Fills the message of a runtime parameter and returns it."""
    if ptype not in _PARAMETER_TYPES:
        raise ValueError(f"Got unsupported runtime parameter type: {ptype}")
    kind, field = _PARAMETER_TYPES[ptype]
    message: Any = pb
    message.name = name
    message.type = message.Type.Value(kind)
    if default_value:
        setattr(message.default_value, field, default_value)
    return pb


def set_structural_runtime_parameter_pb(
    pb: pipeline_pb2.StructuralRuntimeParameter, str_or_params: Sequence[str | tuple[Any, ...]]
) -> pipeline_pb2.StructuralRuntimeParameter:
    """Fills the message of a string that is put together from strings and runtime parameters.

    Args:
        pb: The message.
        str_or_params: Strings, and arguments of `set_runtime_parameter_pb` from the name on.
    """
    for given in str_or_params:
        part = pb.parts.add()
        if isinstance(given, str):
            part.constant_value = given
        else:
            set_runtime_parameter_pb(part.runtime_parameter, *given)
    return pb


def resolve_execution_mode(tfx_pipeline: Pipeline) -> Any:
    """The execution mode as a number of the message's enum."""
    mode = tfx_pipeline.execution_mode
    if mode is ExecutionMode.SYNC:
        return pipeline_pb2.Pipeline.SYNC
    if mode is not ExecutionMode.ASYNC:
        raise ValueError(f"Got unsupported execution mode: {mode}")
    if tfx_pipeline.enable_cache:
        raise RuntimeError(
            "Caching is a feature only available to synchronous execution pipelines."
        )
    return pipeline_pb2.Pipeline.ASYNC


def is_resolver(node: BaseNode) -> bool:
    return isinstance(node, Resolver)


def is_importer(node: BaseNode) -> bool:
    return isinstance(node, Importer)


def ensure_topological_order(nodes: Iterable[BaseNode]) -> bool:
    """Whether each node comes after those that it waits for."""
    seen: set[BaseNode] = set()
    for node in nodes:
        if not set(node.upstream_nodes) <= seen:
            return False
        seen.add(node)
    return True


def get_data_dependent_node_ids(node: BaseNode) -> set[str]:
    """The ids of the nodes whose outputs a node reads."""
    ids: set[str] = set()
    for channel in node.inputs.values():
        ids |= set(channel.get_data_dependent_node_ids())
    return ids


def has_task_dependency(tfx_pipeline: Pipeline) -> bool:
    """Whether a node waits for another without reading from it."""
    return any(
        {upstream.id for upstream in node.upstream_nodes} - get_data_dependent_node_ids(node)
        for node in tfx_pipeline.components
    )


def has_resolver_node(tfx_pipeline: Pipeline) -> bool:
    return any(is_resolver(node) for node in tfx_pipeline.components)


def pipeline_begin_node_type_name(p: Pipeline) -> str:
    """The type of the node that an inner pipeline begins with."""
    return f"{p.type}{constants.PIPELINE_BEGIN_NODE_SUFFIX}"


def pipeline_end_node_type_name(p: Pipeline) -> str:
    """The type of the node that an inner pipeline ends with."""
    return f"{p.type}{constants.PIPELINE_END_NODE_SUFFIX}"


def pipeline_begin_node_id(p: Pipeline) -> str:
    """The id of the node that an inner pipeline begins with."""
    return f"{p.id}{constants.PIPELINE_BEGIN_NODE_SUFFIX}"


def pipeline_end_node_id(p: Pipeline) -> str:
    """The id of the node that an inner pipeline ends with."""
    return pipeline_end_node_id_from_pipeline_id(p.id)


def pipeline_end_node_id_from_pipeline_id(pipeline_id: str) -> str:
    return f"{pipeline_id}{constants.PIPELINE_END_NODE_SUFFIX}"


def end_node_context_name_from_subpipeline_id(subpipeline_id: str) -> str:
    """The name of the context of the node that an inner pipeline ends with."""
    return node_context_name(subpipeline_id, pipeline_end_node_id_from_pipeline_id(subpipeline_id))


def node_context_name(pipeline_context_name: str, node_id: str) -> str:
    """The name of a node's context."""
    return f"{pipeline_context_name}.{node_id}"


def implicit_channel_key(channel: BaseChannel) -> str:
    """The input key of a channel that a condition or a placeholder looks at."""
    if isinstance(channel, PipelineInputChannel):
        return f"_{channel.pipeline.id}.{channel.output_key}"
    if isinstance(channel, Channel):
        if channel.producer_component_id and channel.output_key:
            return f"_{channel.producer_component_id}.{channel.output_key}"
        raise ValueError(
            "Cannot create implicit input key for Channel that has no producer_component_id and "
            "output_key."
        )
    if isinstance(channel, ExternalPipelineChannel):
        parts = [
            channel.producer_component_id,
            channel.output_key,
            channel.owner,
            channel.pipeline_name,
        ]
        if not all(parts):
            raise ValueError(
                "Cannot create implicit input key for Channel that has no owner, pipeline_name, "
                "producer_component_id and output_key."
            )
        return "_" + ".".join([*parts, *filter(None, [channel.pipeline_run_id])])
    raise ValueError("Unsupported channel type for implicit channel key.")


def build_channel_to_key_fn(
    implicit_keys_map: Mapping[str, str],
) -> Callable[[BaseChannel], str]:
    """A function from channels to input keys that prefers the keys of a map."""

    def channel_to_key(channel: BaseChannel) -> str:
        key = implicit_channel_key(channel)
        return implicit_keys_map.get(key, key)

    return channel_to_key


def validate_exec_property_placeholder(key: str, placeholder: Placeholder) -> None:
    """Refuses placeholders of values that are not known yet when properties are resolved."""
    for part in placeholder.traverse():
        if isinstance(part, ArtifactPlaceholder) and part.is_output:
            raise ValueError(
                f"Exec property {key!r} depends on output placeholder {part.key!r} but must not."
            )
        if isinstance(part, ExecPropertyPlaceholder):
            raise ValueError(
                f"Exec property {key!r} depends on another exec property {part.key!r} but must not."
            )


def output_spec_from_channel(channel: BaseChannel, node_id: str) -> pipeline_pb2.OutputSpec:
    """The message of a node's output."""
    spec = pipeline_pb2.OutputSpec()
    artifact_type = channel.type._get_artifact_type()
    artifact_spec = spec.artifact_spec
    artifact_spec.type.CopyFrom(artifact_type)
    if not isinstance(channel, OutputChannel):
        return spec
    for name, value in channel.additional_properties.items():
        _check_property_type(name, value, artifact_type)
        _set_property(artifact_spec.additional_properties[name], name, value, node_id)
    for name, value in channel.additional_custom_properties.items():
        if name in artifact_type.properties:
            raise ValueError(
                f"Node {node_id} has a property name conflict: '{name}' is already used in "
                f"{artifact_type.name}'s properties. Please change this custom property to a "
                "different name."
            )
        _set_property(artifact_spec.additional_custom_properties[name], name, value, node_id)
    policy = getattr(channel, "_garbage_collection_policy", None)
    if policy is not None:
        spec.garbage_collection_policy.CopyFrom(policy)
    if channel._predefined_artifact_uris is not None:
        artifact_spec.external_artifact_uris.extend(channel._predefined_artifact_uris)
    artifact_spec.is_async = channel.is_async
    return spec


def _set_property(target: pipeline_pb2.Value, name: str, value: Any, node_id: str) -> None:
    try:
        property_values.set_metadata_value(target.field_value, value)
    except ValueError as error:
        raise ValueError(
            f"Node {node_id} got unsupported parameter {name} with type {type(value)}."
        ) from error


def _check_property_type(
    name: str, value: Any, artifact_type: metadata_store_pb2.ArtifactType
) -> None:
    given = property_values.get_metadata_value_type(value)
    declared = artifact_type.properties[name]
    if given != declared:
        type_name = metadata_store_pb2.PropertyType.Name
        raise TypeError(
            f"Unexpected value type of property '{name}' in output artifact "
            f"'{artifact_type.name}': Expected {type_name(declared)} but given {type_name(given)} "
            f"(value:{value!r})"
        )


class _PipelineEnd(BaseNode):
    """The node that an inner pipeline ends with: it passes the pipeline's outputs on."""

    def __init__(self, pipeline: Pipeline) -> None:
        super().__init__()
        self._pipeline = pipeline
        self.with_id(pipeline_end_node_id(pipeline))

    @property
    def type(self) -> str:
        return pipeline_end_node_type_name(self._pipeline)

    @property
    def inputs(self) -> dict[str, BaseChannel]:
        outputs: Mapping[str, Any] = self._pipeline.outputs
        return {key: channel.wrapped for key, channel in outputs.items()}

    @property
    def outputs(self) -> dict[str, OutputChannel]:
        return self._pipeline.outputs

    @property
    def exec_properties(self) -> dict[str, Any]:
        return {}


def create_pipeline_end_node(p: Pipeline) -> BaseNode:
    """The node that an inner pipeline ends with; it is in compiled pipelines only."""
    with contexts.use_registry(p.dsl_context_registry):
        return _PipelineEnd(p)
