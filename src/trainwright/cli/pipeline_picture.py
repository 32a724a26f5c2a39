"""A pipeline as boxes and arrows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainwright.cli.phrases import describe_duration
from trainwright.cli.state_looks import look_of
from trainwright.pictures.picture import Arrow, Box, Picture

if TYPE_CHECKING:
    from trainwright.dsl.base_node import BaseNode
    from trainwright.dsl.pipeline import Pipeline
    from trainwright.history.run_view import RunView
    from trainwright.types.placeholders.placeholder import Placeholder


_LONGEST_CONDITION = 44


@dataclass(frozen=True, kw_only=True)
class Flow:
    """Artifacts that go from an output of one node to an input of another."""

    source: str
    target: str
    output_key: str
    input_key: str
    type_name: str

    @property
    def label(self) -> str:
        """The output's key, and its type where the key does not say it (`examples`)."""
        as_type = "".join(word.capitalize() for word in re.split(r"[_\W]+", self.output_key))
        if as_type.lower() == self.type_name.lower():
            return self.output_key
        return f"{self.output_key}: {self.type_name}"

    @property
    def hint(self) -> str:
        return (
            f"{self.source}.outputs[{self.output_key!r}] ({self.type_name}) is input "
            f"{self.input_key!r} of {self.target}"
        )


def find_flows(pipeline: Pipeline) -> list[Flow]:
    """What flows between the nodes, in the order of the nodes that read it."""
    return [
        Flow(
            source=output.producer_id,
            target=node.id,
            output_key=output.output_key or "",
            input_key=key,
            type_name=output.type_name,
        )
        for node in pipeline.components
        for key, channel in node.inputs.items()
        for output in channel.producers()
    ]


def pipeline_picture(pipeline: Pipeline, view: RunView | None = None) -> Picture:
    """Draws the nodes and what flows between them; a run colours the nodes by their states."""
    subheading = ""
    if view is not None:
        subheading = f"run {view.run.run_id}, {view.run.state}"
    states = _node_states(view)
    reasons = _skip_reasons(view)
    return Picture(
        heading=pipeline.pipeline_name,
        subheading=subheading,
        boxes=[_box(node, states, reasons) for node in pipeline.components],
        arrows=_arrows(pipeline),
    )


def pipeline_document(pipeline: Pipeline, view: RunView | None = None) -> dict[str, Any]:
    """The same for programs."""
    states = _node_states(view)
    joined = {(flow.source, flow.target) for flow in find_flows(pipeline)}
    return {
        "pipeline": pipeline.pipeline_name,
        "run_id": view.run.run_id if view else None,
        "nodes": [
            {
                "id": node.id,
                "type": node.type_name,
                "state": None if states is None else states.get(node.id, ("not run", None))[0],
                "conditions": [str(condition) for condition in node.conditions],
            }
            for node in pipeline.components
        ],
        "flows": find_flows(pipeline),
        "waits": [
            {"source": upstream.id, "target": node.id}
            for node in pipeline.components
            for upstream in node.upstream_nodes
            if (upstream.id, node.id) not in joined
        ],
    }


def _node_states(view: RunView | None) -> dict[str, tuple[str, float | None]] | None:
    """The state and the seconds of each node; None if no run is looked at."""
    if view is None:
        return None
    return {node.node_id: (node.state, view.node_seconds(node)) for node in view.run.nodes}


def _skip_reasons(view: RunView | None) -> dict[str, str]:
    nodes = view.run.nodes if view is not None else ()
    return {node.node_id: node.skip_reason for node in nodes if node.skip_reason is not None}


def _box(
    node: BaseNode,
    states: dict[str, tuple[str, float | None]] | None,
    skip_reasons: dict[str, str],
) -> Box:
    component = node.type_name.rpartition(".")[2]
    lines = [component] if component != node.id else []
    lines += [f"if {_end_of(str(condition))}" for condition in node.conditions]
    look = "plain"
    if states is not None:
        state, seconds = states.get(node.id, ("not run", None))
        look = look_of(state)
        lines.append(f"{state}, {describe_duration(seconds)}" if seconds is not None else state)
    hints = [node.type_name, *(f"runs if {condition}" for condition in node.conditions)]
    if node.id in skip_reasons:
        hints.append(f"skipped: {skip_reasons[node.id]}")
    return Box(
        id=node.id,
        title=node.id,
        lines=tuple(lines),
        look=look,
        is_dashed=bool(node.conditions),
        hint="\n".join(hints),
    )


def _end_of(condition: str) -> str:
    """The end of a long condition: an arrow shows which node it asks about."""
    if len(condition) <= _LONGEST_CONDITION:
        return condition
    return f"…{condition[1 - _LONGEST_CONDITION :]}"


def _arrows(pipeline: Pipeline) -> list[Arrow]:
    """One arrow for each pair of nodes, however much flows between them."""
    arrows: dict[tuple[str, str], list[Flow]] = {}
    for flow in find_flows(pipeline):
        arrows.setdefault((flow.source, flow.target), []).append(flow)
    asked = _find_questions(pipeline)
    for node in pipeline.components:
        for upstream in node.upstream_nodes:
            arrows.setdefault((upstream.id, node.id), [])
    return [
        Arrow(
            source=source,
            target=target,
            labels=(*dict.fromkeys(flow.label for flow in flows), *asked.get((source, target), ())),
            is_dashed=not flows,
            hint="\n".join(flow.hint for flow in flows) or f"{target} waits for {source}",
        )
        for (source, target), flows in arrows.items()
    ]


def _find_questions(pipeline: Pipeline) -> dict[tuple[str, str], list[str]]:
    """What conditions and placeholders ask of other nodes, by those and by who asks."""
    asked: dict[tuple[str, str], dict[str, None]] = {}
    for node in pipeline.components:
        questions: list[tuple[str, Placeholder]] = [
            *(("condition", condition) for condition in node.conditions),
            *((f"property {name}", value) for name, value in node.placeholders.items()),
        ]
        for label, placeholder in questions:
            for channel in placeholder.channels():
                for output in channel.producers():
                    asked.setdefault((output.producer_id, node.id), {})[label] = None
    return {pair: list(labels) for pair, labels in asked.items()}
