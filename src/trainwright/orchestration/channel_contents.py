"""What channels hold in a run: the artifacts that its finished nodes have made."""

from __future__ import annotations

from collections.abc import Mapping

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_node import BaseNode
from trainwright.metadata.artifact_records import from_record
from trainwright.metadata.records import ArtifactRecord
from trainwright.orchestration.published_outputs import Records
from trainwright.types.artifact import Artifact
from trainwright.types.channel import (
    BaseChannel,
    OutputChannel,
    UnionChannel,
)
from trainwright.types.pipeline_channels import PipelineInputChannel
from trainwright.types.placeholder import KnownValues


def records_in(channel: BaseChannel, made: Mapping[str, Records]) -> list[ArtifactRecord]:
    """The artifacts in a channel; `made` has the outputs of the finished nodes by node id."""
    if isinstance(channel, PipelineInputChannel):
        return records_in(channel.wrapped, made)
    if isinstance(channel, UnionChannel):
        return [record for part in channel.channels for record in records_in(part, made)]
    if isinstance(channel, OutputChannel):
        return made.get(channel.producer_id, {}).get(channel.output_key or "", [])
    return []


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
