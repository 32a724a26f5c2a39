"""`trainwright compare`: what differs between two runs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from trainwright.cli.completions import complete_run
from trainwright.cli.measurements import read_measurements
from trainwright.cli.output import Bold, echo, json_option, print_json, print_table
from trainwright.cli.phrases import describe_duration, describe_number, describe_time
from trainwright.cli.run_view import RunView, find_run_view
from trainwright.cli.store_option import open_existing_store, store_option

if TYPE_CHECKING:
    from trainwright.metadata.records import ArtifactRecord
    from trainwright.metadata.run_history import NodeHistory
    from trainwright.metadata.store import MetadataStore

# The value in the first run and in the second; None where there is none.
Pair = tuple[Any, Any]
# What is worth a row of its own; the rest of a long value is in `trainwright show RUN NODE`.
_LONGEST_CELL = 48


@dataclass(frozen=True, kw_only=True)
class NodeFacts:
    """What is compared of a node in one run.

    Args:
        state: What became of it.
        seconds: How long it ran; None if it did not.
        properties: Its execution properties.
        data: What it made, by output: the artifacts with their ids, types and properties.
        measured: Rows, steps, loss, metrics.
    """

    state: str
    seconds: float | None
    properties: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)
    measured: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class NodeComparison:
    """What differs of a node between two runs; each value is a pair of the first and second."""

    node_id: str
    state: Pair
    seconds: Pair
    properties: dict[str, Pair]
    data: dict[str, Pair]
    measured: dict[str, Pair]

    @property
    def is_same(self) -> bool:
        """Whether all but the time is the same; a reused result is the same as a made one."""
        has_states_alike = len({_as_made(state) for state in self.state}) == 1
        return has_states_alike and not (self.properties or self.data or self.measured)


@click.command()
@click.argument("first", metavar="RUN", shell_complete=complete_run)
@click.argument("second", metavar="RUN", default="latest", shell_complete=complete_run)
@store_option
@json_option
def compare(first: str, second: str, store: str | None, as_json: bool) -> None:
    """Show what differs between two runs: properties, data, metrics and times of each node.

    A RUN is an id from `trainwright runs`, the beginning of it, or `latest`, which is also the
    second one if only one is given.

    \b
    trainwright compare 2026-11-16T00:11 latest
    """
    with open_existing_store(store) as opened:
        views = find_run_view(opened, first), find_run_view(opened, second)
        facts = [_read_facts(opened, view) for view in views]
    compared = _compare(*facts)
    if as_json:
        print_json({"runs": [view.to_json() for view in views], "nodes": compared})
    else:
        _print(views, compared)


def _read_facts(store: MetadataStore, view: RunView) -> dict[str, NodeFacts]:
    return {
        node.node_id: NodeFacts(
            state=view.node_state(node),
            seconds=view.node_seconds(node),
            properties=view.properties(node),
            data=_made_data(node),
            measured=read_measurements(store, view, node),
        )
        for node in view.run.nodes
    }


def _made_data(node: NodeHistory) -> dict[str, Any]:
    return {key: [_describe_artifact(one) for one in made] for key, made in node.outputs.items()}


def _describe_artifact(artifact: ArtifactRecord) -> dict[str, Any]:
    return {
        "id": artifact.id,
        "type": artifact.type.name,
        **artifact.properties,
        **artifact.custom_properties,
    }


def _compare(
    first: Mapping[str, NodeFacts], second: Mapping[str, NodeFacts]
) -> list[NodeComparison]:
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
        properties=_differences(first.properties, second.properties),
        data=_differences(first.data, second.data),
        measured=_differences(first.measured, second.measured),
    )


def _differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Pair]:
    # By their JSON: NaN is equal to itself there.
    return {
        name: (first.get(name), second.get(name))
        for name in dict.fromkeys([*first, *second])
        if json.dumps(first.get(name)) != json.dumps(second.get(name))
    }


def _print(views: tuple[RunView, RunView], compared: list[NodeComparison]) -> None:
    for letter, view in zip("AB", views, strict=True):
        run = view.run
        took = describe_duration(view.seconds)
        facts = (run.pipeline, run.state, took, f"started {describe_time(run.started_at)}")
        echo(Bold(letter), f"  {run.run_id}  {', '.join(fact for fact in facts if fact)}")
    rows = [row for node in compared for row in _rows(node)]
    echo()
    if rows:
        print_table(("NODE", "WHAT", "A", "B", "CHANGE"), rows)
    same = [node.node_id for node in compared if node.is_same]
    if same:
        separator = "\n" if rows else ""
        echo(f"{separator}The same in both: {', '.join(same)}.")


def _rows(node: NodeComparison) -> list[tuple[str, ...]]:
    pairs: list[tuple[str, Pair]] = []
    if len({_as_made(state) for state in node.state}) > 1:
        pairs.append(("state", node.state))
    pairs += [(f"property {name}", pair) for name, pair in node.properties.items()]
    for key, pair in node.data.items():
        pairs += _data_pairs(key, pair)
    pairs += list(node.measured.items())
    rows = [(node.node_id, what, *map(_cell, pair), _change(pair)) for what, pair in pairs]
    if not node.is_same and any(value is not None for value in node.seconds):
        times = (describe_duration(value) or "" for value in node.seconds)
        rows.append((node.node_id, "time", *times, _change(node.seconds)))
    return rows


def _data_pairs(key: str, pair: Pair) -> list[tuple[str, Pair]]:
    """An output in its artifacts, and the properties of these that differ; but for the paths, by
    which two artifacts always do."""
    names = tuple(
        ", ".join(f"{artifact['type']} {artifact['id']}" for artifact in made) if made else None
        for made in pair
    )
    pairs: list[tuple[str, Pair]] = [(f"data {key}", (names[0], names[1]))]
    if all(made is not None and len(made) == 1 for made in pair):
        (first,), (second,) = pair
        differing = _differences(first, second)
        pairs += [(f"data {key} {name}", differing[name]) for name in differing if name != "id"]
    return pairs


def _as_made(state: str) -> str:
    return "complete" if state == "cached" else state


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, (dict, list)):
        value = json.dumps(value)
    text = describe_number(value)
    return text if len(text) <= _LONGEST_CELL else f"{text[: _LONGEST_CELL - 3]}..."


def _change(pair: Pair) -> str:
    """By how much a number has changed, in percent of the first."""
    first, second = pair
    if not all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in pair):
        return ""
    if not first or not all(map(math.isfinite, pair)):
        return ""
    return f"{(second - first) / abs(first):+.1%}"
