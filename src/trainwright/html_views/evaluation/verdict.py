"""The verdict: may the model be used, what stood against it, and what was never looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trainwright.evaluation.slices.slicing import SliceSpec
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


class Verdict(NamedTuple):
    """How it stands: the class that colours it, a sign, and words."""

    look: str
    sign: str
    words: str
    reason: str


def decide(
    validation: validation_result_pb2.ValidationResult | None,
    failed: Sequence[Check],
    passed: Sequence[Check],
) -> Verdict:
    """The verdict of an evaluation.

    >>> decide(None, [], []).words
    'Nothing was checked'
    """
    if validation is None or validation.missing_thresholds:
        return Verdict(
            "muted",
            "○",
            "Nothing was checked",
            "The evaluation has no thresholds, so it neither blesses the model nor refuses it.",
        )
    missing = len(validation.missing_slices) + len(validation.missing_cross_slices)
    count = _counts(failed, passed, is_ok=validation.validation_ok)
    if validation.validation_ok:
        return Verdict("good", "✓", "Blessed", f"{count}{_close_words(passed)}")
    if failed and not missing and all(check.is_unsure for check in failed):
        words = (
            f"Not blessed, and it may be chance. {count} Each of those bounds lies within the "
            "confidence interval of its metric: more examples would tell."
        )
        return Verdict("warn", "?", "Cannot tell", words)
    if missing:
        count += f" {counted(missing, 'kind')} of slices to check had no examples."
    return Verdict("bad", "✖", "Not blessed", count.strip())


def verdict_section(
    validation: validation_result_pb2.ValidationResult | None,
    failed: Sequence[Check],
    passed: Sequence[Check],
    empty_specs: Sequence[config_pb2.SlicingSpec] = (),
) -> Iterator[str]:
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
        stamp = (
            "<p>There was no baseline: thresholds on the change from it were not checked "
            "(rubber stamp).</p>"
        )
    yield (
        f'<div class="verdict {verdict.look}"><p class="decision">{verdict.sign} {verdict.words}'
        f"</p>\n<p>{verdict.reason}</p>{stamp}</div>"
    )
    if failed:
        yield f"<h2>Thresholds that were not met <small>{len(failed)}</small></h2>"
        yield from _check_table(failed, with_misses=True)
    if validation is not None:
        yield from _missing_slices(validation)
    yield from _empty_slices(empty_specs)
    if passed:
        is_open = " open" if len(passed) <= MOST_OPEN else ""
        words = counted(len(passed), "threshold that was met", "thresholds that were met")
        yield f'<details class="passed"{is_open}><summary>✓ {words}</summary>'
        yield from _check_table(passed, with_misses=False)
        yield "</details>"


def _counts(failed: Sequence[Check], passed: Sequence[Check], *, is_ok: bool) -> str:
    total = len(failed) + len(passed)
    if not total:
        return "No threshold was missed." if is_ok else ""
    slices = len({check.place for check in (*failed, *passed)})
    if not failed:
        all_words = "all passed" if total > 1 else "passed"
        return f"{counted(total, 'check')} in {counted(slices, 'slice')}: {all_words}."
    bad_slices = len({check.place for check in failed})
    unsure = sum(check.is_unsure for check in failed)
    if unsure and not is_ok:
        return (
            f"Of {counted(total, 'check')}, {number(len(failed) - unsure)} failed and "
            f"{number(unsure)} cannot be told, in {number(bad_slices)} of "
            f"{counted(slices, 'slice')}."
        )
    return (
        f"{number(len(failed))} of {counted(total, 'check')} failed, in {number(bad_slices)} of "
        f"{counted(slices, 'slice')}."
    )


def _close_words(passed: Sequence[Check]) -> str:
    close = sum(check.is_unsure for check in passed)
    if not close:
        return ""
    words = counted(close, "bound lies", "bounds lie")
    return f" {words} within the confidence interval of its metric: that may be chance."


def _missing_slices(validation: validation_result_pb2.ValidationResult) -> Iterator[str]:
    names = [_spec_words(spec) for spec in validation.missing_slices]
    names += [
        f"{_spec_words(cross.baseline_spec)} against "
        + (" or ".join(map(_spec_words, cross.slicing_specs)) or "every other slice")
        for cross in validation.missing_cross_slices
    ]
    if names:
        items = "".join(f"<li>{value(name, _LONGEST_NAME)}</li>" for name in names)
        yield (
            f"<h2>Slices without examples <small>{len(names)}</small></h2><p>These have thresholds "
            f'and no examples, which fails the check:</p>\n<ul class="domain">{items}</ul>'
        )


def _empty_slices(specs: Sequence[config_pb2.SlicingSpec]) -> Iterator[str]:
    if specs:
        items = "".join(f"<li>{value(_spec_words(spec), _LONGEST_NAME)}</li>" for spec in specs)
        yield (
            f"<h2>Slices that were asked for and are empty <small>{len(specs)}</small></h2><p>No "
            "example belongs to them, so nothing was found and no threshold for all slices was "
            "held against them. Is a feature or a value misspelt?</p>\n"
            f'<ul class="domain">{items}</ul>'
        )


def _spec_words(spec: config_pb2.SlicingSpec) -> str:
    return spec.slice_keys_sql or str(SliceSpec.from_proto(spec))


def _check_table(checks: Sequence[Check], *, with_misses: bool) -> Iterator[str]:
    headings = [
        "metric",
        "must be",
        "value",
        "baseline",
        "missed by" if with_misses else "to spare",
    ]
    if not any(check.baseline is not None for check in checks):
        headings.remove("baseline")
    heads = "".join(
        f'<th scope="col"{"" if heading in ("metric", "must be") else " class=n"}>{heading}</th>'
        for heading in headings
    )
    yield (
        '<div class="scroll"><table class="checks"><thead><tr><th scope="col" class="name">slice'
        f'</th>{heads}<th scope="col"></th></tr></thead><tbody>'
    )
    for check in checks[:MOST_ROWS]:
        yield _check_row(check, with_misses=with_misses, with_baseline="baseline" in headings)
    yield "</tbody></table></div>"
    if len(checks) > MOST_ROWS:
        yield f"<p>{counted(len(checks) - MOST_ROWS, 'more is', 'more are')} not shown.</p>"


def _check_row(check: Check, *, with_misses: bool, with_baseline: bool) -> str:
    shown = NOTHING if check.number is None else score(check.number.value)
    baseline = NOTHING if check.baseline is None else score(check.baseline)
    cells = [f'<td class="n">{shown}</td>', f'<td class="n z">{baseline}</td>']
    if not with_baseline:
        cells.pop()
    unsure = '<small class="mark warn">? within the interval</small>' if check.is_unsure else ""
    # A message repeats what the cells say, unless there is no number to say it.
    message = prose(check.message) if check.miss is None else ""
    distance = _miss_words(check) if with_misses else _room_words(check)
    return (
        f'<tr><th scope="row" class="name">{value(check.slice_name, _LONGEST_NAME)}</th>'
        f"<td>{value(metric_words(check.key), _LONGEST_NAME)}</td>"
        f'<td class="bound-words">{check.words}</td>'
        f'{"".join(cells)}<td class="n"><b>{distance}</b></td>'
        f'<td class="what">{bound_chart(check)}{unsure}{message}</td></tr>'
    )


def _miss_words(check: Check) -> str:
    # What lies on the right side of a bound was not missed: it is its interval that does not.
    return NOTHING if not check.miss else score(check.miss)


def _room_words(check: Check) -> str:
    """How much worse a value could have been."""
    if check.number is None or check.allowed is None:
        return NOTHING
    room = min(check.number.value - check.allowed.low, check.allowed.high - check.number.value)
    return score(room)
