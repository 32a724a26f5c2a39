"""Pipelines of the shape of TFX's examples, with their imports, run to a pushed model.

They lie in a directory like a checkout of TFX, because their module files import each other as
`tfx.examples...`.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import example_data
import pytest
from warm_zygotes import python_path

import trainwright
from tfx.orchestration.beam.beam_dag_runner import BeamDagRunner
from trainwright import open_store

pytestmark = pytest.mark.usefixtures("warm_scripts")

CHECKOUT = Path(__file__).resolve().parent / "checkout"
EXAMPLES = CHECKOUT / "tfx" / "examples"
SOURCES = Path(trainwright.__file__).parents[1]


@pytest.fixture
def run_example(tmp_path, monkeypatch):
    """Runs the pipeline of an example here; returns the files of the version that it pushed."""
    monkeypatch.syspath_prepend(str(CHECKOUT))

    def run(pipeline: str, module_file: str) -> set[str]:
        module = importlib.import_module(f"tfx.examples.{pipeline}")
        result = BeamDagRunner().run(
            module.create_pipeline(
                pipeline_name=pipeline.rpartition(".")[2],
                pipeline_root=str(tmp_path / "pipelines"),
                data_root=str(tmp_path / "data"),
                module_file=str(EXAMPLES / module_file),
                serving_model_dir=str(tmp_path / "serving_model"),
                metadata_path=str(tmp_path / "metadata" / "metadata.db"),
                beam_pipeline_args=["--direct_num_workers=0"],
            )
        )
        assert result.state == "complete"
        return pushed_files(tmp_path)

    before = set(sys.modules)
    yield run
    # The checkout leaves the path: what came from it is not there for other tests.
    for name in set(sys.modules) - before:
        if name.startswith("tfx.examples"):
            del sys.modules[name]


def pushed_files(place: Path, directory: str = "serving_model") -> set[str]:
    (version,) = (place / directory).iterdir()
    assert version.name.isdigit()
    return {path.name for path in version.iterdir()}


def test_penguin_is_a_script_with_spans_flags_and_a_condition(tmp_path):
    for span in (1, 2):
        example_data.write_penguins(tmp_path / f"data/labelled/day{span}/penguins.csv")
    finished = subprocess.run(
        [
            sys.executable,
            EXAMPLES / "penguin" / "penguin_pipeline_local.py",
            "--runner=DirectRunner",
            f"--place={tmp_path}",
        ],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": python_path(SOURCES, CHECKOUT),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert finished.returncode == 0, finished.stderr
    assert "saved_model.pb" in pushed_files(tmp_path)
    with open_store(tmp_path / "metadata" / "metadata.db") as store:
        (examples,) = store.get_artifacts(type_name="Examples", limit=10)[-1:]
    assert examples.custom_properties["span"] == 2


def test_penguin_with_scikit_learn(run_example, tmp_path):
    example_data.write_penguins(tmp_path / "data/labelled/penguins.csv")
    pipeline = "penguin.penguin_pipeline_sklearn_local"
    assert run_example(pipeline, "penguin/penguin_utils_sklearn.py") == {"model.pkl"}


@pytest.mark.reference  # for its time alone: taxi trips are also what an example and an era have
def test_taxi(run_example, tmp_path):
    example_data.write_trips(tmp_path / "data/trips.csv")
    pipeline = "taxi.taxi_pipeline_native_keras"
    assert "saved_model.pb" in run_example(pipeline, "taxi/taxi_utils_native_keras.py")


@pytest.mark.reference  # for its time alone: each of these starts TensorFlow several times
def test_mnist(run_example, tmp_path):
    (tmp_path / "data").mkdir()
    example_data.write_digits(tmp_path / "data/digits.tfrecord.gz")
    pipeline = "mnist.mnist_pipeline_native_keras"
    assert "saved_model.pb" in run_example(pipeline, "mnist/mnist_utils_native_keras.py")
    assert pushed_files(tmp_path, "serving_model_lite") == {"tflite"}


@pytest.mark.reference  # likewise
def test_imdb(run_example, tmp_path):
    example_data.write_reviews(tmp_path / "data/reviews.csv")
    pipeline = "imdb.imdb_pipeline_native_keras"
    assert "saved_model.pb" in run_example(pipeline, "imdb/imdb_utils_native_keras.py")
