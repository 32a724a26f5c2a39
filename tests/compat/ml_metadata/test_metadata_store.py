"""Types, nodes and what connects them, as ml-metadata 1.17 stores and refuses them."""

import threading

import pytest

import ml_metadata as mlmd
from ml_metadata import errors
from ml_metadata.proto import metadata_store_pb2 as pb


@pytest.fixture
def model_type(store):
    return store.put_artifact_type(
        pb.ArtifactType(name="Model", properties={"steps": pb.INT, "note": pb.STRING})
    )


@pytest.fixture
def train_type(store):
    return store.put_execution_type(
        pb.ExecutionType(name="Train", base_type=pb.ExecutionType.TRAIN)
    )


def test_a_type_is_stored_once(store, model_type):
    same = pb.ArtifactType(name="Model", properties={"steps": pb.INT, "note": pb.STRING})
    assert store.put_artifact_type(same) == model_type
    assert [one.name for one in store.get_artifact_types()] == ["Model"]
    assert store.get_execution_types() == []


def test_a_type_grows_only_when_it_may(store, model_type):
    fewer = pb.ArtifactType(name="Model", properties={"steps": pb.INT})
    with pytest.raises(errors.AlreadyExistsError, match="can_omit_fields is false"):
        store.put_artifact_type(fewer)
    more = pb.ArtifactType(name="Model", properties={"steps": pb.INT, "loss": pb.DOUBLE})
    with pytest.raises(errors.AlreadyExistsError, match="can_add_fields is false"):
        store.put_artifact_type(more, can_omit_fields=True)
    store.put_artifact_type(more, can_omit_fields=True, can_add_fields=True)
    assert set(store.get_artifact_type("Model").properties) == {"steps", "note", "loss"}
    other = pb.ArtifactType(name="Model", properties={"steps": pb.STRING})
    with pytest.raises(errors.AlreadyExistsError, match="Conflicting property value type"):
        store.put_artifact_type(other, can_omit_fields=True)


def test_versions_of_a_type_are_types_of_their_own(store, model_type):
    second = store.put_artifact_type(pb.ArtifactType(name="Model", version="2"))
    assert second != model_type
    assert store.get_artifact_type("Model", "2").id == second
    assert store.get_artifact_type("Model").id == model_type


def test_a_base_type_stays(store, train_type):
    stored = store.get_execution_type("Train")
    assert stored.base_type == pb.ExecutionType.TRAIN
    with pytest.raises(errors.UnimplementedError, match="base_type update"):
        store.put_execution_type(pb.ExecutionType(name="Train", base_type=pb.ExecutionType.DEPLOY))


def test_an_unknown_type_is_not_found(store):
    with pytest.raises(errors.NotFoundError, match="No type found for query, name: `Modle`"):
        store.get_artifact_type("Modle")


def test_values_of_every_kind_come_back(store):
    kinds = {"i": pb.INT, "d": pb.DOUBLE, "s": pb.STRING, "t": pb.STRUCT, "p": pb.PROTO}
    type_id = store.put_artifact_type(
        pb.ArtifactType(name="All", properties={**kinds, "b": pb.BOOLEAN})
    )
    artifact = pb.Artifact(type_id=type_id, uri="here", name="one", state=pb.Artifact.LIVE)
    artifact.properties["i"].int_value = -3
    artifact.properties["d"].double_value = 0.25
    artifact.properties["s"].string_value = "it's"
    artifact.properties["b"].bool_value = False
    artifact.properties["t"].struct_value["key"] = [1, "a", None]
    artifact.properties["p"].proto_value.Pack(pb.Context(name="packed"))
    artifact.custom_properties["s"].string_value = "the same name"
    (artifact.id,) = store.put_artifacts([artifact])
    (stored,) = store.get_artifacts_by_id([artifact.id])
    assert stored.create_time_since_epoch == stored.last_update_time_since_epoch > 0
    for field in ("type", "create_time_since_epoch", "last_update_time_since_epoch"):
        stored.ClearField(field)
    assert stored == artifact


@pytest.mark.parametrize(
    ("artifact", "error", "words"),
    [
        (pb.Artifact(uri="u"), errors.InvalidArgumentError, "Type id is missing"),
        (pb.Artifact(type_id=999), errors.NotFoundError, "Cannot find type for type_id: 999"),
        (pb.Artifact(id=77), errors.InvalidArgumentError, "Cannot find the given id 77"),
    ],
)
def test_an_artifact_that_makes_no_sense(store, artifact, error, words):
    with pytest.raises(error, match=words):
        store.put_artifacts([artifact])


def test_properties_are_those_of_the_type(store, model_type):
    wrong = pb.Artifact(type_id=model_type, properties={"steps": pb.Value(string_value="x")})
    with pytest.raises(errors.InvalidArgumentError, match="Found unmatched property type: steps"):
        store.put_artifacts([wrong])
    unknown = pb.Artifact(type_id=model_type, properties={"stesp": pb.Value(int_value=1)})
    with pytest.raises(errors.InvalidArgumentError, match="Found unknown property: stesp"):
        store.put_artifacts([unknown])
    nan = pb.Artifact(custom_properties={"x": pb.Value(double_value=float("nan"))})
    nan.type_id = model_type
    with pytest.raises(errors.InvalidArgumentError, match="Property x is NaN"):
        store.put_artifacts([nan])
    empty = pb.Artifact(type_id=model_type, custom_properties={"x": pb.Value()})
    with pytest.raises(errors.InvalidArgumentError, match="x has no value"):
        store.put_artifacts([empty])


def test_a_call_is_stored_whole_or_not_at_all(store, model_type):
    twice = [pb.Artifact(type_id=model_type, name="a"), pb.Artifact(type_id=model_type, name="a")]
    with pytest.raises(errors.AlreadyExistsError, match="Given node already exists"):
        store.put_artifacts(twice)
    assert store.get_artifacts() == []


def test_an_update_replaces_all_but_the_name(store, model_type):
    first = pb.Artifact(type_id=model_type, name="m", uri="u", state=pb.Artifact.PENDING)
    first.custom_properties["old"].int_value = 1
    (artifact_id,) = store.put_artifacts([first])
    store.put_artifacts([pb.Artifact(id=artifact_id, uri="v")])
    (stored,) = store.get_artifacts()
    assert (stored.name, stored.uri, dict(stored.custom_properties)) == ("m", "v", {})
    assert not stored.HasField("state")


def test_a_mask_limits_an_update(store, model_type):
    (artifact_id,) = store.put_artifacts([pb.Artifact(type_id=model_type, uri="u")])
    change = pb.Artifact(id=artifact_id, uri="v", state=pb.Artifact.LIVE)
    change.custom_properties["a"].int_value = 1
    change.custom_properties["b"].int_value = 2
    store.put_artifacts([change], ["state", "custom_properties.a"])
    (stored,) = store.get_artifacts()
    assert (stored.uri, stored.state, set(stored.custom_properties)) == ("u", 2, {"a"})


def test_contexts_need_a_name(store):
    type_id = store.put_context_type(pb.ContextType(name="pipeline"))
    with pytest.raises(errors.InvalidArgumentError, match="Context name should not be empty"):
        store.put_contexts([pb.Context(type_id=type_id)])


def test_an_execution_with_all_around_it(store, model_type, train_type):
    context_type = store.put_context_type(pb.ContextType(name="pipeline"))
    event = pb.Event(type=pb.Event.OUTPUT)
    event.path.steps.add(key="model")
    event.path.steps.add(index=0)
    execution_id, artifact_ids, context_ids = store.put_execution(
        pb.Execution(type_id=train_type, last_known_state=pb.Execution.COMPLETE),
        [(pb.Artifact(type_id=model_type, uri="u"), event)],
        [pb.Context(type_id=context_type, name="penguin")],
    )
    assert [one.id for one in store.get_executions_by_context(context_ids[0])] == [execution_id]
    assert [one.id for one in store.get_artifacts_by_context(context_ids[0])] == artifact_ids
    (stored,) = store.get_events_by_execution_ids([execution_id])
    assert stored.path == event.path
    assert stored.milliseconds_since_epoch > 0
    assert store.get_events_by_artifact_ids(artifact_ids) == [stored]
    (context,) = store.get_contexts_by_artifact(artifact_ids[0])
    assert (context.type, context.name) == ("pipeline", "penguin")
    with pytest.raises(errors.AlreadyExistsError, match="Given event already exists"):
        store.put_events([stored])


def test_a_context_of_the_same_name_is_reused_if_asked(store, train_type):
    context = pb.Context(
        type_id=store.put_context_type(pb.ContextType(name="pipeline")), name="penguin"
    )
    store.put_contexts([context])
    execution = pb.Execution(type_id=train_type)
    with pytest.raises(errors.AlreadyExistsError):
        store.put_execution(execution, [], [context])
    assert store.get_executions() == []
    store.put_execution(execution, [], [context], reuse_context_if_already_exist=True)
    assert len(store.get_contexts()) == 1


def test_the_newest_executions_of_a_context_come_first(store, train_type):
    context_type = store.put_context_type(pb.ContextType(name="pipeline"))
    (context_id,) = store.put_contexts([pb.Context(type_id=context_type, name="penguin")])
    ids = store.put_executions([pb.Execution(type_id=train_type) for _ in range(3)])
    links = [pb.Association(execution_id=one, context_id=context_id) for one in ids]
    store.put_attributions_and_associations([], links)
    store.put_attributions_and_associations([], links)
    found = store.get_executions_by_context(context_id)
    assert [one.id for one in found] == ids[::-1]
    oldest = store.get_executions_by_context(context_id, mlmd.ListOptions(limit=1))
    assert [one.id for one in oldest] == ids[:1]


def test_parents_and_children_of_contexts(store):
    type_id = store.put_context_type(pb.ContextType(name="pipeline"))
    parent, child = store.put_contexts(
        [pb.Context(type_id=type_id, name="parent"), pb.Context(type_id=type_id, name="child")]
    )
    link = pb.ParentContext(child_id=child, parent_id=parent)
    store.put_parent_contexts([link])
    assert [one.id for one in store.get_parent_contexts_by_context(child)] == [parent]
    assert [one.id for one in store.get_children_contexts_by_context(parent)] == [child]
    with pytest.raises(errors.AlreadyExistsError):
        store.put_parent_contexts([link])


def test_lineage_goes_up_and_down(store, model_type, train_type):
    artifacts = store.put_artifacts(
        [pb.Artifact(type_id=model_type, uri=f"a{index}") for index in range(3)]
    )
    executions = store.put_executions([pb.Execution(type_id=train_type) for _ in range(2)])
    for index, execution in enumerate(executions):
        store.put_events(
            [
                pb.Event(artifact_id=artifacts[index], execution_id=execution, type=pb.Event.INPUT),
                pb.Event(
                    artifact_id=artifacts[index + 1], execution_id=execution, type=pb.Event.OUTPUT
                ),
            ]
        )
    options = pb.LineageSubgraphQueryOptions(direction=pb.LineageSubgraphQueryOptions.UPSTREAM)
    options.starting_artifacts.filter_query = "uri = 'a1'"
    graph = store.get_lineage_subgraph(options)
    assert [one.id for one in graph.artifacts] == artifacts[:2]
    assert [one.id for one in graph.executions] == executions[:1]
    options.direction = pb.LineageSubgraphQueryOptions.DOWNSTREAM
    options.max_num_hops = 1
    graph = store.get_lineage_subgraph(options, ["executions", "events"])
    assert [one.id for one in graph.executions] == executions[1:]
    assert len(graph.events) == 1
    assert not graph.artifacts


def test_threads_take_turns(store, model_type):
    def put() -> None:
        for _ in range(20):
            store.put_artifacts([pb.Artifact(type_id=model_type)])

    threads = [threading.Thread(target=put) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.id for one in store.get_artifacts()] == list(range(1, 81))


@pytest.mark.parametrize("database", ["mysql", "postgresql"])
def test_a_server_is_refused_in_words(database):
    config = pb.ConnectionConfig()
    getattr(config, database).SetInParent()
    with pytest.raises(errors.UnimplementedError, match="opens SQLite files"):
        mlmd.MetadataStore(config)


def test_a_config_of_nothing():
    with pytest.raises(RuntimeError, match="Unset"):
        mlmd.MetadataStore(pb.ConnectionConfig())
    with pytest.raises(ValueError, match="is expecting either proto.ConnectionConfig"):
        mlmd.MetadataStore("metadata.db")
