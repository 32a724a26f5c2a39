"""The outputs that an execution has published, and whether they are still whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright.metadata.internal_properties import RESULT
from trainwright.metadata.records import ArtifactRecord, ArtifactState, EventType
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration.publishing.manifest import Manifest, find_damage

Records = dict[str, list[ArtifactRecord]]


def outputs_of(store: MetadataStore, execution_id: int) -> Records:
    """The published outputs of an execution, by key."""
    events = [
        event
        for event in store.get_events(execution_ids=[execution_id])
        if event.type is EventType.OUTPUT
    ]
    ids = {event.artifact_id for event in events}
    records = {record.id: record for record in store.get_artifacts(ids=ids)}
    outputs: Records = {}
    for event in events:
        outputs.setdefault(event.key, []).append(records[event.artifact_id])
    return outputs


def result_of(store: MetadataStore, execution_id: int) -> Mapping[str, Any]:
    """What was attached to an execution when its outputs were published."""
    attached: Mapping[str, Any] = store.get_attachments(RESULT, [execution_id]).get(
        execution_id, {}
    )
    return attached


def find_damaged_output(
    execution_id: int, outputs: Records, result: Mapping[str, Any]
) -> str | None:
    """What is wrong with the outputs of an execution, in words; None if they are whole."""
    manifests = result.get("manifests", {})
    for key, records in outputs.items():
        listed = manifests.get(key, [])
        for index, record in enumerate(records):
            if record.state is not ArtifactState.LIVE:
                return f"output {key} of execution {execution_id} was deleted"
            manifest = listed[index] if index < len(listed) else None
            damage = find_record_damage(record, manifest)
            if damage is not None:
                return f"output {key} of execution {execution_id} is damaged: {damage}"
    return None


def find_record_damage(record: ArtifactRecord, manifest: Manifest | None) -> str | None:
    """What is wrong with an artifact, in words; None if it is whole."""
    is_imported = bool(record.custom_properties.get("is_external"))
    return find_damage(record.uri, manifest, is_imported=is_imported)
