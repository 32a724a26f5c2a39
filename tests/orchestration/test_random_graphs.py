"""Random pipelines: whatever the graph, it runs, is reused, and goes on after a failure."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_audit import audit

from trainwright import (
    InputArtifact,
    LocalDagRunner,
    OutputDict,
    Parameter,
    Pipeline,
    PipelineRunError,
    component,
)
from trainwright.types import standard_artifacts
from trainwright.types.channel import union


@component
def start(salt: Parameter[int], broken: Parameter[str]) -> OutputDict(out=str):
    if Path(broken).exists():
        raise ValueError("broken")
    return {"out": f"({salt})"}


@component
def join(
    parts: InputArtifact[list[standard_artifacts.String]],
    salt: Parameter[int],
    broken: Parameter[str],
) -> OutputDict(out=str):
    if Path(broken).exists():
        raise ValueError("broken")
    return {"out": f"({salt}{''.join(part.read() for part in parts)})"}


@st.composite
def graphs(draw) -> list[list[int]]:
    """For each node the nodes that it reads, all of them earlier ones."""
    size = draw(st.integers(1, 7))
    return [
        sorted(draw(st.sets(st.integers(0, node - 1), max_size=3))) if node else []
        for node in range(size)
    ]


class Graph:
    """A random pipeline and what must come out of it."""

    def __init__(self, directory: Path, reads: list[list[int]]) -> None:
        self.root = directory / "root"
        self._directory = directory
        self._reads = reads
        self.salts = dict.fromkeys(range(len(reads)), 0)

    def pipeline(self) -> Pipeline:
        nodes = []
        for number, reads in enumerate(self._reads):
            common = {"salt": self.salts[number], "broken": str(self.broken_mark(number))}
            if reads:
                channel = union([nodes[other].outputs["out"] for other in reads])
                node = join(parts=channel, **common)
            else:
                node = start(**common)
            nodes.append(node.with_id(f"n{number}"))
        return Pipeline("random", str(self.root), components=nodes[::-1], enable_cache=True)

    def broken_mark(self, number: int) -> Path:
        return self._directory / f"broken{number}"

    def expected(self, number: int) -> str:
        parts = "".join(self.expected(other) for other in self._reads[number])
        return f"({self.salts[number]}{parts})"

    def descendants(self, number: int) -> set[int]:
        found = {number}
        for other in range(number + 1, len(self._reads)):
            if found & set(self._reads[other]):
                found.add(other)
        return found

    def run(self) -> set[int]:
        """Runs it, checks all results and returns the nodes that were not reused."""
        forecasts = LocalDagRunner().explain(self.pipeline())
        result = LocalDagRunner(observer=lambda event: None).run(self.pipeline())
        for number in range(len(self._reads)):
            (made,) = result.outputs[f"n{number}"]["out"]
            assert Path(made.uri).read_text() == self.expected(number)
        ran = {node for node, state in result.states.items() if state.value == "complete"}
        assert ran == {forecast.node_id for forecast in forecasts if forecast.will_run}
        return {int(node[1:]) for node in ran}


def check_graph(reads: list[list[int]], data) -> None:
    everything = set(range(len(reads)))
    chosen = st.integers(0, len(reads) - 1)
    with tempfile.TemporaryDirectory() as directory:
        graph = Graph(Path(directory), reads)
        assert graph.run() == everything
        assert graph.run() == set()

        changed = data.draw(chosen, label="changed")
        graph.salts[changed] = 1
        assert graph.run() == graph.descendants(changed)

        broken = data.draw(chosen, label="broken")
        graph.salts[broken] = 2
        graph.broken_mark(broken).touch()
        with pytest.raises(PipelineRunError) as caught:
            LocalDagRunner(observer=lambda event: None).run(graph.pipeline())
        lost = {node for node, state in caught.value.result.states.items() if not state.is_success}
        assert lost == {f"n{number}" for number in graph.descendants(broken)}
        graph.broken_mark(broken).unlink()
        assert graph.run() == graph.descendants(broken)
        assert audit(graph.root) == []


SLOW = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@settings(max_examples=4, **SLOW)
@given(reads=graphs(), data=st.data())
def test_any_graph_runs_is_reused_and_goes_on(reads, data):
    check_graph(reads, data)


@pytest.mark.soak
@settings(max_examples=60, **SLOW)
@given(reads=graphs(), data=st.data())
def test_many_graphs_run_are_reused_and_go_on(reads, data):
    check_graph(reads, data)
