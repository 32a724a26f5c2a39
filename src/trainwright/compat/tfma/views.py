"""Results of evaluations in a notebook: `tfma.view`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from google.protobuf import json_format

from trainwright._ipython import is_in_notebook
from trainwright._printable import printable_line
from trainwright._suggest import did_you_mean
from trainwright.compat.tfma.eval_results import EvalResults
from trainwright.compat.tfma.slicer import SingleSliceSpec, is_cross_slice_key, stringify_slice_key
from trainwright.evaluation.metric_keys import SubKey
from trainwright.evaluation.tfma_format.eval_result import ByOutput, EvalResult
from trainwright.evaluation.tfma_format.keys import (
    slice_key_from_proto,
    slice_key_to_proto,
    sub_key_text,
)
from trainwright.html_views.evaluation_page import evaluation_page
from trainwright.html_views.page import page, plain_table
from trainwright.html_views.text import markup
from trainwright.notebook.visualizations import show_page
from trainwright.proto.tfma import config_pb2
from trainwright.proto.tfma import metrics_for_slice_pb2 as messages

_AnySpec = SingleSliceSpec | config_pb2.SlicingSpec
_SUB_KEY_FIELDS = {"classId": "class_id", "k": "k", "topK": "top_k"}
_FAIRNESS = "fairness_indicators_metrics"


def render_slicing_metrics(
    result: EvalResult,
    slicing_column: str | None = None,
    slicing_spec: _AnySpec | None = None,
    weighted_example_column: str | None = None,
    event_handlers: Callable[..., Any] | None = None,
) -> None:
    """Shows the metrics of slices in a notebook; elsewhere, prints them.

    Args:
        result: What an evaluation found.
        slicing_column: The feature whose slices are shown.
        slicing_spec: Or: the slices. Without either, all examples are shown.
        weighted_example_column: Unused: the page has the counts that the evaluation has.
        event_handlers: Refused: the page does not call back.
    """
    _refuse_handlers(event_handlers)
    keys = _choose(result, _spec_of(slicing_column, slicing_spec))
    _show(_metrics_of(result, keys), [], result, "Metrics by slice")


def render_plot(
    result: EvalResult,
    slicing_spec: _AnySpec | None = None,
    output_name: str | None = None,
    class_id: int | None = None,
    top_k: int | None = None,
    k: int | None = None,
    label: str | None = None,
) -> None:
    """Shows the plots of a slice, all examples by default, in a notebook.

    Args:
        result: What an evaluation found; plots are metrics such as ConfusionMatrixPlot.
        slicing_spec: The slice.
        output_name: The output; by default all.
        class_id: The class; by default all.
        top_k: Or the top k classes.
        k: Or the k-th class.
        label: A part of what plots are called: of their output and sub key.
    """
    keys = _choose(result, _spec_of(None, slicing_spec))
    wanted = sub_key_text(SubKey(class_id, k, top_k)) or None
    plots = list(_plots_of(result, keys, output_name, wanted, label))
    if not any(one.plot_keys_and_values for one in plots):
        raise ValueError(
            "There are no such plots in the result. Metrics that make some are "
            "ConfusionMatrixPlot, CalibrationPlot and MultiClassConfusionMatrixPlot: list them in "
            "the metrics_specs of the eval config."
        )
    _show(_metrics_of(result, keys), plots, result, "Plots")


def render_time_series(
    results: EvalResults, slicing_spec: _AnySpec | None = None, display_full_path: bool = False
) -> None:
    """Shows how the metrics of a slice went from result to result.

    Args:
        results: Evaluations of several models or sets of examples, as `load_eval_results` reads.
        slicing_spec: The slice, all examples by default.
        display_full_path: Whether models and examples are shown by their paths.
    """
    if not isinstance(results, EvalResults):
        raise TypeError(
            f"results is of type {type(results).__name__}: expected EvalResults, as "
            "tfma.load_eval_results(output_paths) and tfma.make_eval_results return them."
        )
    is_model_centric = results.get_mode() == "model_centric_mode"
    rows: list[tuple[str, dict[str, float]]] = []
    for result in results.get_results():
        [key] = _choose(result, _spec_of(None, slicing_spec))[:1]
        location = result.model_location if is_model_centric else result.data_location
        name = location if display_full_path else os.path.basename(location.rstrip("/"))
        rows.append((name or "-", dict(_numbers(result, key))))
    names = list(dict.fromkeys(name for _, numbers in rows for name in numbers))
    heading = ["model" if is_model_centric else "examples", *names]
    cells = [
        [name, *(f"{numbers[one]:.6g}" if one in numbers else "-" for one in names)]
        for name, numbers in rows
    ]
    if is_in_notebook():
        table = plain_table(
            [markup(one) for one in heading], [[*map(markup, row)] for row in cells], name="Metrics"
        )
        show_page(page("Metrics over time", "", [table]))
    else:
        _print_table([heading, *cells])


def render_fairness_indicator(
    eval_result: EvalResult | None = None,
    slicing_column: str | None = None,
    slicing_spec: _AnySpec | None = None,
    output_name: str = "",
    multi_eval_results: Mapping[str, EvalResult] | None = None,
    event_handlers: Callable[..., Any] | None = None,
) -> None:
    """Shows the metrics of FairnessIndicators by slice, beside counts of examples.

    Args:
        eval_result: What an evaluation found.
        slicing_column: The feature whose slices are shown; by default all slices.
        slicing_spec: Or: the slices.
        output_name: The output of the model.
        multi_eval_results: Instead of one result, two by the names of their models.
        event_handlers: Refused: the page does not call back.
    """
    _refuse_handlers(event_handlers)
    if (eval_result is None) == (not multi_eval_results):
        raise ValueError(
            "Exactly one of the 'eval_result' and 'multi_eval_results' parameters must be set."
        )
    results = dict(multi_eval_results or {})
    if eval_result is not None:
        results[""] = eval_result
    spec = None
    if slicing_column or slicing_spec:
        spec = _spec_of(slicing_column, slicing_spec)
    for name, result in results.items():
        keys = _choose(result, spec) if spec else list(dict.fromkeys(result.get_slice_names()))
        shown = list(_metrics_of(result, keys, output_name, _is_of_fairness))
        title = f"Fairness indicators of {name}" if name else "Fairness indicators"
        _show(shown, [], result, title)


def _is_of_fairness(name: str) -> bool:
    return name.startswith(_FAIRNESS) or name in ("example_count", "weighted_example_count")


def _spec_of(column: str | None, spec: _AnySpec | None) -> SingleSliceSpec:
    if column and spec:
        raise ValueError("slicing_column and slicing_spec cannot both be given.")
    if column:
        return SingleSliceSpec(columns=[column])
    if isinstance(spec, SingleSliceSpec):
        return spec
    return SingleSliceSpec(spec=spec)


def _choose(result: EvalResult, spec: SingleSliceSpec) -> list[Any]:
    """The slices that a spec names; an error says which there are."""
    if not isinstance(result, EvalResult):
        raise TypeError(
            f"The result is of type {type(result).__name__}: expected an EvalResult, as "
            "tfma.load_eval_result(output_path) returns it; of EvalResults, give one of "
            "results.get_results()."
        )
    names = list(dict.fromkeys([*result.get_slice_names(), *(key for key, _ in result.plots)]))
    plain: list[Any] = [key for key in names if not is_cross_slice_key(key)]
    chosen = [key for key in plain if spec.is_slice_applicable(key)]
    if not chosen:
        columns = sorted({"/".join(name for name, _ in key) for key in plain} - {""})
        wanted = "/".join([*spec.to_proto().feature_keys, *spec.to_proto().feature_values])
        raise ValueError(
            f"The result has no slices by {wanted or 'nothing: all examples'}"
            f"{did_you_mean(wanted, columns)} Add it to the slicing_specs of the eval config."
        )
    return chosen


def _metrics_of(
    result: EvalResult,
    keys: Iterable[Any],
    output_name: str | None = None,
    is_shown: Callable[[str], bool] = lambda name: True,
) -> Iterator[messages.MetricsForSlice]:
    wanted = list(keys)
    for key, by_output in result.slicing_metrics:
        if key not in wanted or is_cross_slice_key(key):
            continue
        record = messages.MetricsForSlice(slice_key=slice_key_to_proto(key))  # type: ignore[arg-type]
        for output, sub_key, metrics in _each(by_output):
            if output_name is not None and output != output_name:
                continue
            for name, value in metrics.items():
                if is_shown(name):
                    item = record.metric_keys_and_values.add()
                    item.key.name, item.key.output_name = name, output
                    _fill_sub_key(item.key, sub_key)
                    json_format.ParseDict(value, item.value)
        yield record


def _plots_of(
    result: EvalResult,
    keys: Iterable[Any],
    output_name: str | None,
    sub_key_wanted: str | None,
    label: str | None,
) -> Iterator[messages.PlotsForSlice]:
    wanted = list(keys)
    for key, by_output in result.plots:
        if key not in wanted:
            continue
        record = messages.PlotsForSlice(slice_key=slice_key_to_proto(key))  # type: ignore[arg-type]
        for output, sub_key, plot in _each(by_output):
            is_wanted = (
                output_name in (None, output)
                and sub_key_wanted in (None, sub_key)
                and (label is None or label in f"{output} {sub_key}")
            )
            if is_wanted:
                item = record.plot_keys_and_values.add()
                item.key.output_name = output
                _fill_sub_key(item.key, sub_key)
                json_format.ParseDict(plot, item.value)
        yield record


def _each(by_output: ByOutput | None) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for output, by_sub_key in (by_output or {}).items():
        for sub_key, values in by_sub_key.items():
            yield output, sub_key, values


def _fill_sub_key(key: Any, text: str) -> None:
    for part in text.split():
        name, _, number = part.partition(":")
        getattr(key.sub_key, _SUB_KEY_FIELDS[name]).value = int(number)


def _numbers(result: EvalResult, key: Any) -> Iterator[tuple[str, float]]:
    """The metrics of a slice that are numbers, by their names."""
    for found, by_output in result.slicing_metrics:
        if found != key:
            continue
        for output, sub_key, metrics in _each(by_output):
            for name, value in metrics.items():
                number = _number(value)
                if number is not None:
                    yield " ".join(filter(None, (output, sub_key, name))), number


def _number(value: Mapping[str, Any]) -> float | None:
    """A metric's value, as JSON, if it is a number."""
    number = value.get("doubleValue", value.get("boundedValue", {}).get("value"))
    return None if number is None else float(number)


def _show(
    metrics: Iterable[messages.MetricsForSlice],
    plots: Iterable[messages.PlotsForSlice],
    result: EvalResult,
    title: str,
) -> None:
    records = list(metrics)
    if is_in_notebook():
        location = result.model_location
        # A result does not have what came of its thresholds: load_validation_result reads it.
        show_page(
            evaluation_page(
                records, plots=plots, title=title, subtitle=location, metrics_alone=True
            )
        )
        return
    rows = [["slice", "metric", "value"]]
    for record in records:
        name = stringify_slice_key(slice_key_from_proto(record.slice_key))
        for item in record.metric_keys_and_values:
            number = _number(json_format.MessageToDict(item.value))
            if number is not None:
                rows.append([name, item.key.name, f"{number:.6g}"])
    _print_table(rows)
    print("In a notebook this is a page; `trainwright show ID --html` writes one of an Evaluator.")


def _print_table(rows: list[list[str]]) -> None:
    printable = [[printable_line(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*printable, strict=True)]
    for row in printable:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())


def _refuse_handlers(event_handlers: Any | None) -> None:
    if event_handlers is not None:
        raise ValueError(
            "event_handlers are called by TFMA's widget; the page that is shown here calls nothing "
            "back. Leave them out."
        )
