"""Pipelines that cannot work are refused before anything runs, and nothing is left behind."""

import os

import pytest

from trainwright import (
    Importer,
    LocalDagRunner,
    OutputDict,
    Pipeline,
    PipelineRunError,
    Resolver,
    RuntimeParameter,
    component,
)
from trainwright.components import (
    CsvExampleGen,
    Evaluator,
    ImportExampleGen,
    ImportSchemaGen,
    Pusher,
    Trainer,
    Transform,
)
from trainwright.components.pusher.executor import Executor as PusherExecutor
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.metadata.connection import open_store, sqlite_metadata_connection_config
from trainwright.metadata.store import MetadataError
from trainwright.orchestration.pipeline_check import find_warnings
from trainwright.types.standard_artifacts import Examples, Model, Schema


@component
def make() -> OutputDict(path=str):
    return {"path": "hdfs://bucket/schema.pbtxt"}


def imported(artifact_type):
    """A channel whose files are never looked at: the check fails before."""
    return Importer(os.getcwd(), artifact_type).with_id(artifact_type.TYPE_NAME)


def destination(path):
    return {"filesystem": {"base_directory": path}}


def pushing(cls, path):
    return cls(
        model=(model := imported(Model)).outputs["result"], push_destination=destination(path)
    ), model


NODES = {
    "source_uri of Importer": lambda path: [Importer(path, Schema)],
    "input_base of CsvExampleGen": lambda path: [CsvExampleGen(path)],
    "input_base of ImportExampleGen": lambda path: [ImportExampleGen(path)],
    "schema_file of ImportSchemaGen": lambda path: [ImportSchemaGen(path)],
    "module_file of Trainer": lambda path: [
        (examples := imported(Examples)),
        Trainer(examples=examples.outputs["result"], module_file=path),
    ],
    "module_file of Transform": lambda path: [
        (examples := imported(Examples)),
        (schema := imported(Schema)),
        Transform(examples.outputs["result"], schema.outputs["result"], module_file=path),
    ],
    "module_file of Evaluator": lambda path: [
        (examples := imported(Examples)),
        (model := imported(Model)),
        Evaluator(examples.outputs["result"], model.outputs["result"], module_file=path),
    ],
    "push_destination of Pusher": lambda path: list(pushing(Pusher, path)),
}


@pytest.fixture
def directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", NODES)
@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("hdfs://bucket/a.py", "is a remote path"),
        ("s3://bucket/../a.py", "has the step"),
        ("s3:/bucket/a.py", "is a remote path"),
        ("a\0.py", "has a NUL character"),
    ],
)
def test_no_component_takes_a_path_that_is_not_local(directory, name, path, words):
    pipeline = Pipeline("p", "root", components=NODES[name](path))
    with pytest.raises(ValueError, match=f"^{name} '.*' {words}"):
        LocalDagRunner().run(pipeline)
    assert os.listdir(directory) == []


@pytest.mark.parametrize("path", ["hdfs://bucket/root", "a\ud800b"])
@pytest.mark.parametrize("make_root", [str, lambda path: RuntimeParameter("root", str, path)])
def test_a_pipeline_root_that_can_hold_nothing_is_refused(directory, path, make_root):
    with pytest.raises(ValueError, match=r"^pipeline_root '.*' (is a remote path|has the char)"):
        LocalDagRunner().run(Pipeline("p", make_root(path), components=[make()]))
    assert os.listdir(directory) == []


@pytest.mark.parametrize("path", ["s3:/bucket/root", "memory:/bucket/root"])
def test_a_pipeline_root_that_has_lost_a_slash_is_refused_with_that_advice(directory, path):
    with pytest.raises(ValueError, match=f"^pipeline_root '{path}' .* with a single slash"):
        LocalDagRunner().run(Pipeline("p", path, components=[make()]))
    assert os.listdir(directory) == []


@pytest.mark.parametrize("level", ["pipeline", "node"])
def test_credentials_in_the_place_for_beams_files_are_not_shown(directory, level):
    flags = ["--runner=FlinkRunner", "--temp_location=s3://AKIA:abc/SECRET@bucket/temp"]
    node = make()
    if level == "node":
        node = CsvExampleGen(input_base=str(directory)).with_beam_pipeline_args(flags)
    pipeline = Pipeline(
        "p", "root", components=[node], beam_pipeline_args=flags if level == "pipeline" else None
    )
    with pytest.raises(ValueError, match=r"--temp_location 's3://bucket/temp' .* has cred") as info:
        LocalDagRunner().run(pipeline)
    assert "SECRET" not in str(info.value)
    assert os.listdir(directory) == []


@pytest.mark.parametrize("path", ["gs:/bucket/metadata.db", "a\0b", "a\ud800b"])
def test_a_store_that_is_not_local_is_refused(directory, path):
    with pytest.raises(ValueError, match="^metadata_db_uri '.*' (is a remote|has )"):
        sqlite_metadata_connection_config(path)
    with pytest.raises(MetadataError, match="^The file of the metadata store '.*' (is a|has )"):
        open_store(f"sqlite:///{path}")
    pipeline = Pipeline("p", "root", "sqlite:///gs://bucket/metadata.db", components=[make()])
    with pytest.raises((ValueError, MetadataError), match="is a remote path"):
        LocalDagRunner().run(pipeline)
    assert not os.path.exists("gs:")


def test_a_path_that_another_node_gives_is_refused_when_it_is_known(directory):
    maker = make()
    schema_gen = ImportSchemaGen(maker.outputs["path"].future()[0].value)
    with pytest.raises(PipelineRunError, match="schema_file of ImportSchemaGen 'hdfs://bucket/sch"):
        LocalDagRunner().run(Pipeline("p", "root", components=[maker, schema_gen]))


class PushesElsewhere(PusherExecutor):
    """Knows what to do with a bucket."""


class RemotePusher(Pusher):
    EXECUTOR_SPEC = ExecutorClassSpec(PushesElsewhere)


def test_an_executor_of_the_users_own_may_push_to_a_remote_place(directory):
    nodes = pushing(RemotePusher, "gs://bucket/models")
    LocalDagRunner().explain(Pipeline("p", "root", components=list(nodes)))


@pytest.mark.parametrize("name", [name for name in NODES if not name.startswith("push")])
@pytest.mark.parametrize("kind", ["a device", "a named pipe", "a link that leads nowhere"])
def test_special_files_are_named_and_not_read(directory, name, kind):
    special = directory / "special.py"
    if kind == "a named pipe":
        os.mkfifo(special)
    else:
        special.symlink_to("/dev/zero" if kind == "a device" else "nowhere")
    pipeline = Pipeline("p", "root", components=NODES[name]("special.py"))
    with pytest.raises(ValueError, match=f"special.py' is {kind}"):
        LocalDagRunner().run(pipeline)
    assert os.listdir(directory) == ["special.py"]


def test_special_files_among_the_inputs_are_named(directory):
    (directory / "data" / "day-1").mkdir(parents=True)
    (directory / "data" / "a.csv").write_text("a\n1\n")
    (directory / "data" / "b.csv").symlink_to("gone.csv")
    pipeline = Pipeline("p", "root", components=[CsvExampleGen("data")])
    with pytest.raises(ValueError, match="'[*]' matches .* 'data/b.csv' is a link that leads now"):
        LocalDagRunner().run(pipeline)
    (directory / "data" / "b.csv").rename(directory / "data" / ".hidden")
    assert [one.will_run for one in LocalDagRunner().explain(pipeline)] == [True]


def test_a_destination_that_takes_no_files_is_found_before_anything_runs(directory):
    nodes = pushing(Pusher, "/proc/models")
    with pytest.raises(ValueError, match="push_destination of Pusher '/proc/models' cannot be wri"):
        LocalDagRunner().run(Pipeline("p", "root", components=list(nodes)))
    assert os.listdir(directory) == []


@pytest.mark.parametrize(
    ("store", "node_id"),
    [(None, "metadata.db"), (None, "metadata.db-wal"), ("root/my.db", "my.db")],
)
def test_a_node_whose_directory_would_be_the_store_is_refused(tmp_path, store, node_id):
    config = sqlite_metadata_connection_config(str(tmp_path / store)) if store else None
    pipeline = Pipeline("p", str(tmp_path / "root"), config, [make().with_id(node_id)])
    for use in (LocalDagRunner(observer=lambda event: None).run, LocalDagRunner().explain):
        with pytest.raises(ValueError) as caught:
            use(pipeline)
        assert str(caught.value).startswith(
            f"The node id {node_id!r} cannot be used: the node's outputs would go to "
            f"{tmp_path}/root/{node_id}, which belongs to the metadata store {tmp_path}/root/"
        )
    assert not (tmp_path / "root").exists()


def test_a_node_may_have_the_name_of_a_store_that_is_elsewhere(tmp_path):
    config = sqlite_metadata_connection_config(str(tmp_path / "metadata.db"))
    node = make().with_id("metadata.db")
    pipeline = Pipeline("p", str(tmp_path / "root"), config, [node])
    result = LocalDagRunner(observer=lambda event: None).run(pipeline)
    assert result.states["metadata.db"].value == "complete"


def test_a_resolver_without_channels_can_be_declared_but_not_run(tmp_path):
    pipeline = Pipeline("empty", str(tmp_path / "root"), components=[Resolver().with_id("latest")])
    with pytest.raises(ValueError, match="latest: a Resolver needs channels to choose from"):
        LocalDagRunner().run(pipeline)
    assert not (tmp_path / "root").exists()


@pytest.mark.parametrize("root", ["runs [1]", "a*b", "c\\n"])
def test_a_root_that_tensorflow_takes_for_a_pattern_is_warned_of_once(tmp_path, root):
    example_gen = CsvExampleGen(str(tmp_path))
    examples = example_gen.outputs["examples"]
    trainer = Trainer(examples=examples, module_file="trainer.py")
    evaluator = Evaluator(examples=examples, model=trainer.outputs["model"])
    nodes = [example_gen, trainer, evaluator]
    ids = {node.id for node in nodes}
    [(node_id, words)] = find_warnings(Pipeline("p", root, components=nodes), ids)
    assert node_id == "Trainer"
    assert "which TensorFlow takes for a pattern" in words
    assert list(find_warnings(Pipeline("p", root, components=nodes), {"CsvExampleGen"})) == []
    assert list(find_warnings(Pipeline("p", "runs (1)", components=nodes), ids)) == []
