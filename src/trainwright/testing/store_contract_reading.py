"""Contract of a metadata store: reading."""

from __future__ import annotations

from typing import Any

import pytest

from trainwright.metadata.records import (
    ArtifactRecord,
    ArtifactState,
    ContextKey,
    EventType,
    ExecutionState,
)
from trainwright.metadata.store import MetadataStore
from trainwright.testing.store_samples import (
    EXAMPLES,
    NODE,
    PIPELINE,
    RUN,
    TRAINER,
    Outputs,
    complete,
    ids,
    model,
    no_outputs,
    place,
    register,
)


class StoreReadingContract:
    """Inherited by `MetadataStoreContract`, which brings the fixtures."""

    def test_get_unknown_execution(self, store: MetadataStore) -> None:
        with pytest.raises(KeyError) as raised:
            store.get_execution(5)
        assert raised.value.args == (5,)

    def test_get_executions_newest_first(self, store: MetadataStore) -> None:
        first, _ = register(store, contexts=[PIPELINE])
        second, _ = complete(store, contexts=[PIPELINE, RUN])
        third, _ = register(store, contexts=[RUN])
        running = iter([ExecutionState.RUNNING])
        assert ids(store.get_executions()) == [third.id, second, first.id]
        assert ids(store.get_executions(limit=2)) == [third.id, second]
        assert store.get_executions(limit=0) == []
        assert ids(store.get_executions(context=PIPELINE)) == [second, first.id]
        assert ids(store.get_executions(context=PIPELINE, limit=1)) == [second]
        assert ids(store.get_executions(states=running)) == [third.id, first.id]
        assert store.get_executions(states=[]) == []
        assert ids(store.get_executions(context=RUN, states=[ExecutionState.RUNNING])) == [third.id]
        assert ids(store.get_executions(states=list(ExecutionState), limit=1)) == [third.id]
        assert store.get_executions(context=ContextKey("pipeline", "unknown")) == []
        assert store.get_executions(context=ContextKey("unknown", "penguin")) == []

    def test_get_artifacts_that_meet_every_condition(self, store: MetadataStore) -> None:
        def outputs(execution_id: int) -> Outputs:
            return {
                "model": [model("/same")],
                "examples": [ArtifactRecord(type=EXAMPLES, uri="/same")],
            }

        _, (model_1, examples_1) = complete(store, contexts=[RUN], pending_outputs=outputs)
        _, (model_2,) = complete(store, contexts=[PIPELINE])
        everything = [model_2, examples_1, model_1]
        assert ids(store.get_artifacts()) == everything
        assert ids(store.get_artifacts(limit=2)) == everything[:2]
        assert ids(store.get_artifacts(ids=iter([model_1, model_2, model_1]))) == [model_2, model_1]
        assert ids(store.get_artifacts(ids=[model_1, model_2], limit=1)) == [model_2]
        assert store.get_artifacts(ids=[]) == []
        assert ids(store.get_artifacts(context=RUN)) == [examples_1, model_1]
        assert ids(store.get_artifacts(type_name="Model")) == [model_2, model_1]
        assert ids(store.get_artifacts(uri="/same")) == [examples_1, model_1]
        assert ids(store.get_artifacts(uri="/same", type_name="Model")) == [model_1]
        assert ids(store.get_artifacts(context=PIPELINE, type_name="Model")) == [model_2]
        assert store.get_artifacts(ids=[model_2], context=RUN) == []
        store.set_artifact_state([model_1], ArtifactState.DELETED)
        assert ids(store.get_artifacts(states=iter([ArtifactState.DELETED]))) == [model_1]
        live = [ArtifactState.LIVE]
        assert ids(store.get_artifacts(context=RUN, states=live, limit=5)) == [examples_1]
        assert store.get_artifacts(states=[]) == []
        assert store.get_artifacts(context=NODE) == []
        assert store.get_artifacts(type_name="Unknown") == []
        assert store.get_artifacts(uri="/unknown") == []

    def test_get_unknown_artifacts(self, store: MetadataStore) -> None:
        _, (artifact_id,) = complete(store)
        every_condition: list[dict[str, Any]] = [{}, {"uri": "/unknown"}, {"limit": 1}]
        for conditions in every_condition:
            with pytest.raises(KeyError) as raised:
                store.get_artifacts(ids=[artifact_id, 77], **conditions)
            assert raised.value.args == (77,)

    def test_many_ids_at_once(self, store: MetadataStore) -> None:
        count = 6000
        execution, pending = register(
            store, pending_outputs=lambda _: {"model": [model(f"/{i}") for i in range(count)]}
        )
        wanted = ids(pending["model"])
        assert ids(store.get_artifacts(ids=wanted)) == wanted[::-1]
        assert ids(store.get_artifacts(ids=wanted, limit=2)) == wanted[:-3:-1]
        assert len(store.get_events(artifact_ids=wanted)) == count
        store.set_artifact_state(wanted, ArtifactState.DELETED)
        assert (
            len(
                store.fail_execution(
                    execution.id, state=ExecutionState.FAILED, custom_properties={}
                )
            )
            == count
        )

    def test_get_execution_ids(self, store: MetadataStore) -> None:
        first, _ = register(store, contexts=[PIPELINE])
        second, _ = complete(store, contexts=[PIPELINE, RUN])
        assert store.get_execution_ids(PIPELINE) == {first.id, second}
        assert store.get_execution_ids(RUN) == {second}
        running, complete_ = [ExecutionState.RUNNING], iter([ExecutionState.COMPLETE])
        assert store.get_execution_ids(PIPELINE, states=running) == {first.id}
        assert store.get_execution_ids(PIPELINE, states=complete_) == {second}
        assert store.get_execution_ids(RUN, states=running) == set()
        assert store.get_execution_ids(ContextKey("pipeline", "unknown")) == set()

    def test_get_made_artifacts_with_the_first_that_made_them(self, store: MetadataStore) -> None:
        first, (made,) = complete(store, contexts=[PIPELINE])
        store.record_finished_execution(
            TRAINER,
            state=ExecutionState.CACHED,
            contexts=[PIPELINE],
            inputs={},
            outputs={"again": [made]},
            custom_properties={},
        )
        second, pending = register(store, contexts=[PIPELINE], inputs={"base": [made]})
        complete(store, contexts=[RUN])
        found = store.get_made_artifacts(
            context=PIPELINE, states=[ArtifactState.LIVE, ArtifactState.PENDING]
        )
        assert [(one.id, one.execution_id, one.key) for one in found] == [
            (pending["model"][0].id, second.id, "model"),
            (made, first, "model"),
        ]
        assert found[1].uri == f"/root/Trainer/model/{first}"
        assert found[1].type_name == "Model"
        assert found[1].custom_properties == {}
        live = store.get_made_artifacts(context=PIPELINE, states=[ArtifactState.LIVE])
        assert ids(live) == [made]
        unknown = ContextKey("pipeline", "unknown")
        assert store.get_made_artifacts(context=unknown, states=list(ArtifactState)) == []

    def test_get_artifact_uris(self, store: MetadataStore) -> None:
        first, (live,) = complete(store)
        second, pending = register(store)
        uri = "/root/Trainer/model/{}".format
        waiting = pending["model"][0].id
        assert store.get_artifact_uris(states=[ArtifactState.LIVE]) == {live: uri(first)}
        assert store.get_artifact_uris(states=iter(ArtifactState)) == {
            live: uri(first),
            waiting: uri(second.id),
        }
        assert store.get_artifact_uris(states=[]) == {}

    def test_get_events_in_order(self, store: MetadataStore) -> None:
        first, (made,) = complete(store)
        second, (other,) = complete(store, inputs={"b": [made], "a": [made, made]})
        third, _ = register(store, inputs={"a": [made]}, pending_outputs=no_outputs)
        everything = [
            (first, EventType.OUTPUT, "model", 0, made),
            (second, EventType.INPUT, "a", 0, made),
            (second, EventType.INPUT, "a", 1, made),
            (second, EventType.INPUT, "b", 0, made),
            (second, EventType.OUTPUT, "model", 0, other),
            (third.id, EventType.INPUT, "a", 0, made),
        ]

        def places(**conditions: Any) -> list[Any]:
            return list(map(place, store.get_events(**conditions)))

        assert places() == everything
        assert places(execution_ids=iter([third.id, second])) == everything[1:]
        assert places(artifact_ids=iter([made])) == everything[:4] + everything[5:]
        assert places(execution_ids=[second], artifact_ids=[other]) == [everything[4]]
        assert places(execution_ids=[first], artifact_ids=[other]) == []
        assert places(execution_ids=[]) == []
        assert places(artifact_ids=[]) == []

    def test_get_events_of_what_has_none(self, store: MetadataStore) -> None:
        execution, _ = register(store, pending_outputs=no_outputs)
        assert store.get_events(execution_ids=[execution.id]) == []
        for conditions in ({"execution_ids": [execution.id, 9]}, {"artifact_ids": [9]}):
            with pytest.raises(KeyError) as raised:
                store.get_events(**conditions)
            assert raised.value.args == (9,)

    def test_get_unknown_context(self, store: MetadataStore) -> None:
        register(store, contexts=[PIPELINE])
        assert store.get_context(ContextKey("pipeline", "unknown")) is None
        assert store.get_context(ContextKey("unknown", "penguin")) is None

    def test_get_contexts_that_meet_every_condition(self, store: MetadataStore) -> None:
        runs = [ContextKey("pipeline_run", f"run-{number}") for number in range(3)]
        other = ContextKey("pipeline", "other")
        first, _ = register(store, contexts=[PIPELINE, runs[0]])
        register(store, contexts=[PIPELINE, runs[1]])
        register(store, contexts=[other, runs[2]])
        store.put_context(NODE, {})

        def keys(**conditions: Any) -> list[ContextKey]:
            return [context.key for context in store.get_contexts(**conditions)]

        assert keys() == [NODE, runs[2], other, runs[1], runs[0], PIPELINE]
        assert keys(limit=2) == [NODE, runs[2]]
        assert keys(type_name="pipeline_run") == runs[::-1]
        assert keys(execution_id=first.id) == [runs[0], PIPELINE]
        assert keys(execution_id=first.id, type_name="pipeline") == [PIPELINE]
        assert keys(execution_id=first.id, type_name="node") == []
        assert keys(within=PIPELINE) == [runs[1], runs[0], PIPELINE]
        assert keys(within=PIPELINE, type_name="pipeline_run") == [runs[1], runs[0]]
        assert keys(within=PIPELINE, type_name="pipeline_run", limit=1) == [runs[1]]
        assert keys(within=other, execution_id=first.id) == []
        assert keys(within=NODE) == []
        assert keys(within=ContextKey("pipeline", "unknown")) == []
        with pytest.raises(KeyError) as raised:
            store.get_contexts(execution_id=99)
        assert raised.value.args == (99,)

    def test_negative_limit(self, store: MetadataStore) -> None:
        reads = (store.get_executions, store.get_artifacts, store.get_contexts, store.get_runs)
        for read in reads:
            with pytest.raises(ValueError, match="limit"):
                read(limit=-1)
