"""The driver: decides, before a node runs, what it gets and whether it must run at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trainwright._version import TFX_API_VERSION
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import ExecutorClassSpec, ExecutorFunctionSpec
from trainwright.dsl.pipeline import Pipeline
from trainwright.metadata import contexts
from trainwright.metadata.artifact_records import artifact_type_record, from_record, ids_of
from trainwright.metadata.cache_key import compute_cache_key
from trainwright.metadata.leases import current_lease
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    ContextKey,
    EventType,
    ExecutionRecord,
    ExecutionState,
    TypeRecord,
)
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration import first_party, layout
from trainwright.orchestration.code_fingerprint import code_fingerprint
from trainwright.types.artifact import Artifact
from trainwright.types.channel import (
    BaseChannel,
    Channel,
    OptionalChannel,
    OutputChannel,
    UnionChannel,
)
from trainwright.types.runtime_parameter import RuntimeParameter

Records = dict[str, list[ArtifactRecord]]

# Custom properties of an execution that are ours, not the component's.
FIRST_PARTY_FILES = "__first_party_files__"
NODE_ID = "__node_id__"
ERROR = "__error__"


@dataclass(frozen=True, kw_only=True)
class CachedNode:
    """A node whose result is there already."""

    execution: ExecutionRecord
    reused_execution_id: int
    outputs: Records


@dataclass(frozen=True, kw_only=True)
class StartedNode:
    """A node that is registered as RUNNING, with all that its executor gets."""

    execution: ExecutionRecord
    input_dict: dict[str, list[Artifact]]
    output_dict: dict[str, list[Artifact]]
    exec_properties: dict[str, Any]


class Driver:
    """Prepares the nodes of one run.

    Args:
        pipeline: What is run.
        pipeline_root: Where its artifacts go.
        run_id: The run's id.
        store: What is remembered.
        runtime_parameters: Values for the pipeline's runtime parameters.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        *,
        pipeline_root: str,
        run_id: str,
        store: MetadataStore,
        runtime_parameters: Mapping[str, Any],
    ) -> None:
        self._pipeline = pipeline
        self._root = pipeline_root
        self._run_id = run_id
        self._store = store
        self._runtime_parameters = dict(runtime_parameters)
        self._fingerprints: dict[Any, str] = {}

    def prepare(self, node: BaseComponent, made: Mapping[str, Records]) -> CachedNode | StartedNode:
        """Resolves inputs and properties, then reuses a finished execution or registers a new one.

        `made` holds the outputs of the nodes that this run has finished, by node id.
        """
        inputs = self._resolve_inputs(node, made)
        properties = self._resolve_properties(node)
        cache_key = self._cache_key(node, inputs, properties)
        if self._pipeline.enable_cache:
            cached = self._find_cached(node, inputs, properties, cache_key)
            if cached is not None:
                return cached
        return self._register(node, inputs, properties, cache_key)

    def _resolve_inputs(self, node: BaseComponent, made: Mapping[str, Records]) -> Records:
        resolved = {}
        for key, channel in node.inputs.items():
            records = _records_in(channel, made)
            parameter = type(node.spec).INPUTS.get(key)
            may_be_empty = channel.is_optional or (parameter is not None and parameter.allow_empty)
            if not records and not may_be_empty:
                raise ValueError(
                    f"Input {key!r} of {node.id!r} is empty: {channel!r} holds no artifact."
                )
            resolved[key] = records
        return resolved

    def _resolve_properties(self, node: BaseComponent) -> dict[str, Any]:
        properties = resolve_runtime_parameters(node, self._runtime_parameters)
        return node.DRIVER_CLASS().resolve_exec_properties(properties)

    def _cache_key(
        self, node: BaseComponent, inputs: Records, properties: Mapping[str, Any]
    ) -> str:
        source_files = node.DRIVER_CLASS().source_files(dict(properties))
        return compute_cache_key(
            pipeline_name=self._pipeline.pipeline_name,
            node_id=node.id,
            node_type=node.type_name,
            executor=self._executor_identity(node),
            inputs=ids_of(inputs),
            output_types={key: channel.type_name for key, channel in node.outputs.items()},
            exec_properties={
                name: self._fingerprint(value) if callable(value) else value
                for name, value in properties.items()
            },
            source_files={path: first_party.digest(path) for path in source_files},
            environment=node.environment,
        )

    def _executor_identity(self, node: BaseComponent) -> dict[str, Any]:
        """What stands for an executor in a cache key: our version of it, or the user's code."""
        spec = node.executor_spec
        if isinstance(spec, ExecutorFunctionSpec):
            return {"function": self._fingerprint(spec.function)}
        assert isinstance(spec, ExecutorClassSpec)
        executor_class = spec.executor_class
        if executor_class.__module__.startswith("trainwright."):
            return {"class": _qualified_name(executor_class), "version": executor_class.VERSION}
        return {"class": executor_class.__qualname__, "code": self._fingerprint(executor_class)}

    def _fingerprint(self, code: Any) -> str:
        """The fingerprint of user code, read once a run however many nodes share it."""
        if code not in self._fingerprints:
            self._fingerprints[code] = code_fingerprint(code)
        return self._fingerprints[code]

    def _find_cached(
        self, node: BaseComponent, inputs: Records, properties: dict[str, Any], cache_key: str
    ) -> CachedNode | None:
        candidates = self._store.get_executions(
            context=contexts.cache_context(cache_key), states=[ExecutionState.COMPLETE]
        )
        for candidate in candidates:
            outputs = self._whole_outputs(candidate)
            if outputs is None or not _files_unchanged(candidate):
                continue
            if not node.DRIVER_CLASS().can_reuse(_typed(outputs, _output_types(node))):
                continue
            execution = self._store.record_finished_execution(
                _execution_type(node),
                state=ExecutionState.CACHED,
                contexts=self._contexts(node, cache_key),
                inputs=ids_of(inputs),
                outputs=ids_of(outputs),
                custom_properties=_stored_properties(node, properties),
            )
            return CachedNode(
                execution=execution, reused_execution_id=candidate.id, outputs=outputs
            )
        return None

    def _whole_outputs(self, execution: ExecutionRecord) -> Records | None:
        """The outputs of a finished execution, or None if any is gone."""
        events = [
            event
            for event in self._store.get_events(execution_ids=[execution.id])
            if event.type is EventType.OUTPUT
        ]
        ids = {event.artifact_id for event in events}
        records = {record.id: record for record in self._store.get_artifacts(ids=ids)}
        outputs: Records = {}
        for event in events:
            record = records[event.artifact_id]
            if record.state is not ArtifactState.LIVE or not os.path.exists(record.uri):
                return None
            outputs.setdefault(event.key, []).append(record)
        return outputs

    def _register(
        self, node: BaseComponent, inputs: Records, properties: dict[str, Any], cache_key: str
    ) -> StartedNode:
        def pending_outputs(execution_id: int) -> Records:
            return {
                key: [_pending_output(channel, self._root, execution_id)]
                for key, channel in node.outputs.items()
            }

        execution, outputs = self._store.register_execution(
            _execution_type(node),
            contexts=self._contexts(node, cache_key),
            inputs=ids_of(inputs),
            pending_outputs=pending_outputs,
            custom_properties=_stored_properties(node, properties),
            lease=current_lease(),
        )
        return StartedNode(
            execution=execution,
            input_dict=_typed(inputs, {key: node.inputs[key].type for key in inputs}),
            output_dict=_typed(outputs, _output_types(node)),
            exec_properties=properties,
        )

    def record_refusal(self, node: BaseComponent, error: str) -> ExecutionRecord:
        """Remembers that a node failed before it could be registered."""
        return self._store.record_finished_execution(
            _execution_type(node),
            state=ExecutionState.FAILED,
            contexts=self._contexts(node),
            inputs={},
            outputs={},
            custom_properties={NODE_ID: node.id, ERROR: error},
        )

    def _contexts(self, node: BaseComponent, cache_key: str | None = None) -> list[ContextKey]:
        name = self._pipeline.pipeline_name
        keys = [
            contexts.pipeline_context(name),
            contexts.run_context(self._run_id),
            contexts.node_context(name, node.id),
        ]
        return keys if cache_key is None else [*keys, contexts.cache_context(cache_key)]


def resolve_runtime_parameters(node: BaseComponent, given: Mapping[str, Any]) -> dict[str, Any]:
    """A node's properties with the values of this run, each of the type that its spec says."""
    properties = {}
    for name, value in node.exec_properties.items():
        if isinstance(value, RuntimeParameter):
            parameter = type(node.spec).PARAMETERS[name]
            if value.ptype is None and parameter.type in (int, float):
                # What a command line gives is text.
                value = RuntimeParameter(value.name, parameter.type, value.default)
            value = parameter.convert(name, value.resolve(dict(given)))
        properties[name] = value
    return properties


def _records_in(channel: BaseChannel, made: Mapping[str, Records]) -> list[ArtifactRecord]:
    """The artifacts in a channel, which the finished nodes made."""
    if isinstance(channel, OptionalChannel):
        return _records_in(channel.channel, made)
    if isinstance(channel, UnionChannel):
        return [record for part in channel.channels for record in _records_in(part, made)]
    if isinstance(channel, OutputChannel):
        return made.get(channel.producer_id, {}).get(channel.output_key or "", [])
    assert isinstance(channel, Channel)
    return []


def _files_unchanged(execution: ExecutionRecord) -> bool:
    """Whether the first-party files that an execution loaded are as they were."""
    recorded: Mapping[str, str] = execution.custom_properties.get(FIRST_PARTY_FILES) or {}
    return all(first_party.digest(path) == digest for path, digest in recorded.items())


def _execution_type(node: BaseComponent) -> TypeRecord:
    annotation = type(node.spec).TYPE_ANNOTATION
    return TypeRecord(name=node.type_name, base_type=annotation.__name__ if annotation else None)


def _stored_properties(node: BaseComponent, properties: Mapping[str, Any]) -> dict[str, Any]:
    stored = {
        name: _qualified_name(value) if callable(value) else value
        for name, value in properties.items()
        if value is not None and not name.startswith("_")
    }
    return {**stored, NODE_ID: node.id}


def _qualified_name(function: Any) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _pending_output(channel: OutputChannel, root: str, execution_id: int) -> ArtifactRecord:
    key = channel.output_key or ""
    return ArtifactRecord(
        type=artifact_type_record(channel.type),
        uri=layout.reserve_output_uri(root, channel.producer_id, key, execution_id, channel.type),
        properties=dict(channel.additional_properties),
        custom_properties={
            **channel.additional_custom_properties,
            "tfx_version": TFX_API_VERSION,
            "is_external": 0,
        },
    )


def _output_types(node: BaseComponent) -> dict[str, type[Artifact]]:
    return {key: channel.type for key, channel in node.outputs.items()}


def _typed(records: Records, types: Mapping[str, type[Artifact]]) -> dict[str, list[Artifact]]:
    return {
        key: [from_record(record, types[key]) for record in group] for key, group in records.items()
    }
