"""Compiler: a pipeline as the message that TFX's orchestrators run.

Nodes are compiled in the order of the pipeline, so that the messages of a node's outputs are there
when the nodes that read them are compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from google.protobuf.message import Message

from trainwright.compat.compiler import (
    compiler_utils,
    constants,
    node_contexts_compiler,
    node_execution_options_utils,
    node_inputs_compiler,
)
from trainwright.compat.compiler.compiler_context import PipelineContext
from trainwright.compat.mlmd import property_values
from trainwright.compat.runners import compiled_pipelines
from trainwright.compat.utils import name_utils
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.node_options import TriggerStrategy
from trainwright.dsl.pipeline import ExecutionMode, Pipeline
from trainwright.dsl.type_names import tfx_class_path
from trainwright.metadata.connection import as_connection_config, is_sqlite, sqlite_path
from trainwright.proto.mlmd import metadata_store_pb2
from trainwright.proto.orchestration import executable_spec_pb2, pipeline_pb2
from trainwright.types import channel_utils
from trainwright.types.channel import BaseChannel, NoTrigger, TriggerByProperty
from trainwright.types.placeholders.placeholder import Placeholder
from trainwright.types.runtime_parameter import RuntimeParameter


class Compiler:
    """Compiles pipelines to messages.

    Example: `Compiler().compile(pipeline)` is a `pipeline_pb2.Pipeline`.
    """

    def __init__(self, use_input_v2: bool = True) -> None:
        if not use_input_v2:
            raise ValueError("use_input_v2=False is no longer supported.")

    def compile(
        self, tfx_pipeline: Pipeline, parent_pipeline_ctx: PipelineContext | None = None
    ) -> pipeline_pb2.Pipeline:
        """The message of a pipeline, which cannot be changed any more afterwards.

        Args:
            tfx_pipeline: The pipeline.
            parent_pipeline_ctx: For an inner pipeline, the compilation of the one around it.
        """
        context = PipelineContext(tfx_pipeline, parent_pipeline_ctx)
        tfx_pipeline.finalize()
        _check_pipeline(tfx_pipeline, context)
        compiled = pipeline_pb2.Pipeline(execution_mode=context.execution_mode)
        compiled.pipeline_info.id = tfx_pipeline.pipeline_name
        _set_runtime_spec(compiled, tfx_pipeline, context)
        deployment = pipeline_pb2.IntermediateDeploymentConfig()
        _set_platform(deployment, tfx_pipeline)
        if not context.is_root or tfx_pipeline.pipeline_inputs is not None:
            _compile_begin(compiled.nodes.add().pipeline_node, tfx_pipeline, context)
        for node in tfx_pipeline.components:
            if isinstance(node, Pipeline):
                self._compile_inner(compiled.nodes.add().sub_pipeline, node, context)
            else:
                _compile_node(compiled.nodes.add().pipeline_node, node, context, deployment)
        if not context.is_root or tfx_pipeline.outputs:
            _compile_end(compiled.nodes.add().pipeline_node, tfx_pipeline, context)
        compiled.deployment_config.Pack(deployment)
        if context.is_root:
            compiled_pipelines.remember(tfx_pipeline, compiled)
        return compiled

    def _compile_inner(
        self, target: pipeline_pb2.Pipeline, inner: Pipeline, context: PipelineContext
    ) -> None:
        target.CopyFrom(self.compile(inner, context))
        around = [*context.parent_pipelines, context.pipeline]
        target.pipeline_info.parent_ids.extend(outer.pipeline_name for outer in around)


def _check_pipeline(pipeline: Pipeline, context: PipelineContext) -> None:
    if pipeline.execution_mode is ExecutionMode.ASYNC:
        if compiler_utils.has_task_dependency(pipeline):
            raise ValueError("Task dependency is not supported in ASYNC mode.")
        if compiler_utils.has_resolver_node(pipeline):
            raise ValueError(
                "Resolver nodes can not be used in ASYNC mode. Use resolver functions instead."
            )
        if context.parent_pipelines:
            raise ValueError("Subpipeline has to be Sync execution mode.")


def _set_runtime_spec(
    compiled: pipeline_pb2.Pipeline, pipeline: Pipeline, context: PipelineContext
) -> None:
    """Sets the root, which an inner pipeline takes from the one around it, and the run's id."""
    spec = compiled.runtime_spec
    around = [pipeline, *reversed(context.parent_pipelines)]
    roots = [one.pipeline_root for one in around]
    root = next((one for one in roots if isinstance(one, Placeholder) or one), "")
    if isinstance(root, Placeholder):
        spec.pipeline_root.placeholder.CopyFrom(root.encode())
    elif isinstance(root, RuntimeParameter):
        compiler_utils.set_runtime_parameter_pb(
            spec.pipeline_root.runtime_parameter, root.name, str, root.default
        )
    else:
        compiler_utils.set_runtime_parameter_pb(
            spec.pipeline_root.runtime_parameter,
            constants.PIPELINE_ROOT_PARAMETER_NAME,
            str,
            root,
        )
    if not context.is_sync_mode:
        return
    run_id = constants.PIPELINE_RUN_ID_PARAMETER_NAME
    if context.is_root:
        compiler_utils.set_runtime_parameter_pb(spec.pipeline_run_id.runtime_parameter, run_id, str)
    else:
        compiler_utils.set_structural_runtime_parameter_pb(
            spec.pipeline_run_id.structural_runtime_parameter,
            [f"{pipeline.pipeline_name}_", (run_id, str)],
        )


def _set_platform(
    deployment: pipeline_pb2.IntermediateDeploymentConfig, pipeline: Pipeline
) -> None:
    connection = _connection_message(pipeline.metadata_connection_config)
    if connection is not None:
        deployment.metadata_connection_config.Pack(connection)
    if pipeline.platform_config is not None:
        deployment.pipeline_level_platform_config.Pack(pipeline.platform_config)


def _connection_message(config: Any) -> Message | None:
    """ML Metadata's message for a store; None for one that it cannot open."""
    if config is None or isinstance(config, Message):
        return config
    url = as_connection_config(config).url
    if not is_sqlite(url):
        return None
    message: Any = metadata_store_pb2.ConnectionConfig()
    message.sqlite.filename_uri = sqlite_path(url)
    message.sqlite.connection_mode = (
        metadata_store_pb2.SqliteMetadataSourceConfig.READWRITE_OPENCREATE
    )
    return message  # type: ignore[no-any-return]


def _compile_begin(
    node: pipeline_pb2.PipelineNode, pipeline: Pipeline, context: PipelineContext
) -> None:
    """The node that an inner pipeline begins with: it reads what the pipeline is given."""
    node.node_info.type.name = compiler_utils.pipeline_begin_node_type_name(pipeline)
    node.node_info.id = compiler_utils.pipeline_begin_node_id(pipeline)
    node.contexts.CopyFrom(node_contexts_compiler.compile_node_contexts(context, node.node_info.id))
    node_inputs_compiler.compile_node_inputs(context.parent, pipeline, node.inputs)
    given = pipeline.pipeline_inputs.inputs if pipeline.pipeline_inputs is not None else {}
    _set_outputs(node, given)
    context.channels.update(_queries(node, given))
    if context.is_subpipeline:
        upstream = set(_upstream_ids(context.parent, pipeline))
        if _reads_pipeline_inputs(pipeline, context.parent.pipeline):
            upstream.add(compiler_utils.pipeline_begin_node_id(context.parent.pipeline))
        node.upstream_nodes.extend(sorted(upstream))
    around = context.parent if context.is_subpipeline else context
    _set_options(node, pipeline, around, pipeline.enable_cache)
    node.downstream_nodes.extend(
        sorted(inner.id for inner in pipeline.components if _reads_pipeline_inputs(inner, pipeline))
    )


def _compile_end(
    node: pipeline_pb2.PipelineNode, pipeline: Pipeline, context: PipelineContext
) -> None:
    """The node that an inner pipeline ends with: it gives what the pipeline makes."""
    node.node_info.type.name = compiler_utils.pipeline_end_node_type_name(pipeline)
    node.node_info.id = compiler_utils.pipeline_end_node_id(pipeline)
    node.contexts.CopyFrom(node_contexts_compiler.compile_node_contexts(context, node.node_info.id))
    end = compiler_utils.create_pipeline_end_node(pipeline)
    node_inputs_compiler.compile_node_inputs(context, end, node.inputs)
    outputs: Mapping[str, Any] = pipeline.outputs
    _set_outputs(node, outputs)
    if context.is_subpipeline:
        # The run of the inner pipeline is not known to those who read its outputs.
        context.parent.channels.update(_queries(node, outputs, leave_out=_is_inner_run))
    made = [channel.wrapped for channel in outputs.values()]
    node.upstream_nodes.extend(
        sorted(inner.id for inner in pipeline.components if _makes_one_of(inner, made))
    )
    downstream = set()
    if context.is_subpipeline:
        downstream.update(_downstream_ids(context.parent, pipeline))
        if _is_output_of(pipeline, context.parent.pipeline):
            downstream.add(compiler_utils.pipeline_end_node_id(context.parent.pipeline))
    node.downstream_nodes.extend(sorted(downstream))


def _compile_node(
    compiled: pipeline_pb2.PipelineNode,
    node: BaseNode,
    context: PipelineContext,
    deployment: pipeline_pb2.IntermediateDeploymentConfig,
) -> None:
    info: Any = compiled.node_info
    info.type.name = node.type
    info.id = node.id
    if isinstance(node, BaseComponent) and node.type_annotation:
        info.type.base_type = node.type_annotation.MLMD_SYSTEM_BASE_TYPE or 0
    compiled.contexts.CopyFrom(node_contexts_compiler.compile_node_contexts(context, node.id))
    node_inputs_compiler.compile_node_inputs(context, node, compiled.inputs)
    if isinstance(node, BaseComponent) or compiler_utils.is_importer(node):
        _set_outputs(compiled, node.outputs)
    context.channels.update(_queries(compiled, node.outputs))
    if not compiler_utils.is_resolver(node):
        _set_parameters(compiled, node)
    if isinstance(node, BaseComponent):
        _set_deployment(deployment, node)
    upstream = set(_upstream_ids(context, node))
    if _reads_pipeline_inputs(node, context.pipeline):
        upstream.add(compiler_utils.pipeline_begin_node_id(context.pipeline))
    compiled.upstream_nodes.extend(sorted(upstream))
    downstream = set(_downstream_ids(context, node))
    if _is_output_of(node, context.pipeline):
        downstream.add(compiler_utils.pipeline_end_node_id(context.pipeline))
    compiled.downstream_nodes.extend(sorted(downstream))
    _set_options(compiled, node, context, context.pipeline.enable_cache)


def _set_deployment(
    deployment: pipeline_pb2.IntermediateDeploymentConfig, node: BaseComponent
) -> None:
    """Sets how a component is executed."""
    executor = node.executor_spec.encode(component_spec=node.spec)
    deployment.executor_specs[node.id].Pack(executor)
    if _has_driver_in_tfx(node):
        path = tfx_class_path(name_utils.get_full_name(node.driver_class))
        driver = executable_spec_pb2.PythonClassExecutableSpec(class_path=path)
        deployment.custom_driver_specs[node.id].Pack(driver)
    if node.platform_config is not None:
        deployment.node_level_platform_configs[node.id].Pack(node.platform_config)


def _has_driver_in_tfx(node: BaseComponent) -> bool:
    """Whether TFX, too, needs a driver for a node; of its own components, ExampleGens do."""
    module = node.driver_class.__module__
    is_ours = module.startswith("trainwright.") and ".example_gen." not in module
    return node.driver_class is not BaseDriver and not is_ours


def _set_outputs(node: pipeline_pb2.PipelineNode, outputs: Mapping[str, BaseChannel]) -> None:
    for key, channel in outputs.items():
        spec = compiler_utils.output_spec_from_channel(channel, node_id=node.node_info.id)
        node.outputs.outputs[key].CopyFrom(spec)


def _queries(
    node: pipeline_pb2.PipelineNode,
    outputs: Mapping[str, BaseChannel],
    leave_out: Callable[[pipeline_pb2.ContextSpec], bool] = lambda context: False,
) -> Iterator[tuple[BaseChannel, pipeline_pb2.InputSpec.Channel]]:
    """Each output of a node, and the query by which others find its artifacts."""
    for key, channel in outputs.items():
        query = pipeline_pb2.InputSpec.Channel(output_key=key)
        query.producer_node_query.id = node.node_info.id
        for context in node.contexts.contexts:
            if not leave_out(context):
                query.context_queries.add(type=context.type, name=context.name)
        query.artifact_query.type.CopyFrom(channel.type._get_artifact_type())
        query.artifact_query.type.ClearField("properties")
        yield channel, query


def _is_inner_run(context: pipeline_pb2.ContextSpec) -> bool:
    is_run = context.type.name == constants.PIPELINE_RUN_CONTEXT_TYPE_NAME
    return is_run and context.name.HasField("structural_runtime_parameter")


def _set_parameters(compiled: pipeline_pb2.PipelineNode, node: BaseNode) -> None:
    for key, value in node.exec_properties.items():
        if value is None:
            continue
        parameter = compiled.parameters.parameters[key]
        if isinstance(value, RuntimeParameter):
            compiler_utils.set_runtime_parameter_pb(
                parameter.runtime_parameter, value.name, value.ptype, value.default
            )
        elif isinstance(value, Placeholder):
            compiler_utils.validate_exec_property_placeholder(key, value)
            parameter.placeholder.CopyFrom(
                channel_utils.encode_placeholder_with_channels(
                    value, compiler_utils.implicit_channel_key
                )
            )
        else:
            try:
                property_values.set_parameter_value(parameter, value)
            except ValueError as error:
                raise ValueError(
                    f"Component {node.id} got unsupported parameter {key} with type {type(value)}."
                ) from error


def _set_options(
    compiled: pipeline_pb2.PipelineNode,
    node: BaseNode,
    context: PipelineContext,
    enable_cache: bool,
) -> None:
    options = node.node_execution_options
    message = pipeline_pb2.NodeExecutionOptions()
    if options is not None:
        _check_options(node, context)
        message = node_execution_options_utils.compile_node_execution_options(options)
    message.caching_options.enable_cache = enable_cache
    compiled.execution_options.CopyFrom(message)
    if context.is_async_mode:
        triggers = compiled.execution_options.async_trigger.input_triggers
        for key, channel in node.inputs.items():
            if isinstance(channel.input_trigger, NoTrigger):
                triggers[key].no_trigger = True
            elif isinstance(channel.input_trigger, TriggerByProperty):
                keys = channel.input_trigger.property_keys
                triggers[key].trigger_by_property.property_keys.extend(keys)


def _check_options(node: BaseNode, context: PipelineContext) -> None:
    options = node.node_execution_options
    assert options is not None
    is_plain = options.trigger_strategy in (
        TriggerStrategy.TRIGGER_STRATEGY_UNSPECIFIED,
        TriggerStrategy.ALL_UPSTREAM_NODES_SUCCEEDED,
    )
    is_special = not is_plain or options.success_optional or options.lifetime_start
    if context.is_async_mode and is_special:
        raise ValueError(
            "Node level triggering strategies, success optionality, and resource lifetimes are not "
            "allowed in ASYNC pipelines."
        )
    ends = TriggerStrategy.LIFETIME_END_WHEN_SUBGRAPH_CANNOT_PROGRESS
    if options.trigger_strategy == ends and not options.lifetime_start:
        raise ValueError(
            f"Node {node.id} has the trigger strategy LIFETIME_END_WHEN_SUBGRAPH_CANNOT_PROGRESS "
            "set but no lifetime_start. In order to use the trigger strategy the node must have a "
            "lifetime_start."
        )


def _upstream_ids(context: PipelineContext, node: BaseNode) -> list[str]:
    """The nodes that a node waits for; in an ASYNC pipeline, through Resolvers."""
    ids = set()
    for upstream in [*node.upstream_nodes, *context.implicit_upstream_nodes(node)]:
        if context.is_async_mode and compiler_utils.is_resolver(upstream):
            ids.update(_upstream_ids(context, upstream))
        elif not _is_outside(context, upstream, node):
            ids.add(upstream.id)
    return _checked(ids, context, node, "upstream")


def _is_outside(context: PipelineContext, upstream: BaseNode, node: BaseNode) -> bool:
    """Whether a node is reached through the inputs of the pipeline, which begins with it."""
    return upstream.id not in context.pipeline_node_ids and _reads_pipeline_inputs(
        node, context.pipeline
    )


def _downstream_ids(context: PipelineContext, node: BaseNode) -> list[str]:
    """The nodes of the same pipeline that wait for a node."""
    ids = set()
    for downstream in [*node.downstream_nodes, *context.implicit_downstream_nodes(node)]:
        if context.is_async_mode and compiler_utils.is_resolver(downstream):
            ids.update(_downstream_ids(context, downstream))
        elif downstream.id in context.pipeline_node_ids or node in downstream._extra_upstream:
            ids.add(downstream.id)  # a node remembers readers in other pipelines, too
    return _checked(ids, context, node, "downstream")


def _checked(ids: set[str], context: PipelineContext, node: BaseNode, direction: str) -> list[str]:
    for node_id in sorted(ids - context.pipeline_node_ids):
        raise ValueError(
            f"Node {node.id} references {direction} node {node_id} which is not present in the "
            "pipeline."
        )
    return sorted(ids)


def _reads_pipeline_inputs(node: BaseNode, pipeline: Pipeline) -> bool:
    return pipeline.id in compiler_utils.get_data_dependent_node_ids(node)


def _is_output_of(node: BaseNode, pipeline: Pipeline) -> bool:
    outputs: Mapping[str, Any] = pipeline.outputs
    return _makes_one_of(node, [channel.wrapped for channel in outputs.values()])


def _makes_one_of(node: BaseNode, channels: list[BaseChannel]) -> bool:
    return any(channel is made for made in channels for channel in node.outputs.values())
