"""Cost of a node on a Ray cluster: a chain of components that do nothing, on three nodes of Ray.

The same chain as `node_overhead.py` has, with RayDagRunner and, beside it, LocalDagRunner. The
cluster is that of the tests, in a network namespace with loopback alone. What comes before the
first node is done is given apart: the connection, an actor, and the process that nodes are forked
from.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from measuring import Figure, describe, median
from node_overhead import NODES, make_chain

from trainwright import LocalDagRunner, RayDagRunner
from trainwright.orchestration.events import RunEvent, RunEventKind

HERE = Path(__file__).resolve().parent


def run(quick: bool) -> list[Figure]:
    sys.path.insert(0, str(HERE.parent / "tests"))
    import ray_cluster

    reason = ray_cluster.reason_to_skip()
    if reason:
        print(f"ray_node is left out: {reason}", file=sys.stderr)
        return []
    times = "2" if quick else "7"
    with (
        tempfile.TemporaryDirectory() as directory,
        ray_cluster.started(Path(directory)) as cluster,
    ):
        finished = cluster.run([__file__, cluster.address, times], timeout=900)
    measured: dict[str, Any] = json.loads(finished.stdout.splitlines()[-1])
    on_ray, here = measured["ray"], measured["local"]
    return [
        Figure(
            what=f"node that does nothing on RayDagRunner, in a chain of {NODES}",
            value=median(on_ray["node"]),
            unit="ms",
            aim=100.0,
            remark=f"{describe(on_ray['node'])}; "
            f"LocalDagRunner beside it {median(here['node']):.1f} ms",
        ),
        Figure(
            what="start of a run on Ray until its first node is done",
            value=median(on_ray["start"]),
            unit="s",
            remark=f"{describe(on_ray['start'])}; LocalDagRunner {median(here['start']):.2f} s; "
            f"before the first, connecting {measured['connect']:.2f} s",
        ),
    ]


def _measure(address: str, times: int) -> dict[str, Any]:
    """Runs the chain on both, in turn; inside of the cluster's namespaces."""
    from trainwright.ray_cluster.connection import connect

    began = time.monotonic()
    connect(address, asks_nodes=False)
    measured: dict[str, Any] = {
        "connect": time.monotonic() - began,
        "ray": {"node": [], "start": []},
        "local": {"node": [], "start": []},
    }
    for _ in range(times):
        for name in ("ray", "local"):
            events: list[RunEvent] = []
            if name == "ray":
                runner: LocalDagRunner = RayDagRunner(address, observer=events.append)
            else:
                runner = LocalDagRunner(observer=events.append)
            with tempfile.TemporaryDirectory() as root:
                runner.run(make_chain(root))
            ended = [event.at for event in events if event.kind is RunEventKind.NODE_COMPLETED]
            assert len(ended) == NODES, [event.kind for event in events]
            measured[name]["node"].append((ended[-1] - ended[0]) / (NODES - 1) * 1e3)
            measured[name]["start"].append(ended[0] - events[0].at)
    return measured


if __name__ == "__main__":
    result = _measure(sys.argv[1], int(sys.argv[2]))
    print(json.dumps(result), flush=True)
    os._exit(0)  # the connection's own end is not measured
