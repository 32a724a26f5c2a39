"""Partial runs: which nodes of a pipeline are run, and whose earlier outputs they start from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from trainwright._suggest import did_you_mean
from trainwright.dsl.pipeline import Pipeline


@dataclass(frozen=True)
class RunOptions:
    """A part of a pipeline: from these nodes, up to those.

    Nodes before the part are not run; what they made last, or in the run
    `base_pipeline_run_id`, is used.

    Args:
        from_nodes: Node ids to begin with; None begins with the first nodes.
        to_nodes: Node ids to end with; None goes on to the last nodes.
        base_pipeline_run_id: The run whose artifacts are used: its id, the beginning of it, or
            "latest"; None for the newest of each node.

    Example: `LocalDagRunner().run(pipeline, RunOptions(from_nodes=["Trainer"]))`
    """

    from_nodes: Collection[str] | None = None
    to_nodes: Collection[str] | None = None
    base_pipeline_run_id: str | None = None

    def __post_init__(self) -> None:
        if not self.from_nodes and not self.to_nodes:
            raise ValueError("from_nodes or to_nodes cannot both be empty.")
        for name in ("from_nodes", "to_nodes"):
            if isinstance(getattr(self, name), str):
                raise TypeError(
                    f"{name} is a list of node ids, got the string {getattr(self, name)!r}."
                )


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The nodes of a run: which are run, and whose earlier outputs are reused."""

    run: frozenset[str]
    reuse: frozenset[str]


def select_nodes(pipeline: Pipeline, options: RunOptions | None) -> Selection:
    """What lies between the chosen nodes; raises ValueError if that is nothing."""
    ids = [node.id for node in pipeline.components]
    if options is None:
        return Selection(run=frozenset(ids), reuse=frozenset())
    upstream = {node.id: [o.id for o in node.upstream_nodes] for node in pipeline.components}
    downstream: dict[str, list[str]] = {node_id: [] for node_id in ids}
    for node_id, producers in upstream.items():
        for producer in producers:
            downstream[producer].append(node_id)
    after = _reach(_known(options.from_nodes, ids), downstream.__getitem__, ids)
    before = _reach(_known(options.to_nodes, ids), upstream.__getitem__, ids)
    selected = after & before
    if not selected:
        raise ValueError(
            f"There is no way from {_named(options.from_nodes)} to {_named(options.to_nodes)} in "
            f"the pipeline, whose nodes run in the order {', '.join(ids)}. Are they swapped?"
        )
    inputs = {
        output.producer_id
        for node in pipeline.components
        if node.id in selected
        for channel in (*node.inputs.values(), *node.hidden_inputs.values())
        for output in channel.producers()
    }
    return Selection(run=frozenset(selected), reuse=frozenset(inputs - selected))


def _known(chosen: Collection[str] | None, ids: Collection[str]) -> Collection[str] | None:
    for node_id in chosen or ():
        if node_id not in ids:
            raise ValueError(
                f"The pipeline has no node {node_id!r}{did_you_mean(str(node_id), ids)}"
            )
    return chosen


def _reach(
    start: Collection[str] | None, neighbours: Callable[[str], Iterable[str]], ids: Iterable[str]
) -> set[str]:
    """The nodes that can be reached from `start`, itself included; all if there is no start."""
    if not start:
        return set(ids)
    reached: set[str] = set()
    to_visit = list(start)
    while to_visit:
        node_id = to_visit.pop()
        if node_id not in reached:
            reached.add(node_id)
            to_visit.extend(neighbours(node_id))
    return reached


def _named(nodes: Collection[str] | None) -> str:
    return ", ".join(nodes) if nodes else "anywhere"
