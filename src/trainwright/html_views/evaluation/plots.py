"""Curves and matrices: for each slice the same charts, all models in one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from trainwright.evaluation.metric_keys import MetricKey
from trainwright.evaluation.tfma_format.keys import metric_key_from_proto, plot_key_from_proto
from trainwright.html_views.evaluation.class_matrix import class_matrix, matrices_of
from trainwright.html_views.evaluation.curve_chart import Chart, curve_chart
from trainwright.html_views.evaluation.curves import (
    calibration_curve,
    merge_buckets,
    precision_recall_curve,
    roc_curve,
)
from trainwright.html_views.evaluation.found import Found, Place, place_of, place_order, slice_name
from trainwright.html_views.evaluation.metric_columns import group_order, group_words
from trainwright.html_views.histogram_chart import Scale
from trainwright.html_views.numbers import counted, number
from trainwright.html_views.text import markup, value
from trainwright.proto.tfma import metrics_for_slice_pb2

PlotData = metrics_for_slice_pb2.PlotData

# More charts than these would only make the page large; those of the first slices are drawn.
MOST_CHARTS = 300

_MOST_MATRICES = 3
_LONGEST_NAME = 80
_CLASS_MATRIX = "multi_class_confusion_matrix_at_thresholds"


@dataclass
class SlicePlots:
    """The plots of a slice: by what they are about, then by model."""

    place: Place
    groups: dict[MetricKey, dict[str, PlotData]] = field(default_factory=dict)

    def add(self, key: MetricKey, data: PlotData) -> None:
        self.groups.setdefault(key.of_model(""), {}).setdefault(key.model_name, data)


def plots_section(
    plots: Iterable[metrics_for_slice_pb2.PlotsForSlice], found: Found
) -> Iterator[str]:
    """The charts of each slice, those of all examples open; nothing if there are no plots."""
    slices = [one for one in _find_plots(plots, found) if one.groups]
    if not slices:
        return
    drawn = 0
    left_out = 0
    lines: list[str] = []
    for one in slices:
        groups = list(_groups(one, found)) if drawn < MOST_CHARTS else []
        left_out += drawn >= MOST_CHARTS
        drawn += sum(count for count, _ in groups)
        if groups:
            # The first that has anything to show, which is all examples if they are there.
            lines.append(_block(one, "".join(text for _, text in groups), found, not lines))
    if not lines:
        return
    yield "<section><h2>Curves</h2>"
    yield '<div class="controls" hidden><label>Slice <select id="slice"></select></label></div>'
    yield from lines
    if left_out:
        yield f"<p>The charts of {counted(left_out, 'more slice')} are not drawn.</p>"
    yield "</section>"


def _find_plots(
    plots: Iterable[metrics_for_slice_pb2.PlotsForSlice], found: Found
) -> list[SlicePlots]:
    """All plots by slice, and the matrices that were asked for as metrics."""
    slices: dict[Place, SlicePlots] = {}
    for message in plots:
        one = slices.setdefault(place_of(message), SlicePlots(place_of(message)))
        for item in message.plot_keys_and_values:
            one.add(plot_key_from_proto(item.key), item.value)
        # Evaluations of old have plots by the name of an output, or just one.
        for name, data in message.plots.items():
            one.add(MetricKey("", output_name=name), data)
        if message.HasField("plot_data"):
            one.add(MetricKey(""), message.plot_data)
    for metrics in found.slices:
        one = slices.setdefault((metrics.key, False), SlicePlots((metrics.key, False)))
        if not any(_has_matrix(group) for group in one.groups.values()):
            _add_matrices(one, metrics.items)
    return sorted(slices.values(), key=lambda one: place_order(one.place))


def _has_matrix(group: Mapping[str, PlotData]) -> bool:
    return any(data.HasField(_CLASS_MATRIX) for data in group.values())


def _add_matrices(
    one: SlicePlots,
    items: Mapping[MetricKey, metrics_for_slice_pb2.MetricsForSlice.MetricKeyAndValue],
) -> None:
    for item in items.values():
        if item.value.HasField(_CLASS_MATRIX) and not item.key.is_diff:
            matrices = item.value.multi_class_confusion_matrix_at_thresholds
            data = PlotData(multi_class_confusion_matrix_at_thresholds=matrices)
            one.add(metric_key_from_proto(item.key), data)


def _block(one: SlicePlots, charts: str, found: Found, is_open: bool) -> str:
    name = slice_name(one.place[0], is_cross=one.place[1])
    metrics = found.slice_at(one.place)
    examples = metrics.examples if metrics else None
    words = "" if examples is None else f" <small>· {number(examples)} examples</small>"
    return (
        f'<details class="plots"{" open" if is_open else ""}><summary>'
        f"{value(name, _LONGEST_NAME)}{words}</summary>"
        f"{charts}</details>"
    )


def _groups(one: SlicePlots, found: Found) -> Iterator[tuple[int, str]]:
    """How many charts there are of the whole prediction, of a class and so on, and the charts."""
    groups = sorted(one.groups.items(), key=lambda pair: _order(pair[0]))
    for key, by_model in groups:
        group = group_words(key)
        # The candidate has the first colour and the baseline the second, as in the table.
        models = sorted(by_model, key=lambda name: (found.is_baseline(name), name))
        data = [(_model_name(name, found), by_model[name]) for name in models]
        figures = [
            f"<figure><figcaption>{heading}</figcaption>{drawn}</figure>"
            for heading, drawn in _charts(data)
            if drawn
        ]
        if figures:
            heading = f"<h3>{value(group, _LONGEST_NAME)}</h3>" if group else ""
            yield len(figures), f'{heading}<div class="charts">{"".join(figures)}</div>'


def _charts(data: Sequence[tuple[str, PlotData]]) -> Iterator[tuple[str, str]]:
    matrices = [(name, one.confusion_matrix_at_thresholds.matrices) for name, one in data]
    roc = [(name, roc_curve(found)) for name, found in matrices]
    yield (
        "ROC curve",
        curve_chart(
            Chart(
                title="ROC curve",
                x_label="false positive rate",
                y_label="recall",
                curves=roc,
                has_diagonal=True,
            )
        ),
    )
    precision = [(name, precision_recall_curve(found)) for name, found in matrices]
    yield (
        "Precision and recall",
        curve_chart(
            Chart(
                title="Precision-recall curve",
                x_label="recall",
                y_label="precision",
                curves=precision,
                legend="lower left",
            )
        ),
    )
    yield "Calibration", _calibration(data)
    for name, one in data:
        matrix = one.multi_class_confusion_matrix_at_thresholds
        for words, shown in list(matrices_of(matrix))[:_MOST_MATRICES]:
            about = " · ".join(part for part in (name if len(data) > 1 else "", words) if part)
            heading = f"Confusion matrix {markup(about)}".strip()
            yield heading, class_matrix(shown, name=f"Confusion matrix {about}".strip())


def _calibration(data: Sequence[tuple[str, PlotData]]) -> str:
    buckets = [merge_buckets(one.calibration_histogram_buckets) for _, one in data]
    ends = [end for group in buckets for one in group for end in (one.prediction, one.label)]
    if not ends:
        return ""
    low, high = min(ends), max(ends)
    is_probability = low >= 0 and high <= 1
    curves = [
        (name, calibration_curve(group)) for (name, _), group in zip(data, buckets, strict=True)
    ]
    return curve_chart(
        Chart(
            title="Calibration: mean label against mean prediction",
            x_label="mean prediction, bars: examples",
            y_label="mean label",
            curves=curves,
            scale=Scale(0.0, 1.0) if is_probability else Scale(low, high),
            has_diagonal=True,
            legend="upper left",
            buckets=buckets,
        )
    )


def _model_name(name: str, found: Found) -> str:
    if name:
        return name
    return "baseline" if found.is_baseline(name) else "candidate"


def _order(key: MetricKey) -> tuple[object, ...]:
    return key.output_name, group_order(key), key.name
