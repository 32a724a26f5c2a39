"""Importers in real runs: what becomes an artifact, and when it stays the same."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from store_audit import audit

from trainwright import (
    Channel,
    InputArtifact,
    LocalDagRunner,
    OutputArtifact,
    OutputDict,
    Parameter,
    Pipeline,
    RuntimeParameter,
    component,
    open_store,
)
from trainwright.dsl.importer import Importer
from trainwright.dsl.resolver import Resolver
from trainwright.dsl.strategies import LatestArtifactStrategy
from trainwright.metadata.records import ArtifactState, ExecutionState
from trainwright.metadata.store import StoreUnavailableError
from trainwright.orchestration.cleanup.garbage import collect, plan_collection
from trainwright.orchestration.publishing.publisher import Publisher
from trainwright.types.standard_artifacts import Examples, Model, Schema


@component
def read(schema: InputArtifact[Schema]) -> OutputDict(seen=str):
    path = Path(schema.uri)
    return {"seen": path.read_text() if path.is_file() else (path / "schema.pbtxt").read_text()}


@pytest.fixture
def schema_file(tmp_path) -> Path:
    path = tmp_path / "given" / "schema.pbtxt"
    path.parent.mkdir()
    path.write_text("feature {}")
    return path


@pytest.fixture
def root(tmp_path) -> Path:
    return tmp_path / "root"


def nodes_for(source, **arguments):
    importer = Importer(str(source), Schema, **arguments).with_id("import_schema")
    (channel,) = importer.outputs.values()
    return importer, read(schema=channel)


def pipeline_of(root: Path, *nodes) -> Pipeline:
    return Pipeline("p", str(root), components=nodes, enable_cache=True)


def run(root: Path, *nodes, **parameters):
    result = LocalDagRunner(observer=lambda event: None).run(
        pipeline_of(root, *nodes), runtime_parameters=parameters
    )
    assert audit(root) == []
    return result


def imported(result, key: str = "result"):
    (record,) = result.outputs["import_schema"][key]
    return record


def states(result) -> dict[str, str]:
    return {node: state.value for node, state in result.states.items()}


def test_a_file_becomes_an_artifact_where_it_lies(root, schema_file):
    result = run(root, *nodes_for(schema_file))
    assert imported(result).uri == str(schema_file)
    assert imported(result).custom_properties["is_external"] == 1
    assert Path(result.outputs["read"]["seen"][0].uri).read_text() == "feature {}"
    assert states(result) == {"import_schema": "complete", "read": "complete"}
    assert not (root / "import_schema").exists()
    with open_store(root / "metadata.db") as store:
        execution = store.get_execution(1)
    assert execution.type.name == "tfx.dsl.components.common.importer.Importer"
    assert execution.custom_properties["artifact_uri"] == str(schema_file)
    assert execution.custom_properties["reimport"] == 0


def test_a_directory_imported_again_is_the_same_artifact(root, schema_file, monkeypatch):
    first = run(root, *nodes_for(schema_file.parent))
    monkeypatch.chdir(schema_file.parent.parent)
    second = run(root, *nodes_for("given"))
    assert imported(second).id == imported(first).id
    assert set(states(second).values()) == {"cached"}


def test_reimport_makes_a_new_artifact_in_every_run(root, schema_file):
    first = run(root, *nodes_for(schema_file, reimport=True))
    second = run(root, *nodes_for(schema_file, reimport=True))
    assert imported(second).id != imported(first).id
    assert set(states(second).values()) == {"complete"}
    newest = run(root, *nodes_for(schema_file))
    assert imported(newest).id == imported(second).id


@pytest.mark.parametrize("change", ["edited", "added"])
def test_what_has_changed_is_imported_again(root, schema_file, change):
    first = run(root, *nodes_for(schema_file.parent))
    changed = schema_file if change == "edited" else schema_file.with_name("more.pbtxt")
    changed.write_text("feature { name: 'x' }")
    nodes = nodes_for(schema_file.parent)
    forecasts = LocalDagRunner().explain(pipeline_of(root, *nodes))
    said = "has 21 bytes instead of 10" if change == "edited" else "was added"
    old = imported(first).id
    assert forecasts[0].reason == f"{changed} {said} since it was imported as Schema {old}"
    assert forecasts[1].reason == "new outputs of import_schema"
    pipeline = pipeline_of(root, *nodes)
    second = LocalDagRunner(observer=lambda event: None).run(pipeline)
    assert imported(second).id != old
    assert states(second)["read"] == "complete"


@pytest.mark.parametrize("link", ["file", "directory", "in the directory"])
def test_what_has_changed_behind_a_link_is_imported_again(root, schema_file, tmp_path, link):
    source = tmp_path / "source"
    if link == "in the directory":
        source.mkdir()
        (source / "schema.pbtxt").symlink_to(schema_file)
    else:
        source.symlink_to(schema_file if link == "file" else schema_file.parent)
    first = run(root, *nodes_for(source))
    assert set(states(run(root, *nodes_for(source))).values()) == {"cached"}
    schema_file.write_text("feature { name: 'x' }")
    pipeline = pipeline_of(root, *nodes_for(source))
    second = LocalDagRunner(observer=lambda event: None).run(pipeline)
    assert imported(second).id != imported(first).id
    assert Path(second.outputs["read"]["seen"][0].uri).read_text() == "feature { name: 'x' }"


def test_an_output_with_links_is_imported_as_it_was_published(root, tmp_path):
    """It is listed by the texts of its links, not by what they lead to."""
    (tmp_path / "elsewhere").write_text("feature {}")
    made = link_schema(target=str(tmp_path / "elsewhere"))
    run(root, made)
    (output,) = (root / "link_schema/schema").iterdir()
    result = run(root, *nodes_for(output))
    assert imported(result).custom_properties["is_external"] == 0
    assert set(states(run(root, *nodes_for(output))).values()) == {"cached"}


@component
def link_schema(schema: OutputArtifact[Schema], target: Parameter[str]):
    Path(schema.uri, "schema.pbtxt").symlink_to(target)


def test_a_file_that_was_only_touched_is_the_same(root, schema_file):
    first = run(root, *nodes_for(schema_file))
    os.utime(schema_file, (1, 1))
    assert imported(run(root, *nodes_for(schema_file))).id == imported(first).id


def test_other_properties_make_another_artifact(root, schema_file):
    plain = imported(run(root, *nodes_for(schema_file)))
    labelled = nodes_for(schema_file, custom_properties={"owner": "ada", "size": 3})
    first = imported(run(root, *labelled))
    assert first.id != plain.id
    assert (first.custom_properties["owner"], first.custom_properties["size"]) == ("ada", 3)
    again = nodes_for(schema_file, custom_properties={"owner": "ada", "size": 3})
    assert imported(run(root, *again)).id == first.id
    # Without them, it is the plain one again.
    assert imported(run(root, *nodes_for(schema_file))).id == plain.id
    other = nodes_for(schema_file, custom_properties={"owner": "bob"})
    importer, _ = LocalDagRunner().explain(pipeline_of(root, *other))
    assert importer.reason == "it was imported before with other properties"


def test_declared_properties_and_an_output_key(root, schema_file):
    importer = Importer(
        str(schema_file.parent), Examples, properties={"span": 4}, output_key="examples"
    ).with_id("import_schema")
    record = imported(run(root, importer), "examples")
    assert record.properties == {"span": 4}


def test_a_path_can_be_a_runtime_parameter(root, schema_file):
    importer = Importer(RuntimeParameter("schema", str), Schema).with_id("import_schema")
    assert imported(run(root, importer, schema=str(schema_file))).uri == str(schema_file)


def test_a_path_that_is_not_there_is_said_before_anything_starts(root, tmp_path):
    @component
    def first(model: OutputArtifact[Model]):
        Path(model.uri, "x").touch()

    nodes = (first(), *nodes_for(tmp_path / "missing"))
    with pytest.raises(ValueError, match="import_schema cannot import .*missing: there is no such"):
        run(root, *nodes)
    assert not root.exists()


def test_what_will_be_imported_is_explained(root, schema_file):
    importer, reader = LocalDagRunner().explain(pipeline_of(root, *nodes_for(schema_file)))
    assert importer.will_run
    assert importer.reason == "it was not imported before"
    assert reader.reason == "new outputs of import_schema"
    run(root, *nodes_for(schema_file))
    importer, reader = LocalDagRunner().explain(pipeline_of(root, *nodes_for(schema_file)))
    assert (importer.will_run, reader.will_run) == (False, False)
    assert importer.reason == "imported before as Schema 1"


def test_a_resolver_finds_what_was_imported(root, schema_file):
    artifact = imported(run(root, *nodes_for(schema_file)))
    resolver = Resolver(LatestArtifactStrategy, schema=Channel(type=Schema))
    found = run(root, resolver).outputs["Resolver"]["schema"]
    assert [record.id for record in found] == [artifact.id]


def test_an_import_that_dies_half_way_leaves_the_users_files_alone(root, schema_file, monkeypatch):
    def die(*unused):
        raise SystemExit("killed")

    with monkeypatch.context() as patched:
        patched.setattr(Publisher, "publish", die)
        with pytest.raises(SystemExit):
            LocalDagRunner(observer=lambda event: None).run(
                pipeline_of(root, *nodes_for(schema_file.parent))
            )
    with open_store(root / "metadata.db") as store:
        assert store.get_execution(1).state is ExecutionState.RUNNING
        assert store.get_artifacts() == []
    result = run(root, *nodes_for(schema_file.parent))
    assert schema_file.read_text() == "feature {}"
    assert states(result)["import_schema"] == "complete"
    with open_store(root / "metadata.db") as store:
        assert store.get_execution(1).state is ExecutionState.FAILED


def test_a_store_that_goes_away_in_the_middle_is_waited_for(root, schema_file, monkeypatch):
    publish, failures = Publisher.publish, [StoreUnavailableError("away")]

    def publish_later(self, *arguments):
        if failures:
            raise failures.pop()
        return publish(self, *arguments)

    monkeypatch.setattr(Publisher, "publish", publish_later)
    importer = Importer(str(schema_file), Schema).with_id("import_schema")
    run(root, importer)
    with open_store(root / "metadata.db") as store:
        assert len(store.get_executions()) == 1


def test_garbage_collection_never_deletes_what_was_imported(root):
    inside = root / "mine" / "schema" / "1"
    inside.mkdir(parents=True)
    (inside / "schema.pbtxt").write_text("feature {}")
    importer = Importer(str(inside), Schema).with_id("import_schema")
    pipeline = pipeline_of(root, importer)
    LocalDagRunner(observer=lambda event: None).run(pipeline)
    LocalDagRunner(observer=lambda event: None).run(pipeline_of(root, Importer(__file__, Model)))
    with open_store(root / "metadata.db") as store:
        assert collect(store, plan_collection(store, "p", keep=1)) == []
        live = store.get_artifacts(uri=str(inside), states=[ArtifactState.LIVE])
    assert len(live) == 1
    assert (inside / "schema.pbtxt").exists()


def test_what_is_gone_cannot_be_resolved(root, schema_file):
    run(root, *nodes_for(schema_file.parent))
    shutil.rmtree(schema_file.parent)
    resolver = Resolver(LatestArtifactStrategy, schema=Channel(type=Schema))
    result = LocalDagRunner(observer=lambda event: None).run(pipeline_of(root, resolver))
    assert result.outputs["Resolver"]["schema"] == []
