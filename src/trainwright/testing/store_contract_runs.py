"""Contract of a metadata store on runs; part of the store's contract."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any

import pytest

from trainwright.metadata.connection import open_store
from trainwright.metadata.contexts import PIPELINE_RUN, run_context
from trainwright.metadata.records import RunNode, RunRecord, RunState
from trainwright.metadata.store import MetadataStore
from trainwright.testing.store_samples import LEASE, RUN, content, register

NODES = (
    RunNode(node_id="Gen", upstream=()),
    RunNode(node_id="Größe \U0001f427", upstream=("Gen",)),
    RunNode(node_id="Imported"),
)


def register_run(store: MetadataStore, run_id: str, **facts: Any) -> RunRecord:
    given = {"pipeline": "penguin", "root": "/root", "nodes": NODES, "lease": LEASE, **facts}
    return store.register_run(run_id, **given)


def run_ids(store: MetadataStore, **conditions: Any) -> list[str]:
    return [run.run_id for run in store.get_runs(**conditions)]


class StoreRunsContract:
    """Inherited by `MetadataStoreContract`, which brings the fixtures."""

    def test_register_run_writes_a_running_run(self, store: MetadataStore) -> None:
        before = store.now()
        run = register_run(store, "run-1")
        assert before <= run.started_at <= store.now()
        context = store.get_context(run_context("run-1"))
        assert context is not None
        assert run == RunRecord(
            id=context.id,
            run_id="run-1",
            pipeline="penguin",
            state=RunState.RUNNING,
            root="/root",
            nodes=NODES,
            lease=dataclasses.replace(LEASE, heartbeat_at=run.started_at),
            started_at=run.started_at,
            updated_at=run.started_at,
        )
        assert store.get_run("run-1") == run
        assert store.get_runs() == [run]
        assert store.get_run("run-2") is None

    def test_update_run_changes_what_is_given(self, store: MetadataStore) -> None:
        run = register_run(store, "run-1")
        other = register_run(store, "run-2")
        beaten = store.update_run("run-1", is_alive=True)
        assert beaten.lease is not None
        assert beaten.lease.heartbeat_at == beaten.updated_at >= run.updated_at
        assert beaten.started_at == run.started_at
        skipping = store.update_run("run-1", skipped={"Gen": "no data", "Imported": "nor that"})
        assert [node.skip_reason for node in skipping.nodes] == ["no data", None, "nor that"]
        assert skipping.nodes[1] == NODES[1]
        asked = store.update_run("run-1", cancel=True)
        assert asked.cancel_requested_at == asked.updated_at
        assert store.update_run("run-1", cancel=True).cancel_requested_at == asked.updated_at
        ended = store.update_run("run-1", state=RunState.CANCELED)
        assert ended.state is RunState.CANCELED
        assert ended.ended_at == ended.updated_at
        assert ended.nodes == skipping.nodes
        assert ended.lease == beaten.lease
        deleted = store.update_run("run-1", delete=True)
        assert deleted.deleted_at is not None
        assert deleted == dataclasses.replace(
            ended, deleted_at=deleted.deleted_at, updated_at=deleted.updated_at
        )
        assert store.get_run("run-1") == deleted
        assert store.get_run("run-2") == other

    def test_the_context_of_a_run_repeats_it(self, store: MetadataStore) -> None:
        """For readers of ML Metadata, who know contexts only."""
        run = register_run(store, "run-1")
        store.put_context(run_context("run-1"), {"note": "mine"})
        names = [node.node_id for node in NODES]
        expected = {
            "pipeline": "penguin",
            "root": "/root",
            "state": "running",
            "nodes": names,
            "upstream": {names[0]: [], names[1]: ["Gen"]},
            "host": LEASE.host,
            "pid": LEASE.pid,
            "process_started_at": LEASE.process_started_at,
            "heartbeat_at": run.started_at,
            "note": "mine",
        }
        context = store.get_context(run_context("run-1"))
        assert context is not None
        assert context.custom_properties == expected
        store.update_run("run-1", state=RunState.FAILED, skipped={"Gen": "no data"})
        run = store.update_run("run-1", cancel=True, delete=True, is_alive=True)
        context = store.get_context(run_context("run-1"))
        assert context is not None
        assert context.custom_properties == {
            **expected,
            "state": "failed",
            "skipped": {"Gen": "no data"},
            "heartbeat_at": run.updated_at,
            "cancel_requested_at": run.updated_at,
            "deleted_at": run.updated_at,
        }

    def test_unknown_runs_and_nodes_are_refused(self, store: MetadataStore) -> None:
        register_run(store, "run-1")
        before = content(store)
        with pytest.raises(KeyError) as raised:
            store.update_run("run-2", state=RunState.COMPLETE)
        assert raised.value.args == ("run-2",)
        with pytest.raises(KeyError) as raised:
            store.update_run("run-1", state=RunState.COMPLETE, skipped={"Gen": "x", "Pusher": "x"})
        assert raised.value.args == ("Pusher",)
        with pytest.raises(ValueError, match="'run-1' was registered before"):
            register_run(store, "run-1", pipeline="other")
        with pytest.raises(ValueError, match="a node twice"):
            register_run(store, "run-3", nodes=[NODES[0], NODES[0]])
        assert content(store) == before

    def test_get_runs_newest_first(self, store: MetadataStore) -> None:
        names = ["2024-01-01T10", "2024-01-01T11", "2024-01-02T10", "2024-%", "a_b", "A_B"]
        for number, name in enumerate(names):
            register_run(store, name, pipeline="seal" if number % 2 else "penguin")
        assert run_ids(store) == names[::-1]
        assert run_ids(store, limit=2) == names[:3:-1]
        assert run_ids(store, limit=0) == []
        assert run_ids(store, pipeline="seal") == names[5::-2]
        assert run_ids(store, pipeline="seal", limit=1) == [names[5]]
        assert run_ids(store, pipeline="SEAL") == []
        assert run_ids(store, id_prefix="2024-01-01") == names[1::-1]
        assert run_ids(store, id_prefix="2024-01", limit=1) == [names[2]]
        assert run_ids(store, id_prefix="2024", pipeline="seal") == [names[3], names[1]]
        assert run_ids(store, id_prefix="2024-%") == [names[3]]
        assert run_ids(store, id_prefix="a_b") == ["a_b"]
        assert run_ids(store, id_prefix="") == names[::-1]

    def test_get_runs_leaves_out_what_was_deleted(self, store: MetadataStore) -> None:
        for number in range(4):
            register_run(store, f"run-{number}")
        for number in (1, 3):
            store.update_run(f"run-{number}", delete=True)
        assert run_ids(store, limit=2) == ["run-2", "run-0"]
        assert run_ids(store, with_deleted=True, limit=2) == ["run-3", "run-2"]

    def test_a_context_of_a_run_is_a_run(self, store: MetadataStore) -> None:
        """As other programs write them: of these only the name is known."""
        register(store, contexts=[RUN])
        store.put_context(run_context("by-hand"), {"pipeline": "not for runs"})
        by_hand, mentioned = store.get_runs()
        assert (by_hand.run_id, mentioned.run_id) == ("by-hand", RUN.name)
        assert (mentioned.state, mentioned.pipeline) == (RunState.UNKNOWN, "")
        assert (mentioned.nodes, mentioned.lease) == ((), None)
        registered = register_run(store, "by-hand")
        assert registered.id == by_hand.id
        assert store.get_run("by-hand") == registered
        assert len(store.get_contexts(type_name=PIPELINE_RUN)) == 2

    def test_a_run_is_registered_once(self, store: MetadataStore, store_url: str) -> None:
        """Of several that register at once, one wins."""
        outcomes = []

        def attempt(number: int) -> None:
            with open_store(store_url) as own:
                try:
                    register_run(own, "run-1", pipeline=f"pipeline-{number}")
                except ValueError:
                    return
                outcomes.append(f"pipeline-{number}")

        threads = [threading.Thread(target=attempt, args=[number]) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (run,) = store.get_runs()
        assert [run.pipeline] == outcomes
