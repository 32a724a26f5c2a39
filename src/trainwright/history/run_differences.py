"""Differences between two runs: properties, code, files, data and metrics of each node."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trainwright.history.measurements import read_measurements
from trainwright.history.run_history import NodeHistory
from trainwright.history.run_view import RunView
from trainwright.metadata.internal_properties import CACHE_KEY_PARTS, RESULT
from trainwright.metadata.records import ArtifactRecord
from trainwright.metadata.store import MetadataStore

# The value in the first run and in the second; None where there is none.
Pair = tuple[Any, Any]
# Enough of a digest to tell two apart.
SHOWN_DIGEST = 8


@dataclass(frozen=True, kw_only=True)
class NodeFacts:
    """What is compared of a node in one run.

    Args:
        state: What became of it.
        seconds: How long it ran; None if it did not.
        properties: Its execution properties.
        code: What stands for the code of its executor.
        files: The digests of the files that it was given: input files, module files.
        modules: The digests of the user's own modules that it loaded beside these; None if that is
            not known, as of a node that failed.
        environment: Its own environment variables; their values may be secret.
        data: What it made, by output: the artifacts with their ids, types and properties.
        measured: Rows, steps, loss, metrics.
    """

    state: str
    seconds: float | None
    properties: Mapping[str, Any] = field(default_factory=dict)
    code: str | None = None
    files: Mapping[str, Any] = field(default_factory=dict)
    modules: Mapping[str, Any] | None = None
    environment: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)
    measured: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class NodeComparison:
    """What differs of a node between two runs; each value is a pair of the first and second."""

    node_id: str
    state: Pair
    seconds: Pair
    properties: dict[str, Pair]
    code: Pair
    files: dict[str, Pair]
    environment: dict[str, Pair]
    data: dict[str, Pair]
    measured: dict[str, Pair]

    @property
    def is_same(self) -> bool:
        """Whether all but the time is the same; a reused result is the same as a made one."""
        differing = (self.properties, self.files, self.environment, self.data, self.measured)
        return self.has_states_alike and not self.has_new_code and not any(differing)

    @property
    def has_states_alike(self) -> bool:
        first, second = map(_as_made, self.state)
        return first == second

    @property
    def has_new_code(self) -> bool:
        """Whether both ran, with different code; what did not run has no code to compare."""
        first, second = self.code
        return first is not None and second is not None and first != second


def read_facts(store: MetadataStore, view: RunView) -> dict[str, NodeFacts]:
    """What is compared of each node of a run."""
    executions = {made for node in view.run.nodes if (made := view.made_in(node)) is not None}
    parts = store.get_attachments(CACHE_KEY_PARTS, executions)
    results = store.get_attachments(RESULT, executions)
    return {
        node.node_id: _node_facts(store, view, node, parts.get(made), results.get(made))
        for node in view.run.nodes
        for made in [view.made_in(node) or 0]
    }


def _node_facts(
    store: MetadataStore,
    view: RunView,
    node: NodeHistory,
    parts: Mapping[str, Any] | None,
    result: Mapping[str, Any] | None,
) -> NodeFacts:
    known = parts or {}
    files = known.get("source_files", {})
    return NodeFacts(
        state=node.state,
        seconds=view.node_seconds(node),
        properties=view.properties(node),
        code=_describe_code(known.get("executor")),
        files=files,
        modules=None if result is None else _loaded_modules(result, files),
        environment=known.get("environment", {}),
        data=_made_data(node),
        measured=read_measurements(store, view, node),
    )


def _describe_code(executor: Mapping[str, Any] | None) -> str | None:
    """Our version of an executor, or the digest of the user's code."""
    if executor is None:
        return None
    if "version" in executor:
        return f"{executor['class']} version {executor['version']}"
    return str(executor.get("function") or executor.get("code"))[:SHOWN_DIGEST]


def _loaded_modules(result: Mapping[str, Any], files: Mapping[str, Any]) -> dict[str, Any]:
    """The modules without the module file, which is among the files under a path of its own."""
    loaded = result.get("first_party_files", {})
    digests = set(files.values())
    return {path: digest for path, digest in loaded.items() if digest not in digests}


def _made_data(node: NodeHistory) -> dict[str, Any]:
    return {key: [_describe_artifact(one) for one in made] for key, made in node.outputs.items()}


def _describe_artifact(artifact: ArtifactRecord) -> dict[str, Any]:
    return {
        "id": artifact.id,
        "type": artifact.type.name,
        **artifact.properties,
        **artifact.custom_properties,
    }


def compare_runs(
    first: Mapping[str, NodeFacts], second: Mapping[str, NodeFacts]
) -> list[NodeComparison]:
    """The nodes of both runs, also those that only one of them has."""
    absent = NodeFacts(state="not in it", seconds=None)
    return [
        _compare_node(node_id, first.get(node_id, absent), second.get(node_id, absent))
        for node_id in dict.fromkeys([*first, *second])
    ]


def _compare_node(node_id: str, first: NodeFacts, second: NodeFacts) -> NodeComparison:
    return NodeComparison(
        node_id=node_id,
        state=(first.state, second.state),
        seconds=(first.seconds, second.seconds),
        properties=differences(first.properties, second.properties),
        code=(first.code, second.code),
        files=_differing_files(first, second),
        environment={
            name: (_is_set(name, first), _is_set(name, second))
            for name in differences(first.environment, second.environment)
        },
        data=differences(first.data, second.data),
        measured=differences(first.measured, second.measured),
    )


def differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Pair]:
    """The values that differ, by name."""
    # By their JSON: NaN is equal to itself there.
    return {
        name: (first.get(name), second.get(name))
        for name in dict.fromkeys([*first, *second])
        if json.dumps(first.get(name)) != json.dumps(second.get(name))
    }


def _differing_files(first: NodeFacts, second: NodeFacts) -> dict[str, Pair]:
    """Only of nodes that ran in both; else each of their files would seem new or gone."""
    if first.code is None or second.code is None:
        return {}
    differing = differences(first.files, second.files)
    if first.modules is not None and second.modules is not None:
        differing |= differences(first.modules, second.modules)
    return differing


def _is_set(name: str, facts: NodeFacts) -> str | None:
    return "set" if name in facts.environment else None


def _as_made(state: str) -> str:
    return "complete" if state == "cached" else state
