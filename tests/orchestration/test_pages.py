"""The pages that nodes leave beside their logs."""

from __future__ import annotations

from pathlib import Path

from trainwright import LocalDagRunner, OutputArtifact, Pipeline, component
from trainwright.components import ImportSchemaGen
from trainwright.orchestration.run_result import NodeState
from trainwright.types.standard_artifacts import Schema


def run(tmp_path, *components):
    root = tmp_path / "root"
    pipeline = Pipeline("pages", str(root), components=list(components), enable_cache=False)
    result = LocalDagRunner(observer=lambda event: None).run(pipeline)
    return result, {path.name: path for path in root.rglob("*.html")}


def test_a_schema_leaves_a_page_beside_its_log_and_none_in_its_artifact(tmp_path):
    schema_file = tmp_path / "schema.pbtxt"
    schema_file.write_text('feature { name: "island" type: BYTES }')
    result, pages = run(tmp_path, ImportSchemaGen(schema_file=str(schema_file)))
    assert list(pages) == ["schema.html"]
    assert "island" in pages["schema.html"].read_text()
    assert pages["schema.html"].with_name("executor.log").exists()
    artifact = Path(result.outputs["ImportSchemaGen"]["schema"][0].uri)
    assert [path.name for path in artifact.iterdir()] == ["schema.pbtxt"]


@component
def make_broken_schema(schema: OutputArtifact[Schema]):
    (Path(schema.uri) / "schema.pbtxt").write_text("no schema at all")


def test_a_page_that_cannot_be_made_costs_a_warning_and_not_the_node(tmp_path):
    result, pages = run(tmp_path, make_broken_schema())
    assert result.states == {"make_broken_schema": NodeState.COMPLETE}
    assert not pages
    (log,) = (tmp_path / "root").rglob("executor.log")
    assert "No page of output 'schema' was written" in log.read_text()
