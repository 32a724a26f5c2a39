"""A pipeline and a module file with TFX's names alone run from a CSV file to a pushed model."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

import trainwright
from trainwright import open_store

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "examples" / "penguin" / "data"
# About the mean and the spread of each measurement: scaled by them, training is sure to learn.
SCALES = ((44.0, 5.5), (17.0, 2.0), (201.0, 14.0), (4200.0, 800.0))
SOURCES = str(Path(trainwright.__file__).parents[1])


@pytest.mark.reference  # for its time: tests/tfx_examples has a larger one
def test_the_script_pushes_a_model(tmp_path):
    finished = subprocess.run(
        [sys.executable, HERE / "tutorial" / "penguin_pipeline.py", DATA, tmp_path],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": SOURCES, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert finished.returncode == 0, finished.stderr
    # The nodes' processes must not run the script again.
    assert finished.stdout.count("the pipeline ran") == 1

    (version,) = (tmp_path / "serving_model").iterdir()
    assert version.name.isdigit()
    assert (version / "saved_model.pb").is_file()
    assert (version / "variables").is_dir()

    with open_store(tmp_path / "metadata.db") as store:
        names = {execution.type.name for execution in store.get_executions(limit=10)}
    assert names == {
        "tfx.components.example_gen.csv_example_gen.component.CsvExampleGen",
        "tfx.components.trainer.component.Trainer",
        "tfx.components.pusher.component.Pusher",
    }


def test_a_pipeline_that_evaluates_needs_no_tfma(tmp_path):
    with open(DATA / "penguins.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    species = sorted({row["species"] for row in rows})
    names = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
    data = tmp_path / "data"
    data.mkdir()
    with open(data / "penguins.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["species", *names])
        for row in rows:
            scaled = [
                (float(row[name]) - mean) / spread
                for name, (mean, spread) in zip(names, SCALES, strict=True)
            ]
            writer.writerow([species.index(row["species"]), *scaled])
    finished = subprocess.run(
        [sys.executable, HERE / "tutorial" / "evaluated_pipeline.py", data, tmp_path],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": SOURCES, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert finished.returncode == 0, finished.stderr
    assert "slices: 4" in finished.stdout
    # They were compiled into the model, and the config lists no metric.
    assert "metrics: loss, sparse_categorical_accuracy" in finished.stdout
    assert len(list((tmp_path / "serving_model").iterdir())) == 1
    with open_store(tmp_path / "metadata.db") as store:
        names = {execution.type.name for execution in store.get_executions(limit=10)}
    assert "tfx.components.evaluator.component.Evaluator" in names
