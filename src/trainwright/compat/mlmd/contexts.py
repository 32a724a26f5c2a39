"""Contexts, stored when they are first needed."""

from __future__ import annotations

from collections.abc import Sequence

from trainwright.compat.ml_metadata import errors
from trainwright.compat.mlmd.metadata import Metadata
from trainwright.compat.mlmd.property_values import (
    get_metadata_value_type,
    get_value,
    set_metadata_value,
)
from trainwright.compat.mlmd.type_registration import register_type_if_not_exist
from trainwright.metadata.contexts import EXECUTION_CACHE, PIPELINE, PIPELINE_RUN
from trainwright.proto.mlmd.metadata_store_pb2 import Context, ContextType, ParentContext, Value
from trainwright.proto.orchestration import pipeline_pb2

CONTEXT_TYPE_EXECUTION_CACHE = EXECUTION_CACHE


def register_context_if_not_exists(
    metadata_handle: Metadata,
    context_type_name: str,
    context_name: str,
    parent_contexts: Sequence[Context] | None = None,
) -> Context:
    """The stored context of this type and name, which is made if there is none.

    Args:
        parent_contexts: Of what a new context is a part.
    """
    name = pipeline_pb2.Value(field_value=Value(string_value=context_name))
    context_spec = pipeline_pb2.ContextSpec(name=name, type=ContextType(name=context_type_name))
    return _registered(metadata_handle, context_spec, parent_contexts or ())


def prepare_contexts(
    metadata_handle: Metadata, node_contexts: pipeline_pb2.NodeContexts
) -> list[Context]:
    """The stored contexts of a node; those of the pipeline first, of which runs are parts."""

    def is_pipeline(context_spec: pipeline_pb2.ContextSpec) -> bool:
        return context_spec.type.name == PIPELINE

    pipelines = [
        _registered(metadata_handle, one) for one in node_contexts.contexts if is_pipeline(one)
    ]
    others = [
        _registered(metadata_handle, one, pipelines if one.type.name == PIPELINE_RUN else ())
        for one in node_contexts.contexts
        if not is_pipeline(one)
    ]
    return [*pipelines, *others]


def put_parent_context_if_not_exists(
    metadata_handle: Metadata, parent_id: int, child_id: int
) -> None:
    """Makes a context a part of another; nothing happens if it is one."""
    link = ParentContext(parent_id=parent_id, child_id=child_id)
    try:
        metadata_handle.store.put_parent_contexts([link])
    except errors.AlreadyExistsError:
        return


def _registered(
    metadata_handle: Metadata,
    context_spec: pipeline_pb2.ContextSpec,
    parents: Sequence[Context] = (),
) -> Context:
    store = metadata_handle.store
    key = (context_spec.type.name, str(get_value(context_spec.name)))
    stored = store.get_context_by_type_and_name(*key)
    if stored is not None:
        return stored
    context = _new_context(metadata_handle, context_spec)
    try:
        (context.id,) = store.put_contexts([context])
    except errors.AlreadyExistsError:
        # Another node was quicker.
        found = store.get_context_by_type_and_name(*key)
        assert found is not None
        context = found
    for parent in parents:
        put_parent_context_if_not_exists(metadata_handle, parent.id, context.id)
    return context


def _new_context(metadata_handle: Metadata, context_spec: pipeline_pb2.ContextSpec) -> Context:
    context_type = register_type_if_not_exist(metadata_handle, context_spec.type)
    name = get_value(context_spec.name)
    if not isinstance(name, str):
        raise ValueError(f"The name of a context must be a string, got {name!r}.")
    context = Context(type_id=context_type.id, name=name)
    for key, value in context_spec.properties.items():
        if key not in context_type.properties:
            set_metadata_value(context.custom_properties[key], value)
            continue
        given, declared = get_metadata_value_type(value), context_type.properties[key]
        if given != declared:
            raise RuntimeError(
                f"Property type {given} different from provided metadata type property type "
                f"{declared} for key {key}"
            )
        set_metadata_value(context.properties[key], value)
    return context
