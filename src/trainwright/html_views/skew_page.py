"""The page of an ExampleDiff: which features differ, how often, and in which examples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trainwright._assets import read_asset
from trainwright._markup import EMPTY, Markup, html, join
from trainwright.data.feature_skew_files import FeatureSkewFiles
from trainwright.html_views.numbers import counted, number, percent
from trainwright.html_views.page import filter_controls, page, plain_table
from trainwright.html_views.share_bars import share_bar
from trainwright.html_views.skew_examples import show_pairs
from trainwright.html_views.text import markup, value
from trainwright.proto.tfdv import feature_skew_results_pb2 as messages

# Of the values of a feature that met others, the most frequent.
MOST_CONFUSIONS = 50

# TFDV's word for a value that is not there.
_MISSING_VALUE = b"__MISSING_VALUE__"

# What becomes of a feature in a pair: the field, its look, and words.
_OUTCOMES = (
    ("match_count", "good", "the same"),
    ("mismatch_count", "bad", "different"),
    ("base_only", "s0", "only in the baseline"),
    ("test_only", "s1", "only in the test"),
)


def skew_page(
    pairs: Mapping[str, FeatureSkewFiles], *, title: str = "Feature skew", subtitle: str = ""
) -> Markup:
    """One HTML file with a section for each pair of splits.

    Args:
        pairs: What was found, by the name of the pair, `<split>_<split of the baseline>`.
        title: The heading of the page.
        subtitle: A line below it, for example where the artifact is.

    Example: `Path("skew.html").write_text(skew_page(read_feature_skew("ExampleDiff/result/4")))`
    """
    parts = [_overview(pairs), filter_controls(with_warnings=False, with_order=False)]
    for name, found in sorted(pairs.items()):
        parts.extend(_section(name, found))
    style = read_asset("trainwright.html_views", "share_bars.css")
    return page(title, subtitle, parts, style=style)


def _overview(pairs: Mapping[str, FeatureSkewFiles]) -> Markup:
    verdicts = (
        html("{} {}", markup(name), _verdict(found)) for name, found in sorted(pairs.items())
    )
    return html('<p class="facts">{}</p>', join(verdicts, html(" &ensp; ")))


def _verdict(found: FeatureSkewFiles) -> Markup:
    if not found.match.matching_pairs_count:
        return html('<span class="mark warn">▲ no pairs</span>')
    differing = sum(1 for one in found.features if one.diff_count)
    if not differing:
        return html('<span class="mark good">✓ no feature differs</span>')
    verb = "differs" if differing == 1 else "differ"
    return html('<span class="mark bad">✖ {} {}</span>', counted(differing, "feature"), verb)


def _section(name: str, found: FeatureSkewFiles) -> Iterator[Markup]:
    yield html("<section><h2>{}</h2>", markup(name))
    yield from _matching(found.match)
    if found.features:
        yield from _features(found)
    if found.confusion:
        yield from _confusion(found.confusion)
    if found.sample:
        yield html("<h2>{} that differ</h2>", counted(len(found.sample), "sampled pair"))
        yield from show_pairs(found.sample)
    yield html("</section>")


def _matching(match: messages.MatchStats) -> Iterator[Markup]:
    """How the examples were paired, as a table, and what that means."""
    pairs = match.matching_pairs_count
    yield html(
        "<p>{} of examples with the same identifier were compared.</p>", counted(pairs, "pair")
    )
    rows = [
        [
            "test",
            number(match.test_with_id_count + match.test_missing_id_count),
            number(match.test_missing_id_count),
            number(match.ids_missing_in_base_count),
        ],
        [
            "baseline",
            number(match.base_with_id_count + match.base_missing_id_count),
            number(match.base_missing_id_count),
            number(match.ids_missing_in_test_count),
        ],
    ]
    headings = ["", "examples", "without identifier", "identifiers only here"]
    yield plain_table(headings, rows, name="how examples were paired")
    if match.duplicate_id_count:
        yield html(
            '<p class="warning">{} of several examples. Unless allow_duplicate_identifiers is set, '
            "these are not compared.</p>",
            counted(match.duplicate_id_count, "identifier"),
        )


def _features(found: FeatureSkewFiles) -> Iterator[Markup]:
    legend = join(
        html('<span><i class="p-{}"></i>{}</span>', look, words) for _, look, words in _OUTCOMES
    )
    yield html('<p class="legend">{}</p>', legend)
    heads = join(html('<th scope="col" class="n">{}</th>', words) for _, _, words in _OUTCOMES)
    yield html(
        '<table class="features"><thead><tr><th scope="col" class="name">feature</th>'
        '<th scope="col"></th><th scope="col" class="n">differs</th>{}</tr></thead>',
        heads,
    )
    for one in sorted(found.features, key=lambda one: (-one.diff_count, one.feature_name)):
        yield _row(one)
    yield html("</table>")


def _row(one: messages.FeatureSkew) -> Markup:
    counts = [getattr(one, field) for field, _, _ in _OUTCOMES]
    total = sum(counts)
    shares = [
        (look, words, count / total)
        for (_, look, words), count in zip(_OUTCOMES, counts, strict=True)
        if total
    ]
    cells = join(
        html('<td class="n{}">{}</td>', "" if count else " z", number(count)) for count in counts
    )
    return html(
        '<tbody class="feature"><tr><th scope="row" class="name"><b>{}</b></th><td>{}</td>'
        '<td class="n">{}</td>{}</tr></tbody>',
        value(one.feature_name, 80),
        share_bar(shares) if total else EMPTY,
        percent(one.diff_count / total) if total else "",
        cells,
    )


def _confusion(confusion: Sequence[messages.ConfusionCount]) -> Iterator[Markup]:
    """For each feature, which values met others than themselves, and how often."""
    by_feature: defaultdict[str, list[messages.ConfusionCount]] = defaultdict(list)
    for one in confusion:
        by_feature[one.feature_name].append(one)
    for name, counts in sorted(by_feature.items()):
        total = sum(one.count for one in counts)
        other = [one for one in counts if one.base.bytes_value != one.test.bytes_value]
        other.sort(key=lambda one: (-one.count, one.base.bytes_value, one.test.bytes_value))
        yield html("<h2>Values of {}</h2>", value(name, 80))
        differing = sum(one.count for one in other)
        yield html(
            "<p>In {} of {} the value is another one.</p>",
            number(differing),
            counted(total, "pair"),
        )
        if other:
            rows = [
                [_met(one), number(one.count), percent(one.count / total)]
                for one in other[:MOST_CONFUSIONS]
            ]
            headings = ["baseline → test", "pairs", "of all"]
            yield plain_table(headings, rows, name=f"values of {name}")
        if len(other) > MOST_CONFUSIONS:
            left = len(other) - MOST_CONFUSIONS
            yield html('<p class="muted">and {} more</p>', number(left))


def _met(one: messages.ConfusionCount) -> Markup:
    return html("{} → {}", _bytes(one.base.bytes_value), _bytes(one.test.bytes_value))


def _bytes(data: bytes) -> Markup:
    if data == _MISSING_VALUE:
        return html('<span class="muted">missing</span>')
    return value(data.decode(errors="backslashreplace"))


def read_page(uri: str, *, title: str) -> Markup:
    """The page of an ExamplesDiff; raises ValueError if its files are not there or damaged."""
    from trainwright.data.feature_skew_files import read_feature_skew

    found: dict[str, Any] = read_feature_skew(uri)
    return skew_page(found, title=title, subtitle=uri)
