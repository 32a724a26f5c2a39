"""Contract of a metadata store: attachments and its clock."""

from __future__ import annotations

import time
from typing import Any

import pytest

from trainwright.metadata.connection import open_store
from trainwright.metadata.records import ExecutionState
from trainwright.metadata.store import MetadataStore
from trainwright.testing.store_samples import (
    LEASE,
    RUN,
    TRAINER,
    complete,
    content,
    no_outputs,
    register,
)

FILES = {"files": {"/src/penguin.py": "0123"}, "text": "Größe \U0001f427 \0", "none": [None, 1.5]}


class StoreAttachmentsContract:
    """Inherited by `MetadataStoreContract`, which brings the fixtures."""

    def test_attachments_are_read_by_name(self, store: MetadataStore) -> None:
        first, _ = register(store, attachments={"files": FILES, "trace": "a"})
        second, _ = register(store, attachments={"files": []})
        third, _ = register(store)
        wanted = [third.id, first.id, second.id, first.id]
        assert store.get_attachments("files", iter(wanted)) == {first.id: FILES, second.id: []}
        assert store.get_attachments("trace", [first.id]) == {first.id: "a"}
        assert store.get_attachments("unknown", wanted) == {}
        assert store.get_attachments("files", []) == {}
        assert store.get_execution(first.id).custom_properties == {}

    def test_attachments_of_an_unknown_execution(self, store: MetadataStore) -> None:
        execution, _ = register(store, attachments={"files": FILES})
        for known in ([], [execution.id]):
            with pytest.raises(KeyError) as raised:
                store.get_attachments("files", [*known, 999, 1000])
            assert raised.value.args == (999,)

    def test_later_attachments_replace_those_of_the_same_name(self, store: MetadataStore) -> None:
        published, pending = register(store, attachments={"files": 1, "kept": 1})
        failed, _ = register(store, attachments={"files": 1, "kept": 1})
        store.publish_execution(
            published.id,
            outputs=pending,
            custom_properties={},
            attachments={"files": 2, "new": 2},
        )
        store.fail_execution(
            failed.id,
            state=ExecutionState.FAILED,
            custom_properties={},
            attachments={"files": 2, "new": 2},
        )
        for name, expected in (("files", 2), ("kept", 1), ("new", 2)):
            found = store.get_attachments(name, [published.id, failed.id])
            assert found == {published.id: expected, failed.id: expected}

    def test_finished_execution_has_attachments(self, store_url: str) -> None:
        with open_store(store_url) as store:
            execution = store.record_finished_execution(
                TRAINER,
                state=ExecutionState.CACHED,
                contexts=[RUN],
                inputs={},
                outputs={},
                custom_properties={},
                attachments={"files": FILES},
            )
        with open_store(store_url) as store:
            assert store.get_attachments("files", [execution.id]) == {execution.id: FILES}

    def test_attachment_that_json_cannot_hold(self, store: MetadataStore) -> None:
        running, pending = register(store, attachments={"files": 1})
        before = content(store)
        broken: dict[str, Any] = {"files": 2, "weights": b"\0"}
        with pytest.raises(TypeError, match=r"Attachment 'weights'.* bytes"):
            register(store, attachments=broken)
        with pytest.raises(TypeError, match="'weights'"):
            store.publish_execution(
                running.id, outputs=pending, custom_properties={}, attachments=broken
            )
        assert content(store) == before
        assert store.get_attachments("files", [running.id]) == {running.id: 1}

    def test_attachments_of_many_executions(self, store: MetadataStore) -> None:
        executions = [
            register(store, pending_outputs=no_outputs, attachments={"n": number})[0].id
            for number in range(20)
        ]
        found = store.get_attachments("n", executions)
        assert found == dict(zip(executions, range(20), strict=True))

    def test_all_times_are_by_one_clock(self, store: MetadataStore) -> None:
        before = store.now()
        execution, pending = register(store)
        between = store.now()
        outputs = store.publish_execution(execution.id, outputs=pending, custom_properties={})
        context = store.get_context(RUN)
        after = store.now()
        ended = store.get_execution(execution.id)
        artifact = outputs["model"][0]
        assert context is not None
        assert before <= execution.created_at == context.created_at == artifact.created_at
        assert artifact.created_at <= between <= ended.updated_at == artifact.updated_at <= after
        assert store.get_events(execution_ids=[execution.id])[0].at == ended.updated_at

    def test_clock_counts_seconds_since_the_epoch(self, store: MetadataStore) -> None:
        began, first = time.monotonic(), store.now()
        assert abs(first - time.time()) < 3600
        time.sleep(0.05)
        passed = store.now() - first
        assert 0.04 < passed < time.monotonic() - began + 0.05

    def test_lease_is_alive_from_the_first_moment(self, store: MetadataStore) -> None:
        execution, _ = register(store, lease=LEASE)
        assert execution.lease is not None
        assert execution.lease.heartbeat_at == execution.created_at
        assert (execution.lease.host, execution.lease.pid) == (LEASE.host, LEASE.pid)

    def test_heartbeat_of_running_executions(self, store: MetadataStore) -> None:
        running, _ = register(store)
        other, _ = register(store)
        ended, _ = complete(store)
        before = store.now()
        assert store.heartbeat(iter([running.id, ended, 999])) == {running.id}
        lease = store.get_execution(running.id).lease
        assert lease is not None
        assert before <= lease.heartbeat_at <= store.now()
        assert (lease.host, lease.pid) == (LEASE.host, LEASE.pid)
        assert lease.process_started_at == LEASE.process_started_at
        assert store.get_execution(other.id) == other
        assert store.get_execution(ended).lease is None
        assert store.heartbeat([]) == set()
