"""evaluate: the same result from any number of processes and files."""

from __future__ import annotations

import numpy as np
import pytest

from trainwright.data.example_messages import example_class
from trainwright.data.tfrecord import open_gzip_writer
from trainwright.engine.local_engine import LocalEngine
from trainwright.evaluation.config.config_completion import complete_eval_config
from trainwright.evaluation.config.config_reading import read_eval_config
from trainwright.evaluation.evaluate import evaluate
from trainwright.evaluation.models.evaluated_model import ModelSource

CONFIG = {
    "model_specs": [{"label_key": "label", "prediction_key": "x", "example_weight_key": "w"}],
    "slicing_specs": [{}, {"feature_keys": ["hour"]}, {"feature_keys": ["hour", "town"]}],
    "metrics_specs": [
        {
            "metrics": [
                {"class_name": "AUC"},
                {"class_name": "Calibration"},
                {"class_name": "CalibrationPlot"},
                {"class_name": "ExampleCount"},
            ]
        }
    ],
    "options": {"compute_confidence_intervals": {"value": True}},
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    directory = tmp_path_factory.mktemp("examples")
    source = np.random.default_rng(3)
    paths = []
    for number in range(4):
        path = directory / f"part-{number}.gz"
        with open_gzip_writer(path) as write:
            write([make_record(source) for _ in range(500)])
        paths.append(path)
    return paths


def make_record(source):
    example = example_class()()
    features = example.features.feature
    features["x"].float_list.value.append(source.random())
    features["label"].int64_list.value.append(int(source.integers(0, 2)))
    features["w"].float_list.value.append(float(source.integers(1, 4)))
    features["hour"].int64_list.value.append(int(source.integers(0, 5)))
    if source.random() < 0.8:
        features["town"].bytes_list.value.append([b"Ulm", b"Bonn"][source.integers(0, 2)])
    return example.SerializeToString()


def results(files, engine):
    config = complete_eval_config(read_eval_config(CONFIG), has_baseline=False, has_model=False)
    found = evaluate(files, config, {}, engine=engine)
    return [
        (
            one.slice_key,
            one.examples,
            one.metrics,
            {key: plot.to_plot_data().SerializeToString() for key, plot in one.plots.items()},
        )
        for one in found.slices
    ]


def test_the_number_of_processes_changes_nothing(files):
    with LocalEngine(1) as alone, LocalEngine(2, inline_bytes=0) as together:
        assert results(files, alone) == results(files, together)


def test_all_examples_come_first_and_each_is_counted_once(files):
    found = results(files, LocalEngine(1))
    assert found[0][:2] == ((), 2000)
    by_hour = [examples for key, examples, *_ in found if [name for name, _ in key] == ["hour"]]
    assert len(by_hour) == 5
    assert sum(by_hour) == 2000
    crossed = [examples for key, examples, *_ in found if len(key) == 2]
    assert 0 < sum(crossed) < 2000


def test_a_model_that_parses_reduces_each_feature_by_itself(tmp_path):
    import tensorflow as tf

    spec = {name: tf.io.FixedLenFeature([2], tf.float32) for name in ("a", "b")}

    class Negating(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def serve(self, examples):
            parsed = tf.io.parse_example(examples, spec)
            return {"outputs": tf.reduce_max(-parsed["b"], axis=1)}

    model = Negating()
    tf.saved_model.save(model, str(tmp_path / "model"), {"serving_default": model.serve})
    example = example_class()()
    for name, value in {"a": [1.0, 1.0], "b": [5.0, 6.0], "label": [-5.0]}.items():
        example.features.feature[name].float_list.value.extend(value)
    with open_gzip_writer(tmp_path / "data.gz") as write:
        write([example.SerializeToString()] * 3)
    config = read_eval_config(
        {
            "model_specs": [{"label_key": "label"}],
            "metrics_specs": [{"metrics": [{"class_name": "MeanSquaredError"}]}],
        }
    )
    config = complete_eval_config(config, has_baseline=False, has_model=True)
    models = {config.model_specs[0].name: ModelSource(str(tmp_path / "model"))}
    found = evaluate([tmp_path / "data.gz"], config, models, engine=LocalEngine(1))
    assert list(found.slices[0].metrics.values()) == [0.0]
