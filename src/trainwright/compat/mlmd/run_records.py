"""Records of a pipeline's runs as TFX's first driver kept them: methods of `Metadata`.

Its contexts are `pipeline`, `run` and `component_run`; an execution has its state, its pipeline and
its component among its properties, all of them strings.
"""

from __future__ import annotations

import hashlib
import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from trainwright.compat.ml_metadata import errors
from trainwright.compat.ml_metadata.metadata_store import MetadataStore
from trainwright.compat.mlmd.events import generate_event, is_valid_output_event, places_of
from trainwright.dsl.io import fileio
from trainwright.proto.mlmd import metadata_store_pb2
from trainwright.proto.mlmd.metadata_store_pb2 import (
    Artifact,
    ArtifactType,
    Context,
    ContextType,
    Event,
    Execution,
    ExecutionType,
)
from trainwright.types import artifact_utils
from trainwright.types.artifact import ArtifactState

MAX_EXECUTIONS_FOR_CACHE = 100
EXECUTION_STATE_CACHED = "cached"
EXECUTION_STATE_COMPLETE = "complete"
EXECUTION_STATE_NEW = "new"
FINAL_EXECUTION_STATES = frozenset((EXECUTION_STATE_CACHED, EXECUTION_STATE_COMPLETE))

_logger = logging.getLogger(__name__)

_STATES = {
    EXECUTION_STATE_CACHED: Execution.CACHED,
    EXECUTION_STATE_COMPLETE: Execution.COMPLETE,
    EXECUTION_STATE_NEW: Execution.RUNNING,
}
_PIPELINE, _RUN, _COMPONENT_RUN = "pipeline", "run", "component_run"
# Properties that every execution has; a component's own may not have their names.
_RESERVED = ("state", "pipeline_name", "pipeline_root", "run_id", "component_id", "checksum_md5")
_PROPERTY_TYPES = {
    int: metadata_store_pb2.INT,
    str: metadata_store_pb2.STRING,
    float: metadata_store_pb2.DOUBLE,
}

# Artifacts by key, as executors get them; `PipelineInfo` and `ComponentInfo` of TFX's data types.
_Artifacts = Mapping[str, Sequence[Any]]


class RunRecords:
    """Publishing artifacts and executions, and finding them again."""

    @property
    def store(self) -> MetadataStore:
        raise NotImplementedError

    def publish_artifacts(self, tfx_artifact_list: Sequence[Any]) -> None:
        """Stores artifacts as published; they get their ids and types."""
        for artifact in tfx_artifact_list:
            if not artifact.type_id:
                self._give_type(artifact)
            artifact.state = ArtifactState.PUBLISHED
        ids = self.store.put_artifacts([one.mlmd_artifact for one in tfx_artifact_list])
        for artifact, artifact_id in zip(tfx_artifact_list, ids, strict=True):
            artifact.id = artifact_id

    def get_artifacts_by_uri(self, uri: str) -> list[Artifact]:
        """The messages of all artifacts with this uri."""
        return self.store.get_artifacts_by_uri(uri)

    def get_artifacts_by_type(self, type_name: str) -> list[Artifact]:
        """The messages of all artifacts of a type."""
        return self.store.get_artifacts_by_type(type_name)

    def get_published_artifacts_by_type_within_context(
        self, type_names: Sequence[str], context_id: int
    ) -> dict[str, list[Artifact]]:
        """The LIVE artifacts of a context, by the names of their types."""
        found: dict[str, list[Artifact]] = {name: [] for name in type_names}
        for artifact in self.store.get_artifacts_by_context(context_id):
            if artifact.type in found and artifact.state == Artifact.LIVE:
                found[artifact.type].append(artifact)
        return found

    def get_qualified_artifacts(
        self,
        contexts: Sequence[Context],
        type_name: str,
        producer_component_id: str | None = None,
        output_key: str | None = None,
    ) -> list[Any]:
        """LIVE outputs of the executions that are in all of the contexts, newest last.

        Args:
            contexts: At least one.
            type_name: The type of the artifacts.
            producer_component_id: Only those that this component has made.
            output_key: Only those under this key.
        """
        if not contexts:
            raise ValueError("Must have at least one context.")
        try:
            artifact_type = self.store.get_artifact_type(type_name)
        except errors.NotFoundError:
            return []
        executions = self._executions_in_all(contexts)
        if producer_component_id is not None:
            executions = [
                one for one in executions if _text_of(one, "component_id") == producer_component_id
            ]
        events = self.store.get_events_by_execution_ids(one.id for one in executions)
        outputs = {one.artifact_id for one in events if is_valid_output_event(one, output_key)}
        return [
            artifact_utils.deserialize_artifact(artifact_type, artifact)
            for artifact in self.store.get_artifacts_by_id(outputs)
            if artifact.type_id == artifact_type.id and artifact.state == Artifact.LIVE
        ]

    def register_execution(
        self,
        pipeline_info: Any,
        component_info: Any,
        contexts: list[Context],
        exec_properties: Mapping[str, Any] | None = None,
        input_artifacts: _Artifacts | None = None,
    ) -> Execution:
        """Stores that a component runs, or updates its execution in this run if there is one.

        Args:
            contexts: Those of the pipeline and its run; that of the component's run is added.
        """
        execution = self._new_execution(
            EXECUTION_STATE_NEW, exec_properties or {}, pipeline_info, component_info
        )
        pairs = self._pairs(input_artifacts, Event.INPUT)
        own_context = self._new_context(
            _COMPONENT_RUN,
            component_info.component_run_context_name,
            {
                "pipeline_name": pipeline_info.pipeline_name,
                "run_id": pipeline_info.run_id,
                "component_id": component_info.component_id,
            },
        )
        try:
            execution.id, artifact_ids, context_ids = self.store.put_execution(
                execution, pairs, [*contexts, own_context]
            )
            own_context.id = context_ids[-1]
        except errors.AlreadyExistsError:
            stored = self.get_component_run_context(component_info)
            assert stored is not None  # it was the one that exists
            own_context = stored
            (previous,) = self.store.get_executions_by_context(own_context.id)
            execution.id = previous.id
            _, artifact_ids, _ = self.store.put_execution(
                execution, pairs, [*contexts, own_context]
            )
        contexts.append(own_context)
        _give_ids(pairs, artifact_ids)
        return execution

    def update_execution(
        self,
        execution: Execution,
        component_info: Any,
        input_artifacts: _Artifacts | None = None,
        output_artifacts: _Artifacts | None = None,
        exec_properties: Mapping[str, Any] | None = None,
        execution_state: str | None = None,
        artifact_state: str | None = None,
        contexts: Sequence[Context] | None = None,
    ) -> None:
        """Stores what has changed of an execution; artifacts get their ids."""
        if not execution.id:
            raise RuntimeError("No id attached to the execution to be updated.")
        events = self.store.get_events_by_execution_ids([execution.id])
        pairs = []
        for artifacts, event_type in (
            (input_artifacts, Event.INPUT),
            (output_artifacts, Event.OUTPUT),
        ):
            known = {one.artifact_id for one in events if one.type == event_type}
            pairs += self._pairs(artifacts, event_type, artifact_state, known)
        if exec_properties:
            execution.type_id = self._execution_type_id(
                component_info.component_type, exec_properties
            )
        if exec_properties or execution_state:
            _describe(
                execution,
                execution_state,
                exec_properties or {},
                component_info.pipeline_info,
                component_info,
            )
        _, artifact_ids, _ = self.store.put_execution(execution, pairs, contexts or [])
        _give_ids(pairs, artifact_ids)

    def publish_execution(
        self,
        component_info: Any,
        output_artifacts: _Artifacts | None = None,
        exec_properties: Mapping[str, Any] | None = None,
    ) -> None:
        """Stores a component's outputs and that it is complete, unless it was before."""
        own_context = self.get_component_run_context(component_info)
        if own_context is None:
            raise ValueError("Component run context does not exist.")
        (execution,) = self.store.get_executions_by_context(own_context.id)
        if _text_of(execution, "state") in FINAL_EXECUTION_STATES:
            return
        contexts = [
            own_context,
            self.get_pipeline_run_context(component_info.pipeline_info),
            self.get_pipeline_context(component_info.pipeline_info),
        ]
        self.update_execution(
            execution=execution,
            component_info=component_info,
            output_artifacts=output_artifacts,
            exec_properties=exec_properties,
            execution_state=EXECUTION_STATE_COMPLETE,
            artifact_state=ArtifactState.PUBLISHED,
            contexts=[one for one in contexts if one is not None],
        )

    def get_cached_outputs(
        self,
        input_artifacts: _Artifacts,
        exec_properties: Mapping[str, Any],
        pipeline_info: Any,
        component_info: Any,
    ) -> dict[str, list[Any]] | None:
        """The outputs of an earlier execution with the same inputs and properties, if any."""
        context = self.get_pipeline_context(pipeline_info)
        if context is None:
            _logger.warning("Pipeline context not available for %s", pipeline_info)
            return None
        wanted = self._new_execution(
            EXECUTION_STATE_COMPLETE, exec_properties, pipeline_info, component_info
        )
        inputs = {key: {one.id for one in group} for key, group in input_artifacts.items()}
        candidates = [
            one
            for one in self.store.get_executions_by_context(context.id)
            if _comparable(one) == _comparable(wanted)
        ]
        candidates.sort(key=lambda one: one.id, reverse=True)
        for execution in candidates[:MAX_EXECUTIONS_FOR_CACHE]:
            events = self.store.get_events_by_execution_ids([execution.id])
            if _ids_by_key(events, Event.INPUT) == {key: ids for key, ids in inputs.items() if ids}:
                return self._outputs(events)
        return None

    def get_outputs_of_execution(self, execution_id: int) -> dict[str, list[Any]] | None:
        """The outputs of an execution, by key."""
        return self._outputs(self.store.get_events_by_execution_ids([execution_id]))

    def search_artifacts(
        self, artifact_name: str, pipeline_info: Any, producer_component_id: str
    ) -> list[Any]:
        """The outputs under a key of a component in a run; RuntimeError if it has not run."""
        context = self.get_pipeline_run_context(pipeline_info)
        if context is None:
            raise RuntimeError(f"Pipeline run context for {pipeline_info} does not exist")
        for execution in self.store.get_executions_by_context(context.id):
            if _text_of(execution, "component_id") == producer_component_id:
                outputs = self._outputs(self.store.get_events_by_execution_ids([execution.id]))
                return outputs.get(artifact_name, [])
        raise RuntimeError(
            f"Cannot find matching execution with pipeline name {pipeline_info.pipeline_name},"
            f"run id {pipeline_info.run_id} and component id {producer_component_id}"
        )

    def get_component_run_context(self, component_info: Any) -> Context | None:
        """The context of a component's run, if it is stored."""
        return self.store.get_context_by_type_and_name(
            _COMPONENT_RUN, component_info.component_run_context_name
        )

    def get_pipeline_context(self, pipeline_info: Any) -> Context | None:
        """The context of a pipeline, if it is stored."""
        return self.store.get_context_by_type_and_name(
            _PIPELINE, pipeline_info.pipeline_context_name
        )

    def get_pipeline_run_context(self, pipeline_info: Any) -> Context | None:
        """The context of a pipeline's run, if it has an id and is stored."""
        if not pipeline_info.run_id:
            return None
        return self.store.get_context_by_type_and_name(
            _RUN, pipeline_info.pipeline_run_context_name
        )

    def register_pipeline_contexts_if_not_exists(self, pipeline_info: Any) -> list[Context]:
        """The contexts of a pipeline and, if it has an id, of its run; made if need be."""
        properties = {"pipeline_name": pipeline_info.pipeline_name}
        contexts = [self._context(_PIPELINE, pipeline_info.pipeline_context_name, properties)]
        if pipeline_info.run_id:
            properties["run_id"] = pipeline_info.run_id
            contexts.append(
                self._context(_RUN, pipeline_info.pipeline_run_context_name, properties)
            )
        return contexts

    def _executions_in_all(self, contexts: Sequence[Context]) -> list[Execution]:
        groups = [
            {one.id: one for one in self.store.get_executions_by_context(context.id)}
            for context in contexts
        ]
        common = set.intersection(*(set(group) for group in groups))
        return [groups[0][execution_id] for execution_id in sorted(common)]

    def _outputs(self, events: Iterable[Event]) -> dict[str, list[Any]]:
        outputs = [one for one in events if one.type == Event.OUTPUT]
        messages, types = self.store.get_artifacts_and_types_by_artifact_ids(
            one.artifact_id for one in outputs
        )
        types_by_id = {one.id: one for one in types}
        artifacts = {
            one.id: artifact_utils.deserialize_artifact(types_by_id[one.type_id], one)
            for one in messages
        }
        placed = sorted(
            (key, index, one.artifact_id) for one in outputs for key, index in places_of(one)
        )
        result: defaultdict[str, list[Any]] = defaultdict(list)
        for key, _, artifact_id in placed:
            result[key].append(artifacts[artifact_id])
        return result

    def _give_type(self, artifact: Any) -> None:
        """Stores the type of an artifact, which may have grown since, and says its id."""
        artifact_type: ArtifactType = artifact.artifact_type
        if not artifact_type.id:
            artifact_type.id = self.store.put_artifact_type(
                artifact_type, can_add_fields=True, can_omit_fields=True
            )
        artifact.set_mlmd_artifact_type(artifact_type)

    def _pairs(
        self,
        artifacts: _Artifacts | None,
        event_type: Event.Type,
        new_state: str | None = None,
        known: set[int] | frozenset[int] = frozenset(),
    ) -> list[tuple[Any, ...]]:
        """Artifacts with their events; those that are known have theirs."""
        pairs: list[tuple[Any, ...]] = []
        for key, group in (artifacts or {}).items():
            for index, artifact in enumerate(group):
                if new_state:
                    artifact.state = new_state
                if artifact.id and artifact.id in known:
                    pairs.append((artifact.mlmd_artifact,))
                    continue
                self._give_type(artifact)
                event = generate_event(event_type, key, index)
                pairs.append((artifact.mlmd_artifact, event))
        return pairs

    def _new_execution(
        self,
        state: str,
        exec_properties: Mapping[str, Any],
        pipeline_info: Any,
        component_info: Any,
    ) -> Execution:
        execution = Execution(
            type_id=self._execution_type_id(component_info.component_type, exec_properties),
            type=component_info.component_type,
        )
        _describe(execution, state, exec_properties, pipeline_info, component_info)
        return execution

    def _execution_type_id(self, name: str, exec_properties: Mapping[str, Any]) -> int:
        if reserved := set(exec_properties) & set(_RESERVED):
            raise ValueError(f"execution properties with reserved key {sorted(reserved)[0]}")
        names = [*_RESERVED[:5], *exec_properties]
        if "module_file" in exec_properties:
            names.append("checksum_md5")
        execution_type = ExecutionType(
            name=name, properties=dict.fromkeys(names, metadata_store_pb2.STRING)
        )
        try:
            return self.store.put_execution_type(
                execution_type, can_add_fields=True, can_omit_fields=True
            )
        except errors.AlreadyExistsError as error:
            raise ValueError(
                "Conflicting properties in exec_properties comparing with existing execution type "
                f"with the same type name. New type: {execution_type}, error: {error}"
            ) from error

    def _context(self, type_name: str, name: str, properties: Mapping[str, Any]) -> Context:
        context = self._new_context(type_name, name, properties)
        try:
            (context.id,) = self.store.put_contexts([context])
        except errors.AlreadyExistsError:
            stored = self.store.get_context_by_type_and_name(type_name, name)
            assert stored is not None  # it was the one that exists
            return stored
        return context

    def _new_context(self, type_name: str, name: str, properties: Mapping[str, Any]) -> Context:
        for value in properties.values():
            if type(value) not in _PROPERTY_TYPES:
                raise RuntimeError(f"Unexpected property type: {type(value)}")
        types = {key: _PROPERTY_TYPES[type(value)] for key, value in properties.items()}
        type_id = self.store.put_context_type(
            ContextType(name=type_name, properties=types), can_add_fields=True, can_omit_fields=True
        )
        context = Context(type_id=type_id, name=name)
        for key, value in properties.items():
            field = {int: "int_value", str: "string_value", float: "double_value"}[type(value)]
            setattr(context.properties[key], field, value)
        return context


def _describe(
    execution: Execution,
    state: str | None,
    exec_properties: Mapping[str, Any],
    pipeline_info: Any,
    component_info: Any,
) -> None:
    """Fills in the properties of an execution."""
    texts = {
        key: value.decode() if isinstance(value, bytes) else str(value)
        for key, value in exec_properties.items()
    }
    if state is not None:
        texts["state"] = state
        execution.last_known_state = _STATES[state]
    module_file = exec_properties.get("module_file")
    if module_file and fileio.exists(module_file):
        with fileio.open(module_file, "rb") as file:
            content = file.read()
        texts["checksum_md5"] = hashlib.md5(content, usedforsecurity=False).hexdigest()
    if pipeline_info:
        texts["pipeline_name"] = pipeline_info.pipeline_name
        texts["pipeline_root"] = pipeline_info.pipeline_root
        if pipeline_info.run_id:
            texts["run_id"] = pipeline_info.run_id
    if component_info:
        texts["component_id"] = component_info.component_id
    for key, text in texts.items():
        execution.properties[key].string_value = text


def _text_of(execution: Execution, name: str) -> str:
    value = execution.properties.get(name)
    return value.string_value if value is not None else ""


def _comparable(execution: Execution) -> tuple[object, ...]:
    """What is the same of executions that do the same."""
    properties = {
        key: value.SerializeToString(deterministic=True)
        for key, value in execution.properties.items()
        if key != "run_id"
    }
    return execution.type_id, execution.last_known_state, properties


def _ids_by_key(events: Iterable[Event], event_type: Event.Type) -> dict[str, set[int]]:
    found: defaultdict[str, set[int]] = defaultdict(set)
    for event in events:
        if event.type == event_type:
            for key, _ in places_of(event):
                found[key].add(event.artifact_id)
    return dict(found)


def _give_ids(pairs: Sequence[tuple[Any, ...]], artifact_ids: Sequence[int]) -> None:
    for pair, artifact_id in zip(pairs, artifact_ids, strict=True):
        pair[0].id = artifact_id
