"""Module files, schemas and imports that lie in an object store, from the check to the executor."""

from __future__ import annotations

import shutil
import uuid

import pytest
from object_store import ObjectStore, free_port

from trainwright import Importer, LocalDagRunner, Parameter, Pipeline, component
from trainwright.components import CsvExampleGen, ImportSchemaGen, Trainer
from trainwright.components.evaluator.models import has_custom_model
from trainwright.components.user_module import get_user_function, load_user_module
from trainwright.dsl.remote_files import note_remote_files
from trainwright.storage import objects
from trainwright.storage.errors import ObjectChangedError
from trainwright.types.standard_artifacts import Examples, Schema

SCHEMA = b'feature { name: "mass" type: FLOAT }\n'
MODULE = b"""
import tensorflow as tf

def run_fn(fn_args):
    module = tf.Module()
    module.number = tf.Variable(%d)
    tf.saved_model.save(module, fn_args.serving_model_dir)
"""


@pytest.fixture
def bucket(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRAINWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    uri = f"memory://test-{uuid.uuid4().hex[:12]}"
    yield uri
    objects.remove_tree(uri)


def run(*components):
    pipeline = Pipeline("p", "root", components=list(components), enable_cache=True)
    result = LocalDagRunner().run(pipeline)
    return {node: state.value for node, state in result.states.items()}


def test_a_schema_is_read_and_read_again_when_it_changed(bucket):
    objects.write(f"{bucket}/schema.pbtxt", SCHEMA)
    assert run(ImportSchemaGen(f"{bucket}/schema.pbtxt")) == {"ImportSchemaGen": "complete"}
    assert run(ImportSchemaGen(f"{bucket}/schema.pbtxt")) == {"ImportSchemaGen": "cached"}
    objects.write(f"{bucket}/schema.pbtxt", SCHEMA.replace(b"mass", b"flip"))
    assert run(ImportSchemaGen(f"{bucket}/schema.pbtxt")) == {"ImportSchemaGen": "complete"}


def test_what_is_wrong_with_a_schema_is_said_of_its_address(bucket):
    objects.write(f"{bucket}/schema.pbtxt", b"feature {")
    with pytest.raises(ValueError, match=r"memory://.*/schema\.pbtxt' is not a schema") as info:
        run(ImportSchemaGen(f"{bucket}/schema.pbtxt"))
    assert "cache" not in str(info.value)


def train(bucket):
    if not objects.exists(f"{bucket}/data"):
        objects.write(f"{bucket}/data/a.csv", b"x\n1\n2\n")
    examples = CsvExampleGen(f"{bucket}/data")
    return run(
        examples, Trainer(examples=examples.outputs["examples"], module_file=f"{bucket}/m/mod.py")
    )["Trainer"]


def test_a_module_file_trains_and_trains_again_when_it_changed(bucket, tmp_path):
    objects.write(f"{bucket}/m/mod.py", MODULE % 1)
    assert train(bucket) == "complete"
    shutil.rmtree(tmp_path / "cache")  # the copy is not part of what the result depends on
    assert train(bucket) == "cached"
    objects.write(f"{bucket}/m/mod.py", MODULE % 2)
    assert train(bucket) == "complete"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (None, r"module_file of Trainer 'memory://.*/m/mod\.py' does not exist"),
        (b"def run_fn(:", r"memory://.*/m/mod\.py' of Trainer has a syntax error in line 1"),
        (b"import no_such_module\n", r"memory://.*/m/mod\.py, line 1 imports no_such_module"),
        (b"def other(fn_args): pass\n", r"memory://.*/m/mod\.py has no function 'run_fn'"),
    ],
)
def test_what_is_wrong_with_a_module_file_is_said_of_its_address(bucket, tmp_path, source, words):
    if source is not None:
        objects.write(f"{bucket}/m/mod.py", source)
    with pytest.raises(ValueError, match=words):
        train(bucket)
    assert not (tmp_path / "root").exists()


def test_the_module_that_was_looked_at_is_loaded_and_no_other(bucket):
    objects.write(f"{bucket}/own_module.py", b"def run_fn(fn_args): return 1\n")
    properties = {"module_file": f"{bucket}/own_module.py"}
    note_remote_files(properties, objects.list_tree(bucket))
    objects.write(f"{bucket}/own_module.py", b"def run_fn(fn_args): return 2\n")
    with pytest.raises(ObjectChangedError, match="was replaced"):
        get_user_function(properties, "run_fn")
    note_remote_files(properties, objects.list_tree(bucket))
    assert get_user_function(properties, "run_fn")(None) == 2
    assert load_user_module(properties).__name__ == "own_module"
    assert not has_custom_model(properties)


def test_a_schema_or_a_directory_is_imported(bucket):
    objects.write(f"{bucket}/data/Split-train/a", b"1")
    importer = Importer(f"{bucket}/data/", Examples)
    assert run(importer) == {"Importer": "complete"}
    assert run(Importer(f"{bucket}/data", Examples)) == {"Importer": "cached"}
    with pytest.raises(
        ValueError, match=r"cannot import memory://.*/none: there is no such object"
    ):
        run(Importer(f"{bucket}/none", Schema))


@component
def write_object(uri: Parameter[str], text: Parameter[str]):
    from trainwright.storage import objects

    objects.write(uri, text.encode())


def test_what_a_component_of_ones_own_makes_is_looked_for_when_it_is_needed(bucket):
    import tfx.v1 as tfx

    uri = f"{bucket}/made/schema.pbtxt"
    nodes = [write_object(uri=uri, text=SCHEMA.decode()), ImportSchemaGen(schema_file=uri)]
    result = tfx.orchestration.LocalDagRunner().run(Pipeline("p", "root", components=nodes))
    assert {state.value for state in result.states.values()} == {"complete"}
    with pytest.raises(ValueError, match="schema_file of ImportSchemaGen .* does not exist"):
        run(ImportSchemaGen(schema_file=f"{bucket}/never/schema.pbtxt"))


@pytest.mark.parametrize(
    "make",
    [
        lambda base: CsvExampleGen(f"{base}/data"),
        lambda base: ImportSchemaGen(f"{base}/schema.pbtxt"),
        lambda base: Importer(f"{base}/data", Examples),
    ],
)
def test_a_store_that_fails_is_told_before_anything_starts(bucket, monkeypatch, tmp_path, make):
    with ObjectStore(free_requests=1) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        denied = f"s3://{server.create_bucket()}"
        with pytest.raises(ValueError, match="the store denies it"):
            run(make(denied))
    monkeypatch.setenv("TRAINWRIGHT_STORAGE_TIMEOUT", "0.3")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    with pytest.raises(ValueError, match="does not answer"):
        run(make("s3://bucket"))
    assert not (tmp_path / "root").exists()
