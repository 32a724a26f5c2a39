"""The page of a DistributionValidator: how far each feature has moved from the baseline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from trainwright._assets import read_asset
from trainwright._markup import EMPTY, Markup, html, join
from trainwright.html_views.columns import Column
from trainwright.html_views.features import Feature, all_features
from trainwright.html_views.histogram_chart import histogram_charts
from trainwright.html_views.numbers import counted, number
from trainwright.html_views.page import page
from trainwright.html_views.share_bars import ratio_bar
from trainwright.html_views.text import markup, prose, value
from trainwright.html_views.value_chart import value_charts

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import anomalies_pb2, statistics_pb2

    _Statistics = Mapping[str, statistics_pb2.DatasetFeatureStatisticsList]

# More pictures than these would only make the page large.
MOST_CHARTS = 100

MEASURES = {
    1: "L-infinity norm",
    2: "Jensen-Shannon divergence",
    3: "normalized absolute difference",
}


class _Compared(NamedTuple):
    """A feature and one way in which it was measured; none if it could not be."""

    path: str
    measure: str
    distance: float | None
    threshold: float
    problem: str

    @property
    def is_bad(self) -> bool:
        return self.distance is None or self.distance > self.threshold


def drift_page(
    pairs: Mapping[str, anomalies_pb2.Anomalies],
    *,
    statistics: _Statistics | None = None,
    baseline: _Statistics | None = None,
    title: str = "Drift",
    subtitle: str = "",
) -> Markup:
    """One HTML file with a section for each pair of splits.

    Args:
        pairs: What was found, by the name of the pair, `<split>_<split of the baseline>`.
        statistics: What was validated, by split; with the baseline, distributions are shown.
        baseline: What it was compared with, by split.
        title: The heading of the page.
        subtitle: A line below it, for example where the artifact is.

    Example: `Path("drift.html").write_text(drift_page({"train_train": anomalies}))`
    """
    parts = [_overview(pairs)]
    for name, anomalies in sorted(pairs.items()):
        features = _features(name, statistics or {}, baseline or {})
        parts.extend(_section(name, anomalies, features))
    style = read_asset("trainwright.html_views", "share_bars.css")
    return page(title, subtitle, parts, style=style)


def _overview(pairs: Mapping[str, anomalies_pb2.Anomalies]) -> Markup:
    if not pairs:
        return html("<p>No pair of splits was compared.</p>")
    verdicts = (html("{} {}", markup(name), _verdict(pairs[name])) for name in sorted(pairs))
    return html('<p class="facts">{}</p>', join(verdicts, html(" &ensp; ")))


def _verdict(anomalies: anomalies_pb2.Anomalies) -> Markup:
    names = {one.path for one in _measured(anomalies) if one.is_bad}
    count = len(names) + anomalies.HasField("dataset_anomaly_info")
    if not count:
        return html('<span class="mark good">✓ no drift</span>')
    return html('<span class="mark bad">✖ {}</span>', counted(count, "anomaly", "anomalies"))


def _measured(anomalies: anomalies_pb2.Anomalies) -> list[_Compared]:
    """All that was compared: what is too far first, then by how near it is to its threshold."""
    found = [
        _Compared(
            ".".join(info.path.step),
            MEASURES.get(one.type, "distance"),
            one.value,
            one.threshold,
            "",
        )
        for info in anomalies.drift_skew_info
        for one in info.drift_measurements
    ]
    known = {one.path for one in found if one.is_bad}
    for key, anomaly in anomalies.anomaly_info.items():
        path = ".".join(anomaly.path.step) or key
        if path not in known:
            text = "; ".join(one.description or one.short_description for one in anomaly.reason)
            found.append(_Compared(path, "", None, 0.0, text or anomaly.description))
    return sorted(found, key=lambda one: (not one.is_bad, -_nearness(one), one.path))


def _nearness(one: _Compared) -> float:
    if one.distance is None:
        return float("inf")
    return one.distance / one.threshold if one.threshold else one.distance


def _features(name: str, statistics: _Statistics, baseline: _Statistics) -> dict[str, Feature]:
    """The features of both splits of a pair, side by side; none if one of them is not known."""
    for split, ours in statistics.items():
        for other, theirs in baseline.items():
            if name == f"{split}_{other}" and ours.datasets and theirs.datasets:
                columns = [
                    Column(name=split, dataset=ours.datasets[0], is_slice=False),
                    Column(name=f"baseline {other}", dataset=theirs.datasets[0], is_slice=False),
                ]
                return {feature.name: feature for feature in all_features(columns)}
    return {}


def _section(
    name: str, anomalies: anomalies_pb2.Anomalies, features: Mapping[str, Feature]
) -> Iterator[Markup]:
    yield html("<section><h2>{}</h2>", markup(name))
    if anomalies.HasField("dataset_anomaly_info"):
        for reason in anomalies.dataset_anomaly_info.reason:
            yield html(
                '<p><span class="mark bad">✖ the whole dataset</span> {}</p>',
                prose(reason.description or reason.short_description),
            )
    compared = _measured(anomalies)
    if compared:
        yield from _table(compared, features)
    elif not anomalies.HasField("dataset_anomaly_info"):
        yield html("<p>No feature was compared; nothing else was wrong.</p>")
    yield html("</section>")


def _table(compared: Sequence[_Compared], features: Mapping[str, Feature]) -> Iterator[Markup]:
    words = join(
        html('<th scope="col">{}</th>', one) for one in ("", "measure", "of its threshold")
    )
    numbers = join(
        html('<th scope="col" class="n">{}</th>', one) for one in ("distance", "threshold")
    )
    heads = words + numbers
    charts_head = html('<th scope="col">distribution</th>') if features else EMPTY
    yield html(
        '<table><thead><tr><th scope="col" class="name">feature</th>{}{}</tr></thead>',
        heads,
        charts_head,
    )
    for index, one in enumerate(compared):
        chart = EMPTY
        if features:
            feature = features.get(one.path) if index < MOST_CHARTS else None
            chart = html('<td><div class="charts">{}</div></td>', _charts(feature))
        yield html(
            '<tbody><tr><th scope="row" class="name"><b>{}</b></th>{}{}</tr></tbody>',
            value(one.path, 80),
            _cells(one),
            chart,
        )
    yield html("</table>")


def _cells(one: _Compared) -> Markup:
    if one.distance is None:
        return html(
            '<td><span class="mark bad">✖ not compared</span></td><td class="what" colspan="4">'
            "{}</td>",
            prose(one.problem),
        )
    look, word = ("bad", "✖ above") if one.is_bad else ("good", "✓ within")
    return html(
        '<td><span class="mark {}">{}</span></td><td>{}</td><td>{}</td><td class="n">{}</td>'
        '<td class="n">{}</td>',
        look,
        word,
        one.measure,
        ratio_bar(_nearness(one), look),
        number(one.distance),
        number(one.threshold),
    )


def _charts(feature: Feature | None) -> Markup:
    """The split and the baseline beside each other."""
    if feature is None or feature.kind == "other":
        return EMPTY
    draw = histogram_charts if feature.kind == "numeric" else value_charts
    parts = []
    for index, (column, chart) in enumerate(zip(feature.columns, draw(feature), strict=True)):
        name = html('<small class="s{} split"><span>{}</span></small>', index, markup(column.name))
        parts.append(html("<div>{}{}</div>", name, chart))
    return join(parts)
