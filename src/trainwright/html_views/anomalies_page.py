"""The page of anomalies: what is wrong in each split, how badly, and what the data looks like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from trainwright._markup import EMPTY, Markup, html, join
from trainwright.html_views.columns import MOST_COLUMNS, all_columns, split_order, with_features
from trainwright.html_views.features import Feature, all_features
from trainwright.html_views.histogram_chart import histogram_charts
from trainwright.html_views.numbers import counted, number
from trainwright.html_views.page import page
from trainwright.html_views.text import EMPTY_STRING, markup, prose, value, visible
from trainwright.html_views.value_chart import value_charts

if TYPE_CHECKING:
    from tensorflow_metadata.proto.v0 import anomalies_pb2, statistics_pb2

# More pictures than these would only make the page large.
MOST_CHARTS = 300

# By the number in the proto: the class that colours it, a sign and a word for who sees no colour.
_SEVERITIES = {2: ("bad", "✖ error"), 1: ("warn", "▲ warning"), 0: ("muted", "• no severity")}
_MEASURES = {
    1: "L-infinity norm",
    2: "Jensen-Shannon divergence",
    3: "normalized absolute difference",
}
_WHOLE_DATASET = "the whole dataset"


def anomalies_page(
    splits: Mapping[str, anomalies_pb2.Anomalies],
    *,
    statistics: Mapping[str, statistics_pb2.DatasetFeatureStatisticsList] | None = None,
    title: str = "Anomalies",
    subtitle: str = "",
) -> Markup:
    """One HTML file with the anomalies of each split.

    Args:
        splits: The anomalies of each split, by its name.
        statistics: What was validated; then the distributions of anomalous features are shown.
        title: The heading of the page, as text.
        subtitle: A line below it, for example where the anomalies are.

    Example: `Path("anomalies.html").write_text(anomalies_page({"train": anomalies}))`
    """
    columns = with_features(all_columns(statistics or {})[:MOST_COLUMNS])
    features = {feature.name: feature for feature in all_features(columns)}
    names = sorted(splits, key=split_order)
    parts = [_overview(splits, names)]
    for name in names:
        parts.extend(_section(name, splits[name], features))
    return page(title, subtitle, parts)


def _overview(splits: Mapping[str, anomalies_pb2.Anomalies], names: Sequence[str]) -> Markup:
    if not names:
        return html("<p>There are no anomalies files here: no split was validated.</p>")
    parts = [html("{} {}", markup(name), _verdict(splits[name])) for name in names]
    return html('<p class="facts">{}</p>', join(parts, html(" &ensp; ")))


def _verdict(anomalies: anomalies_pb2.Anomalies) -> Markup:
    """A green word, or how many there are of which severity."""
    severities = [anomaly.severity for _, anomaly in _all_anomalies(anomalies)]
    if not severities:
        if anomalies.data_missing:
            return html('<span class="mark warn">▲ no data</span>')
        return html('<span class="mark good">✓ no anomalies</span>')
    marks = []
    for severity in (2, 1, 0):
        count = severities.count(severity)
        if count:
            look, words = _SEVERITIES[severity]
            sign, _, word = words.partition(" ")
            counts = counted(count, word) if severity else f"{count} without severity"
            marks.append(html('<span class="mark {}">{} {}</span>', look, sign, counts))
    return join(marks, " ")


def _all_anomalies(
    anomalies: anomalies_pb2.Anomalies,
) -> list[tuple[str, anomalies_pb2.AnomalyInfo]]:
    """The path of a feature and what is wrong with it: errors first, then by path."""
    found = [
        (".".join(info.path.step) or key, info) for key, info in anomalies.anomaly_info.items()
    ]
    if anomalies.HasField("dataset_anomaly_info"):
        found.append((_WHOLE_DATASET, anomalies.dataset_anomaly_info))
    return sorted(found, key=lambda item: (-item[1].severity, item[0]))


def _section(
    split: str, anomalies: anomalies_pb2.Anomalies, features: Mapping[str, Feature]
) -> Iterator[Markup]:
    yield html("<section><h2>{}</h2>", markup(split))
    if anomalies.data_missing:
        yield html("<p>The split had no examples to validate.</p>")
    found = _all_anomalies(anomalies)
    if not found:
        yield html("<p>{}</p>", _verdict(anomalies))
    else:
        yield from _table(found, features)
    yield from _measurements(anomalies)
    yield html("</section>")


def _table(
    found: Sequence[tuple[str, anomalies_pb2.AnomalyInfo]], features: Mapping[str, Feature]
) -> Iterator[Markup]:
    headings = ["severity", "anomaly", *(["distribution"] if features else [])]
    heads = join(html('<th scope="col">{}</th>', heading) for heading in headings)
    yield html('<table><thead><tr><th scope="col" class="name">feature</th>{}</tr></thead>', heads)
    for index, (path, anomaly) in enumerate(found):
        feature = features.get(path) if index < MOST_CHARTS else None
        charts = html('<td><div class="charts">{}</div></td>', _charts(feature)) if features else ""
        look, word = _SEVERITIES.get(anomaly.severity, _SEVERITIES[0])
        yield html(
            '<tbody><tr><th scope="row" class="name"><b>{}</b></th><td><span class="mark '
            '{}">{}</span></td><td class="what">{}</td>{}</tr></tbody>',
            value(path, 80),
            look,
            word,
            _description(anomaly),
            charts,
        )
    yield html("</table>")


def _description(anomaly: anomalies_pb2.AnomalyInfo) -> Markup:
    """What it is called, what was found, and what that means; of several reasons each."""
    from trainwright.schemas.anomaly_advice import advice_for

    found = html("<br>{}", _sentence(anomaly.description))
    if len(anomaly.reason) > 1:
        items = (
            html("<li>{}</li>", _sentence(reason.description or reason.short_description))
            for reason in anomaly.reason
        )
        found = html("<ul>{}</ul>", join(items))
    advice = advice_for(reason.type for reason in anomaly.reason)
    means = join(html('<p class="muted">{}</p>', prose(sentence)) for sentence in advice)
    return html("<b>{}</b>{}{}", prose(anomaly.short_description), found, means)


def _sentence(text: str) -> Markup:
    """A description as markup; values with spaces at their ends can be told from others."""
    from trainwright.schemas.string_domain import mark_listed_values

    marked = mark_listed_values(text, lambda value: visible(value) or EMPTY_STRING)
    return prose(visible(marked.strip()))


def _charts(feature: Feature | None) -> Markup:
    """The splits beside each other, two in a line: any number of them fits the page."""
    if feature is None or feature.kind == "other":
        return EMPTY
    draw = histogram_charts if feature.kind == "numeric" else value_charts
    parts = []
    for index, (column, chart) in enumerate(zip(feature.columns, draw(feature), strict=True)):
        name = html('<small class="s{} split"><span>{}</span></small>', index, markup(column.name))
        parts.append(html("<div>{}{}</div>", name, chart))
    return join(parts)


def _measurements(anomalies: anomalies_pb2.Anomalies) -> Iterator[Markup]:
    """How far distributions have moved, those that are within bounds as well."""
    rows = [
        (".".join(info.path.step), kind, measurement)
        for info in anomalies.drift_skew_info
        for kind, group in (("drift", info.drift_measurements), ("skew", info.skew_measurements))
        for measurement in group
    ]
    if not rows:
        return
    yield html('<h2>Drift and skew</h2><table class="plain"><thead><tr>')
    yield html('<th scope="col" class="name">feature</th><th scope="col">compared</th>')
    yield html('<th scope="col">measure</th><th scope="col" class="n">distance</th>')
    yield html('<th scope="col" class="n">threshold</th><th scope="col"></th></tr></thead><tbody>')
    for path, kind, measurement in rows:
        is_over = measurement.value > measurement.threshold
        look, word = ("bad", "✖ above") if is_over else ("good", "✓ within")
        measure = _MEASURES.get(measurement.type, "distance")
        yield html(
            '<tr><th scope="row" class="name">{}</th><td>{}</td><td>{}</td><td class="n">'
            '{}</td><td class="n">{}</td><td><span class="mark {}">{}</span></td></tr>',
            value(path, 80),
            kind,
            measure,
            number(measurement.value),
            number(measurement.threshold),
            look,
            word,
        )
    yield html("</tbody></table>")
