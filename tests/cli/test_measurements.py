"""Measurements of an evaluation, as `show` and `compare` have them."""

from __future__ import annotations

from trainwright.data.tfrecord import open_gzip_writer
from trainwright.history.measurements import _overall_metrics, in_reading_order
from trainwright.proto.tfma import metrics_for_slice_pb2


def add(message, name, value, **key):
    item = message.metric_keys_and_values.add()
    item.key.CopyFrom(metrics_for_slice_pb2.MetricKey(name=name, **key))
    item.value.double_value.value = value


def test_the_metrics_of_all_examples_of_both_models(tmp_path):
    overall = metrics_for_slice_pb2.MetricsForSlice()
    overall.slice_key.SetInParent()
    add(overall, "accuracy", 0.9, model_name="candidate")
    add(overall, "accuracy", 0.8, model_name="baseline")
    add(overall, "accuracy", 0.1, model_name="candidate", is_diff=True)
    add(overall, "recall", 0.5, sub_key=metrics_for_slice_pb2.SubKey(class_id={"value": 1}))
    sliced = metrics_for_slice_pb2.MetricsForSlice()
    sliced.slice_key.single_slice_keys.add(column="island", bytes_value=b"Dream")
    add(sliced, "accuracy", 0.2, model_name="candidate")
    crossed = metrics_for_slice_pb2.MetricsForSlice()
    crossed.cross_slice_key.SetInParent()
    add(crossed, "accuracy", 0.3, model_name="candidate")
    with open_gzip_writer(tmp_path / "metrics-00000-of-00001.tfrecord") as write:
        write([message.SerializeToString() for message in (overall, sliced, crossed)])
    assert _overall_metrics(str(tmp_path)) == {
        "candidate accuracy": 0.9,
        "baseline accuracy": 0.8,
        "recall classId:1": 0.5,
    }


def test_an_evaluation_whose_files_are_gone_has_none(tmp_path):
    assert _overall_metrics(str(tmp_path / "gone")) == {}


def test_steps_and_loss_come_before_the_rest():
    stored = {"accuracy": 0.9, "epoch": 1, "epochs": 2, "loss": 0.2, "step": 5, "val_loss": 0.3}
    assert list(in_reading_order(stored | {"steps": 9, "steps_per_second": 3.5})) == [
        *("epoch", "epochs", "step", "steps", "loss"),
        *("accuracy", "val_loss"),
    ]
