"""The contract of a metadata store as tests, which the test class of every backend inherits.

class TestSqliteStore(MetadataStoreContract):
    @pytest.fixture
    def store_url(self, tmp_path):
        return f"sqlite:///{tmp_path}/metadata.db"
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from trainwright.metadata.connection import open_store
from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    ContextKey,
    EventType,
    ExecutionState,
)
from trainwright.metadata.store import ExecutionNotRunningError, MetadataStore
from trainwright.testing.store_contract_attachments import StoreAttachmentsContract
from trainwright.testing.store_contract_processes import StoreProcessesContract
from trainwright.testing.store_contract_promises import StorePromisesContract
from trainwright.testing.store_contract_races import StoreRacesContract
from trainwright.testing.store_contract_reading import StoreReadingContract
from trainwright.testing.store_contract_runs import StoreRunsContract
from trainwright.testing.store_samples import (
    EXAMPLES,
    LEASE,
    NODE,
    PIPELINE,
    RUN,
    TRAINER,
    Outputs,
    complete,
    content,
    ids,
    model,
    no_outputs,
    place,
    register,
)

FINAL_STATES = [state for state in ExecutionState if state.is_final]
OTHER_STATES = [state for state in ExecutionState if not state.is_final]


class MetadataStoreContract(
    StoreReadingContract,
    StoreRunsContract,
    StorePromisesContract,
    StoreAttachmentsContract,
    StoreRacesContract,
    StoreProcessesContract,
):
    """Overrides `store_url` with a fixture that gives the address of an empty store."""

    @pytest.fixture
    def store_url(self, tmp_path: Path) -> str:
        raise NotImplementedError("give the address of an empty store")

    @pytest.fixture
    def store(self, store_url: str) -> Iterator[MetadataStore]:
        with open_store(store_url) as store:
            yield store

    # register_execution

    def test_register_writes_a_running_execution(self, store: MetadataStore) -> None:
        before = store.now()
        execution, _ = register(store, custom_properties={"train_args": "{}"})
        assert execution.id > 0
        assert execution.type == TRAINER
        assert execution.state is ExecutionState.RUNNING
        assert execution.custom_properties == {"train_args": "{}"}
        assert execution.lease == dataclasses.replace(LEASE, heartbeat_at=execution.created_at)
        assert before <= execution.created_at <= store.now()
        assert execution.updated_at == execution.created_at
        assert store.get_execution(execution.id) == execution

    def test_register_writes_pending_outputs(self, store: MetadataStore) -> None:
        given: dict[int, Outputs] = {}

        def outputs(execution_id: int) -> Outputs:
            given[execution_id] = {
                "model": [model(f"/model/{execution_id}", state=ArtifactState.LIVE)],
                "examples": [
                    ArtifactRecord(
                        type=EXAMPLES,
                        uri=f"/examples/{execution_id}/{index}",
                        name=f"examples:{index}",
                        properties={"span": index},
                        custom_properties={"tfx_version": "1.15"},
                    )
                    for index in range(2)
                ],
            }
            return given[execution_id]

        execution, pending = register(store, pending_outputs=outputs)
        assert list(given) == [execution.id]
        assert list(pending) == ["model", "examples"]
        records = [*pending["model"], *pending["examples"]]
        assert {record.state for record in records} == {ArtifactState.PENDING}
        assert pending["examples"][1].uri == f"/examples/{execution.id}/1"
        assert pending["examples"][1].name == "examples:1"
        assert pending["examples"][1].properties == {"span": 1}
        assert pending["examples"][1].custom_properties == {"tfx_version": "1.15"}
        assert ids(records) == sorted(ids(records))
        assert store.get_artifacts(ids=ids(records)) == records[::-1]
        assert given[execution.id]["model"][0] == model(
            f"/model/{execution.id}", state=ArtifactState.LIVE
        )
        assert list(map(place, store.get_events(execution_ids=[execution.id]))) == [
            (execution.id, EventType.PENDING_OUTPUT, "examples", 0, records[1].id),
            (execution.id, EventType.PENDING_OUTPUT, "examples", 1, records[2].id),
            (execution.id, EventType.PENDING_OUTPUT, "model", 0, records[0].id),
        ]

    def test_register_links_inputs(self, store: MetadataStore) -> None:
        _, (first,) = complete(store)
        _, (second,) = complete(store)
        before = store.now()
        execution, _ = register(
            store,
            inputs={"base_model": [second], "models": [first, second]},
            pending_outputs=no_outputs,
        )
        events = store.get_events(execution_ids=[execution.id])
        assert list(map(place, events)) == [
            (execution.id, EventType.INPUT, "base_model", 0, second),
            (execution.id, EventType.INPUT, "models", 0, first),
            (execution.id, EventType.INPUT, "models", 1, second),
        ]
        assert all(before <= event.at <= store.now() for event in events)

    def test_register_puts_everything_into_the_contexts(self, store: MetadataStore) -> None:
        _, (source,) = complete(store, contexts=[])
        execution, pending = register(store, inputs={"base": [source]}, contexts=[PIPELINE, RUN])
        output = pending["model"][0].id
        for context in (PIPELINE, RUN):
            assert ids(store.get_executions(context=context)) == [execution.id]
            assert ids(store.get_artifacts(context=context)) == [output, source]
        assert store.get_context(NODE) is None

    def test_register_takes_a_context_twice_and_none(self, store: MetadataStore) -> None:
        execution, _ = register(store, contexts=iter([RUN, RUN]))
        assert ids(store.get_executions(context=RUN)) == [execution.id]
        execution, outputs = register(store, contexts=[], pending_outputs=no_outputs)
        assert outputs == {}
        assert store.get_contexts(execution_id=execution.id) == []

    def test_register_refuses_an_unknown_input(self, store: MetadataStore) -> None:
        complete(store)
        before = content(store)
        with pytest.raises(KeyError) as raised:
            register(store, inputs={"model": [999]}, contexts=[ContextKey("node", "new")])
        assert raised.value.args == (999,)
        assert content(store) == before

    def test_failing_outputs_leave_nothing_but_a_used_id(self, store: MetadataStore) -> None:
        revealed = []

        def fail(execution_id: int) -> Outputs:
            revealed.append(execution_id)
            raise RuntimeError("no room for outputs")

        for _ in range(2):
            before = content(store)
            with pytest.raises(RuntimeError, match="no room for outputs"):
                register(store, pending_outputs=fail)
            assert content(store) == before
            execution, _ = register(store)
            revealed.append(execution.id)
        assert revealed == sorted(set(revealed))

    def test_unstorable_output_leaves_nothing_but_a_used_id(self, store: MetadataStore) -> None:
        revealed = []

        def outputs(execution_id: int) -> Outputs:
            revealed.append(execution_id)
            return {"model": [model(), model(custom_properties={"weights": b"\0"})]}

        with pytest.raises(TypeError, match="weights"):
            register(store, pending_outputs=outputs)
        assert content(store) == ([], [], [], [], [])
        assert register(store)[0].id > revealed[0]

    def test_register_refuses_an_output_with_an_id(self, store: MetadataStore) -> None:
        _, (existing,) = complete(store)
        before = content(store)
        with pytest.raises(ValueError, match="exists already"):
            register(store, pending_outputs=lambda _: {"model": [model(id=existing)]})
        assert content(store) == before

    # publish_execution

    def test_publish_completes_the_execution(self, store: MetadataStore) -> None:
        execution, pending = register(store, custom_properties={"a": 1, "b": 1})
        output = pending["model"][0]
        output.uri = "/elsewhere"
        output.name = "model:v2"
        output.properties["note"] = "p"
        output.custom_properties["accuracy"] = 0.5
        published = store.publish_execution(
            execution.id, outputs=pending, custom_properties={"b": 2, "c": 3}
        )
        record = published["model"][0]
        assert record.id == output.id
        assert record.state is ArtifactState.LIVE
        assert (record.uri, record.name) == ("/elsewhere", "model:v2")
        assert record.properties == {"note": "p"}
        assert record.custom_properties == {"accuracy": 0.5}
        assert record.created_at == output.created_at <= record.updated_at
        assert store.get_artifacts() == [record]
        assert output.state is ArtifactState.PENDING
        ended = store.get_execution(execution.id)
        assert ended.state is ExecutionState.COMPLETE
        assert ended.custom_properties == {"a": 1, "b": 2, "c": 3}
        assert ended.lease is None
        assert ended.created_at == execution.created_at <= ended.updated_at

    def test_output_event_replaces_the_pending_one(self, store: MetadataStore) -> None:
        execution, pending = register(store)
        outputs = {"best_model": [model(), pending["model"][0]]}
        published = store.publish_execution(execution.id, outputs=outputs, custom_properties={})
        assert list(map(place, store.get_events(execution_ids=[execution.id]))) == [
            (execution.id, EventType.OUTPUT, "best_model", 0, published["best_model"][0].id),
            (execution.id, EventType.OUTPUT, "best_model", 1, pending["model"][0].id),
        ]

    def test_publish_adds_new_outputs_to_the_contexts(self, store: MetadataStore) -> None:
        execution, _ = register(store, pending_outputs=no_outputs)
        published = store.publish_execution(
            execution.id, outputs={"model": [model("/new")]}, custom_properties={}
        )
        record = published["model"][0]
        assert record.id is not None
        assert record.state is ArtifactState.LIVE
        for context in (PIPELINE, RUN, NODE):
            assert store.get_artifacts(context=context) == [record]

    def test_publish_takes_an_artifact_of_another_execution(self, store: MetadataStore) -> None:
        _, (existing,) = complete(store, contexts=[RUN])
        execution, _ = register(store, contexts=[NODE], pending_outputs=no_outputs)
        given = store.get_artifacts(ids=[existing])[0]
        given.custom_properties["seen"] = 2
        outputs = {"result": [given], "again": [given]}
        store.publish_execution(execution.id, outputs=outputs, custom_properties={})
        assert store.get_artifacts(context=NODE)[0].custom_properties == {"seen": 2}
        assert ids(store.get_artifacts(context=RUN)) == [existing]
        events = store.get_events(execution_ids=[execution.id])
        assert [(event.key, event.artifact_id) for event in events] == [
            ("again", existing),
            ("result", existing),
        ]

    def test_publish_abandons_what_was_not_made(self, store: MetadataStore) -> None:
        execution, pending = register(
            store, pending_outputs=lambda _: {"model": [model("/a"), model("/b")]}
        )
        kept, dropped = pending["model"]
        store.publish_execution(execution.id, outputs={"model": [kept]}, custom_properties={})
        assert [record.state for record in store.get_artifacts(ids=[dropped.id or 0])] == [
            ArtifactState.ABANDONED
        ]
        assert list(map(place, store.get_events(execution_ids=[execution.id]))) == [
            (execution.id, EventType.OUTPUT, "model", 0, kept.id),
            (execution.id, EventType.PENDING_OUTPUT, "model", 1, dropped.id),
        ]

    @pytest.mark.parametrize("state", FINAL_STATES)
    def test_ended_execution_cannot_be_ended_again(
        self, store: MetadataStore, state: ExecutionState
    ) -> None:
        execution = store.record_finished_execution(
            TRAINER, state=state, contexts=[], inputs={}, outputs={}, custom_properties={}
        )
        before = content(store)
        with pytest.raises(ExecutionNotRunningError, match=state.value):
            store.publish_execution(
                execution.id, outputs={"model": [model()]}, custom_properties={"late": 1}
            )
        with pytest.raises(ExecutionNotRunningError, match=str(execution.id)):
            store.fail_execution(
                execution.id, state=ExecutionState.FAILED, custom_properties={"late": 1}
            )
        assert content(store) == before

    def test_publish_is_all_or_nothing(self, store: MetadataStore) -> None:
        execution, pending = register(store)
        good = pending["model"][0]
        before = content(store)
        bad_outputs: list[tuple[type[Exception], ArtifactRecord]] = [
            (KeyError, model(id=999)),
            (TypeError, model(properties={"weights": b"\0"})),
            (ValueError, ArtifactRecord(type=EXAMPLES, uri="/x", id=good.id)),
        ]
        for error, bad in bad_outputs:
            outputs = {"model": [good, model("/new"), bad]}
            with pytest.raises(error):
                store.publish_execution(execution.id, outputs=outputs, custom_properties={})
            assert content(store) == before
        with pytest.raises(TypeError, match="'result'"):
            store.publish_execution(
                execution.id, outputs=pending, custom_properties={"result": b"\0"}
            )
        assert content(store) == before
        store.publish_execution(execution.id, outputs=pending, custom_properties={})

    def test_publish_of_an_unknown_execution(self, store: MetadataStore) -> None:
        with pytest.raises(KeyError) as raised:
            store.publish_execution(7, outputs={}, custom_properties={})
        assert raised.value.args == (7,)

    # fail_execution

    @pytest.mark.parametrize("state", [ExecutionState.FAILED, ExecutionState.CANCELED])
    def test_fail_abandons_pending_outputs(
        self, store: MetadataStore, state: ExecutionState
    ) -> None:
        execution, pending = register(store, custom_properties={"a": 1})
        abandoned = store.fail_execution(
            execution.id, state=state, custom_properties={"error": "out of memory"}
        )
        assert ids(abandoned) == ids(pending["model"])
        assert abandoned[0].uri == pending["model"][0].uri
        assert abandoned[0].state is ArtifactState.ABANDONED
        assert store.get_artifacts() == abandoned
        ended = store.get_execution(execution.id)
        assert ended.state is state
        assert ended.custom_properties == {"a": 1, "error": "out of memory"}
        assert ended.lease is None
        assert ended.updated_at >= execution.updated_at

    @pytest.mark.parametrize(
        "state", [*OTHER_STATES, ExecutionState.COMPLETE, ExecutionState.CACHED]
    )
    def test_fail_takes_no_other_state(self, store: MetadataStore, state: ExecutionState) -> None:
        execution, _ = register(store)
        with pytest.raises(ValueError, match=state.value):
            store.fail_execution(execution.id, state=state, custom_properties={})
        assert store.get_execution(execution.id) == execution

    def test_fail_of_an_unknown_execution(self, store: MetadataStore) -> None:
        with pytest.raises(KeyError) as raised:
            store.fail_execution(7, state=ExecutionState.FAILED, custom_properties={})
        assert raised.value.args == (7,)

    # record_finished_execution

    @pytest.mark.parametrize("state", FINAL_STATES)
    def test_record_finished_execution(self, store: MetadataStore, state: ExecutionState) -> None:
        _, (source,) = complete(store, contexts=[])
        _, (made,) = complete(store, contexts=[])
        execution = store.record_finished_execution(
            TRAINER,
            state=state,
            contexts=[RUN, NODE],
            inputs={"base": [source]},
            outputs={"model": [made]},
            custom_properties={"x": 1},
        )
        assert execution.state is state
        assert execution.type == TRAINER
        assert execution.custom_properties == {"x": 1}
        assert execution.lease is None
        assert store.get_execution(execution.id) == execution
        assert list(map(place, store.get_events(execution_ids=[execution.id]))) == [
            (execution.id, EventType.INPUT, "base", 0, source),
            (execution.id, EventType.OUTPUT, "model", 0, made),
        ]
        for context in (RUN, NODE):
            assert ids(store.get_executions(context=context)) == [execution.id]
            assert ids(store.get_artifacts(context=context)) == [made, source]

    @pytest.mark.parametrize("state", OTHER_STATES)
    def test_record_finished_takes_final_states_only(
        self, store: MetadataStore, state: ExecutionState
    ) -> None:
        with pytest.raises(ValueError, match=state.value):
            store.record_finished_execution(
                TRAINER, state=state, contexts=[RUN], inputs={}, outputs={}, custom_properties={}
            )
        assert content(store) == ([], [], [], [], [])

    @pytest.mark.parametrize("side", ["inputs", "outputs"])
    def test_record_finished_refuses_an_unknown_artifact(
        self, store: MetadataStore, side: str
    ) -> None:
        artifacts: dict[str, dict[str, list[int]]] = {"inputs": {}, "outputs": {}}
        artifacts[side] = {"model": [42]}
        with pytest.raises(KeyError) as raised:
            store.record_finished_execution(
                TRAINER,
                state=ExecutionState.CACHED,
                contexts=[RUN],
                inputs=artifacts["inputs"],
                outputs=artifacts["outputs"],
                custom_properties={},
            )
        assert raised.value.args == (42,)
        assert content(store) == ([], [], [], [], [])

    # put_context

    def test_put_context_creates_and_adds(self, store: MetadataStore) -> None:
        before = store.now()
        created = store.put_context(PIPELINE, {"owner": "a", "size": 1})
        assert created.key == PIPELINE
        assert created.custom_properties == {"owner": "a", "size": 1}
        assert before <= created.created_at <= store.now()
        assert store.get_context(PIPELINE) == created
        changed = store.put_context(PIPELINE, {"size": 2, "note": None})
        assert changed.custom_properties == {"owner": "a", "size": 2, "note": None}
        assert (changed.id, changed.created_at) == (created.id, created.created_at)
        assert store.get_context(PIPELINE) == changed
        assert store.put_context(PIPELINE, {}) == changed

    def test_put_context_of_a_mentioned_one(self, store: MetadataStore) -> None:
        execution, _ = register(store, contexts=[PIPELINE])
        mentioned = store.get_context(PIPELINE)
        assert mentioned is not None
        assert store.put_context(PIPELINE, {"owner": "a"}).id == mentioned.id
        register(store, contexts=[PIPELINE])
        context = store.get_context(PIPELINE)
        assert context is not None
        assert context.custom_properties == {"owner": "a"}
        assert ids(store.get_executions(context=PIPELINE))[-1] == execution.id

    def test_context_names_are_per_type(self, store: MetadataStore) -> None:
        one = store.put_context(ContextKey("pipeline", "x"), {"a": 1})
        other = store.put_context(ContextKey("node", "x"), {})
        assert one.id != other.id
        assert other.custom_properties == {}

    # set_artifact_state

    def test_set_artifact_state_is_all_or_nothing(self, store: MetadataStore) -> None:
        _, (first,) = complete(store)
        _, (second,) = complete(store)
        _, (third,) = complete(store)
        before = content(store)
        with pytest.raises(KeyError) as raised:
            store.set_artifact_state([first, 999], ArtifactState.DELETED)
        assert raised.value.args == (999,)
        assert content(store) == before
        store.set_artifact_state(iter([first, third, third]), ArtifactState.DELETED)
        assert [artifact.state for artifact in store.get_artifacts()] == [
            ArtifactState.DELETED,
            ArtifactState.LIVE,
            ArtifactState.DELETED,
        ]
        changed = store.get_artifacts(ids=[first])[0]
        assert changed.updated_at >= store.get_artifacts(ids=[second])[0].updated_at
        store.set_artifact_state([], ArtifactState.DELETED)
