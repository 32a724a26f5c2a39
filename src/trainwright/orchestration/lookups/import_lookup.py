"""Import lookup: the artifact at an Importer's path, and whether it was imported before."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trainwright._paths import MissingInputError, absence_error, check_not_special
from trainwright._version import TFX_API_VERSION
from trainwright.dsl.importer import Importer
from trainwright.dsl.remote_files import check_source_path
from trainwright.metadata import contexts
from trainwright.metadata.artifact_records import artifact_type_record
from trainwright.metadata.lineage import find_makers
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    ExecutionRecord,
    ExecutionState,
)
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration.lookups.artifact_search import published_manifests
from trainwright.orchestration.publishing.published_outputs import find_record_damage
from trainwright.storage.errors import StorageError
from trainwright.storage.objects import exists
from trainwright.storage.uris import is_supported
from trainwright.types.runtime_parameter import RuntimeParameter

NOT_IMPORTED = "it was not imported before"
OTHER_PROPERTIES = "it was imported before with other properties"

# What every imported artifact says of itself.
_ADDED: Mapping[str, Any] = {"tfx_version": TFX_API_VERSION, "is_external": 1}


@dataclass(frozen=True, kw_only=True)
class ImportAnswer:
    """What is known of an import.

    Args:
        artifact: The artifact as it would be registered, or as it was: then it has an id.
        reason: Why it is used again, or why not.
        cache_key: What imports of the same have in common.
        maker_id: The execution that registered the artifact.
        running: Executions that are importing the same.
        last_seen: The newest execution that had imported the same or was about to, when the store
            was asked; 0 if there was none.
    """

    artifact: ArtifactRecord
    reason: str
    cache_key: str
    maker_id: int | None = None
    running: list[ExecutionRecord] = field(default_factory=list)
    last_seen: int = 0


def source_path(node: Importer, runtime_parameters: Mapping[str, Any]) -> str:
    """The absolute path of what is imported, or its address in an object store.

    Raises:
        MissingInputError: if nothing is there.
        ValueError: if it can be neither, or the store cannot be asked.
    """
    given = node.source_uri
    path = given.resolve(dict(runtime_parameters)) if isinstance(given, RuntimeParameter) else given
    if not isinstance(path, str):
        raise ValueError(f"source_uri of {node.id} must be one path, got {path!r}.")
    check_source_path(path, f"source_uri of {node.id}")
    if is_supported(path):
        return _source_object(node, path.rstrip("/"))
    path = os.path.abspath(os.path.expanduser(str(path)))
    check_not_special(path, f"{node.id} cannot import a special file:")
    if not os.path.exists(path):
        raise absence_error(
            path,
            f"{node.id} cannot import {path}: there is no such file or directory. Correct "
            f"source_uri, which is {given!r}.",
        )
    return path


def _source_object(node: Importer, uri: str) -> str:
    try:
        is_there = exists(uri)
    except StorageError as error:
        raise ValueError(f"{node.id}: {error}") from None
    if not is_there:
        raise MissingInputError(
            f"{node.id} cannot import {uri}: there is no such object, and none below it. Correct "
            f"source_uri, which is {node.source_uri!r}."
        )
    return uri


def look_up_import(
    store: MetadataStore, node: Importer, pipeline_name: str, runtime_parameters: Mapping[str, Any]
) -> ImportAnswer:
    """Asks the store and looks at the disk; nothing is written."""
    new = _new_artifact(node, source_path(node, runtime_parameters))
    cache_key = _cache_key(pipeline_name, new)
    # Asked first: whoever imports the same from now on is newer.
    others = store.get_executions(
        context=contexts.cache_context(cache_key),
        states=[ExecutionState.COMPLETE, ExecutionState.RUNNING],
    )
    artifact, reason = _find_artifact(store, node, new)
    maker_id = None
    if artifact.id is not None:
        maker_id = find_makers(store, [artifact.id]).get(artifact.id)
    return ImportAnswer(
        artifact=artifact,
        reason=reason,
        cache_key=cache_key,
        maker_id=maker_id,
        running=[one for one in others if one.state is ExecutionState.RUNNING],
        last_seen=others[0].id if others else 0,
    )


def _new_artifact(node: Importer, path: str) -> ArtifactRecord:
    return ArtifactRecord(
        type=artifact_type_record(node.artifact_type),
        uri=path,
        properties=dict(node.properties),
        custom_properties={**node.custom_properties, **_ADDED},
    )


def _cache_key(pipeline_name: str, new: ArtifactRecord) -> str:
    parts = [pipeline_name, new.type.name, new.uri, new.properties, new.custom_properties]
    return hashlib.sha256(json.dumps(["import", *parts], sort_keys=True).encode()).hexdigest()


def _find_artifact(
    store: MetadataStore, node: Importer, new: ArtifactRecord
) -> tuple[ArtifactRecord, str]:
    """What was imported before, or else the new artifact; and why."""
    if node.reimport:
        return new, "reimport makes a new artifact in every run"
    found = store.get_artifacts(uri=new.uri, type_name=new.type.name, states=[ArtifactState.LIVE])
    candidates = [record for record in found if _has_properties_of(record, node)]
    manifests = published_manifests(store, {one.id for one in candidates if one.id})
    reasons = []
    for candidate in candidates:
        name = f"{candidate.type.name} {candidate.id}"
        change = find_record_damage(candidate, manifests.get(candidate.id or 0))
        if change is None:
            return candidate, f"imported before as {name}"
        reasons.append(f"{change} since it was imported as {name}")
    if reasons:
        return new, reasons[0]
    return new, OTHER_PROPERTIES if any(map(_is_imported, found)) else NOT_IMPORTED


def _is_imported(record: ArtifactRecord) -> bool:
    return record.custom_properties.get("is_external") == 1


def _has_properties_of(record: ArtifactRecord, node: Importer) -> bool:
    """Whether an artifact is what an Importer would make.

    One that was imported has what its Importer gave it and nothing else; what a node of a pipeline
    made may say more of itself.
    """
    if _is_imported(record):
        given = {key: value for key, value in record.custom_properties.items() if key not in _ADDED}
        return record.properties == node.properties and given == node.custom_properties
    return (
        node.properties.items() <= record.properties.items()
        and node.custom_properties.items() <= record.custom_properties.items()
    )
