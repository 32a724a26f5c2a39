"""A whole pipeline of each era, as people wrote it then: run as a script, unchanged.

A directory has `pipeline.py` and its module file. It is copied to the home directory that the
script expects, beside the data.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from warm_zygotes import python_path

import trainwright
from trainwright import open_store
from trainwright.data.tfrecord import read_records

pytestmark = [
    pytest.mark.skipif(
        find_spec("tensorflow_transform") is None, reason="pip install 'trainwright[transform]'"
    ),
    pytest.mark.usefixtures("warm_scripts"),
]

HERE = Path(__file__).resolve().parent
SOURCES = str(Path(trainwright.__file__).parents[1])
EXAMPLES = HERE.parents[1] / "examples"
PENGUINS = EXAMPLES / "penguin" / "data" / "penguins.csv"


def write_scaled_penguins(data: Path) -> None:
    """Numbers alone, as TFX's own penguins are: measurements between 0 and 1, species by number."""
    species = ((0.25, 0.7, 0.3, 0.3), (0.65, 0.7, 0.4, 0.3), (0.55, 0.2, 0.8, 0.7))
    noise = random.Random(1)
    lines = ["species,culmen_length_mm,culmen_depth_mm,flipper_length_mm,body_mass_g"]
    for row in range(200):
        measured = [f"{noise.gauss(mean, 0.04):.3f}" for mean in species[row % 3]]
        lines.append(",".join([str(row % 3), *measured]))
    (data / "penguins_processed.csv").write_text("\n".join(lines))


def copy_penguins(data: Path) -> None:
    shutil.copy(PENGUINS, data)


def write_trips(data: Path) -> None:
    script = EXAMPLES / "taxi" / "make_data.py"
    command = [sys.executable, str(script), str(data / "trips.csv"), "--rows", "1500"]
    subprocess.run(command, check=True)


@pytest.mark.parametrize(
    ("directory", "project", "write_data"),
    [
        # Of TFX 0.21, with an Estimator.
        (EXAMPLES / "taxi_estimator", "taxi", write_trips),
        (HERE / "tfx_0_30", "penguin", write_scaled_penguins),
        # The examples of tests/tfx_examples, of the same time, run each time.
        pytest.param(HERE / "tfx_1_21", "penguin", copy_penguins, marks=pytest.mark.reference),
    ],
    ids=["0.21", "0.30", "1.21"],
)
def test_the_pipeline_of_an_era_runs_to_a_pushed_model(
    tmp_path, directory: Path, project: str, write_data: Callable[[Path], None]
):
    shutil.copytree(directory, tmp_path / project)
    (tmp_path / project / "data").mkdir()
    write_data(tmp_path / project / "data")
    finished = subprocess.run(
        [sys.executable, tmp_path / project / "pipeline.py"],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": python_path(SOURCES)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert finished.returncode == 0, finished.stderr

    (database,) = tmp_path.glob("tfx/metadata/*/metadata.db")
    with open_store(database) as store:
        blessings = store.get_artifacts(type_name="ModelBlessing", limit=10)
    # An Evaluator of 0.21 only looked; its ModelValidator blessed.
    assert {one.custom_properties.get("blessed") for one in blessings} - {None} == {1}

    (version,) = tmp_path.glob(f"{project}/serving_model/*/*")
    (file,) = tmp_path.glob("tfx/pipelines/*/CsvExampleGen/examples/*/Split-eval/*")
    examples = list(read_records(file))
    assert len(predict(version, examples)) == len(examples)


def predict(model: Path, examples: list[bytes]):
    import tensorflow as tf

    served = tf.saved_model.load(str(model)).signatures["serving_default"]
    (name,) = served.structured_input_signature[1]
    predictions, *_ = served(**{name: tf.constant(examples)}).values()
    return predictions.numpy()
