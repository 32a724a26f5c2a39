"""The verdict: may the model be used, what stood against it, and what was never looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trainwright._markup import Markup, html, join
from trainwright.evaluation.slices.slicing import SliceSpec
from trainwright.evaluation.thresholds.outcome_words import NOTHING_DECIDES, counts, headline
from trainwright.html_views.evaluation.bound_chart import bound_chart
from trainwright.html_views.evaluation.checks import Check
from trainwright.html_views.evaluation.metric_columns import metric_words
from trainwright.html_views.evaluation.values import score
from trainwright.html_views.numbers import NOTHING, counted, number
from trainwright.html_views.text import prose, value
from trainwright.proto.tfma import config_pb2, validation_result_pb2

# More pictures than these would only make the page large.
MOST_ROWS = 1000
# Up to this many passed thresholds are shown without being asked for.
MOST_OPEN = 8

_LONGEST_NAME = 80


class VerdictBanner(NamedTuple):
    """How it stands: the class that colours it, a sign, and words."""

    look: str
    sign: str
    words: str
    reason: str


def decide(
    validation: validation_result_pb2.ValidationResult | None,
    failed: Sequence[Check],
    passed: Sequence[Check],
) -> VerdictBanner:
    """The verdict of an evaluation.

    >>> decide(None, [], []).words
    'Neither blessed nor refused'
    """
    if validation is None or validation.missing_thresholds:
        return VerdictBanner(
            "muted", "○", _sentence(headline(None), ""), _sentence(NOTHING_DECIDES)
        )
    words = _sentence(headline(validation.validation_ok), "")
    count = _counts(failed, passed, is_ok=validation.validation_ok)
    if validation.validation_ok:
        return VerdictBanner("good", "✓", words, f"{count}{_close_words(passed)}")
    missing = len(validation.missing_slices) + len(validation.missing_cross_slices)
    if failed and not missing and all(check.is_unsure for check in failed):
        chance = (
            "It may be chance: each of those bounds lies within the confidence interval of its "
            "metric, and more examples would tell."
        )
        return VerdictBanner("warn", "?", words, f"{count} {chance}")
    if missing:
        count += f" {counted(missing, 'kind')} of slices to check had no examples."
    return VerdictBanner("bad", "✖", words, count.strip())


def verdict_section(
    validation: validation_result_pb2.ValidationResult | None,
    failed: Sequence[Check],
    passed: Sequence[Check],
    empty_specs: Sequence[config_pb2.SlicingSpec] = (),
) -> Iterator[Markup]:
    """The verdict with its reasons as markup: what failed, what is missing, what passed.

    Args:
        validation: What came of the thresholds; None if nothing was checked.
        failed: The thresholds that were not met.
        passed: Those that were.
        empty_specs: Slices that were asked for and have no examples.
    """
    verdict = decide(validation, failed, passed)
    stamp = ""
    if validation is not None and validation.rubber_stamp:
        stamp = html(
            "<p>There was no baseline: thresholds on the change from it were not checked "
            "(rubber stamp).</p>"
        )
    yield html(
        '<div class="verdict {}"><p class="decision">{} {}</p>\n<p>{}</p>{}</div>',
        verdict.look,
        verdict.sign,
        verdict.words,
        verdict.reason,
        stamp,
    )
    if failed:
        yield html("<h2>Thresholds that were not met <small>{}</small></h2>", len(failed))
        yield from _check_table(failed, with_misses=True)
    if validation is not None:
        yield from _missing_slices(validation)
    yield from _empty_slices(empty_specs)
    if passed:
        is_open = " open" if len(passed) <= MOST_OPEN else ""
        words = counted(len(passed), "threshold that was met", "thresholds that were met")
        yield html('<details class="passed"{}><summary>✓ {}</summary>', is_open, words)
        yield from _check_table(passed, with_misses=False)
        yield html("</details>")


def _counts(failed: Sequence[Check], passed: Sequence[Check], *, is_ok: bool) -> str:
    total = len(failed) + len(passed)
    if not total:
        return "No threshold was missed." if is_ok else ""
    slices = counted(len({check.place for check in (*failed, *passed)}), "slice")
    unsure = 0 if is_ok else sum(check.is_unsure for check in failed)
    words = counts(total, failed=len(failed) - unsure, undecided=unsure)
    if failed:
        slices = f"{number(len({check.place for check in failed}))} of {slices}"
    return _sentence(f"{words}, in {slices}")


def _sentence(words: str, end: str = ".") -> str:
    return f"{words[:1].upper()}{words[1:]}{end}"


def _close_words(passed: Sequence[Check]) -> str:
    close = sum(check.is_unsure for check in passed)
    if not close:
        return ""
    words = counted(close, "bound lies", "bounds lie")
    return f" {words} within the confidence interval of its metric: that may be chance."


def _missing_slices(validation: validation_result_pb2.ValidationResult) -> Iterator[Markup]:
    names = [_spec_words(spec) for spec in validation.missing_slices]
    names += [
        f"{_spec_words(cross.baseline_spec)} against "
        + (" or ".join(map(_spec_words, cross.slicing_specs)) or "every other slice")
        for cross in validation.missing_cross_slices
    ]
    if names:
        items = join(html("<li>{}</li>", value(name, _LONGEST_NAME)) for name in names)
        yield html(
            "<h2>Slices without examples <small>{}</small></h2><p>These have thresholds "
            'and no examples, which fails the check:</p>\n<ul class="domain">{}</ul>',
            len(names),
            items,
        )


def _empty_slices(specs: Sequence[config_pb2.SlicingSpec]) -> Iterator[Markup]:
    if specs:
        items = join(html("<li>{}</li>", value(_spec_words(spec), _LONGEST_NAME)) for spec in specs)
        yield html(
            "<h2>Slices that were asked for and are empty <small>{}</small></h2><p>No "
            "example belongs to them, so nothing was found and no threshold for all slices "
            "was held against them. Is a feature or a value misspelt?</p>\n<ul "
            'class="domain">{}</ul>',
            len(specs),
            items,
        )


def _spec_words(spec: config_pb2.SlicingSpec) -> str:
    return spec.slice_keys_sql or str(SliceSpec.from_proto(spec))


def _check_table(checks: Sequence[Check], *, with_misses: bool) -> Iterator[Markup]:
    headings = [
        "metric",
        "must be",
        "value",
        "baseline",
        "missed by" if with_misses else "to spare",
    ]
    if not any(check.baseline is not None for check in checks):
        headings.remove("baseline")
    heads = join(
        html(
            '<th scope="col"{}>{}</th>',
            "" if heading in ("metric", "must be") else " class=n",
            heading,
        )
        for heading in headings
    )
    yield html(
        '<div class="scroll"><table class="checks"><thead><tr><th scope="col" '
        'class="name">slice</th>{}<th scope="col"></th></tr></thead><tbody>',
        heads,
    )
    for check in checks[:MOST_ROWS]:
        yield _check_row(check, with_misses=with_misses, with_baseline="baseline" in headings)
    yield html("</tbody></table></div>")
    if len(checks) > MOST_ROWS:
        yield html("<p>{} not shown.</p>", counted(len(checks) - MOST_ROWS, "more is", "more are"))


def _check_row(check: Check, *, with_misses: bool, with_baseline: bool) -> Markup:
    shown = NOTHING if check.number is None else score(check.number.value)
    baseline = NOTHING if check.baseline is None else score(check.baseline)
    cells = [html('<td class="n">{}</td>', shown), html('<td class="n z">{}</td>', baseline)]
    if not with_baseline:
        cells.pop()
    unsure = (
        html('<small class="mark warn">? within the interval</small>') if check.is_unsure else ""
    )
    # A message repeats what the cells say, unless there is no number to say it.
    message = prose(check.message) if check.miss is None else ""
    distance = _miss_words(check) if with_misses else _room_words(check)
    return html(
        '<tr><th scope="row" class="name">{}</th><td>{}</td><td class="bound-words">'
        '{}</td>{}<td class="n"><b>{}</b></td><td class="what">{}{}{}</td></tr>',
        value(check.slice_name, _LONGEST_NAME),
        value(metric_words(check.key), _LONGEST_NAME),
        check.words,
        join(cells),
        distance,
        bound_chart(check),
        unsure,
        message,
    )


def _miss_words(check: Check) -> str:
    # What lies on the right side of a bound was not missed: it is its interval that does not.
    return NOTHING if not check.miss else score(check.miss)


def _room_words(check: Check) -> str:
    """How much worse a value could have been."""
    if check.number is None or check.allowed is None:
        return NOTHING
    room = check.allowed.margin(check.number.value)
    return NOTHING if room is None else score(room)
