"""Sampled pairs of examples on a page: in what they differ, value beside value."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from google.protobuf.message import DecodeError

from trainwright._markup import EMPTY, Markup, html, join
from trainwright.data.example_messages import example_class, sequence_example_class
from trainwright.html_views.numbers import number
from trainwright.html_views.text import value
from trainwright.proto.tfdv import feature_skew_results_pb2 as messages

# More would only make the page large.
MOST_PAIRS = 50
_MOST_FEATURES = 60
_MOST_VALUES = 8


def show_pairs(sample: Sequence[messages.SkewPair]) -> Iterator[Markup]:
    """A table that opens for each pair, and a line for those that are left out."""
    for place, pair in enumerate(sample[:MOST_PAIRS]):
        names = [
            *pair.mismatched_features,
            *pair.base_only_features,
            *pair.test_only_features,
        ]
        shown = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
        yield html(
            "<details{}><summary>{}</summary>{}</details>",
            html(" open") if place == 0 else EMPTY,
            value(shown or "a feature without a kind", 120),
            _table(pair, names),
        )
    if len(sample) > MOST_PAIRS:
        yield html('<p class="muted">and {} more</p>', number(len(sample) - MOST_PAIRS))


def _table(pair: messages.SkewPair, names: Sequence[str]) -> Markup:
    base, test = _read(pair.base), _read(pair.test)
    # What is the same comes after what is not: among it is what identifies the pair.
    same = sorted({*base, *test}.difference(names))
    listed = [*names, *same]
    rows = join(
        html(
            '<tr><th scope="row" class="name">{}</th><td>{}</td><td>{}</td></tr>',
            _name(name, is_different=name in names),
            _values(base.get(name)),
            _values(test.get(name)),
        )
        for name in listed[:_MOST_FEATURES]
    )
    left = len(listed) - _MOST_FEATURES
    more = html('<p class="muted">and {} more features</p>', number(left)) if left > 0 else ""
    return html(
        '<table class="plain pair"><thead><tr><th scope="col" class="name">feature</th>'
        '<th scope="col">baseline</th><th scope="col">test</th></tr></thead><tbody>{}</tbody>'
        "</table>{}",
        rows,
        more,
    )


def _name(name: str, *, is_different: bool) -> Markup:
    return html("<b>{}</b>", value(name, 80)) if is_different else value(name, 80)


def _read(record: bytes) -> Mapping[str, Any]:
    """The features of a tf.Example or tf.SequenceExample, which a pair does not tell apart."""
    try:
        example = example_class().FromString(record)
        sequence = sequence_example_class().FromString(record)
    except DecodeError:
        return {}
    steps = sequence.feature_lists.feature_list
    return {**example.features.feature, **{name: steps[name] for name in steps}}


def _values(feature: Any | None) -> Markup:
    if feature is None:
        return html('<span class="muted">missing</span>')
    if hasattr(feature, "feature"):
        return join((_list(step) for step in feature.feature[:_MOST_VALUES]), " | ")
    return _list(feature)


def _list(feature: Any) -> Markup:
    kind = feature.WhichOneof("kind")
    values = getattr(feature, kind).value if kind else ()
    if not values:
        return html('<span class="muted">no value</span>')
    shown = join(map(_value, _first(values)), ", ")
    return shown + html(", … ({})", number(len(values))) if len(values) > _MOST_VALUES else shown


def _first(values: Any) -> Iterable[Any]:
    return list(values[:_MOST_VALUES])


def _value(one: Any) -> Markup:
    if isinstance(one, bytes):
        return value(one.decode(errors="backslashreplace"))
    return html("{}", _shortest(one) if isinstance(one, float) else str(one))


def _shortest(number: float) -> str:
    """As few digits as tell a float of 32 bits from all others.

    >>> _shortest(struct.unpack("f", struct.pack("f", 21.21))[0])
    '21.21'
    """
    packed = struct.pack("f", number)
    written = (f"{number:.{digits}g}" for digits in range(6, 10))
    return next((one for one in written if struct.pack("f", float(one)) == packed), str(number))
