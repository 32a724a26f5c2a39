"""The contexts that a node's executions are put in."""

from __future__ import annotations

from trainwright.compat.compiler import compiler_utils, constants
from trainwright.compat.compiler.compiler_context import PipelineContext
from trainwright.dsl.pipeline import ExecutionMode
from trainwright.proto.orchestration import pipeline_pb2


def compile_node_contexts(pipeline_ctx: PipelineContext, node_id: str) -> pipeline_pb2.NodeContexts:
    """The contexts of a node: of its pipeline, its run, those around it, and of the node itself."""
    if pipeline_ctx.pipeline_info is None:
        return pipeline_pb2.NodeContexts()
    cache = pipeline_ctx.node_context_protos_cache
    if node_id not in cache:
        cache[node_id] = _compile(pipeline_ctx, node_id)
    return cache[node_id]


def _compile(pipeline_ctx: PipelineContext, node_id: str) -> pipeline_pb2.NodeContexts:
    contexts = pipeline_pb2.NodeContexts()
    own_name = pipeline_ctx.pipeline_info.pipeline_context_name
    _add(contexts, constants.PIPELINE_CONTEXT_TYPE_NAME, own_name)
    if pipeline_ctx.is_sync_mode:
        _add_run(contexts, own_name, is_outermost=not pipeline_ctx.is_subpipeline)
    around = pipeline_ctx.parent_pipelines
    for parent in reversed(around):
        name = parent.pipeline_info.pipeline_context_name
        _add(contexts, constants.PIPELINE_CONTEXT_TYPE_NAME, name)
        if parent.execution_mode is ExecutionMode.SYNC:
            _add_run(contexts, name, is_outermost=parent is around[0])
    _add(
        contexts,
        constants.NODE_CONTEXT_TYPE_NAME,
        compiler_utils.node_context_name(own_name, node_id),
    )
    return contexts


def _add(contexts: pipeline_pb2.NodeContexts, type_name: str, name: str) -> None:
    context = contexts.contexts.add()
    context.type.name = type_name
    context.name.field_value.string_value = name


def _add_run(
    contexts: pipeline_pb2.NodeContexts, pipeline_name: str, *, is_outermost: bool
) -> None:
    """Adds the context of a run; that of an inner pipeline has the pipeline's name before it."""
    context = contexts.contexts.add()
    context.type.name = constants.PIPELINE_RUN_CONTEXT_TYPE_NAME
    parameter = constants.PIPELINE_RUN_ID_PARAMETER_NAME
    if is_outermost:
        compiler_utils.set_runtime_parameter_pb(context.name.runtime_parameter, parameter, str)
    else:
        compiler_utils.set_structural_runtime_parameter_pb(
            context.name.structural_runtime_parameter, [f"{pipeline_name}_", (parameter, str)]
        )
