"""Cost of `trainwright gc --dry-run` on a large store: 200 000 executions, 5 runs kept.

The store is filled as for `store_queries`. The root is not there, so that no disk is timed.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from measuring import Figure, describe, median, run_process, trainwright_command
from store_queries import NODES, fill


def run(quick: bool) -> list[Figure]:
    runs = 2_500 if quick else 50_000
    with tempfile.TemporaryDirectory() as directory:
        store = str(Path(directory) / "metadata.db")
        fill(f"sqlite:///{store}", runs)
        command = trainwright_command("gc", "--dry-run", "--store", store)
        costs = [run_process(command) for _ in range(2 if quick else 3)]
    dropped = (runs - 1 - 5) * len(NODES)  # one run is another pipeline's
    assert f"{dropped} artifacts of 0 B" in costs[0].output, costs[0].output[-500:]
    cpu = [cost.cpu for cost in costs]
    return [
        Figure(
            what=f"store of {runs * len(NODES):,} executions: `trainwright gc --dry-run`, CPU",
            value=median(cpu),
            unit="s",
            remark=f"{describe(cpu)}; wall {median(cost.wall for cost in costs):.1f} s",
        )
    ]
