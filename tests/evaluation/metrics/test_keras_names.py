"""Keras' names, known without importing it."""

from __future__ import annotations

import subprocess
import sys

from trainwright.evaluation.metrics.keras.keras_names import KERAS_METRICS


def test_the_names_are_those_that_keras_has():
    import keras

    not_metrics = {"MeanMetricWrapper", "Metric"}
    found = {
        name
        for name, value in vars(keras.metrics).items()
        if isinstance(value, type) and issubclass(value, keras.metrics.Metric)
    }
    # An older Keras lacks some of them, which it says when the node runs.
    assert found - not_metrics <= KERAS_METRICS


def test_checking_a_config_loads_neither_keras_nor_tensorflow():
    code = """
import sys
from trainwright.evaluation.config.config_check import check_eval_config
from trainwright.evaluation.config.config_reading import read_eval_config

names = ("ExampleCount", "AUC", "SparseCategoricalAccuracy", "TopKCategoricalAccuracy")
metrics = [{"class_name": name} for name in names]
config = {"metrics_specs": [{"metrics": metrics}], "slicing_specs": [{"feature_keys": ["x"]}]}
check_eval_config(read_eval_config(config), has_baseline=True, has_model=True)
print(*[name for name in ("tensorflow", "keras", "pyarrow") if name in sys.modules])
"""
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert finished.stdout.split() == []


def test_common_metrics_are_made_without_keras():
    code = """
import sys
from trainwright.evaluation.config.config_reading import read_eval_config
from trainwright.evaluation.metrics.registry import make_metrics

names = ("ExampleCount", "AUC", "BinaryAccuracy", "SparseCategoricalAccuracy", "MeanSquaredError")
config = {"metrics_specs": [{"metrics": [{"class_name": name} for name in names]}]}
metrics, _ = make_metrics(read_eval_config(config))
print(len(metrics), "keras" in sys.modules)
"""
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert finished.stdout.split() == ["5", "False"]
