"""Cost of a node beside its own work: a chain of 50 components that do nothing.

Every node gets the artifact of the one before and makes one. The time from the end of the first
node to the end of the last, divided by 49, is what a node costs; what happens before, which is
mostly the start of the process that nodes are forked from, is given apart.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass

from measuring import Figure, describe, median
from no_op_components import Begin, Continue

from trainwright import LocalDagRunner, Pipeline
from trainwright.orchestration.events import RunEvent, RunEventKind
from trainwright.storage import objects

NODES = 50


@dataclass(frozen=True)
class _Times:
    start: float
    per_node: float
    total: float
    cpu: float


def run(quick: bool) -> list[Figure]:
    executed, cached, in_objects = [], [], []
    bucket = f"memory://benchmark-{os.getpid()}"
    for number in range(2 if quick else 7):
        with tempfile.TemporaryDirectory() as root:
            executed.append(_run_chain(root, RunEventKind.NODE_COMPLETED))
            cached.append(_run_chain(root, RunEventKind.NODE_CACHED))
        in_objects.append(_run_chain(f"{bucket}/{number}", RunEventKind.NODE_COMPLETED))
    objects.remove_tree(bucket)
    return [
        _per_node("node that does nothing", executed, 20.0),
        _per_node("the same node, cached", cached, 10.0),
        _per_node("the same node, the root in memory://", in_objects, None),
        Figure(
            what="start of the run until its first node is done",
            value=median(times.start for times in executed),
            unit="s",
            remark=f"{describe([times.start for times in executed])}; "
            f"cached {median(times.start for times in cached):.3f} s",
        ),
    ]


def _per_node(what: str, runs: list[_Times], aim: float | None) -> Figure:
    milliseconds = [times.per_node * 1e3 for times in runs]
    total = median(times.total for times in runs) / NODES * 1e3
    cpu = median(times.cpu for times in runs) / NODES * 1e3
    return Figure(
        what=f"{what}, in a chain of {NODES}",
        value=median(milliseconds),
        unit="ms",
        aim=aim,
        remark=f"{describe(milliseconds)}; whole run / {NODES}: {total:.1f} ms, CPU {cpu:.1f} ms",
    )


def _run_chain(root: str, expected: RunEventKind) -> _Times:
    events: list[RunEvent] = []
    cpu_before = _cpu_seconds()
    LocalDagRunner(observer=events.append).run(make_chain(root))
    ended = [event.at for event in events if event.kind is expected]
    assert len(ended) == NODES, [event.kind for event in events]
    began, finished = events[0].at, events[-1].at
    return _Times(
        start=ended[0] - began,
        per_node=(ended[-1] - ended[0]) / (NODES - 1),
        total=finished - began,
        cpu=_cpu_seconds() - cpu_before,
    )


def _cpu_seconds() -> float:
    """What this process and the children that it waited for have used so far."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def make_chain(root: str) -> Pipeline:
    nodes = [Begin()]
    for number in range(1, NODES):
        node = Continue(given=nodes[-1].outputs["made"]).with_id(f"Continue{number}")
        nodes.append(node)
    return Pipeline(
        pipeline_name="chain",
        pipeline_root=os.path.join(root, "artifacts"),
        components=nodes,
        enable_cache=True,
    )
