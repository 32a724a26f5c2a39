"""Contract of a metadata store: promises of every method."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest

from trainwright.metadata.connection import open_store
from trainwright.metadata.records import (
    ArtifactRecord,
    ContextKey,
    ExecutionState,
    TypeRecord,
)
from trainwright.metadata.store import MetadataError, MetadataStore
from trainwright.testing.store_samples import (
    EXAMPLES,
    MODEL,
    RUN,
    Outputs,
    complete,
    content,
    ids,
    model,
    register,
)


class StorePromisesContract:
    """Inherited by `MetadataStoreContract`, which brings the fixtures."""

    def test_ids_rise_per_kind(self, store: MetadataStore) -> None:
        written = [complete(store, contexts=[ContextKey("run", str(i))]) for i in range(5)]
        executions = [execution_id for execution_id, _ in written]
        artifacts = [artifact_id for _, outputs in written for artifact_id in outputs]
        contexts = ids(store.get_contexts())[::-1]
        for found in (executions, artifacts, contexts):
            assert found == sorted(set(found))
            assert min(found) > 0

    def test_ids_rise_after_reopening(self, store_url: str) -> None:
        with open_store(store_url) as store:
            last, (last_artifact,) = complete(store)
        with open_store(store_url) as store:
            execution_id, (artifact_id,) = complete(store)
        assert execution_id > last
        assert artifact_id > last_artifact

    def test_type_gains_properties(self, store: MetadataStore) -> None:
        def register_type(**properties: str) -> TypeRecord:
            record = TypeRecord(name="Data", properties=properties)
            output = ArtifactRecord(type=record, uri="/data")
            _, pending = register(store, pending_outputs=lambda _: {"data": [output]})
            return pending["data"][0].type

        register_type(span="INT")
        assert register_type(version="INT").properties == {"span": "INT", "version": "INT"}
        assert register_type().properties == {"span": "INT", "version": "INT"}
        assert {str(artifact.type) for artifact in store.get_artifacts()} == {
            str(TypeRecord(name="Data", properties={"span": "INT", "version": "INT"}))
        }

    def test_property_of_a_type_keeps_its_kind(self, store_url: str, store: MetadataStore) -> None:
        changed = TypeRecord(
            name="Examples", properties={"version": "INT", "span": "STRING"}, base_type="Dataset"
        )

        def outputs(of: TypeRecord) -> Outputs:
            return {"examples": [ArtifactRecord(type=of, uri="/examples")]}

        complete(store, pending_outputs=lambda _: outputs(EXAMPLES))
        before = content(store)
        with open_store(store_url) as other:
            for asked in (store, other):
                with pytest.raises(MetadataError, match=r"'span' .*Examples.* INT .* STRING"):
                    register(asked, pending_outputs=lambda _: outputs(changed))
                with pytest.raises(MetadataError, match=r"Examples.* Dataset .* Model"):
                    register(
                        asked,
                        pending_outputs=lambda _: outputs(
                            TypeRecord(name="Examples", base_type="Model")
                        ),
                    )
        assert content(store) == before

    def test_type_gains_a_base_type(self, store: MetadataStore) -> None:
        plain = TypeRecord(name="Trainer")
        first, _ = register(store, execution_type=plain)
        register(store, execution_type=TypeRecord(name="Trainer", base_type="Train"))
        register(store, execution_type=plain)
        assert {execution.type.base_type for execution in store.get_executions()} == {"Train"}
        assert first.type.base_type is None

    def test_type_is_shared_between_processes(self, store_url: str, store: MetadataStore) -> None:
        def outputs(**properties: str) -> Outputs:
            record = TypeRecord(name="Data", properties=properties)
            return {"data": [ArtifactRecord(type=record, uri="/data")]}

        with open_store(store_url) as other:
            complete(store, pending_outputs=lambda _: outputs(a="INT"))
            complete(other, pending_outputs=lambda _: outputs(b="INT"))
            complete(store, pending_outputs=lambda _: outputs(c="INT"))
            for reader in (store, other):
                for artifact in reader.get_artifacts():
                    assert artifact.type.properties == {"a": "INT", "b": "INT", "c": "INT"}
            with pytest.raises(MetadataError, match="'b'"):
                complete(store, pending_outputs=lambda _: outputs(b="STRING"))

    def test_kinds_of_types_do_not_meet(self, store: MetadataStore) -> None:
        same_name = TypeRecord(name="Model", base_type="Train", properties={"x": "INT"})
        execution, pending = register(
            store, execution_type=same_name, contexts=[ContextKey("Model", "m")]
        )
        assert execution.type == same_name
        assert pending["model"][0].type == MODEL

    def test_properties_come_back_as_given(self, store: MetadataStore) -> None:
        properties = {
            "int": 2**70,
            "float": 0.1,
            "infinite": [math.inf, -math.inf],
            "text": "Größe \U0001f427 \0 \"'",
            "nothing": None,
            "yes": True,
            "nested": {"b": [1, {"a": []}], "a": {}},
            "": "",
        }
        execution, pending = register(
            store,
            custom_properties=properties,
            pending_outputs=lambda _: {
                "model": [model(properties=properties, custom_properties=properties)]
            },
        )
        context = store.put_context(RUN, properties)
        stored = store.get_artifacts()[0]
        for found in (
            execution.custom_properties,
            store.get_execution(execution.id).custom_properties,
            pending["model"][0].properties,
            stored.properties,
            stored.custom_properties,
            context.custom_properties,
        ):
            assert found == properties
            assert type(found["yes"]) is bool

    def test_nan_is_kept(self, store: MetadataStore) -> None:
        execution, _ = register(store, custom_properties={"loss": math.nan})
        assert math.isnan(store.get_execution(execution.id).custom_properties["loss"])

    @pytest.mark.parametrize("value", [b"bytes", {"deep": [b"bytes"]}, object(), {1, 2}])
    def test_property_that_json_cannot_hold(self, store: MetadataStore, value: object) -> None:
        properties = {"fine": 1, "broken": value}
        running, _ = register(store)
        before = content(store)
        with pytest.raises(TypeError, match="'broken'"):
            register(store, custom_properties=properties)
        with pytest.raises(TypeError, match="'broken'"):
            store.fail_execution(
                running.id, state=ExecutionState.FAILED, custom_properties=properties
            )
        with pytest.raises(TypeError, match="'broken'"):
            store.put_context(ContextKey("pipeline", "new"), properties)
        assert content(store) == before

    def test_records_are_copies(self, store: MetadataStore) -> None:
        properties: dict[str, Any] = {"list": [1]}
        declared = {"span": "INT"}
        given_type = TypeRecord(name="Examples", properties=declared)
        given = ArtifactRecord(type=given_type, uri="/a", properties=properties)
        execution, pending = register(
            store, custom_properties=properties, pending_outputs=lambda _: {"examples": [given]}
        )
        store.put_context(RUN, properties)
        before = copy.deepcopy(content(store))
        properties["list"].append(2)
        declared["span"] = "STRING"
        with_types: list[Any] = [execution, *pending["examples"]]
        with_types += store.get_executions() + store.get_artifacts()
        for record in (*with_types, *store.get_contexts()):
            record.custom_properties.setdefault("list", []).append(3)
        for record in with_types:
            record.type.properties["new"] = "INT"
        pending["examples"][0].uri = "/b"
        assert content(store) == before
        # Nor does the store take what the caller wrote into its type for something it knows.
        grown = TypeRecord(name="Examples", properties={"span": "INT", "new": "INT"})
        outputs = {"examples": [ArtifactRecord(type=grown, uri="/c")]}
        register(store, pending_outputs=lambda _: outputs)
        assert store.get_artifacts()[0].type == grown

    def test_reopened_store_has_everything(self, store_url: str) -> None:
        with open_store(store_url) as store:
            _, outputs = complete(store)
            register(store, inputs={"model": outputs})
            store.put_context(RUN, {"a": 1})
            before = content(store)
        with open_store(store_url) as store:
            assert content(store) == before

    def test_close_twice(self, store_url: str) -> None:
        store = open_store(store_url)
        complete(store)
        store.close()
        store.close()
        with pytest.raises(MetadataError, match="closed"):
            store.get_executions()
        with pytest.raises(MetadataError, match="closed"):
            complete(store)
