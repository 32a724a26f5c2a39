"""Contract of a metadata store: refusals that keep processes out of each other's way.

The same work is not begun twice, and what is being deleted is not used.
"""

from __future__ import annotations

import pytest

from trainwright.metadata.connection import open_store
from trainwright.metadata.records import ArtifactState, ContextKey, ExecutionState
from trainwright.metadata.store import ArtifactDeletedError, MetadataStore, OvertakenError
from trainwright.testing.store_contract_processes import finish, start, workers
from trainwright.testing.store_samples import (
    NODE,
    PIPELINE,
    TRAINER,
    complete,
    content,
    ids,
    no_outputs,
    register,
)

CACHE = ContextKey("execution_cache", "0123")
GONE_STATES = [ArtifactState.MARKED_FOR_DELETION, ArtifactState.DELETED]


class StoreRacesContract:
    """Inherited by `MetadataStoreContract`, which brings the fixtures."""

    # last_seen

    def test_register_after_what_was_seen(self, store: MetadataStore) -> None:
        first, _ = register(store, contexts=[CACHE], last_seen=(CACHE, 0))
        register(store, contexts=[NODE])
        second, _ = register(store, contexts=[CACHE], last_seen=(CACHE, first.id))
        assert ids(store.get_executions(context=CACHE)) == [second.id, first.id]

    def test_register_is_overtaken(self, store: MetadataStore) -> None:
        first, _ = register(store, contexts=[CACHE])
        second, _ = register(store, contexts=[CACHE])
        before = content(store)
        for seen in (0, first.id):
            with pytest.raises(OvertakenError, match=f"Execution {second.id} .*'0123'.* {seen},"):
                register(
                    store, contexts=[CACHE, ContextKey("node", "new")], last_seen=(CACHE, seen)
                )
            assert content(store) == before

    def test_work_that_failed_or_was_reused_does_not_overtake(self, store: MetadataStore) -> None:
        first, _ = register(store, contexts=[CACHE])
        store.fail_execution(first.id, state=ExecutionState.FAILED, custom_properties={})
        store.record_finished_execution(
            TRAINER,
            state=ExecutionState.CACHED,
            contexts=[CACHE],
            inputs={},
            outputs={},
            custom_properties={},
        )
        register(store, contexts=[CACHE], last_seen=(CACHE, 0))

    def test_work_that_was_completed_overtakes(self, store: MetadataStore) -> None:
        first, _ = register(store, contexts=[CACHE])
        store.publish_execution(first.id, outputs={}, custom_properties={})
        with pytest.raises(OvertakenError):
            register(store, contexts=[CACHE], last_seen=(CACHE, 0))

    def test_other_contexts_do_not_overtake(self, store: MetadataStore) -> None:
        register(store, contexts=[PIPELINE])
        register(store, contexts=[PIPELINE, CACHE], last_seen=(CACHE, 0))

    def test_one_of_several_processes_registers(self, store_url: str) -> None:
        open_store(store_url).close()
        with workers("register_first", store_url, count=4) as processes:
            start(*processes)
            first_in = [number for process in processes for number in finish(process).split()]
        assert sorted(map(int, first_in)) == list(range(10))
        with open_store(store_url) as store:
            assert len(store.get_executions()) == 10

    # Use of what is deleted

    @pytest.mark.parametrize("state", GONE_STATES)
    def test_deleted_artifact_cannot_be_used(
        self, store: MetadataStore, state: ArtifactState
    ) -> None:
        _, (whole,) = complete(store)
        _, (gone,) = complete(store)
        store.set_artifact_state([gone], state)
        running, _ = register(store, pending_outputs=no_outputs)
        record = store.get_artifacts(ids=[gone])[0]
        before = content(store)
        with pytest.raises(ArtifactDeletedError, match=f"{gone} is {state.value}") as raised:
            register(store, inputs={"model": [whole, gone]})
        assert raised.value.artifact_id == gone
        for inputs, outputs in (({"model": [gone]}, {}), ({}, {"model": [whole, gone]})):
            with pytest.raises(ArtifactDeletedError):
                store.record_finished_execution(
                    TRAINER,
                    state=ExecutionState.CACHED,
                    contexts=[],
                    inputs=inputs,
                    outputs=outputs,
                    custom_properties={},
                )
        with pytest.raises(ArtifactDeletedError):
            store.publish_execution(running.id, outputs={"m": [record]}, custom_properties={})
        assert content(store) == before

    def test_abandoned_artifact_can_be_used(self, store: MetadataStore) -> None:
        _, (artifact,) = complete(store)
        store.set_artifact_state([artifact], ArtifactState.ABANDONED)
        register(store, inputs={"model": [artifact]})

    # mark_for_deletion

    def test_mark_what_nothing_uses(self, store: MetadataStore) -> None:
        last, (live,) = complete(store)
        _, (abandoned,) = complete(store)
        store.set_artifact_state([abandoned], ArtifactState.ABANDONED)
        last, (marked,) = complete(store)
        store.set_artifact_state([marked], ArtifactState.MARKED_FOR_DELETION)
        last, (deleted,) = complete(store)
        store.set_artifact_state([deleted], ArtifactState.DELETED)
        running, pending = register(store)
        wanted = [live, abandoned, marked, deleted, *ids(pending["model"]), live]
        found = store.mark_for_deletion(iter(wanted), last_execution_id=running.id)
        assert found == {live, abandoned, marked}
        states = {artifact.id: artifact.state for artifact in store.get_artifacts()}
        assert {id_ for id_ in states if states[id_] is ArtifactState.MARKED_FOR_DELETION} == found
        assert states[deleted] is ArtifactState.DELETED
        assert states[pending["model"][0].id] is ArtifactState.PENDING
        assert store.mark_for_deletion(wanted, last_execution_id=last) == found
        assert store.mark_for_deletion([], last_execution_id=last) == set()

    def test_what_a_later_execution_uses_is_not_marked(self, store: MetadataStore) -> None:
        _, (used,) = complete(store)
        _, (unused,) = complete(store)
        seen, _ = register(store, pending_outputs=no_outputs)
        later, _ = register(store, inputs={"model": [used]}, pending_outputs=no_outputs)
        both = [used, unused]
        assert store.mark_for_deletion(both, last_execution_id=seen.id) == {unused}
        assert store.get_artifacts(ids=[used])[0].state is ArtifactState.LIVE
        assert store.mark_for_deletion(both, last_execution_id=later.id) == {used, unused}

    def test_mark_unknown_artifacts(self, store: MetadataStore) -> None:
        last, (artifact,) = complete(store)
        before = content(store)
        with pytest.raises(KeyError) as raised:
            store.mark_for_deletion([artifact, 999], last_execution_id=last)
        assert raised.value.args == (999,)
        assert content(store) == before

    def test_use_and_deletion_exclude_each_other(self, store_url: str) -> None:
        with open_store(store_url) as store:
            artifacts = {complete(store)[1][0] for _ in range(40)}
        with (
            workers("use_artifacts", store_url) as users,
            workers("mark_artifacts", store_url) as deleters,
        ):
            start(*users, *deleters)
            used = set(map(int, finish(users[0]).split()))
            marked = set(map(int, finish(deleters[0]).split()))
        assert not used & marked
        assert used | marked == artifacts
