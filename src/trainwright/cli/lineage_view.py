"""Lineage as a tree of text and as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from trainwright._printable import printable_line
from trainwright.cli.output import Bold
from trainwright.cli.phrases import describe_duration
from trainwright.cli.state_looks import look_of
from trainwright.cli.tree_text import TreeLine
from trainwright.history.execution_facts import ExecutionFacts
from trainwright.pictures.picture import Arrow, Box, Picture

if TYPE_CHECKING:
    from trainwright.metadata.lineage import Lineage, LineageEdge
    from trainwright.metadata.records import ArtifactRecord

Facts = Mapping[int, ExecutionFacts]
_SEEN = "(shown above)"


def lineage_tree(
    lineage: Lineage,
    facts: Facts,
    artifact_id: int | None,
    execution_id: int | None,
    *,
    down: bool,
) -> TreeLine:
    """The walk as a tree; what it meets again is named once more, but not followed again."""
    if artifact_id is not None:
        root = TreeLine(_describe_artifact(lineage.artifacts[artifact_id]))
        waiting = [(root, "artifact", artifact_id)]
    else:
        assert execution_id is not None
        root = TreeLine(_describe_execution(facts[execution_id]))
        waiting = [(root, "execution", execution_id)]
    seen = set()
    while waiting:
        # In the order in which the lines are printed, so that "above" is true.
        line, kind, number = waiting.pop()
        edges = _next_edges(lineage, kind, number, down=down)
        if (kind, number) in seen:
            line.parts += (f" {_SEEN}",) if edges else ()
            continue
        seen.add((kind, number))
        line.children = [_child(lineage, facts, kind, edge) for edge in edges]
        ends = [_other_end(kind, edge) for edge in edges]
        waiting += [
            (child, *end) for child, end in reversed(list(zip(line.children, ends, strict=True)))
        ]
    return root


def lineage_picture(
    lineage: Lineage,
    facts: Facts,
    artifact_id: int | None,
    execution_id: int | None,
    *,
    down: bool,
) -> Picture:
    """The walk as boxes and arrows, from what was there first to what was made of it."""
    if artifact_id is not None:
        start = f"{lineage.artifacts[artifact_id].type.name} {artifact_id}"
    else:
        assert execution_id is not None
        start = facts[execution_id].name
    boxes = [
        Box(
            id=f"artifact {number}",
            title=f"{artifact.type.name} {number}",
            lines=() if artifact.state.value == "LIVE" else (artifact.state.value.lower(),),
            look="artifact",
            hint=artifact.uri,
        )
        for number, artifact in lineage.artifacts.items()
    ]
    boxes += [
        Box(
            id=f"execution {number}",
            title=of_execution.node_id,
            lines=(f"execution {number}, {of_execution.state}",),
            look=look_of(of_execution.state),
            hint=f"{of_execution.pipeline}, run {of_execution.run_id}",
        )
        for number, of_execution in facts.items()
    ]
    return Picture(
        heading=f"What was made of {start}" if down else f"What {start} was made of",
        boxes=boxes,
        arrows=[_arrow(edge) for edge in _acyclic(lineage)],
    )


def _acyclic(lineage: Lineage) -> list[LineageEdge]:
    """The edges without those to outputs that were there before: an own input, or another's."""
    return [edge for edge in lineage.edges if not edge.is_output or _is_new(lineage, edge)]


def _is_new(lineage: Lineage, output: LineageEdge) -> bool:
    makers = [edge.execution_id for edge in lineage.makers(output.artifact_id)]
    readers = [edge.execution_id for edge in lineage.readers(output.artifact_id)]
    return output.execution_id == min(makers) and output.execution_id not in readers


def _arrow(edge: LineageEdge) -> Arrow:
    execution, artifact = f"execution {edge.execution_id}", f"artifact {edge.artifact_id}"
    source, target = (execution, artifact) if edge.is_output else (artifact, execution)
    return Arrow(source=source, target=target, labels=(edge.key,))


def _next_edges(lineage: Lineage, kind: str, number: int, *, down: bool) -> list[LineageEdge]:
    if kind == "artifact":
        return lineage.readers(number) if down else lineage.makers(number)
    return lineage.outputs(number) if down else lineage.inputs(number)


def _other_end(kind: str, edge: LineageEdge) -> tuple[str, int]:
    if kind == "artifact":
        return "execution", edge.execution_id
    return "artifact", edge.artifact_id


def _child(lineage: Lineage, facts: Facts, kind: str, edge: LineageEdge) -> TreeLine:
    if kind == "artifact":
        described = _describe_execution(facts[edge.execution_id])
        if edge.is_output:
            return TreeLine(("made by ", *described))
        return TreeLine(("read by ", *described, f" as {edge.key}"))
    return TreeLine((f"{edge.key}: ", *_describe_artifact(lineage.artifacts[edge.artifact_id])))


def _describe_artifact(artifact: ArtifactRecord) -> tuple[str, ...]:
    state = artifact.state.value.lower()
    name = Bold(printable_line(f"{artifact.type.name} {artifact.id}"))
    return name, printable_line(f"{'' if state == 'live' else f' ({state})'}  {artifact.uri}")


def _describe_execution(facts: ExecutionFacts) -> tuple[str, ...]:
    took = f" in {describe_duration(facts.seconds)}" if facts.state == "complete" else ""
    rest = f" (execution {facts.execution_id}, {facts.state}{took}, run {facts.run_id})"
    return Bold(printable_line(facts.node_id)), printable_line(rest)
