"""The artifacts that the channels of a compiled pipeline stand for, found in the store."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any

from trainwright.compat.input_resolution.ops.lineage_walk import LIVE
from trainwright.compat.ml_metadata import errors
from trainwright.compat.mlmd.events import is_valid_output_event
from trainwright.proto.mlmd import metadata_store_pb2
from trainwright.proto.orchestration import pipeline_pb2
from trainwright.types import artifact_utils
from trainwright.types.artifact import Artifact

ChannelSpec = pipeline_pb2.InputSpec.Channel

_log = logging.getLogger(__name__)


def store_of(handle_like: Any) -> Any:
    """ML Metadata's store behind a `Metadata` or a connection manager."""
    return getattr(handle_like, "primary_mlmd_handle", handle_like).store


def resolve_single_channel(handle_like: Any, channel: ChannelSpec) -> list[Artifact]:
    """The live artifacts of a type that executions in all of the channel's contexts have made."""
    store = store_of(handle_like)
    executions: set[int] | None = None
    for query in channel.context_queries:
        context = _find_context(store, query)
        if context is None:
            return []
        found = {execution.id for execution in store.get_executions_by_context(context.id)}
        executions = found if executions is None else executions & found
    if not executions:
        return []
    events = store.get_events_by_execution_ids(sorted(executions))
    ids = [
        one.artifact_id for one in events if is_valid_output_event(one, channel.output_key or None)
    ]
    messages = store.get_artifacts_by_id(ids) if ids else []
    return _of_type(store, messages, channel.artifact_query)


def resolve_union_channels(mlmd_handle: Any, channels: Sequence[ChannelSpec]) -> list[Artifact]:
    """The artifacts of all channels, each once."""
    found: dict[int | None, Artifact] = {}
    for channel in channels:
        for artifact in resolve_single_channel(mlmd_handle, channel):
            found.setdefault(artifact.id, artifact)
    return list(found.values())


def _find_context(store: Any, query: ChannelSpec.ContextQuery) -> Any:
    if not query.type.name:
        raise ValueError("ContextQuery.type.name should be set.")
    name = query.name.field_value.string_value
    if not name:
        raise ValueError("ContextQuery.name.field_value.string_value should be set.")
    if query.HasField("property_predicate"):
        _log.warning("ContextQuery.property_predicate is not supported: passed over.")
    return store.get_context_by_type_and_name(query.type.name, name)


def _of_type(
    store: Any,
    messages: Iterable[metadata_store_pb2.Artifact],
    query: ChannelSpec.ArtifactQuery,
) -> list[Artifact]:
    if not query.type.name:
        raise ValueError("ArtifactQuery.type.name should be set.")
    if query.HasField("property_predicate"):
        _log.warning("ArtifactQuery.property_predicate is not supported: passed over.")
    artifact_type = query.type
    if not artifact_type.id:
        try:
            artifact_type = store.get_artifact_type(query.type.name)
        except errors.NotFoundError:
            return []
    return [
        artifact_utils.deserialize_artifact(artifact_type, message)
        for message in messages
        if message.type_id == artifact_type.id and message.state == LIVE
    ]
