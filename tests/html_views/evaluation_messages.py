"""Evaluations made by hand, as the messages that their files hold."""

from trainwright.proto.tfma import config_pb2, metrics_for_slice_pb2, validation_result_pb2

HIGHER, LOWER = config_pb2.HIGHER_IS_BETTER, config_pb2.LOWER_IS_BETTER


def slice_key(**values):
    key = metrics_for_slice_pb2.SliceKey()
    for column, value in values.items():
        field = {str: "bytes_value", int: "int64_value", float: "float_value"}[type(value)]
        stored = value.encode() if isinstance(value, str) else value
        key.single_slice_keys.add(column=column, **{field: stored})
    return key


def metric_key(name, model="", **fields):
    return metrics_for_slice_pb2.MetricKey(name=name, model_name=model, **fields)


def metrics(examples=100, /, values=None, *, baseline=None, interval=None, **slicing):
    """The metrics of a slice; with a baseline, of both models and the change between them."""
    message = metrics_for_slice_pb2.MetricsForSlice(slice_key=slice_key(**slicing))
    model = "candidate" if baseline is not None else ""
    all_values = {"example_count": float(examples), **(values or {})}
    for name, value in all_values.items():
        _add(message, metric_key(name, model), value, (interval or {}).get(name))
    for name, value in (baseline or {}).items():
        _add(message, metric_key(name, "baseline"), value)
        change = all_values[name] - value
        _add(
            message,
            metric_key(name, model, is_diff=True),
            change,
            (interval or {}).get(f"{name}_diff"),
        )
    return message


def _add(message, key, value, interval=None):
    item = message.metric_keys_and_values.add(key=key)
    item.value.double_value.value = value
    if interval is not None:
        item.confidence_interval.lower_bound.double_value.value = interval[0]
        item.confidence_interval.upper_bound.double_value.value = interval[1]


def run(*thresholds, baseline=False):
    """A config with metrics of these class names, each with a threshold."""
    message = config_pb2.EvalRun(version="0.52.0", data_location="examples")
    config = message.eval_config
    names = ["candidate", "baseline"] if baseline else [""]
    for name in names:
        config.model_specs.add(name=name, label_key="label", is_baseline=name == "baseline")
        message.model_locations[name] = f"models/{name or 'only'}"
    config.slicing_specs.add()
    spec = config.metrics_specs.add(model_names=names)
    for class_name, threshold in thresholds:
        spec.metrics.add(class_name=class_name, threshold=threshold)
    return message


def at_least(value):
    threshold = config_pb2.MetricThreshold()
    threshold.value_threshold.lower_bound.value = value
    return threshold


def between(low, high):
    threshold = at_least(low)
    threshold.value_threshold.upper_bound.value = high
    return threshold


def changed(direction, **bounds):
    threshold = config_pb2.MetricThreshold()
    threshold.change_threshold.direction = direction
    for name, bound in bounds.items():
        getattr(threshold.change_threshold, name).value = bound
    return threshold


def validation(*failures, ok=False, **fields):
    """What came of thresholds: `failure(...)` each."""
    return validation_result_pb2.ValidationResult(
        validation_ok=ok, metric_validations_per_slice=failures, **fields
    )


def failure(name, threshold, value=None, *, model="", message="", **slicing):
    found = validation_result_pb2.MetricsValidationForSlice(slice_key=slice_key(**slicing))
    failed = found.failures.add(
        metric_key=metric_key(name, model, is_diff=threshold.HasField("change_threshold")),
        metric_threshold=threshold,
        message=message,
    )
    if value is not None:
        failed.metric_value.double_value.value = value
    return found


def plots(data_by_model, **slicing):
    message = metrics_for_slice_pb2.PlotsForSlice(slice_key=slice_key(**slicing))
    for model, data in data_by_model.items():
        message.plot_keys_and_values.add(
            key=metrics_for_slice_pb2.PlotKey(model_name=model), value=data
        )
    return message


def binary_plot(thresholds=101, *, positives=100.0, negatives=100.0):
    """Confusion matrices along a curve, and buckets that are calibrated."""
    data = metrics_for_slice_pb2.PlotData()
    for step in range(thresholds):
        threshold = step / (thresholds - 1)
        true, false = positives * (1 - threshold**3), negatives * (1 - threshold) ** 3
        data.confusion_matrix_at_thresholds.matrices.add(
            threshold=threshold,
            true_positives=true,
            false_negatives=positives - true,
            false_positives=false,
            true_negatives=negatives - false,
        )
        bucket = data.calibration_histogram_buckets.buckets.add(
            lower_threshold_inclusive=threshold, upper_threshold_exclusive=threshold + 0.01
        )
        bucket.num_weighted_examples.value = 2
        bucket.total_weighted_label.value = 2 * threshold
        bucket.total_weighted_refined_prediction.value = 2 * threshold
    return data


def class_plot(counts):
    """A confusion matrix: counts by (actual, predicted)."""
    data = metrics_for_slice_pb2.PlotData()
    matrix = data.multi_class_confusion_matrix_at_thresholds.matrices.add()
    for (actual, predicted), count in counts.items():
        matrix.entries.add(
            actual_class_id=actual, predicted_class_id=predicted, num_weighted_examples=count
        )
    return data
