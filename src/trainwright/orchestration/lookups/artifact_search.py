"""The search for artifacts of earlier runs: published ones whose files are whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from trainwright.metadata import contexts
from trainwright.metadata.internal_properties import RESULT
from trainwright.metadata.records import ArtifactRecord, ArtifactState, EventRecord, EventType
from trainwright.metadata.store import MetadataStore
from trainwright.orchestration.publishing.manifest import Manifest
from trainwright.orchestration.publishing.published_outputs import find_record_damage
from trainwright.types.channel import BaseChannel, Channel, OutputChannel
from trainwright.types.channel_utils import get_individual_channels


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """What was found.

    Args:
        available: The artifacts, newest first.
        manifests: Their manifests, by artifact id, as far as they have one.
        why_none: Why there are none, if there are none.
    """

    available: list[ArtifactRecord]
    manifests: Mapping[int, Manifest] = field(default_factory=dict)
    why_none: str = ""


class ArtifactSearch:
    """Asks the store and looks at the disk; nothing is written."""

    def __init__(self, store: MetadataStore, pipeline_name: str) -> None:
        self._store = store
        self._pipeline_name = pipeline_name

    def find(self, channel: BaseChannel) -> SearchResult:
        """What all runs of the pipeline have put into a channel."""
        parts = get_individual_channels(channel)
        found = {record.id: record for part in parts for record in self._published(part)}
        if not found:
            return SearchResult(available=[], why_none=self._describe_search(parts))
        return self.examine(found.values())

    def examine(self, records: Iterable[ArtifactRecord]) -> SearchResult:
        """Those of the artifacts whose files are as they were published."""
        newest_first = sorted(records, key=lambda record: record.id or 0, reverse=True)
        ids = {record.id for record in newest_first if record.id}
        manifests = published_manifests(self._store, ids)
        available, complaints = [], []
        for record in newest_first:
            damage = find_record_damage(record, manifests.get(record.id or 0))
            if damage is None:
                available.append(record)
            else:
                complaints.append(f"{record.type.name} {record.id} is not whole: {damage}")
        why_none = "; ".join(complaints) if not available else ""
        return SearchResult(available=available, manifests=manifests, why_none=why_none)

    def _published(self, channel: Channel) -> list[ArtifactRecord]:
        found = self._store.get_artifacts(
            context=contexts.pipeline_context(self._pipeline_name),
            type_name=channel.type_name,
            states=[ArtifactState.LIVE],
        )
        producer = _producer(channel)
        if not found or (producer is None and channel.output_key is None):
            return found
        # A context holds the inputs of its executions too: only events tell who made what.
        context = contexts.pipeline_context(self._pipeline_name)
        if producer is not None:
            context = contexts.node_context(self._pipeline_name, producer)
        executions = {execution.id for execution in self._store.get_executions(context=context)}
        made = {
            event.artifact_id
            for event in self._store.get_events(
                execution_ids=executions, artifact_ids={record.id for record in found if record.id}
            )
            if event.type is EventType.OUTPUT
            and (channel.output_key is None or event.key == channel.output_key)
        }
        return [record for record in found if record.id in made]

    def _describe_search(self, channels: Iterable[Channel]) -> str:
        searched = " or ".join(_describe_channel(channel) for channel in channels)
        return f"pipeline {self._pipeline_name!r} has published no {searched}"


def published_manifests(store: MetadataStore, artifact_ids: set[int]) -> dict[int, Manifest]:
    """What the artifacts were made of when they were published, as far as that is known."""
    if not artifact_ids:
        return {}
    made_by: dict[int, EventRecord] = {}
    for event in store.get_events(artifact_ids=artifact_ids):  # the oldest execution comes first
        if event.type is EventType.OUTPUT:
            made_by.setdefault(event.artifact_id, event)
    results = store.get_attachments(RESULT, {event.execution_id for event in made_by.values()})
    manifests = {}
    for artifact_id, event in made_by.items():
        listed = results.get(event.execution_id, {}).get("manifests", {}).get(event.key, [])
        if event.index < len(listed) and listed[event.index] is not None:
            manifests[artifact_id] = listed[event.index]
    return manifests


def _producer(channel: Channel) -> str | None:
    if isinstance(channel, OutputChannel):
        return channel.producer_id
    return channel.producer_component_id


def _describe_channel(channel: Channel) -> str:
    producer = _producer(channel)
    key = f" as {channel.output_key!r}" if channel.output_key else ""
    return f"{channel.type_name}{f' of node {producer!r}' if producer else ''}{key}"
