"""A metadata store in memory, and short ways to fill it."""

from __future__ import annotations

import pytest

import ml_metadata as mlmd
from ml_metadata.proto import metadata_store_pb2
from tfx.orchestration import data_types_utils
from tfx.orchestration.portable.mlmd import event_lib
from tfx.types import artifact_utils


class Lineage:
    """Puts artifacts and executions; types are made as they are needed."""

    def __init__(self):
        config = metadata_store_pb2.ConnectionConfig()
        config.fake_database.SetInParent()
        self.store = mlmd.MetadataStore(config)

    def artifact(self, type_name, state="LIVE", properties=None, **custom_properties):
        properties = properties or {}
        declared = dict.fromkeys(properties, metadata_store_pb2.INT)
        kind = metadata_store_pb2.ArtifactType(name=type_name, properties=declared)
        message = metadata_store_pb2.Artifact(
            type_id=self.store.put_artifact_type(kind, can_add_fields=True, can_omit_fields=True),
            state=state,
            properties=data_types_utils.build_metadata_value_dict(properties),
            custom_properties=data_types_utils.build_metadata_value_dict(custom_properties),
        )
        (artifact_id,) = self.store.put_artifacts([message])
        (stored,) = self.store.get_artifacts_by_id([artifact_id])
        return artifact_utils.deserialize_artifact(self.store.get_artifact_type(type_name), stored)

    def examples(self, span, version=0):
        return self.artifact("Examples", properties={"span": span, "version": version})

    def execution(self, inputs, outputs, contexts=(), state="COMPLETE"):
        kind = metadata_store_pb2.ExecutionType(name="Component")
        message = metadata_store_pb2.Execution(
            type_id=self.store.put_execution_type(kind), last_known_state=state
        )
        event = metadata_store_pb2.Event
        pairs = [
            (artifact.mlmd_artifact, event_lib.generate_event(type, key, index))
            for type, by_key in ((event.INPUT, inputs), (event.OUTPUT, outputs))
            for key, artifacts in by_key.items()
            for index, artifact in enumerate(artifacts)
        ]
        return self.store.put_execution(message, pairs, contexts)[0]

    def context(self, type_name, name):
        kind = metadata_store_pb2.ContextType(name=type_name)
        message = metadata_store_pb2.Context(type_id=self.store.put_context_type(kind), name=name)
        (context_id,) = self.store.put_contexts([message])
        return self.store.get_contexts_by_id([context_id])[0]


@pytest.fixture
def lineage():
    return Lineage()
