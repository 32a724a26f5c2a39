"""Metrics and losses that a model was compiled with, read from its files without Keras."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from trainwright.evaluation.models.compiled_model import read_compiled_model

AUC = {"module": "keras.metrics", "class_name": "AUC", "config": {"name": "area"}}
OF_CLASS = {"class_name": "Precision", "config": {"name": "precision", "class_id": 2}}
OWN = {"module": "builtins", "class_name": "function", "config": "own_metric"}
TWO = ["likes", "minutes"]


@pytest.fixture
def read(tmp_path):
    """Reads a config as the Trainer writes it, without naming the Keras."""

    def read_config(output_names=(), **config):
        path = tmp_path / "assets.extra" / "keras_compile_config.json"
        path.parent.mkdir()
        path.write_text(json.dumps({"compile_config": config, "output_names": list(output_names)}))
        return read_compiled_model(str(tmp_path))

    return read_config


@pytest.mark.parametrize("library", ["keras", "tf_keras"])
def test_the_file_names_the_keras_that_reads_it(tmp_path, library) -> None:
    path = tmp_path / "assets.extra" / "keras_compile_config.json"
    path.parent.mkdir()
    content = {"library": library, "compile_config": {"metrics": [AUC]}, "output_names": []}
    path.write_text(json.dumps(content))
    (part,) = read_compiled_model(str(tmp_path)).metrics
    assert part.described.module == f"{library}.metrics"


def names(parts):
    return [(part.output_name, part.name) for part in parts]


@pytest.mark.parametrize(
    ("outputs", "metrics", "expected"),
    [
        ([], None, []),
        (["score"], ["accuracy", AUC, OWN], [("", "accuracy"), ("", "area"), ("", "own_metric")]),
        (["score"], {"score": ["mae"]}, [("", "mae")]),
        (["score"], [["mae", "_mine"]], [("", "mae"), ("", "_mine")]),
        (TWO, {"minutes": ["mae"], "likes": AUC}, [("likes", "area"), ("minutes", "mae")]),
        (TWO, [["accuracy"], None], [("likes", "accuracy")]),
        # Keras 2 has put the names together.
        (TWO, [["likes_accuracy"], ["minutes_mae"]], [("likes", "accuracy"), ("minutes", "mae")]),
    ],
)
def test_metrics_belong_to_outputs(read, outputs, metrics, expected) -> None:
    assert names(read(outputs, metrics=metrics).metrics) == expected


def test_a_weighted_metric_of_the_same_name_has_another(read) -> None:
    metrics = read(metrics=["mae"], weighted_metrics=["mae", "mse"]).metrics
    assert names(metrics) == [("", "mae"), ("", "weighted_mae"), ("", "mse")]
    assert [part.is_weighted for part in metrics] == [False, True, True]


@pytest.mark.parametrize(
    ("outputs", "loss", "weights", "expected"),
    [
        (["score"], "mse", None, [("", 1.0)]),
        (["score"], ["mse"], [0.5], [("", 0.5)]),
        (TWO, "mse", None, [("likes", 1.0), ("minutes", 1.0)]),
        (TWO, ["mse", None], [2.0, 3.0], [("likes", 2.0)]),
        (TWO, {"minutes": "mae"}, {"minutes": 0.25}, [("minutes", 0.25)]),
        (["score"], None, None, []),
    ],
)
def test_losses_have_weights(read, outputs, loss, weights, expected) -> None:
    losses = read(outputs, loss=loss, loss_weights=weights).losses
    assert [(part.output_name, part.loss_weight) for part in losses] == expected


def test_a_metric_says_of_which_class_it_is(read) -> None:
    (one, other) = read(metrics=[OF_CLASS, AUC]).metrics
    assert (one.sub_key.class_id, other.sub_key) == (2, None)


def test_a_lambda_has_no_name_of_its_own(read) -> None:
    written = {"class_name": "__lambda__", "config": {"value": ["4wIAA", None, None]}}
    assert names(read(metrics=["mae", written]).metrics) == [("", "mae"), ("", "lambda")]


def test_a_directory_without_such_a_file_has_no_compiled_model(tmp_path) -> None:
    assert read_compiled_model(str(tmp_path)) is None


def test_reading_imports_no_keras() -> None:
    """So that thresholds are checked while the process can still be forked."""
    source = (
        "import sys, trainwright.evaluation.config.config_check; "
        "import trainwright.evaluation.models.compiled_model; "
        "assert not {'keras', 'tf_keras', 'tensorflow'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", source], check=True, timeout=120)
