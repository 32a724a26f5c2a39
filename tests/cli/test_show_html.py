"""`trainwright show ARTIFACT --html`: pages of what is in a store, or in a directory."""

import json
import shutil
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
GOLDEN = TESTS / "schemas" / "golden" / "mixed"
EVALUATION = TESTS / "html_views" / "golden" / "two_models"

PIPELINE = f"""
    import shutil
    from trainwright import InputArtifact, OutputArtifact
    from trainwright.types.standard_artifacts import ExampleAnomalies, ExampleStatistics, Schema

    def copy(file, artifact):
        artifact.splits = ["train", "eval"]
        for split in artifact.splits:
            directory = f"{{artifact.uri}}/Split-{{split}}"
            os.makedirs(directory, exist_ok=True)
            shutil.copy(f"{GOLDEN}/Split-{{split}}/{{file}}", directory)

    @component
    def measure(statistics: OutputArtifact[ExampleStatistics]):
        copy("FeatureStats.pb", statistics)

    @component
    def infer(statistics: InputArtifact[ExampleStatistics], schema: OutputArtifact[Schema]):
        os.makedirs(schema.uri, exist_ok=True)
        shutil.copy("{GOLDEN}/schema.pbtxt", schema.uri)

    @component
    def validate(
        statistics: InputArtifact[ExampleStatistics], anomalies: OutputArtifact[ExampleAnomalies]
    ):
        copy("SchemaDiff.pb", anomalies)
        for split in anomalies.splits:
            path = f"{{anomalies.uri}}/Split-{{split}}/SchemaDiff.pb"
            with open(path, "rb") as file:
                found = anomalies_pb2.Anomalies.FromString(file.read())
            info = found.anomaly_info["city"]
            info.path.step.append("city")
            info.severity = 2
            info.short_description = "Unexpected string values"
            with open(path, "wb") as file:
                file.write(found.SerializeToString())

    def create_pipeline():
        measured = measure()
        statistics = measured.outputs["statistics"]
        nodes = [measured, infer(statistics=statistics), validate(statistics=statistics), count()]
        return Pipeline("mixed", "output", components=nodes)

    import os
    from tensorflow_metadata.proto.v0 import anomalies_pb2
"""


@pytest.fixture(scope="module")
def ran(shared_scene):
    """A scene in which a pipeline has made one artifact of each type, and a number."""
    shared_scene.write(PIPELINE)
    shared_scene.run_here("pipeline.py")
    return shared_scene


@pytest.fixture(scope="module")
def ids(ran):
    """The artifacts' ids by their types."""
    listed = json.loads(ran.call("artifacts", "--json").stdout)
    return {artifact["type"]["name"]: artifact["id"] for artifact in listed}


@pytest.mark.parametrize(
    ("type_name", "expected"),
    [
        ("ExampleStatistics", ["1344", "54.37", "Zürich"]),
        ("Schema", ["10 features, 9 of them required", "São Paulo"]),
        # The statistics that were validated stand beside the anomaly.
        ("ExampleAnomalies", ["Unexpected string values", "Values of city in eval", "✖ error"]),
    ],
)
def test_a_page_by_the_artifacts_id(ran, ids, type_name, expected):
    finished = ran.call("show", ids[type_name], "--html")
    path = ran.directory / f"{type_name}-{ids[type_name]}.html"
    assert (finished.returncode, finished.stdout) == (0, "")
    store_line, written_line = finished.stderr.splitlines()
    assert store_line.startswith("Store: ")
    assert written_line == f"Wrote {path}"
    text = path.read_text(encoding="utf-8")
    assert f"<title>{type_name} {ids[type_name]}</title>" in text
    for words in expected:
        assert words in text


def test_a_page_in_a_file_of_ones_own(ran, ids, tmp_path):
    out = tmp_path / "look.html"
    assert ran.call("show", ids["Schema"], "--html", out).returncode == 0
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    printed = ran.call("show", ids["Schema"], "--html", "-")
    assert printed.stdout == out.read_text(encoding="utf-8")


def test_an_evaluation_by_its_directory(ran, tmp_path):
    out = tmp_path / "evaluation.html"
    finished = ran.call("show", EVALUATION, "--html", out)
    assert finished.returncode == 0, finished.stderr
    assert "<title>ModelEvaluation two_models</title>" in out.read_text(encoding="utf-8")


def test_options_may_follow_html(ran, ids):
    store = ran.directory / "output" / "metadata.db"
    finished = ran.call("show", ids["Schema"], "--html", "--store", store, "--json")
    document = json.loads(finished.stdout)
    assert document.pop("uri").startswith(str(ran.directory / "output" / "infer" / "schema"))
    assert document == {
        "artifact_id": ids["Schema"],
        "type": "Schema",
        "html": str(ran.directory / f"Schema-{ids['Schema']}.html"),
    }


def test_other_types_have_no_page(ran, ids):
    finished = ran.call("show", ids["Integer"], "--html")
    assert finished.returncode == 2
    assert (
        f"Artifact {ids['Integer']} is of type Integer; expected ExampleStatistics, Schema, "
        "ExampleAnomalies, ModelEvaluation, RewriteReport, TunerResults or ExamplesDiff, which "
        "--html can show." in finished.stderr
    )


def test_a_run_has_no_page_but_names_what_has(ran, ids):
    finished = ran.call("show", "latest", "--html")
    assert finished.returncode == 2
    assert "of mixed has no page" in finished.stderr
    assert f"Schema {ids['Schema']}" in finished.stderr


def test_an_artifact_is_no_run(ran, ids):
    finished = ran.call("show", ids["Schema"])
    assert finished.returncode == 2
    assert f"{ids['Schema']} is an artifact (Schema), not a run." in finished.stderr
    assert f"`trainwright artifacts {ids['Schema']}`" in finished.stderr
    assert f"`trainwright show {ids['Schema']} --html`" in finished.stderr


def test_a_year_is_a_run_and_what_nobody_knows_is_as_before(ran):
    run_id = json.loads(ran.call("runs", "--json").stdout)[0]["run_id"]
    assert run_id in ran.call("show", run_id[:4]).stdout
    for unknown in ("1999", "999"):
        assert f"'{unknown}' matches no run" in ran.call("show", unknown).stderr
    assert "There is no artifact 999 in the store" in ran.call("show", "999", "--html").stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--html", "2"], "--html takes a file that ends in .html; it was '2'"),
        ([None, "--html", "no/such/directory/x.html"], "cannot be written: No such file"),
        ([None, "--html", "--node", "infer"], "--html shows an artifact; --node infer"),
        ([None, "--html", "-", "--json"], "Name a file: --html page.html"),
        ([None, "--type", "Schema"], "--html is missing"),
        ([None, "--html", "--type", "Schema"], "is of type ExampleStatistics; expected Schema"),
    ],
)
def test_wrong_options(ran, ids, arguments, message):
    given = [argument or ids["ExampleStatistics"] for argument in arguments]
    finished = ran.call("show", *given)
    assert finished.returncode == 2
    assert message in finished.stderr


def test_a_directory_needs_no_store(scene):
    shutil.copytree(GOLDEN / "Split-train", scene.directory / "found" / "Split-train")
    (scene.directory / "found" / "Split-train" / "SchemaDiff.pb").unlink()
    finished = scene.call("show", "found", "--html")
    assert finished.returncode == 0, finished.stderr
    assert "1344" in (scene.directory / "ExampleStatistics-found.html").read_text()


def test_a_directory_with_several_types_needs_a_word(scene):
    finished = scene.call("show", GOLDEN, "--html")
    assert finished.returncode == 2
    assert "say which with --type ExampleStatistics, Schema or ExampleAnomalies" in finished.stderr
    finished = scene.call("show", GOLDEN, "--html", "--type", "Schema")
    assert finished.returncode == 0, finished.stderr
    assert "10 features" in (scene.directory / "Schema-mixed.html").read_text()


def test_a_directory_with_something_else(scene):
    finished = scene.call("show", ".", "--html", "x.html")
    assert finished.returncode == 2
    assert "holds nothing that --html can show" in finished.stderr
    assert "FeatureStats.pb (ExampleStatistics)" in finished.stderr


def test_a_page_is_not_written_into_the_artifact(scene):
    shutil.copy(GOLDEN / "schema.pbtxt", scene.directory)
    finished = scene.call("show", ".", "--html")
    assert finished.returncode == 2
    assert "readers take every file there for data" in finished.stderr
    assert [path.name for path in scene.directory.iterdir()] == ["schema.pbtxt"]


def test_an_artifact_whose_files_are_gone(scene):
    scene.write(PIPELINE)
    scene.run_here("pipeline.py", "--to", "measure")
    shutil.rmtree(scene.directory / "output" / "measure" / "statistics")
    finished = scene.call("show", "1", "--html")
    assert finished.returncode == 2
    assert "ExampleStatistics 1 (live) is not on this disk" in finished.stderr
