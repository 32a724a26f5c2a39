"""run_model_analysis and its data frames beside TFMA's own, on the same model and examples."""

from __future__ import annotations

import pytest
from google.protobuf import json_format
from tfma_reference import run_with_tfma

import tensorflow_model_analysis as tfma
from trainwright.data.example_messages import example_class
from trainwright.data.tfrecord import open_gzip_writer

ANALYZE = """
import json, sys
import tensorflow_model_analysis as tfma
from google.protobuf import json_format
from tensorflow_model_analysis.experimental import dataframe
from tensorflow_model_analysis.proto import config_pb2
model, config, data, out = sys.argv[1:5]
config = json_format.Parse(config, config_pb2.EvalConfig())
result = tfma.run_model_analysis(
    tfma.default_eval_shared_model(model, eval_config=config), config, data, output_path=out)
frame = dataframe.auto_pivot(dataframe.metrics_as_dataframes(tfma.load_metrics(out)).double_value)
print(json.dumps([
    sorted([list(map(list, key)), metrics[""][""]] for key, metrics in result.slicing_metrics),
    frame.sort_index().sort_index(axis=1).to_csv(),
]))
"""


def _save_model(directory):
    import tensorflow as tf

    model = tf.Module()

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="examples")])
    def serve(examples):
        parsed = tf.io.parse_example(examples, {"x": tf.io.FixedLenFeature([], tf.float32)})
        return {"scores": parsed["x"]}

    model.serve = serve
    tf.saved_model.save(model, directory, signatures={"serving_default": serve})


def _write_examples(path):
    records = []
    for number in range(200):
        example = example_class()()
        features = example.features.feature
        features["x"].float_list.value.append((number * 37 % 101) / 101)
        features["label"].int64_list.value.append(number % 3 % 2)
        features["company"].bytes_list.value.append(f"company {number % 4}".encode())
        records.append(example.SerializeToString())
    with open_gzip_writer(path) as write:
        write(records)


@pytest.mark.reference
def test_the_result_is_tfmas(tmp_path):
    model, data = str(tmp_path / "model"), str(tmp_path / "examples.gz")
    _save_model(model)
    _write_examples(data)
    config = tfma.EvalConfig(
        model_specs=[tfma.ModelSpec(label_key="label")],
        slicing_specs=[tfma.SlicingSpec(), tfma.SlicingSpec(feature_keys=["company"])],
        metrics_specs=tfma.metrics.default_binary_classification_specs(),
    )
    result = tfma.run_model_analysis(
        tfma.default_eval_shared_model(model), config, data, output_path=str(tmp_path / "ours")
    )
    metrics, table = run_with_tfma(
        ANALYZE, model, json_format.MessageToJson(config), data, str(tmp_path / "theirs")
    )
    ours = sorted(
        [list(map(list, key)), by_output[""][""]] for key, by_output in result.slicing_metrics
    )
    assert [key for key, _ in ours] == [key for key, _ in metrics]
    for (_, found), (_, expected) in zip(ours, metrics, strict=True):
        numbers, others = (
            {k: v["doubleValue"] for k, v in one.items()} for one in (found, expected)
        )
        assert numbers == pytest.approx(others, rel=1e-5)
    frames = tfma.experimental.dataframe.load_metrics_as_dataframes(str(tmp_path / "ours"))
    frame = tfma.experimental.dataframe.auto_pivot(frames.double_value)
    lines = frame.sort_index().sort_index(axis=1).to_csv().splitlines()
    assert [line.split(",")[0] for line in lines] == [
        line.split(",")[0] for line in table.splitlines()
    ]
    assert lines[0] == table.splitlines()[0]
