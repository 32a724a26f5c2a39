"""`trainwright schema`: a schema from the pipeline to the repository, with a human in between."""

import json
import shutil
from pathlib import Path

import pytest
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

GOLDEN = Path(__file__).resolve().parents[1] / "schemas" / "golden" / "penguins"

PIPELINE = f"""
    import shutil
    from trainwright import OutputArtifact, Pipeline, component
    from trainwright.components import ImportSchemaGen, SchemaGen
    from trainwright.types.standard_artifacts import ExampleStatistics

    @component
    def measure(statistics: OutputArtifact[ExampleStatistics]):
        statistics.splits = ["train", "eval"]
        for split in statistics.splits:
            shutil.copytree(f"{GOLDEN}/Split-{{split}}", f"{{statistics.uri}}/Split-{{split}}")

    def create_pipeline():
        measured = measure()
        schema_gen = SchemaGen(statistics=measured.outputs["statistics"])
        imported = ImportSchemaGen(schema_file={str(GOLDEN / "schema.pbtxt")!r})
        return Pipeline("penguin", "output", components=[measured, schema_gen, imported])
"""


@pytest.fixture
def ran(scene):
    """A scene in which a pipeline with a SchemaGen has run."""
    scene.write(PIPELINE)
    scene.run_here("pipeline.py")
    return scene


def write(path, text):
    path.write_text(text)
    return path


def alter(text):
    return text.replace('value: "Torgersen"', 'value: "Tórshavn"')


def test_show_is_a_table_and_json(scene):
    shown = scene.call("schema", "show", GOLDEN / "schema.pbtxt")
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    assert lines[0].endswith("features")
    assert lines[2].split() == ["FEATURE", "TYPE", "PRESENCE", "VALUES", "DOMAIN"]
    (island,) = [line for line in lines if line.startswith("island")]
    assert island.split()[1:3] == ["BYTES", "required"]
    assert "'Biscoe', 'Dream', 'Torgersen'" in island
    document = json.loads(scene.call("schema", "show", GOLDEN, "--json").stdout)
    assert {row["feature"] for row in document["features"]} >= {"island", "year"}


def test_diff_tells_in_words_and_by_exit_code(scene):
    other = write(scene.directory / "other.pbtxt", alter((GOLDEN / "schema.pbtxt").read_text()))
    found = scene.call("schema", "diff", GOLDEN, other)
    assert found.returncode == 1
    expected = "domain island changed: values added: 'Tórshavn'; values removed: 'Torgersen'"
    assert found.stdout == f"~ {expected}\n"
    same = scene.call("schema", "diff", GOLDEN, GOLDEN)
    assert (same.returncode, same.stdout) == (0, "The schemas say the same.\n")
    document = json.loads(scene.call("schema", "diff", GOLDEN, other, "--json").stdout)
    assert [entry["kind"] for entry in document["differences"]] == ["changed"]


def test_infer_does_what_schema_gen_does(scene):
    splits = [GOLDEN / "Split-train", GOLDEN / "Split-eval" / "FeatureStats.pb"]
    inferred = scene.call("schema", "infer", *splits, "-o", "new/schema.pbtxt")
    assert inferred.returncode == 0, inferred.stderr
    assert scene.call("schema", "diff", "new/schema.pbtxt", GOLDEN).returncode == 0
    again = scene.call("schema", "infer", *splits, "-o", "new/schema.pbtxt", "--json")
    assert json.loads(again.stdout)["state"] == "unchanged"
    nothing = scene.call("schema", "infer", "nowhere", "-o", "x.pbtxt")
    assert nothing.returncode == 2
    assert "There are no statistics at 'nowhere'" in nothing.stderr


def test_freeze_copies_the_inferred_schema_and_keeps_what_people_changed(ran):
    frozen = ran.directory / "schema" / "schema.pbtxt"
    first = ran.call("schema", "freeze", "-o", frozen)
    assert first.returncode == 0, first.stderr
    (inferred,) = ran.directory.glob("output/SchemaGen/schema/*/schema.pbtxt")
    assert frozen.read_bytes() == inferred.read_bytes()

    altered = "# by hand\n" + alter(frozen.read_text())
    frozen.write_text(altered)
    refused = ran.call("schema", "freeze", "latest", "-o", frozen)
    assert refused.returncode == 2
    assert "values added: 'Torgersen'; values removed: 'Tórshavn'" in refused.stdout
    assert "was not overwritten" in refused.stderr
    assert frozen.read_text() == altered

    forced = ran.call("schema", "freeze", "-o", frozen, "--force", "--json")
    assert json.loads(forced.stdout)["state"] == "overwritten"
    assert frozen.read_bytes() == inferred.read_bytes()


def test_freeze_leaves_comments_alone_when_nothing_differs(ran):
    frozen = ran.directory / "schema.pbtxt"
    assert ran.call("schema", "freeze", "-o", frozen).returncode == 0
    commented = write(frozen, "# years count from the founding\n" + frozen.read_text()).read_bytes()
    same = ran.call("schema", "freeze", "-o", frozen)
    assert (same.returncode, frozen.read_bytes()) == (0, commented)
    assert "says the same already" in same.stdout


def test_a_schema_is_found_by_artifact_id_and_run(ran):
    listed = json.loads(ran.call("artifacts", "--type", "Schema", "--json").stdout)
    for artifact in listed:
        shown = ran.call("schema", "show", artifact["id"])
        assert shown.stdout.startswith(f"artifact {artifact['id']}, ")
    latest = ran.call("schema", "show")
    assert latest.stdout.startswith("SchemaGen of run ")
    statistics = json.loads(ran.call("artifacts", "--type", "ExampleStatistics", "--json").stdout)
    wrong = ran.call("schema", "show", statistics[0]["id"])
    assert wrong.returncode == 2
    assert "is of type ExampleStatistics; expected a Schema" in wrong.stderr


def test_wrong_questions_end_in_a_sentence(scene):
    broken = write(scene.directory / "broken.pbtxt", "feature {")
    for arguments in (["show", broken], ["show", "gone.pbtxt"], ["diff", broken, GOLDEN]):
        asked = scene.call("schema", *arguments)
        assert asked.returncode == 2
        assert asked.stderr.startswith("Error: ")
        assert len(asked.stderr.splitlines()) == 1
    kept = scene.call("schema", "infer", GOLDEN / "Split-train", "-o", broken)
    assert (kept.returncode, broken.read_text()) == (2, "feature {")
    forced = scene.call("schema", "infer", GOLDEN / "Split-train", "-o", broken, "--force")
    assert forced.returncode == 0, forced.stderr
    assert text_format.Parse(broken.read_text(), schema_pb2.Schema()).feature
    shutil.copy(GOLDEN / "schema.pbtxt", scene.directory)
    itself = scene.call("schema", "freeze", "schema.pbtxt", "-o", "schema.pbtxt")
    assert "is the file of that schema itself" in itself.stderr
