"""Channel contents in a run: the artifacts that its finished nodes have made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.dsl.input_resolution.evaluation import evaluate_channel
from trainwright.dsl.input_resolution.exceptions import (
    InputResolutionError,
    InputResolutionSignal,
)
from trainwright.dsl.input_resolution.resolved_channel import ResolvedChannel
from trainwright.metadata.artifact_records import from_record
from trainwright.metadata.records import ArtifactRecord
from trainwright.orchestration.publishing.published_outputs import Records
from trainwright.types.artifact import Artifact
from trainwright.types.channel import (
    BaseChannel,
    OutputChannel,
    UnionChannel,
)
from trainwright.types.pipeline_channels import PipelineInputChannel
from trainwright.types.placeholders.placeholder import KnownValues


def records_in(channel: BaseChannel, made: Mapping[str, Records]) -> list[ArtifactRecord]:
    """The artifacts in a channel; `made` has the outputs of the finished nodes by node id."""
    if isinstance(channel, PipelineInputChannel):
        return records_in(channel.wrapped, made)
    if isinstance(channel, UnionChannel):
        return [record for part in channel.channels for record in records_in(part, made)]
    if isinstance(channel, ResolvedChannel):
        return _chosen_records(channel, made)
    if isinstance(channel, OutputChannel):
        return made.get(channel.producer_id, {}).get(channel.output_key or "", [])
    return []


def _chosen_records(channel: ResolvedChannel, made: Mapping[str, Records]) -> list[ArtifactRecord]:
    """What a resolver function chooses among what this run has made; empty if it cannot yet."""
    records = {one.id: one for part in channel.wrapped for one in records_in(part, made)}
    try:
        chosen = evaluate_channel(
            channel, lambda part: as_inputs(records_in(part, made), part), store=None
        )
    except (InputResolutionError, InputResolutionSignal, AttributeError):
        return []  # AttributeError: it asks the store, which is asked once, when the node starts
    return [records[artifact.id] for artifact in chosen if artifact.id in records]


def as_inputs(records: Iterable[ArtifactRecord], channel: BaseChannel) -> list[Artifact]:
    """Artifacts as operators take them, oldest first.

    An ExampleGen notes span and version as custom properties, as TFX's does; operators look for
    the properties that the type declares.
    """
    artifacts = []
    for record in sorted(records, key=lambda record: record.id or 0):
        artifact = from_record(record, channel.type)
        for name in ("span", "version"):
            noted = artifact.custom_properties.get(name)
            if noted not in (None, "") and name in (artifact.PROPERTIES or {}):
                artifact.properties.setdefault(name, int(noted))
        artifacts.append(artifact)
    return artifacts


def hidden_records(node: BaseNode, made: Mapping[str, Records]) -> Records:
    """The artifacts that a node's conditions and placeholders look at, by key."""
    found = {key: records_in(channel, made) for key, channel in node.hidden_inputs.items()}
    return {key: records for key, records in found.items() if records}


def needs_input(node: BaseComponent, key: str) -> bool:
    """Whether a node cannot run while this input is empty."""
    parameter = type(node.spec).INPUTS.get(key)
    allows_empty = parameter is not None and parameter.allow_empty
    return not (node.inputs[key].is_optional or allows_empty)


def known_values(node: BaseNode, made: Mapping[str, Records]) -> KnownValues:
    """What placeholders of a node can be evaluated with, before it is executed."""

    def find(channel: BaseChannel) -> list[Artifact]:
        return [from_record(record, channel.type) for record in records_in(channel, made)]

    inputs = {key: find(channel) for key, channel in node.inputs.items()}
    return KnownValues(find_artifacts=find, inputs=inputs)
