"""EvalResult: an evaluation read back, as dictionaries of JSON-like values, as TFMA gives it."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from google.protobuf import json_format

from trainwright._suggest import did_you_mean
from trainwright.evaluation.metric_keys import SliceKey, SubKey
from trainwright.evaluation.tfma_format.keys import (
    CrossSliceKey,
    cross_slice_key_from_proto,
    metric_key_from_proto,
    plot_key_from_proto,
    slice_key_from_proto,
    sub_key_text,
)
from trainwright.evaluation.tfma_format.reading import (
    load_attributions,
    load_eval_run,
    load_metrics,
    load_plots,
)
from trainwright.proto.tfma import config_pb2, metrics_for_slice_pb2

_logger = logging.getLogger(__name__)

# By output, then by sub key, as {"": {"classId:1": ...}}.
ByOutput = dict[str, dict[str, Any]]
_AnySliceKey = SliceKey | CrossSliceKey


class SlicedMetrics(NamedTuple):
    """A slice and its metrics: by output, by sub key, by name.

    Example: `((("island", "Dream"),), {"": {"": {"accuracy": {"doubleValue": 0.9}}}})`
    """

    slice: _AnySliceKey
    metrics: ByOutput | None


class SlicedPlots(NamedTuple):
    """A slice and its plots: by output, by sub key."""

    slice: _AnySliceKey
    plot: ByOutput | None


class SlicedAttributions(NamedTuple):
    """A slice and its attributions: by output, by sub key, by metric, by feature."""

    slice: _AnySliceKey
    attributions: ByOutput | None


class EvalResult(NamedTuple):
    """The results of one model, slice by slice.

    Args:
        slicing_metrics: The metrics of each slice.
        plots: The plots of each slice.
        attributions: The attributions of each slice.
        config: What was evaluated; None if it was not written.
        data_location: Where the examples were.
        file_format: Of the examples.
        model_location: Where the model was.
    """

    slicing_metrics: list[SlicedMetrics]
    plots: list[SlicedPlots]
    attributions: list[SlicedAttributions]
    config: config_pb2.EvalConfig | None
    data_location: str
    file_format: str
    model_location: str

    def get_metrics_for_slice(
        self,
        slice_name: _AnySliceKey = (),
        output_name: str = "",
        class_id: int | None = None,
        k: int | None = None,
        top_k: int | None = None,
    ) -> dict[str, Any] | None:
        """The metrics of a slice, all examples by default; None if there is no such slice.

        Example: `result.get_metrics_for_slice((("island", "Dream"),))["accuracy"]["doubleValue"]`
        """
        for key, metrics in self.slicing_metrics:
            if key == slice_name:
                return _pick(metrics, output_name, SubKey(class_id, k, top_k))
        return None

    def get_metrics_for_all_slices(
        self,
        output_name: str = "",
        class_id: int | None = None,
        k: int | None = None,
        top_k: int | None = None,
    ) -> dict[_AnySliceKey, dict[str, Any]]:
        """The metrics of every slice."""
        sub_key = SubKey(class_id, k, top_k)
        return {
            key: dict(_pick(metrics, output_name, sub_key)) for key, metrics in self.slicing_metrics
        }

    def get_metric_names(self) -> Sequence[str]:
        """The names of all metrics of all slices."""
        return list(
            dict.fromkeys(
                name
                for _, by_output in self.slicing_metrics
                for by_sub_key in (by_output or {}).values()
                for metrics in by_sub_key.values()
                for name in metrics
            )
        )

    def get_slice_names(self) -> Sequence[_AnySliceKey]:
        """The keys of all slices."""
        return [key for key, _ in self.slicing_metrics]


def load_eval_result(
    output_path: str | os.PathLike[str],
    output_file_format: str = "tfrecord",
    model_name: str | None = None,
) -> EvalResult:
    """Reads the results of one model.

    Args:
        output_path: The directory of an evaluation: the `uri` of the Evaluator's output.
        output_file_format: "tfrecord".
        model_name: Whose results; those of the candidate if there is a baseline too.

    Raises:
        ValueError: There are results of several models and it is not clear whose are wanted.

    Example:
        result = load_eval_result("output/Evaluator/evaluation/7")
        result.get_metrics_for_slice()["accuracy"]["doubleValue"]
    """
    found = load_eval_run(output_path)
    run = found or config_pb2.EvalRun()
    wanted = _candidate_name(run.eval_config) if model_name is None else model_name
    metrics = [
        SlicedMetrics(_slice_key(record), _metrics_of_model(record, wanted))
        for record in load_metrics(output_path, output_file_format)
    ]
    plots = [
        SlicedPlots(_slice_key(record), _plots_of_model(record, wanted))
        for record in load_plots(output_path, output_file_format)
    ]
    attributions = [
        SlicedAttributions(_slice_key(record), _attributions_of_model(record, wanted))
        for record in load_attributions(output_path, output_file_format)
    ]
    if found is None and not (metrics or plots or attributions):
        # As in TFMA no error: any of the files may be missing.
        _logger.warning(
            "There is no evaluation at %r: the result is empty.", os.fspath(output_path)
        )
    return EvalResult(
        slicing_metrics=metrics,
        plots=plots,
        attributions=attributions,
        config=run.eval_config if run.HasField("eval_config") else None,
        data_location=run.data_location,
        file_format=run.file_format,
        model_location=_model_location(run.model_locations, model_name),
    )


def _candidate_name(config: config_pb2.EvalConfig) -> str:
    """The name of the only model that is not a baseline; "" if there is no other or no only one."""
    candidates = [spec.name for spec in config.model_specs if not spec.is_baseline]
    return candidates[0] if len(candidates) == 1 else ""


def _metrics_of_model(
    record: metrics_for_slice_pb2.MetricsForSlice, model_name: str
) -> ByOutput | None:
    by_model: dict[str, ByOutput] = {}
    for item in record.metric_keys_and_values:
        key = metric_key_from_proto(item.key)
        name = key.name
        if key.is_diff:
            name = f"{name}_diff"
        elif key.aggregation_type is not None:
            # The whole message as text, as TFMA has it.
            name = f"{item.key.aggregation_type}_{name}"
        metrics = _nested(by_model, key.model_name, key.output_name, sub_key_text(key.sub_key))
        metrics[name] = json_format.MessageToDict(_with_interval(item))
    if model_name:
        # Counts of examples are of no model, and shown with each.
        for output, by_sub_key in by_model.pop("", {}).items():
            for sub_key, shared in by_sub_key.items():
                _nested(by_model, model_name, output, sub_key).update(shared)
    return _of_model(by_model, model_name)


def _plots_of_model(
    record: metrics_for_slice_pb2.PlotsForSlice, model_name: str
) -> ByOutput | None:
    by_model: dict[str, ByOutput] = {}
    for item in record.plot_keys_and_values:
        key = plot_key_from_proto(item.key)
        plots = by_model.setdefault(key.model_name, {}).setdefault(key.output_name, {})
        plots[sub_key_text(key.sub_key)] = json_format.MessageToDict(item.value)
    return _of_model(by_model, model_name)


def _attributions_of_model(
    record: metrics_for_slice_pb2.AttributionsForSlice, model_name: str
) -> ByOutput | None:
    by_model: dict[str, ByOutput] = {}
    for item in record.attributions_keys_and_values:
        sub_key = metric_key_from_proto(
            metrics_for_slice_pb2.MetricKey(sub_key=item.key.sub_key)
        ).sub_key
        name = f"{item.key.name}_diff" if item.key.is_diff else item.key.name
        found = _nested(by_model, item.key.model_name, item.key.output_name, sub_key_text(sub_key))
        found[name] = {
            feature: json_format.MessageToDict(value) for feature, value in item.values.items()
        }
    return _of_model(by_model, model_name)


def _nested(by_model: dict[str, ByOutput], *names: str) -> dict[str, Any]:
    nested: dict[str, Any] = by_model
    for name in names:
        nested = nested.setdefault(name, {})
    return nested


def _of_model(by_model: dict[str, ByOutput], model_name: str) -> ByOutput | None:
    if not by_model:
        return None
    if model_name in by_model:
        return by_model[model_name]
    if not model_name and len(by_model) == 1:
        return next(iter(by_model.values()))
    raise ValueError(
        f"There are no results of the model {model_name!r}{did_you_mean(model_name, by_model)} "
        "Say whose are wanted as model_name."
    )


def _with_interval(
    item: metrics_for_slice_pb2.MetricsForSlice.MetricKeyAndValue,
) -> metrics_for_slice_pb2.MetricValue:
    """A number with its confidence interval as one value."""
    if not (item.HasField("confidence_interval") and item.value.HasField("double_value")):
        return item.value
    return metrics_for_slice_pb2.MetricValue(
        bounded_value=metrics_for_slice_pb2.BoundedValue(
            lower_bound=item.confidence_interval.lower_bound.double_value,
            upper_bound=item.confidence_interval.upper_bound.double_value,
            value=item.value.double_value,
        )
    )


def _slice_key(record: Any) -> _AnySliceKey:
    if record.HasField("cross_slice_key"):
        return cross_slice_key_from_proto(record.cross_slice_key)
    return slice_key_from_proto(record.slice_key)


def _model_location(locations: Mapping[str, str], model_name: str | None) -> str:
    if model_name is None:
        return next(iter(locations.values()), "")
    return locations.get(model_name, "")


def _pick(by_output: ByOutput | None, output_name: str, sub_key: SubKey) -> dict[str, Any]:
    outputs = by_output or {}
    if output_name not in outputs:
        raise KeyError(f"No output {output_name!r}{did_you_mean(output_name, outputs)}")
    text = sub_key_text(sub_key)
    if text not in outputs[output_name]:
        raise KeyError(f"No sub key {text!r}{did_you_mean(text, outputs[output_name])}")
    found: dict[str, Any] = outputs[output_name][text]
    return found
