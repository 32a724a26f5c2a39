"""A store in the shape that TFX's LocalDagRunner writes. Also runs under ml-metadata itself.

python tfx_shaped_store.py FILE ROOT    writes two runs of a pipeline `penguin` to a new file
"""

import os
import sys

import ml_metadata as mlmd
from ml_metadata.proto import metadata_store_pb2 as pb

PIPELINE = "penguin"
RUNS = ("2024-01-01T00:00:00.000000", "2024-01-02T00:00:00.000000")

ARTIFACT_TYPES = {
    "Examples": (pb.ArtifactType.DATASET, {"span": pb.INT, "split_names": pb.STRING}),
    "Model": (pb.ArtifactType.MODEL, {}),
    "ModelBlessing": (None, {}),
}
# The nodes with the inputs and the outputs of each: the key, and the type of what is there.
NODES = {
    "CsvExampleGen": (pb.ExecutionType.PROCESS, {}, {"examples": "Examples"}),
    "Trainer": (pb.ExecutionType.TRAIN, {"examples": "Examples"}, {"model": "Model"}),
    "Evaluator": (
        pb.ExecutionType.EVALUATE,
        {"examples": "Examples", "model": "Model"},
        {"blessing": "ModelBlessing"},
    ),
}


def open_store(path):
    config = pb.ConnectionConfig()
    config.sqlite.filename_uri = str(path)
    return mlmd.MetadataStore(config)


def event(type_, key, index=0):
    made = pb.Event(type=type_)
    made.path.steps.add(key=key)
    made.path.steps.add(index=index)
    return made


def write(path, root, runs=RUNS):
    """Writes the runs, of which the first has a blessed model and the last one that is not."""
    store = open_store(path)
    types = put_types(store)
    for run in runs:
        made = {}
        for node_id, (_, inputs, outputs) in NODES.items():
            run_node(store, types, root, run, node_id, (inputs, outputs), made)
    return store


def put_types(store):
    types = {}
    for name, (base_type, properties) in ARTIFACT_TYPES.items():
        declared = pb.ArtifactType(name=name, properties=properties)
        if base_type is not None:
            declared.base_type = base_type
        types[name] = store.put_artifact_type(declared)
    for node_id, (base_type, _, _) in NODES.items():
        declared = pb.ExecutionType(name=f"tfx.components.{node_id}", base_type=base_type)
        types[node_id] = store.put_execution_type(declared)
    for name in ("pipeline", "pipeline_run", "node"):
        types[name] = store.put_context_type(pb.ContextType(name=name))
    return types


def run_node(store, types, root, run, node_id, channels, made):
    inputs, outputs = channels
    contexts = [
        pb.Context(type_id=types["pipeline"], name=PIPELINE),
        pb.Context(type_id=types["pipeline_run"], name=run),
        pb.Context(type_id=types["node"], name=f"{PIPELINE}.{node_id}"),
    ]
    execution = pb.Execution(type_id=types[node_id], last_known_state=pb.Execution.RUNNING)
    execution.custom_properties["steps"].int_value = 100
    execution.custom_properties["module_file"].string_value = "/code/penguin.py"
    given = [(made[type_], event(pb.Event.INPUT, key)) for key, type_ in inputs.items()]
    execution.id, _, _ = store.put_execution(
        execution, given, contexts, reuse_context_if_already_exist=True
    )
    execution.last_known_state = pb.Execution.COMPLETE
    written = []
    for key, type_ in outputs.items():
        uri = os.path.join(str(root), node_id, key, str(execution.id))
        artifact = pb.Artifact(type_id=types[type_], uri=uri, state=pb.Artifact.LIVE)
        artifact.custom_properties["name"].string_value = key
        artifact.custom_properties["tfx_version"].string_value = "1.15.1"
        if type_ == "Examples":
            artifact.properties["span"].int_value = 0
            artifact.properties["split_names"].string_value = '["train", "eval"]'
        if type_ == "ModelBlessing":
            is_blessed = int(run == RUNS[0])
            artifact.custom_properties["blessed"].int_value = is_blessed
            artifact.custom_properties["current_model_id"].int_value = made["Model"].id
            artifact.custom_properties["thresholds"].struct_value["accuracy"] = 0.5
        written.append((artifact, event(pb.Event.OUTPUT, key)))
    _, ids, _ = store.put_execution(
        execution, written, contexts, reuse_context_if_already_exist=True
    )
    for (artifact, _), id_ in zip(written, ids[-len(written) :]):
        artifact.id = id_
        made[artifact_type(types, artifact)] = artifact
        os.makedirs(artifact.uri)
        with open(os.path.join(artifact.uri, "content"), "w") as file:
            file.write(f"{artifact.id}")


def artifact_type(types, artifact):
    return next(name for name in ARTIFACT_TYPES if types[name] == artifact.type_id)


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2])
