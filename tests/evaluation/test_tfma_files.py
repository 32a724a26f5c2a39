"""The files of an evaluation: read back as they were written, by us and by TFMA."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from google.protobuf import json_format, wrappers_pb2
from tfma_reference import run_with_tfma

from trainwright.data.tfrecord import read_records
from trainwright.evaluation.config.config_completion import complete_eval_config
from trainwright.evaluation.config.config_reading import read_eval_config
from trainwright.evaluation.metric_keys import MetricKey, SubKey
from trainwright.evaluation.results import BoundedValue, SliceResult
from trainwright.evaluation.slices.cross_slices import compare_slices
from trainwright.evaluation.tfma_format.eval_result import load_eval_result
from trainwright.evaluation.tfma_format.keys import metric_key_from_proto, metric_key_to_proto
from trainwright.evaluation.tfma_format.reading import (
    load_eval_run,
    load_metrics,
    load_plots,
    load_validation_result,
)
from trainwright.evaluation.tfma_format.writing import write_evaluation
from trainwright.evaluation.thresholds.judgement import validate
from trainwright.proto.tfma import metrics_for_slice_pb2 as messages


class Matrices:
    """A structured metric and a plot at once."""

    def __init__(self, positives: float) -> None:
        self._matrices = messages.ConfusionMatrixAtThresholds(
            matrices=[{"threshold": 0.5, "true_positives": positives, "false_negatives": 1.0}]
        )

    def to_metric_value(self):
        return messages.MetricValue(confusion_matrix_at_thresholds=self._matrices)

    def to_plot_data(self):
        return messages.PlotData(confusion_matrix_at_thresholds=self._matrices)


class Histogram:
    def to_plot_data(self):
        bucket = messages.CalibrationHistogramBuckets.Bucket(
            upper_threshold_exclusive=1.0,
            num_weighted_examples=wrappers_pb2.DoubleValue(value=3.0),
        )
        return messages.PlotData(
            calibration_histogram_buckets=messages.CalibrationHistogramBuckets(buckets=[bucket])
        )


def key(name: str, model: str = "", **parts) -> MetricKey:
    return MetricKey(name, model, example_weighted=False, **parts)


ONE_MODEL = [
    SliceResult(
        (),
        examples=7,
        metrics={
            key("accuracy"): 0.75,
            key("example_count"): 7.0,
            key("auc"): BoundedValue(0.8, 0.7, 0.9, 0.81, 0.05, 20),
            key("per_class"): np.array([0.1, 0.2]),
            key("counts"): np.array([1, 2]),
            key("matrices"): Matrices(3.0),
            key("precision", sub_key=SubKey(class_id=0)): math.nan,
            key("precision", sub_key=SubKey(top_k=2)): 0.25,
            key("precision", aggregation_type="macro_average"): 0.5,
            MetricKey("loss", output_name="head", example_weighted=True): 1.5,
        },
        plots={
            key("confusion_matrix_plot"): Matrices(2.0),
            key("calibration_plot"): Histogram(),
        },
    ),
    SliceResult(
        (("area", "süd"), ("fare", 2.5), ("hour", 5)),
        examples=2,
        metrics={key("accuracy"): 1.0},
    ),
    SliceResult((("hour", -1),), examples=1),
]

TWO_MODELS = [
    SliceResult(
        slice_key,
        metrics={
            MetricKey("example_count"): 9.0,
            key("auc", "candidate"): new,
            key("auc", "baseline"): old,
            key("auc", "candidate").diff(): new - old,
        },
        plots={
            key("my_plot", "candidate"): Matrices(1.0),
            key("my_plot", "baseline"): Matrices(0.0),
        },
    )
    for slice_key, new, old in (((), 0.75, 0.5), ((("hour", 1),), 0.5, 0.5))
]

THRESHOLD = {
    "value_threshold": {"lower_bound": 0.9},
    "change_threshold": {"absolute": 0, "direction": "HIGHER_IS_BETTER"},
}
CONFIG = {
    "model_specs": [{"label_key": "tips"}],
    "slicing_specs": [{}, {"feature_keys": ["hour"]}],
    "metrics_specs": [{"metrics": [{"class_name": "AUC", "threshold": THRESHOLD}]}],
}
HOURS = {"baseline_spec": {}, "slicing_specs": [{"feature_keys": ["hour"]}]}


def write_one(directory):
    config = complete_eval_config(read_eval_config(CONFIG), has_baseline=False)
    write_evaluation(
        directory,
        ONE_MODEL,
        config,
        data_location="examples/1/Split-eval",
        file_format="tfrecords_gzip",
        model_locations={"": "model/6/Format-Serving"},
        validation=validate(ONE_MODEL[:1], config),
    )
    return config


def write_two(directory):
    config = complete_eval_config(
        read_eval_config({**CONFIG, "cross_slicing_specs": [HOURS]}), has_baseline=True
    )
    write_evaluation(
        directory,
        TWO_MODELS,
        config,
        cross_slices=compare_slices(TWO_MODELS, config.cross_slicing_specs),
        model_locations={"candidate": "new", "baseline": "old"},
        validation=validate(TWO_MODELS, config),
    )
    return config


def test_the_files_are_those_of_tfma(tmp_path) -> None:
    write_one(tmp_path / "evaluation")
    assert sorted(path.name for path in (tmp_path / "evaluation").iterdir()) == [
        "attributions-00000-of-00001.tfrecord",
        "eval_config.json",
        "metrics-00000-of-00001.tfrecord",
        "plots-00000-of-00001.tfrecord",
        "validations.tfrecord",
    ]
    run = json.loads((tmp_path / "evaluation" / "eval_config.json").read_text())
    assert run["version"]
    assert run["dataLocation"] == "examples/1/Split-eval"
    assert run["fileFormat"] == "tfrecords_gzip"
    assert run["modelLocations"] == {"": "model/6/Format-Serving"}
    assert run["evalConfig"]["modelSpecs"] == [{"labelKey": "tips"}]


def test_the_same_results_give_the_same_bytes(tmp_path) -> None:
    for name in ("first", "second"):
        write_two(tmp_path / name)
    for path in (tmp_path / "first").iterdir():
        assert path.read_bytes() == (tmp_path / "second" / path.name).read_bytes()


def test_without_a_validation_there_is_no_such_file(tmp_path) -> None:
    config = read_eval_config({"options": {"disabled_outputs": ["eval_config"]}})
    write_evaluation(tmp_path, [], config)
    assert [path.name for path in tmp_path.iterdir() if path.stat().st_size] == []
    with pytest.raises(FileNotFoundError, match="No validations file in"):
        load_validation_result(tmp_path)
    assert load_eval_run(tmp_path) is None
    result = load_eval_result(tmp_path)
    assert result.slicing_metrics == result.plots == result.attributions == []
    assert result.config is None


def test_values_as_tfma_stores_them(tmp_path) -> None:
    write_one(tmp_path)
    record = next(load_metrics(tmp_path))
    values = {metric_key_from_proto(item.key): item for item in record.metric_keys_and_values}
    assert list(values) == list(ONE_MODEL[0].metrics)
    assert values[key("accuracy")].value == messages.MetricValue(double_value={"value": 0.75})
    assert not values[key("accuracy")].HasField("confidence_interval")
    bounded = values[key("auc")]
    assert bounded.value.double_value.value == 0.8
    assert json_format.MessageToDict(bounded.confidence_interval) == {
        "lowerBound": {"doubleValue": 0.7},
        "upperBound": {"doubleValue": 0.9},
        "standardError": {"doubleValue": 0.05},
        "degreesOfFreedom": "19",
    }
    assert values[key("per_class")].value.array_value == messages.ArrayValue(
        data_type="FLOAT64", shape=[2], float64_values=[0.1, 0.2]
    )
    assert values[key("counts")].value.array_value.int64_values == [1, 2]
    assert values[key("matrices")].value == Matrices(3.0).to_metric_value()
    assert math.isnan(values[key("precision", sub_key=SubKey(class_id=0))].value.double_value.value)


def test_plots_without_a_name_of_their_own_share_a_record(tmp_path) -> None:
    write_one(tmp_path)
    plots = next(load_plots(tmp_path)).plot_keys_and_values
    assert len(plots) == 1
    assert plots[0].key.name == ""
    assert plots[0].value.HasField("confusion_matrix_at_thresholds")
    assert plots[0].value.HasField("calibration_histogram_buckets")


def test_keys_come_back_as_they_were() -> None:
    keys = [*ONE_MODEL[0].metrics, *TWO_MODELS[0].metrics, MetricKey("a")]
    assert [metric_key_from_proto(metric_key_to_proto(each)) for each in keys] == keys


def test_results_are_read_as_dictionaries(tmp_path) -> None:
    config = write_one(tmp_path)
    result = load_eval_result(str(tmp_path))
    # TFMA's reader does not expect a slice without metrics.
    assert result.get_slice_names() == [one.slice_key for one in ONE_MODEL if one.metrics]
    metrics = result.get_metrics_for_slice()
    assert metrics["accuracy"] == {"doubleValue": 0.75}
    assert metrics["auc"] == {"boundedValue": {"lowerBound": 0.7, "upperBound": 0.9, "value": 0.8}}
    assert result.get_metrics_for_slice(top_k=2) == {"precision": {"doubleValue": 0.25}}
    assert result.get_metrics_for_slice(class_id=0) == {"precision": {"doubleValue": "NaN"}}
    assert result.get_metrics_for_slice(output_name="head") == {"loss": {"doubleValue": 1.5}}
    assert result.get_metrics_for_slice((("hour", 99),)) is None
    assert "loss" in result.get_metric_names()
    assert result.config == config
    assert result.model_location == "model/6/Format-Serving"
    with pytest.raises(KeyError, match="No output 'hed'; did you mean 'head'"):
        result.get_metrics_for_slice(output_name="hed")
    with pytest.raises(KeyError, match="No sub key 'classId:7'"):
        result.get_metrics_for_slice(class_id=7)


def test_of_two_models_the_candidate_is_read(tmp_path) -> None:
    write_two(tmp_path)
    result = load_eval_result(tmp_path)
    assert result.get_metrics_for_slice((("hour", 1),)) == {
        "auc": {"doubleValue": 0.5},
        "auc_diff": {"doubleValue": 0.0},
        "example_count": {"doubleValue": 9.0},
    }
    assert result.get_metrics_for_all_slices().keys() == {
        (),
        (("hour", 1),),
        ((), (("hour", 1),)),
    }
    matrix = result.plots[0].plot[""][""]["confusionMatrixAtThresholds"]["matrices"][0]
    assert matrix["truePositives"] == 1.0
    baseline = load_eval_result(tmp_path, model_name="baseline")
    assert baseline.get_metrics_for_slice()["auc"] == {"doubleValue": 0.5}
    assert baseline.model_location == "old"
    with pytest.raises(ValueError, match="no results of the model 'basline'; did you mean"):
        load_eval_result(tmp_path, model_name="basline")


def test_files_of_old_have_no_suffix(tmp_path) -> None:
    write_one(tmp_path)
    for name in ("metrics", "plots"):
        (tmp_path / f"{name}-00000-of-00001.tfrecord").rename(tmp_path / name)
    assert len(load_eval_result(tmp_path).slicing_metrics) == 2
    assert len(list(load_metrics(tmp_path / "met", ""))) == 2
    with pytest.raises(ValueError, match="got the format 'parquet': expected 'tfrecord'"):
        list(load_metrics(tmp_path, "parquet"))


def test_the_validation_comes_back(tmp_path) -> None:
    write_two(tmp_path)
    validation = load_validation_result(tmp_path)
    assert not validation.validation_ok
    assert len(validation.metric_validations_per_slice) == 2
    (record,) = read_records(tmp_path / "validations.tfrecord")
    assert validation.SerializeToString(deterministic=True) == record


READ_WITH_TFMA = """
import json, sys
import tensorflow_model_analysis as tfma
from google.protobuf import json_format
def plain(result):
    return {
        "metrics": [[repr(slice_key), metrics] for slice_key, metrics in result.slicing_metrics],
        "plots": [[repr(slice_key), plots] for slice_key, plots in result.plots],
        "attributions": [[repr(key), found] for key, found in result.attributions],
        "config": json_format.MessageToDict(result.config),
        "others": [result.data_location, result.file_format, result.model_location],
        "names": sorted(result.get_metric_names()),
    }
directory, *models = sys.argv[1:]
validation = tfma.load_validation_result(directory)
print(json.dumps([
    [plain(tfma.load_eval_result(directory, model_name=name or None)) for name in models],
    json_format.MessageToDict(validation),
]))
"""


def plain(result):
    return {
        "metrics": [[repr(slice_key), metrics] for slice_key, metrics in result.slicing_metrics],
        "plots": [[repr(slice_key), plots] for slice_key, plots in result.plots],
        "attributions": [[repr(slice_key), found] for slice_key, found in result.attributions],
        "config": json_format.MessageToDict(result.config),
        "others": [result.data_location, result.file_format, result.model_location],
        "names": sorted(result.get_metric_names()),
    }


@pytest.mark.reference
@pytest.mark.parametrize(
    ("write", "models"), [(write_one, [""]), (write_two, ["candidate", "baseline"])]
)
def test_tfma_reads_the_same_from_our_files(tmp_path, write, models) -> None:
    write(tmp_path)
    results, validation = run_with_tfma(READ_WITH_TFMA, tmp_path, *models)
    for name, found in zip(models, results, strict=True):
        ours = plain(load_eval_result(tmp_path, model_name=name or None))
        assert found == json.loads(json.dumps(ours))
    assert validation == json_format.MessageToDict(load_validation_result(tmp_path))


WRITE_WITH_TFMA = """
import json, sys
import numpy as np
import tensorflow_model_analysis as tfma
from google.protobuf import json_format
from tensorflow_model_analysis.api import types
from tensorflow_model_analysis.metrics import metric_types
from tensorflow_model_analysis.writers import metrics_plots_and_validations_writer as writer
key = lambda name, **parts: metric_types.MetricKey(name, **parts)
sub = metric_types.SubKey
macro = metric_types.AggregationType(macro_average=True)
metrics = {
    key("accuracy"): 0.75,
    key("auc"): types.ValueWithTDistribution(0.81, 0.05, 19, 0.8),
    key("per_class"): np.array([0.1, 0.2]),
    key("counts"): np.array([1, 2]),
    key("precision", sub_key=sub(top_k=2)): 0.25,
    key("precision", aggregation_type=macro): 0.5,
    key("loss", output_name="head", example_weighted=True): 1.5,
    key("auc", model_name="candidate", is_diff=True): 0.5,
}
slice_key = (("area", "süd"), ("fare", 2.5), ("hour", 5))
record = writer.convert_slice_metrics_to_proto((slice_key, metrics), None)
print(json.dumps(json_format.MessageToDict(record)))
"""


@pytest.mark.reference
def test_records_are_those_that_tfma_writes(tmp_path) -> None:
    """Of the same numbers; the ends of an interval are computed elsewhere."""
    theirs = run_with_tfma(WRITE_WITH_TFMA)
    interval = next(
        item["confidenceInterval"]
        for item in theirs["metricKeysAndValues"]
        if "confidenceInterval" in item
    )
    low, high = (interval[end]["doubleValue"] for end in ("lowerBound", "upperBound"))
    metrics = {
        key("accuracy"): 0.75,
        key("auc"): BoundedValue(0.8, low, high, 0.81, 0.05, 20),
        key("per_class"): np.array([0.1, 0.2]),
        key("counts"): np.array([1, 2]),
        key("precision", sub_key=SubKey(top_k=2)): 0.25,
        key("precision", aggregation_type="macro_average"): 0.5,
        MetricKey("loss", output_name="head", example_weighted=True): 1.5,
        key("auc", "candidate").diff(): 0.5,
    }
    write_evaluation(
        tmp_path, [SliceResult(ONE_MODEL[1].slice_key, metrics=metrics)], read_eval_config({})
    )
    ours = json_format.MessageToDict(next(load_metrics(tmp_path)))
    assert ours["sliceKey"] == theirs["sliceKey"]

    def ordered(record):
        return sorted(record["metricKeysAndValues"], key=lambda item: json.dumps(item["key"]))

    assert ordered(ours) == ordered(theirs)


def test_no_evaluation_is_an_empty_result_with_a_warning(tmp_path, caplog) -> None:
    assert load_eval_result(str(tmp_path / "nowhere")).slicing_metrics == []
    assert "There is no evaluation at" in caplog.text
    caplog.clear()
    write_one(tmp_path)
    load_eval_result(tmp_path)
    assert caplog.text == ""


def test_views_say_what_they_expect(tmp_path) -> None:
    import tensorflow_model_analysis as tfma
    from trainwright.compat.tfma import views

    write_one(tmp_path)
    with pytest.raises(TypeError, match="is of type str: expected an EvalResult"):
        views.render_slicing_metrics(str(tmp_path))
    with pytest.raises(TypeError, match="is of type EvalResult: expected EvalResults, as"):
        views.render_time_series(load_eval_result(tmp_path))
    with pytest.raises(TypeError, match=r"eval_shared_model has 'model': expected what default_"):
        tfma.run_model_analysis("model", tfma.EvalConfig(), str(tmp_path))
    with pytest.raises(TypeError, match="data is of type str: expected a pandas data frame"):
        tfma.analyze_raw_data("frame", tfma.EvalConfig())


@pytest.mark.parametrize("content", [b"nope", b'{"x": 1}', b"\xff\xfe"])
def test_a_config_of_another_kind_is_named(tmp_path, content) -> None:
    (tmp_path / "eval_config.json").write_bytes(content)
    with pytest.raises(ValueError, match=r"eval_config\.json is not the config of an evaluation"):
        load_eval_result(tmp_path)


def test_records_of_another_kind_are_named(tmp_path) -> None:
    from trainwright.data.tfrecord import open_gzip_writer

    with open_gzip_writer(tmp_path / "metrics-00000-of-00001.tfrecord") as write:
        write([b"\x0a\xff\xff"])
    with pytest.raises(ValueError, match=r"metrics-.* has a record that is not MetricsForSlice"):
        load_eval_result(tmp_path)
