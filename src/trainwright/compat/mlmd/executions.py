"""Executions, stored with their artifacts and contexts, and looked up again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from trainwright._version import TFX_VERSION
from trainwright.compat.mlmd import events as event_lib
from trainwright.compat.mlmd.artifacts import get_artifacts_by_ids
from trainwright.compat.mlmd.execution_states import get_schema_key, is_execution_running
from trainwright.compat.mlmd.filter_queries import And
from trainwright.compat.mlmd.metadata import Metadata
from trainwright.compat.mlmd.property_values import (
    get_metadata_value_type,
    set_parameter_value,
)
from trainwright.compat.mlmd.type_registration import register_type_if_not_exist
from trainwright.compat.utils.typing_utils import ArtifactMultiDict, ArtifactMultiMap
from trainwright.proto.mlmd.metadata_store_pb2 import (
    Artifact,
    Context,
    Event,
    Execution,
    ExecutionType,
)
from trainwright.proto.orchestration import pipeline_pb2
from trainwright.proto.proto_json import proto_to_json
from trainwright.types.artifact import ArtifactState

_Pairs = list[tuple[Artifact, Event]]


def prepare_execution(
    metadata_handle: Metadata,
    execution_type: ExecutionType,
    state: Execution.State,
    exec_properties: Mapping[str, Any] | None = None,
    execution_name: str = "",
) -> Execution:
    """An execution that is not stored yet; its type is.

    Properties that the type does not declare are custom ones. Beside those that are stored as JSON
    stands a schema, from which they can be read again.
    """
    type_id = register_type_if_not_exist(metadata_handle, execution_type).id
    execution = Execution(last_known_state=state, type_id=type_id)
    if execution_name:
        execution.name = execution_name
    for key, given in (exec_properties or {}).items():
        value = set_parameter_value(pipeline_pb2.Value(), given)
        if value.HasField("schema"):
            schema = proto_to_json(value.schema)
            execution.custom_properties[get_schema_key(key)].string_value = schema
        declared = execution_type.properties.get(key)
        is_declared = declared == get_metadata_value_type(given)
        properties = execution.properties if is_declared else execution.custom_properties
        properties[key].CopyFrom(value.field_value)
    return execution


def put_execution(
    metadata_handle: Metadata,
    execution: Execution,
    contexts: Sequence[Context],
    input_artifacts: ArtifactMultiMap | None = None,
    output_artifacts: ArtifactMultiMap | None = None,
    input_event_type: Event.Type = Event.INPUT,
    output_event_type: Event.Type = Event.OUTPUT,
) -> Execution:
    """Stores an execution with its artifacts, which all belong to the contexts; fills in ids."""
    _note_version(output_artifacts)
    pairs = [
        *_pairs(metadata_handle, input_artifacts, input_event_type),
        *_pairs(metadata_handle, output_artifacts, output_event_type),
    ]
    execution.id, artifact_ids, context_ids = metadata_handle.store.put_execution(
        execution=execution,
        artifact_and_events=pairs,
        contexts=contexts,
        reuse_context_if_already_exist=True,
        reuse_artifact_if_already_exist_by_external_id=True,
        force_reuse_context=True,
    )
    _fill_ids((artifact for artifact, _ in pairs), artifact_ids)
    _fill_ids(contexts, context_ids)
    return execution


def put_executions(
    metadata_handle: Metadata,
    executions: Sequence[Execution],
    contexts: Sequence[Context],
    input_artifacts_maps: Sequence[ArtifactMultiMap] | None = None,
    output_artifacts_maps: Sequence[ArtifactMultiMap] | None = None,
    input_event_type: Event.Type = Event.INPUT,
    output_event_type: Event.Type = Event.OUTPUT,
) -> Sequence[Execution]:
    """Stores several executions at once, each with its own inputs and outputs; fills in ids."""
    for what, maps in (("input", input_artifacts_maps), ("output", output_artifacts_maps)):
        if maps and len(maps) != len(executions):
            raise ValueError(
                f"The number of executions {len(executions)} should be the same as the number of "
                f"{what} ArtifactMultiMap {len(maps)}."
            )
    for outputs in output_artifacts_maps or ():
        _note_version(outputs)
    artifacts: list[Artifact] = []
    places: dict[Any, int] = {}  # of inputs that several executions share
    edges: list[tuple[int | None, int | None, Event]] = []
    for index, inputs in enumerate(input_artifacts_maps or ()):
        for artifact, event in _pairs(metadata_handle, inputs, input_event_type):
            identity = _identity(artifact)
            place = places.get(identity, len(artifacts)) if identity else len(artifacts)
            if place == len(artifacts):
                artifacts.append(artifact)
            if identity:
                places[identity] = place
            edges.append((index, place, event))
    for index, outputs in enumerate(output_artifacts_maps or ()):
        for artifact, event in _pairs(metadata_handle, outputs, output_event_type):
            edges.append((index, len(artifacts), event))
            artifacts.append(artifact)
    execution_ids, artifact_ids, context_ids = metadata_handle.store.put_lineage_subgraph(
        executions,
        artifacts,
        contexts,
        edges,
        reuse_context_if_already_exist=True,
        reuse_artifact_if_already_exist_by_external_id=True,
    )
    _fill_ids(executions, execution_ids)
    _fill_ids(artifacts, artifact_ids)
    _fill_ids(contexts, context_ids)
    return executions


def register_output_artifacts(
    metadata_handle: Metadata, execution_id: int, output_artifacts: ArtifactMultiMap
) -> None:
    """Stores what a running execution is going to write; the artifacts get their ids.

    They are PENDING, but for those that are REFERENCEs, and so are their events. When it is called
    again with the same uris, the artifacts get the ids of those that are stored; ValueError if the
    execution does not run, or if others are stored.
    """
    (execution,) = metadata_handle.store.get_executions_by_id([execution_id])
    if not is_execution_running(execution):
        raise ValueError(
            f"Cannot register output artifacts on inactive execution ID={execution_id} with "
            f"state = {execution.last_known_state}"
        )

    def chosen(is_chosen: Callable[[Any], bool]) -> dict[str, list[Any]]:
        groups = {
            key: [one for one in group if is_chosen(one)] for key, group in output_artifacts.items()
        }
        return {key: group for key, group in groups.items() if group}

    pending = chosen(lambda one: one.state != ArtifactState.REFERENCE)
    references = chosen(lambda one: one.state == ArtifactState.REFERENCE)
    for group in pending.values():
        for artifact in group:
            artifact.state = ArtifactState.PENDING
    states = {*Artifact.State.values()}
    _register(metadata_handle, execution, pending, states - {Artifact.REFERENCE})
    _register(metadata_handle, execution, references, {Artifact.REFERENCE})


def _register(
    metadata_handle: Metadata,
    execution: Execution,
    artifacts: ArtifactMultiDict,
    states: Collection[int],
) -> None:
    stored = get_pending_output_artifacts(metadata_handle, execution.id, states)
    if stored:
        _take_over_ids(artifacts, stored)
    elif artifacts:
        put_execution(
            metadata_handle,
            execution,
            metadata_handle.store.get_contexts_by_execution(execution.id),
            output_artifacts=artifacts,
            output_event_type=Event.PENDING_OUTPUT,
        )


def _take_over_ids(artifacts: ArtifactMultiDict, stored: ArtifactMultiDict) -> None:
    def uris(groups: ArtifactMultiDict) -> dict[str, list[str]]:
        return {key: sorted(one.uri for one in group) for key, group in groups.items()}

    if uris(artifacts) != uris(stored):
        raise ValueError(
            "Output artifacts were already registered for this execution, but with a different "
            f"set of output artifacts.\nProvided artifacts:\n{artifacts}\n"
            f"Existing artifacts:\n{stored}"
        )
    for key, group in artifacts.items():
        by_uri = {one.uri: one for one in stored[key]}
        for artifact in group:
            artifact.id = by_uri[artifact.uri].id
            artifact.type_id = by_uri[artifact.uri].type_id


def get_executions_associated_with_all_contexts(
    metadata_handle: Metadata, contexts: Iterable[Context]
) -> list[Execution]:
    """The executions that are in every one of the contexts."""
    query = And([f"contexts_{place}.id = {one.id}" for place, one in enumerate(contexts)])
    return metadata_handle.store.get_executions(list_options=query.list_options())


def get_input_artifacts(metadata_handle: Metadata, execution_id: int) -> ArtifactMultiDict:
    """What an execution has read, by key; nothing if there is no such execution."""
    return _artifacts_of(metadata_handle, execution_id, event_lib.is_valid_input_event)


def get_output_artifacts(metadata_handle: Metadata, execution_id: int) -> ArtifactMultiDict:
    """What an execution has written, by key; nothing if there is no such execution."""
    return _artifacts_of(metadata_handle, execution_id, event_lib.is_valid_output_event)


def get_artifacts_dict(
    metadata_handle: Metadata, execution_id: int, event_types: Collection[int] | int
) -> ArtifactMultiDict:
    """What an execution has read or written, by key: the name of earlier versions of TFX.

    Args:
        event_types: Of which events, such as `[metadata_store_pb2.Event.OUTPUT]`; a single one
            need not be in a list.
    """
    wanted = [event_types] if isinstance(event_types, int) else event_types
    return _artifacts_of(metadata_handle, execution_id, lambda event: event.type in wanted)


def get_pending_output_artifacts(
    metadata_handle: Metadata,
    execution_id: int,
    valid_artifact_states: Collection[int] | None = None,
) -> ArtifactMultiDict:
    """What an execution is going to write, by key.

    Args:
        valid_artifact_states: Only those in one of these states; all by default.
    """
    return _artifacts_of(
        metadata_handle, execution_id, event_lib.is_pending_output_event, valid_artifact_states
    )


def _artifacts_of(
    metadata_handle: Metadata,
    execution_id: int,
    is_wanted: Callable[[Event], bool],
    states: Collection[int] | None = None,
) -> ArtifactMultiDict:
    events = [
        one
        for one in metadata_handle.store.get_events_by_execution_ids([execution_id])
        if is_wanted(one)
    ]
    artifacts = get_artifacts_by_ids(metadata_handle, [one.artifact_id for one in events])
    if states is not None:
        artifacts = [one for one in artifacts if one.mlmd_artifact.state in states]
    kept = {one.id for one in artifacts}
    return event_lib.reconstruct_artifact_multimap(
        artifacts, [one for one in events if one.artifact_id in kept]
    )


def _pairs(
    metadata_handle: Metadata, artifacts: ArtifactMultiMap | None, event_type: Event.Type
) -> _Pairs:
    """Artifacts with their events; one at several places has one event, with all of them."""
    new: _Pairs = []
    known: dict[Any, tuple[Artifact, Event]] = {}
    for key, group in (artifacts or {}).items():
        type_of_group = None
        for index, artifact in enumerate(group):
            identity = _identity(artifact.mlmd_artifact)
            if identity in known:
                event_lib.add_event_path(known[identity][1], key=key, index=index)
                continue
            if type_of_group is None:
                type_of_group = register_type_if_not_exist(metadata_handle, artifact.artifact_type)
            elif type_of_group.name != artifact.artifact_type.name:
                raise AssertionError(
                    "Artifacts under the same key should share the same artifact type."
                )
            artifact.set_mlmd_artifact_type(type_of_group)
            pair = (artifact.mlmd_artifact, event_lib.generate_event(event_type, key, index))
            if identity:
                known[identity] = pair
            else:
                new.append(pair)
    return [*new, *known.values()]


def _identity(artifact: Artifact) -> Any:
    """What tells a stored artifact: its id, or that of the store which it comes from."""
    return artifact.id or artifact.external_id or None


def _note_version(output_artifacts: ArtifactMultiMap | None) -> None:
    for group in (output_artifacts or {}).values():
        for artifact in group:
            if not artifact.has_custom_property("tfx_version"):
                artifact.set_string_custom_property("tfx_version", TFX_VERSION)


def _fill_ids(messages: Iterable[Any], ids: Iterable[int]) -> None:
    for message, message_id in zip(messages, ids, strict=True):
        message.id = message_id
