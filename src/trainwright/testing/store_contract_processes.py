"""Contract of a metadata store: several threads and processes."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

from trainwright.metadata.connection import open_store
from trainwright.metadata.records import ArtifactState, EventType, ExecutionState
from trainwright.metadata.store import MetadataStore
from trainwright.testing.store_samples import PIPELINE, complete, content, register

Worker = subprocess.Popen[str]


class StoreProcessesContract:
    """Inherited by `MetadataStoreContract`, which brings the fixtures.

    Attributes:
        writers: How many processes must be able to write at once.
    """

    writers = 8

    def test_threads_share_one_store(self, store: MetadataStore) -> None:
        written: list[tuple[int, list[int]]] = []
        failures: list[BaseException] = []

        def write() -> None:
            try:
                written.extend(complete(store) for _ in range(10))
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=write) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        assert len({execution_id for execution_id, _ in written}) == 60
        check_whole(store, complete_executions=60)

    def test_processes_write_at_once(self, store_url: str) -> None:
        with workers("write", store_url, count=self.writers) as processes:
            start(*processes)
            written = [json.loads(finish(process)) for process in processes]
        executions = [execution_id for ids in written for execution_id, _ in ids]
        artifacts = [
            artifact_id for ids in written for _, outputs in ids for artifact_id in outputs
        ]
        assert len(set(executions)) == len(set(artifacts)) == 25 * self.writers
        for ids in written:
            assert ids == sorted(ids)
        with open_store(store_url) as store:
            check_whole(store, complete_executions=25 * self.writers)

    def test_processes_create_the_store_at_once(self, store_url: str) -> None:
        with workers("open_only", store_url, count=6) as processes:
            start(*processes)
            for process in processes:
                finish(process)

    def test_write_waits_for_its_turn(self, store_url: str) -> None:
        with open_store(store_url) as store, workers("dawdle_inside", store_url) as (process,):
            start(process)
            assert read_line(process) == "inside"
            register(store)
            finish(process)
            assert len(store.get_executions()) == 2

    def test_reader_never_sees_half(self, store_url: str) -> None:
        with open_store(store_url) as store, workers("write_forever", store_url) as (process,):
            start(process)
            deadline = time.monotonic() + 1.5
            while time.monotonic() < deadline:
                for execution in store.get_executions(context=PIPELINE, limit=3):
                    events = store.get_events(execution_ids=[execution.id])
                    assert len(events) == 1
                    artifact = store.get_artifacts(ids=[events[0].artifact_id])[0]
                    if execution.state is ExecutionState.COMPLETE:
                        assert events[0].type is EventType.OUTPUT
                    if events[0].type is EventType.OUTPUT:
                        assert artifact.state is ArtifactState.LIVE
            assert store.get_executions(states=[ExecutionState.COMPLETE])

    def test_processes_see_each_others_changes_at_once(self, store_url: str) -> None:
        with open_store(store_url) as one, open_store(store_url) as other:
            execution, pending = register(one)
            assert other.get_execution(execution.id) == execution
            other.publish_execution(execution.id, outputs=pending, custom_properties={})
            assert one.get_execution(execution.id).state is ExecutionState.COMPLETE

    def test_written_is_kept_without_closing(self, store_url: str) -> None:
        with workers("write", store_url) as (process,):
            start(process)
            written = json.loads(finish(process))
        with open_store(store_url) as store:
            found = [execution.id for execution in store.get_executions()]
            assert found == [execution_id for execution_id, _ in reversed(written)]
            check_whole(store, complete_executions=25)

    def test_kill_inside_a_transaction_leaves_nothing(self, store_url: str) -> None:
        with open_store(store_url) as store, workers("stop_inside", store_url) as (process,):
            complete(store)
            before = content(store)
            start(process)
            assert read_line(process) == "inside"
            process.kill()
            process.wait()
            assert content(store) == before
            # The lock went with the process.
            began = time.monotonic()
            complete(store)
            assert time.monotonic() - began < 10

    def test_kill_at_any_moment_leaves_no_half(self, store_url: str) -> None:
        for round_number in range(6):
            with workers("write_forever", store_url) as (process,):
                start(process)
                assert read_line(process) == "writing"
                time.sleep(0.037 * round_number)
                process.kill()
                process.wait()
            with open_store(store_url) as store:
                check_whole(store)
                assert store.get_executions()
                complete(store)


def check_whole(store: MetadataStore, complete_executions: int | None = None) -> None:
    """Every execution of the samples is as it was registered or as it was published."""
    executions = store.get_executions()
    artifacts = {artifact.id: artifact for artifact in store.get_artifacts()}
    events = {event.execution_id: event for event in store.get_events()}
    assert len(executions) == len(artifacts) == len(events)
    for execution in executions:
        event = events[execution.id]
        states = (execution.state, event.type, artifacts[event.artifact_id].state)
        assert states in (
            (ExecutionState.RUNNING, EventType.PENDING_OUTPUT, ArtifactState.PENDING),
            (ExecutionState.COMPLETE, EventType.OUTPUT, ArtifactState.LIVE),
        )
        assert artifacts[event.artifact_id].uri == f"/root/Trainer/model/{execution.id}"
    if executions:
        assert len(store.get_contexts()) == 3
    # Newest first, by id and by time.
    times = [execution.created_at for execution in executions]
    assert times == sorted(times, reverse=True)
    assert store.get_executions(context=PIPELINE) == executions
    assert [record.id for record in store.get_artifacts(context=PIPELINE)] == list(artifacts)
    if complete_executions is not None:
        finished = store.get_executions(states=[ExecutionState.COMPLETE])
        assert len(finished) == len(executions) == complete_executions


@contextlib.contextmanager
def workers(action: str, url: str, *, count: int = 1) -> Iterator[list[Worker]]:
    """Processes of `store_worker` that are ready to start; whatever still runs is killed."""
    command = [sys.executable, "-m", "trainwright.testing.store_worker", action, url]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    processes = [
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        for _ in range(count)
    ]
    try:
        for process in processes:
            assert read_line(process) == "ready"
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def start(*processes: Worker) -> None:
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("start\n")
        process.stdin.flush()


def read_line(process: Worker) -> str:
    assert process.stdout is not None
    return process.stdout.readline().rstrip("\n")


def finish(process: Worker) -> str:
    """Waits for the process to end well; returns what it printed."""
    printed, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    return printed
