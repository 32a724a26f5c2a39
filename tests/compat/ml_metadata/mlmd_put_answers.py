"""Answers of a store to puts, right and wrong ones. Also runs under ml-metadata itself.

python mlmd_put_answers.py FILE    puts records into a file, and prints the answers as JSON
"""

import json
import sys

import ml_metadata as mlmd
from ml_metadata.proto import metadata_store_pb2 as pb


def answers(path):
    """What the store returned or raised, by what was asked; ids of types are left out."""
    config = pb.ConnectionConfig()
    config.sqlite.filename_uri = path
    store = mlmd.MetadataStore(config)
    found = {}

    def ask(what, put, *args, **kwargs):
        try:
            found[what] = put(*args, **kwargs)
        except mlmd.errors.StatusError as error:
            found[what] = type(error).__name__
        return found[what]

    model_type = pb.ArtifactType(name="Model", properties={"steps": pb.INT})
    model = store.put_artifact_type(model_type)
    train = store.put_execution_type(pb.ExecutionType(name="Train", properties={"n": pb.INT}))
    group = store.put_context_type(pb.ContextType(name="group"))
    found["the same type"] = store.put_artifact_type(model_type) == model
    more = pb.ArtifactType(name="Model", properties={"steps": pb.INT, "x": pb.INT})
    ask("a type with more", store.put_artifact_type, more)
    ask("a type with less", store.put_artifact_type, pb.ArtifactType(name="Model"))
    other = pb.ArtifactType(name="Model", properties={"steps": pb.STRING})
    ask("a type with others", store.put_artifact_type, other, can_add_fields=True)
    ask("a type without a name", store.put_artifact_type, pb.ArtifactType())

    def artifact(**fields):
        return pb.Artifact(type_id=model, **fields)

    ask("new artifacts", store.put_artifacts, [artifact(uri="a", name="a"), artifact(uri="b")])
    ask("the name again", store.put_artifacts, [artifact(name="a")])
    ask("one more", store.put_artifacts, [artifact(uri="c", external_id="e")])
    ask("the external id again", store.put_artifacts, [artifact(external_id="e")])
    ask("no type", store.put_artifacts, [pb.Artifact(uri="u")])
    ask("an unknown type", store.put_artifacts, [pb.Artifact(type_id=4711)])
    ask("an unknown id", store.put_artifacts, [pb.Artifact(id=4711)])
    ask("another type", store.put_artifacts, [pb.Artifact(id=1, type_id=train)])
    ask("no artifacts", store.put_artifacts, [])
    wrong = artifact(properties={"steps": pb.Value(string_value="1")})
    ask("a property of another type", store.put_artifacts, [wrong])
    ask(
        "an unknown property",
        store.put_artifacts,
        [artifact(properties={"y": pb.Value(int_value=1)})],
    )
    ask("an update", store.put_artifacts, [pb.Artifact(id=2, uri="v", state=pb.Artifact.LIVE)])

    ask("executions", store.put_executions, [pb.Execution(type_id=train, name="e")])
    ask("its name again", store.put_executions, [pb.Execution(type_id=train, name="e")])
    ask("a type of artifacts", store.put_executions, [pb.Execution(type_id=model)])
    ask("a context", store.put_contexts, [pb.Context(type_id=group, name="c")])
    ask("a context again", store.put_contexts, [pb.Context(type_id=group, name="c")])
    ask("no name", store.put_contexts, [pb.Context(type_id=group)])
    ask("two contexts", store.put_contexts, [pb.Context(type_id=group, name=one) for one in "de"])

    def event(**fields):
        return pb.Event(**{"artifact_id": 1, "execution_id": 1, "type": pb.Event.INPUT, **fields})

    ask("an event", store.put_events, [event()])
    ask("the event again", store.put_events, [event()])
    ask("another type of event", store.put_events, [event(type=pb.Event.DECLARED_INPUT)])
    ask("an event of no artifact", store.put_events, [event(artifact_id=4711)])
    ask("an event of no execution", store.put_events, [event(execution_id=4711)])
    ask("an event without a type", store.put_events, [pb.Event(artifact_id=1, execution_id=1)])
    ask("half of the events", store.put_events, [event(artifact_id=2), event()])
    members = (
        [pb.Attribution(artifact_id=1, context_id=1)],
        [pb.Association(execution_id=1, context_id=1)],
    )
    ask("members", store.put_attributions_and_associations, *members)
    ask("members again", store.put_attributions_and_associations, *members)
    nowhere = [pb.Attribution(artifact_id=1, context_id=4711)]
    ask("members of nothing", store.put_attributions_and_associations, nowhere, [])
    ask("a parent", store.put_parent_contexts, [pb.ParentContext(child_id=1, parent_id=2)])
    ask("a parent again", store.put_parent_contexts, [pb.ParentContext(child_id=1, parent_id=2)])
    ask("no parent", store.put_parent_contexts, [pb.ParentContext(child_id=1, parent_id=4711)])

    pair = (artifact(uri="x"), pb.Event(type=pb.Event.OUTPUT))
    context = pb.Context(type_id=group, name="c")
    execution = pb.Execution(type_id=train, last_known_state=pb.Execution.COMPLETE)
    ask("all at once", store.put_execution, execution, [pair], [context])
    found["nothing of it"] = len(store.get_executions())
    ask("with its context", store.put_execution, execution, [pair], [context], True)
    subgraph = ([execution], [artifact(uri="y")], [], [(0, 0, pb.Event(type=pb.Event.OUTPUT))])
    ask("a subgraph", store.put_lineage_subgraph, *subgraph)
    outside = ([execution], [], [], [(0, 7, pb.Event(type=pb.Event.OUTPUT))])
    ask("a subgraph with an edge to nowhere", store.put_lineage_subgraph, *outside)
    found["artifacts"] = [[one.id, one.uri, one.name] for one in store.get_artifacts()]
    found["events"] = sorted(
        [one.execution_id, one.artifact_id, one.type]
        for one in store.get_events_by_execution_ids([1, 2, 3])
    )
    return found


if __name__ == "__main__":
    print(json.dumps(answers(sys.argv[1])))
