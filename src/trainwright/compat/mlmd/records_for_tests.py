"""For test cases: a metadata store in memory, and records for it with few words."""

from __future__ import annotations

import unittest
from collections.abc import Mapping, Sequence
from typing import Any

from trainwright.compat.ml_metadata.metadata_store import MetadataStore
from trainwright.compat.mlmd.connection_manager import MLMDConnectionManager
from trainwright.compat.mlmd.connections import ConnectionConfigType
from trainwright.compat.mlmd.events import generate_event
from trainwright.compat.mlmd.metadata import Metadata
from trainwright.compat.mlmd.property_values import (
    build_metadata_value_dict,
    get_metadata_value_type,
)
from trainwright.proto.mlmd.metadata_store_pb2 import (
    Artifact,
    ArtifactType,
    Context,
    ContextType,
    Event,
    Execution,
    ExecutionType,
)

_Artifacts = Mapping[str, Sequence[Artifact]]
_Properties = Mapping[str, Any]


class MlmdMixins:
    """Beside `unittest.TestCase` among the bases of a test case, whose `setUp` calls `init_mlmd`.

    Example:
        >>> class LookUpTest(unittest.TestCase, MlmdMixins):
        ...     def setUp(self):
        ...         self.init_mlmd()
        ...
        ...     def test_latest(self):
        ...         model = self.put_artifact("Model", custom_properties={"steps": 3})
        ...         self.put_execution("Train", outputs={"model": [model]})
    """

    mlmd_cm: MLMDConnectionManager

    def init_mlmd(self, *, connection_config: ConnectionConfigType | None = None) -> None:
        """Opens a store in memory, or another one, until the test is over."""
        if not isinstance(self, unittest.TestCase):
            raise TypeError("MlmdMixins should be used along with TestCase.")
        self.mlmd_cm = (
            MLMDConnectionManager.fake()
            if connection_config is None
            else MLMDConnectionManager(connection_config)
        )
        self.mlmd_cm.__enter__()
        self.addCleanup(self.mlmd_cm.__exit__)
        self._type_ids: dict[tuple[str, str], int] = {}

    @property
    def mlmd_handle(self) -> Metadata:
        return self.mlmd_cm.primary_mlmd_handle

    @property
    def store(self) -> MetadataStore:
        return self.mlmd_handle.store

    def put_context_type(self, type_name: str, properties: _Properties | None = None) -> int:
        """Stores a type of contexts; the properties are numbers of `PropertyType`."""
        context_type = ContextType(name=type_name, properties=properties)
        return self._noted("context", type_name, self.store.put_context_type(context_type))

    def put_artifact_type(
        self,
        type_name: str,
        base_type: ArtifactType.SystemDefinedBaseType | None = None,
        properties: _Properties | None = None,
    ) -> int:
        """Stores a type of artifacts; the properties are numbers of `PropertyType`."""
        artifact_type = ArtifactType(name=type_name, base_type=base_type, properties=properties)
        return self._noted("artifact", type_name, self.store.put_artifact_type(artifact_type))

    def put_execution_type(self, type_name: str, properties: _Properties | None = None) -> int:
        """Stores a type of executions; the properties are numbers of `PropertyType`."""
        execution_type = ExecutionType(name=type_name, properties=properties)
        return self._noted("execution", type_name, self.store.put_execution_type(execution_type))

    def put_context(
        self, context_type: str, context_name: str, properties: _Properties | None = None
    ) -> Context:
        """Stores a context, and its type if need be."""
        type_id = self._type_ids.get(("context", context_type))
        context = Context(
            type_id=self.put_context_type(context_type) if type_id is None else type_id,
            name=context_name,
            properties=build_metadata_value_dict(properties),
        )
        return self.store.get_contexts_by_id(self.store.put_contexts([context]))[0]

    def put_artifact(
        self,
        artifact_type: str,
        name: str | None = None,
        uri: str = "/fake",
        state: str | Artifact.State = Artifact.LIVE,
        properties: _Properties | None = None,
        custom_properties: _Properties | None = None,
    ) -> Artifact:
        """Stores an artifact, and its type, with these properties, if need be."""
        type_id = self._type_ids.get(("artifact", artifact_type))
        if type_id is None:
            declared = {
                key: get_metadata_value_type(value) for key, value in (properties or {}).items()
            }
            type_id = self.put_artifact_type(artifact_type, properties=declared)
        artifact = Artifact(
            type_id=type_id,
            name=name,
            uri=uri,
            state=state,
            properties=build_metadata_value_dict(properties),
            custom_properties=build_metadata_value_dict(custom_properties),
        )
        return self.store.get_artifacts_by_id(self.store.put_artifacts([artifact]))[0]

    def put_execution(
        self,
        execution_type: str,
        last_known_state: str | Execution.State = Execution.COMPLETE,
        properties: _Properties | None = None,
        custom_properties: _Properties | None = None,
        inputs: _Artifacts | None = None,
        outputs: _Artifacts | None = None,
        contexts: Sequence[Context] = (),
        name: str | None = None,
        input_event_type: Event.Type = Event.INPUT,
        output_event_type: Event.Type = Event.OUTPUT,
    ) -> Execution:
        """Stores an execution with what it read and wrote, and its type if need be."""
        type_id = self._type_ids.get(("execution", execution_type))
        execution = Execution(
            type_id=self.put_execution_type(execution_type) if type_id is None else type_id,
            name=name,
            last_known_state=last_known_state,
            properties=build_metadata_value_dict(properties),
            custom_properties=build_metadata_value_dict(custom_properties),
        )
        pairs = [
            (artifact, generate_event(event_type, key, index))
            for artifacts, event_type in ((inputs, input_event_type), (outputs, output_event_type))
            for key, group in (artifacts or {}).items()
            for index, artifact in enumerate(group)
        ]
        execution_id, _, _ = self.store.put_execution(execution, pairs, contexts)
        return self.store.get_executions_by_id([execution_id])[0]

    def _noted(self, kind: str, name: str, type_id: int) -> int:
        self._type_ids[kind, name] = type_id
        return type_id
