"""Cost of the metadata store in SQLite: one process alone, then eight that write at once.

A step is what a run does for a node: register an execution with one input, one pending output and
four contexts, then publish it. Each is a transaction that is on disk when the call returns. TFX's
store takes 12 ms for a step. A fsync of one page is timed beside it, because that is the disk's
share. The eight writers wait for each other; none may wait long or see a lock error.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from measuring import Figure, median

from trainwright.metadata import contexts
from trainwright.metadata.connection import open_store
from trainwright.metadata.leases import current_lease
from trainwright.metadata.records import (
    ArtifactRecord,
    ContextKey,
    ExecutionState,
    RunNode,
    RunState,
    TypeRecord,
)
from trainwright.metadata.store import MetadataStore

TRAINER = TypeRecord(name="tfx.components.trainer.component.Trainer", base_type="Train")
EXAMPLES = TypeRecord(
    name="Examples", base_type="Dataset", properties={"span": "INT", "split_names": "STRING"}
)
PROPERTIES = {f"exec_property_{number}": "x" * 40 for number in range(6)}
WRITERS = 8
AIM_MILLISECONDS = 2.0
_ADDRESS = "BENCHMARK_STORE"


def run(quick: bool) -> list[Figure]:
    with tempfile.TemporaryDirectory() as directory:
        path = str(Path(directory) / "metadata.db")
        syncs = milliseconds_of(100, lambda number: _sync_page(f"{path}.sync"))
        return [
            *time_alone(
                path,
                200 if quick else 1500,
                aim=AIM_MILLISECONDS,
                remark=f"fsync of a page {median(syncs):.2f} ms; TFX's store takes 12 ms",
            ),
            *time_together(path, WRITERS, 2 if quick else 8),
        ]


def time_alone(
    address: str, times: int, *, aim: float | None, remark: str, name: str = "store"
) -> list[Figure]:
    """What one process pays that has the store for itself."""
    with open_store(address) as store:
        artifact = write_step(store, 0, None)
        steps = milliseconds_of(times, lambda number: write_step(store, number, artifact))
        cached = milliseconds_of(times, lambda number: _write_cached(store, number, artifact))
        reads = milliseconds_of(times, lambda number: _find_cached(store, number))
    return [
        Figure(
            what=f"{name}: register and publish an execution",
            value=median(steps),
            unit="ms",
            aim=aim,
            remark=f"{spread(steps)}; {remark}",
        ),
        Figure(
            what=f"{name}: record a cached execution",
            value=median(cached),
            unit="ms",
            remark=spread(cached),
        ),
        Figure(
            what=f"{name}: look up a cache key",
            value=median(reads),
            unit="ms",
            remark=spread(reads),
        ),
    ]


def time_together(address: str, count: int, seconds: float, *, name: str = "store") -> list[Figure]:
    """What this many processes get done that write at once, and how long one has to wait."""
    writers = [
        subprocess.Popen(
            [sys.executable, __file__, str(number), str(seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            # Not an argument, which everybody on the machine can read: it may hold a password.
            env={**os.environ, _ADDRESS: address},
        )
        for number in range(1, count + 1)
    ]
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.readline()  # it has imported what it needs
    results = [json.loads(output) for output in _start_and_wait(writers)]
    writes = [result["writes"] for result in results]
    return [
        Figure(
            what=f"{name}: {count} processes writing at once",
            value=sum(writes) / seconds,
            unit="transactions/s",
            remark=f"{min(writes)} to {max(writes)} by each in {seconds} s",
        ),
        Figure(
            what=f"{name}: the longest of their waits for a step",
            value=max(result["longest"] for result in results) * 1e3,
            unit="ms",
        ),
        Figure(
            what=f"{name}: their lock errors",
            value=sum(result["errors"] for result in results),
            unit="",
        ),
    ]


def _start_and_wait(writers: list[subprocess.Popen[str]]) -> list[str]:
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    return [writer.communicate()[0] for writer in writers]


def _be_writer(address: str, writer: int, seconds: float) -> None:
    writes, longest, errors = 0, 0.0, 0
    with open_store(address) as store:
        artifact = write_step(store, writer * 1_000_000, None)
        print("ready", flush=True)
        sys.stdin.readline()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            began = time.monotonic()
            try:
                write_step(store, writer * 1_000_000 + writes, artifact)
                writes += 2
            except Exception as error:
                errors += 1
                print(repr(error), file=sys.stderr)
            longest = max(longest, time.monotonic() - began)
    print(json.dumps({"writes": writes, "longest": longest, "errors": errors}))


def write_step(store: MetadataStore, number: int, given: int | None) -> int:
    """Registers and publishes one execution; returns the id of its output."""
    execution, pending = store.register_execution(
        TRAINER,
        contexts=_contexts(number),
        inputs={"examples": [given]} if given else {},
        pending_outputs=lambda execution_id: {
            "examples": [
                ArtifactRecord(
                    type=EXAMPLES,
                    uri=f"/root/CsvExampleGen/examples/{execution_id}",
                    properties={"split_names": '["train", "eval"]'},
                )
            ]
        },
        custom_properties={**PROPERTIES, "__node_id__": "Trainer"},
        lease=current_lease(),
    )
    published = store.publish_execution(execution.id, outputs=pending, custom_properties={})
    return published["examples"][0].id or 0


def fill_with_runs(path: str, runs: int) -> None:
    """Makes a store as it is after some runs of a pipeline of four nodes."""
    names = ["CsvExampleGen", "ImportSchemaGen", "Trainer", "Pusher"]
    nodes = [RunNode(node_id=name) for name in names]
    with open_store(path) as store:
        for run_number in range(runs):
            run_id = f"run{run_number}"
            store.register_run(
                run_id, pipeline="penguin", root="/root", nodes=nodes, lease=current_lease()
            )
            store.update_run(run_id, state=RunState.COMPLETE)
            artifact = None
            for number in range(4):
                artifact = write_step(store, run_number * 4 + number, artifact)


def _write_cached(store: MetadataStore, number: int, given: int) -> None:
    store.record_finished_execution(
        TRAINER,
        state=ExecutionState.CACHED,
        contexts=_contexts(number),
        inputs={"examples": [given]},
        outputs={"model": [given]},
        custom_properties=PROPERTIES,
    )


def _find_cached(store: MetadataStore, number: int) -> None:
    store.get_executions(
        context=contexts.cache_context(f"{number:064d}"), states=[ExecutionState.COMPLETE], limit=1
    )


def _contexts(number: int) -> list[ContextKey]:
    """Four contexts, of which a run of four nodes shares three."""
    return [
        contexts.pipeline_context("penguin"),
        contexts.run_context(f"run{number // 4}"),
        contexts.node_context("penguin", "Trainer"),
        contexts.cache_context(f"{number:064d}"),
    ]


def _sync_page(path: str) -> None:
    with open(path, "ab") as file:
        file.write(b"x" * 4096)
        file.flush()
        os.fsync(file.fileno())


def milliseconds_of(times: int, work: Callable[[int], object]) -> list[float]:
    measured = []
    for number in range(times):
        began = time.perf_counter()
        work(number)
        measured.append((time.perf_counter() - began) * 1e3)
    return measured


def spread(milliseconds: list[float]) -> str:
    """The slowest are waits for a processor on a busy machine, so a mean says little."""
    tenths = statistics.quantiles(milliseconds, n=10)
    return f"nine in ten under {tenths[-1]:.2f} ms, slowest {max(milliseconds):.0f} ms"


if __name__ == "__main__":
    _be_writer(os.environ[_ADDRESS], int(sys.argv[1]), float(sys.argv[2]))
