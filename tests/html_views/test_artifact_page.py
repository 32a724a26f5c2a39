"""Pages by the type and the place of an artifact."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from trainwright.html_views.artifact_files import find_types
from trainwright.html_views.artifact_page import to_html, write_html

TYPES = ["ExampleStatistics", "Schema", "ExampleAnomalies"]
EVALUATION = Path(__file__).parent / "golden" / "two_models"


@pytest.fixture
def artifact(golden, tmp_path):
    """A directory with the files of all three types, as TFX lays them out."""
    return shutil.copytree(golden / "mixed", tmp_path / "artifact" / "7")


@pytest.mark.parametrize("type_name", TYPES)
def test_a_page_is_written_beside_the_artifact(read_page, artifact, type_name):
    before = sorted(artifact.rglob("*"))
    path = artifact.with_suffix(".html")
    write_html(type_name, f"{artifact}/", str(path))
    page = read_page(path.read_text(encoding="utf-8"))
    assert type_name in page.text
    assert sorted(artifact.rglob("*")) == before


def test_a_page_is_not_written_into_an_artifact(artifact):
    with pytest.raises(ValueError, match="readers take every file there for data"):
        write_html("Schema", str(artifact), str(artifact / "schema.html"))


def test_anomalies_take_statistics(read_page, artifact, tmp_path):
    path = tmp_path / "anomalies.html"
    write_html("ExampleAnomalies", str(artifact), str(path), statistics_uri=str(artifact))
    assert "no anomalies" in read_page(path.read_text(encoding="utf-8")).text


def test_the_types_of_a_directory_and_of_a_file(artifact, tmp_path):
    assert find_types(str(artifact)) == TYPES
    assert find_types(str(artifact / "Split-train" / "FeatureStats.pb")) == ["ExampleStatistics"]
    assert find_types(str(artifact / "schema.pbtxt")) == ["Schema"]
    assert find_types(str(tmp_path)) == []
    assert find_types(str(EVALUATION)) == ["ModelEvaluation"]
    assert find_types(str(EVALUATION / "metrics-00000-of-00001.tfrecord")) == ["ModelEvaluation"]


def test_one_split_can_be_shown_alone(read_page, artifact):
    page = read_page(to_html("ExampleStatistics", str(artifact / "Split-eval/FeatureStats.pb")))
    assert page.row("eval")[1] == "656"


@pytest.mark.parametrize(
    ("type_name", "uri", "message"),
    [
        ("Model", "", "Artifacts of type Model have no page.*ExampleStatistics, Schema"),
        ("Schema", "gone", "Schema at .*gone is not on this disk"),
        ("Schema", "Split-train", "has no schema.pbtxt.*It has .'FeatureStats.pb'"),
        ("Schema", "Split-train/FeatureStats.pb", "is not a schema in text form"),
        (
            "ExampleStatistics",
            "broken",
            "FeatureStats.pb is not a DatasetFeatureStatisticsList proto",
        ),
    ],
)
def test_errors_say_what_to_do(artifact, type_name, uri, message):
    (artifact / "broken" / "Split-train").mkdir(parents=True)
    (artifact / "broken" / "Split-train" / "FeatureStats.pb").write_bytes(b"\xff not a proto")
    with pytest.raises(ValueError, match=message):
        to_html(type_name, str(artifact / uri) if uri else str(artifact))


@pytest.mark.parametrize(
    ("types", "uri", "heavy"),
    [
        (TYPES, None, {"numpy", "pandas", "pyarrow", "tensorflow", "trainwright.metadata"}),
        (["ModelEvaluation"], EVALUATION, {"pandas", "tensorflow", "trainwright.metadata"}),
    ],
)
def test_pages_need_no_tensorflow(artifact, types, uri, heavy):
    code = (
        "import sys\n"
        "from trainwright.html_views.artifact_page import to_html\n"
        f"for name in {types}: to_html(name, {str(uri or artifact)!r})\n"
        f"heavy = {heavy} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr


@pytest.mark.parametrize("name", ["FeatureStats.pb", "SchemaDiff.pb"])
def test_an_empty_file_is_not_a_page_of_nothing(tmp_path, name):
    (tmp_path / "Split-train").mkdir()
    (tmp_path / "Split-train" / name).touch()
    kind = {"FeatureStats.pb": "ExampleStatistics", "SchemaDiff.pb": "ExampleAnomalies"}[name]
    with pytest.raises(ValueError, match=rf"{name} is empty: expected a .* proto"):
        to_html(kind, str(tmp_path))
