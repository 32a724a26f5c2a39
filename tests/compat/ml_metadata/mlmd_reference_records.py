"""Records of many kinds, and how they are printed. Also runs under ml-metadata itself.

python mlmd_reference_records.py write FILE    writes the records to a new file
python mlmd_reference_records.py dump FILE     prints what a store finds in a file, as JSON
"""

import json
import sys

import ml_metadata as mlmd
from ml_metadata.proto import metadata_store_pb2 as pb

QUERIES = {
    "artifacts": [
        "uri LIKE 'u%' AND NOT name IS NULL",
        "state = LIVE OR state = PENDING",
        "state != LIVE",
        "type = 'Model' AND properties.steps.int_value >= 2",
        'custom_properties.`a b`.string_value = "it\'s"',
        "contexts_0.type = 'pipeline' AND contexts_0.name = 'penguin'",
        "contexts_0.name = 'penguin' AND contexts_1.name = 'run'",
        "events_0.type = OUTPUT AND events_0.execution_id = 1",
        "create_time_since_epoch > 0 AND id IN (1, 3)",
    ],
    "executions": [
        "last_known_state = COMPLETE",
        "last_known_state IN (FAILED, COMPLETE) AND contexts_0.name = 'penguin'",
        "events_0.artifact_id = 1 AND events_0.type = INPUT",
    ],
    "contexts": ["parent_contexts_0.name = 'penguin'", "type = 'run' AND name LIKE 'r%'"],
}


def open_store(path):
    config = pb.ConnectionConfig()
    config.sqlite.filename_uri = path
    return mlmd.MetadataStore(config)


def write(path):
    store = open_store(path)
    properties = {"steps": pb.INT, "loss": pb.DOUBLE, "note": pb.STRING, "more": pb.STRUCT}
    properties |= {"ok": pb.BOOLEAN, "any": pb.PROTO}
    model = store.put_artifact_type(
        pb.ArtifactType(name="Model", properties=properties, base_type=pb.ArtifactType.MODEL)
    )
    store.put_artifact_type(pb.ArtifactType(name="Model", version="2", description="newer"))
    train = pb.ExecutionType(name="Train", base_type=pb.ExecutionType.TRAIN)
    train.properties["rate"] = pb.DOUBLE
    train.input_type.dict.properties["examples"].simple.name = "Examples"
    train.output_type.any.SetInParent()
    train_id = store.put_execution_type(train)
    pipeline = store.put_context_type(pb.ContextType(name="pipeline", properties={"n": pb.INT}))
    run = store.put_context_type(pb.ContextType(name="run"))

    first = pb.Artifact(type_id=model, uri="u1", name="first", state=pb.Artifact.LIVE)
    first.properties["steps"].int_value = 2
    first.properties["loss"].double_value = 0.1
    first.properties["note"].string_value = "ünïcode"
    first.properties["ok"].bool_value = True
    first.properties["more"].struct_value["list"] = [1, "two", {"three": None}]
    first.properties["any"].proto_value.Pack(pb.Context(name="packed"))
    first.custom_properties["a b"].string_value = "it's"
    second = pb.Artifact(type_id=model, uri="u2", external_id="e2")
    first.id, second.id = store.put_artifacts([first, second])

    parent = pb.Context(type_id=pipeline, name="penguin")
    parent.properties["n"].int_value = 7
    child = pb.Context(type_id=run, name="run")
    child.custom_properties["k"].double_value = 1.5
    event = pb.Event(type=pb.Event.OUTPUT)
    event.path.steps.add(key="model")
    event.path.steps.add(index=0)
    event.path.steps.add(key="again")
    event.path.steps.add(index=1)
    execution = pb.Execution(type_id=train_id, last_known_state=pb.Execution.COMPLETE)
    execution.properties["rate"].double_value = 0.5
    third = pb.Artifact(type_id=model, uri="v3", state=pb.Artifact.PENDING)
    _, _, contexts = store.put_execution(
        execution,
        [(third, event), (first, pb.Event(type=pb.Event.INPUT, artifact_id=first.id))],
        [parent, child],
    )
    store.put_parent_contexts([pb.ParentContext(child_id=contexts[1], parent_id=contexts[0])])
    store.put_executions([pb.Execution(type_id=train_id, last_known_state=pb.Execution.FAILED)])
    second.state = pb.Artifact.DELETED
    store.put_artifacts([second], ["state"])


def ask(path):
    """What a store finds in a file: messages by what was asked for."""
    store = open_store(path)
    found = {}
    for kind in ("artifact", "execution", "context"):
        found[f"{kind}_types"] = getattr(store, f"get_{kind}_types")()
        found[f"{kind}s"] = nodes = getattr(store, f"get_{kind}s")()
        if kind != "context":
            get_events = getattr(store, f"get_events_by_{kind}_ids")
            found[f"events by {kind}"] = get_events([node.id for node in nodes])
    for context in found["contexts"]:
        found[f"artifacts of {context.name}"] = store.get_artifacts_by_context(context.id)
        found[f"executions of {context.name}"] = store.get_executions_by_context(context.id)
        found[f"parents of {context.name}"] = store.get_parent_contexts_by_context(context.id)
    for kind, queries in QUERIES.items():
        for query in queries:
            options = mlmd.ListOptions(filter_query=query)
            found[f"{kind}: {query}"] = getattr(store, f"get_{kind}")(options)
    options = pb.LineageSubgraphQueryOptions(direction=pb.LineageSubgraphQueryOptions.UPSTREAM)
    options.starting_artifacts.filter_query = "id = 3"
    graph = store.get_lineage_subgraph(options)
    # Not the types, of which theirs leaves out the base types.
    for part in ("artifacts", "executions", "contexts", "events", "attributions", "associations"):
        found[f"{part} of the lineage"] = getattr(graph, part)
    return found


def dump(path):
    return {
        what: [one.SerializeToString(deterministic=True).hex() for one in messages]
        for what, messages in ask(path).items()
    }


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2])
    else:
        print(json.dumps(dump(sys.argv[2])))
