"""Scripts and components that write to the store of a pipeline, as TFX's users do it."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import ml_metadata as mlmd
from ml_metadata.proto import metadata_store_pb2 as pb
from tfx.dsl.components.common.resolver import Resolver
from tfx.orchestration.metadata import Metadata
from tfx.orchestration.portable.mlmd import artifact_lib, context_lib, execution_lib
from tfx.types.standard_artifacts import Model
from trainwright import (
    Channel,
    InputArtifact,
    LocalDagRunner,
    OutputArtifact,
    OutputDict,
    Parameter,
    Pipeline,
    component,
    open_store,
)
from trainwright.cli.main import cli
from trainwright.compat.mlmd.connections import sqlite_metadata_connection_config
from trainwright.dsl.strategies import LatestArtifactStrategy
from trainwright.orchestration.cleanup.garbage import collect, plan_collection


@component
def train_and_note(model: OutputArtifact[Model], store: Parameter[str]):
    """Notes itself in the store of its own run, while it runs."""
    from tfx.orchestration.metadata import Metadata
    from trainwright.compat.mlmd.connections import sqlite_metadata_connection_config

    Path(model.uri, "weights").write_text("made by a run")
    card = Path(model.uri).parent / "card.txt"
    card.write_text("a card")
    with Metadata(sqlite_metadata_connection_config(store)) as metadata:
        node = metadata.store.get_context_by_type_and_name("node", "p.train_and_note")
        (execution,) = metadata.store.get_executions_by_context(node.id)
        execution.custom_properties["note"].string_value = "from within"
        metadata.store.put_executions([execution])
        type_id = metadata.store.put_artifact_type(pb.ArtifactType(name="Card"))
        event = pb.Event(execution_id=execution.id, type=pb.Event.OUTPUT)
        event.path.steps.add(key="card")
        event.path.steps.add(index=0)
        metadata.store.put_execution(
            execution, [(pb.Artifact(type_id=type_id, uri=str(card)), event)], [node]
        )


@component
def read_model(model: InputArtifact[Model]) -> OutputDict(seen=str):
    return {"seen": Path(model.uri, "weights").read_text()}


@pytest.fixture
def root(tmp_path):
    return tmp_path / "root"


@pytest.fixture
def config(root):
    return sqlite_metadata_connection_config(str(root / "metadata.db"))


def run(root, *nodes):
    return LocalDagRunner().run(
        Pipeline(
            "p",
            str(root),
            components=nodes,
            enable_cache=True,
            metadata_connection_config=sqlite_metadata_connection_config(str(root / "metadata.db")),
        )
    )


def states(result):
    return {name: state.name for name, state in result.states.items()}


def write_model(path: Path, weights: str) -> None:
    path.mkdir(parents=True)
    (path / "weights").write_text(weights)


def gc(root):
    with open_store(root / "metadata.db") as store:
        return collect(store, plan_collection(store, "p", keep=0))


def call(root, *arguments):
    answer = CliRunner().invoke(cli, [*arguments, "--store", str(root / "metadata.db")])
    assert answer.exit_code == 0, answer.output
    return answer.output


def test_a_component_writes_to_the_store_of_its_own_run(root, config):
    trainer = train_and_note(store=str(root / "metadata.db"))
    first = run(root, trainer)
    assert states(first) == {"train_and_note": "COMPLETE"}
    store = mlmd.MetadataStore(config)
    (execution,) = store.get_executions()
    assert execution.custom_properties["note"].string_value == "from within"
    assert execution.last_known_state == pb.Execution.COMPLETE
    (card,) = store.get_artifacts_by_type("Card")
    by_hand = store.get_events_by_artifact_ids([card.id])
    assert [(one.type, one.path.steps[0].key) for one in by_hand] == [(pb.Event.OUTPUT, "card")]
    # What it added is none of the node's outputs, and does not keep it from being reused.
    second = run(root, train_and_note(store=str(root / "metadata.db")))
    assert states(second) == {"train_and_note": "CACHED"}
    assert "Card" in call(root, "artifacts")
    assert "train_and_note" in call(root, "lineage", f"{card.id}")
    gc(root)
    assert Path(card.uri).read_text() == "a card"


def test_a_resolver_finds_a_model_that_a_script_registered_and_gc_leaves_it(root, config):
    def pipeline():
        latest = Resolver(strategy_class=LatestArtifactStrategy, model=Channel(type=Model))
        latest = latest.with_id("latest")
        return latest, read_model(model=latest.outputs["model"])

    run(root, train_and_note(store=str(root / "metadata.db")))
    # Where the outputs of the Resolver's execution would lie.
    path = root / "latest" / "model" / "2"
    write_model(path, "trained elsewhere")
    store = mlmd.MetadataStore(config)
    (pipeline_context,) = store.get_contexts_by_type("pipeline")
    type_id = store.get_artifact_type("Model").id
    (model_id,) = store.put_artifacts(
        [pb.Artifact(type_id=type_id, uri=str(path), state=pb.Artifact.LIVE)]
    )
    store.put_attributions_and_associations(
        [pb.Attribution(artifact_id=model_id, context_id=pipeline_context.id)], []
    )
    result = run(root, *pipeline())
    (seen,) = result.outputs["read_model"]["seen"]
    assert Path(seen.uri).read_text() == "trained elsewhere"
    assert states(run(root, *pipeline())) == {"latest": "CACHED", "read_model": "CACHED"}
    assert str(path) in call(root, "artifacts", "--type", "Model")
    (model,) = store.get_artifacts_by_id([model_id])
    assert {one.execution_id for one in store.get_events_by_artifact_ids([model_id])} >= {2}
    # Even when no run that is kept needs it, and it is marked by hand.
    for number in range(2):
        run(root, train_and_note(store=str(root / "metadata.db")))
    model.state = pb.Artifact.MARKED_FOR_DELETION
    store.put_artifacts([model])
    gc(root)
    assert (path / "weights").exists()


def test_tfx_functions_register_an_execution_with_its_outputs(root, config):
    open_store(root / "metadata.db").close()
    write_model(root / "elsewhere", "trained elsewhere")
    with Metadata(config) as metadata:
        pipeline = context_lib.register_context_if_not_exists(metadata, "pipeline", "p")
        run_of_it = context_lib.register_context_if_not_exists(
            metadata, "pipeline_run", "by-hand", parent_contexts=[pipeline]
        )
        model = Model()
        model.uri = str(root / "elsewhere")
        model.set_string_custom_property("trained", "elsewhere")
        execution = execution_lib.prepare_execution(
            metadata, pb.ExecutionType(name="Elsewhere"), pb.Execution.COMPLETE
        )
        execution_lib.put_execution(
            metadata, execution, [pipeline, run_of_it], output_artifacts={"model": [model]}
        )
        (stored,) = artifact_lib.get_artifacts_by_ids(metadata, [model.id])
        outputs = execution_lib.get_output_artifacts(metadata, execution.id)
        (parent,) = metadata.store.get_parent_contexts_by_context(run_of_it.id)
    assert stored.get_string_custom_property("trained") == "elsewhere"
    assert [one.id for one in outputs["model"]] == [model.id]
    assert parent.name == "p"
    assert "Elsewhere" in call(root, "lineage", f"{model.id}")
    assert "by-hand" in call(root, "runs")
    assert "unknown" in call(root, "show", "by-hand")
    gc(root)
    assert (root / "elsewhere" / "weights").exists()
