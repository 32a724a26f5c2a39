"""Warnings about what is worth a second look in a feature, in words.

A difference between splits counts if it is large and if chance does not explain it: the splits of a
small dataset differ by a lot without meaning anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from trainwright.html_views.columns import Column
from trainwright.html_views.features import Entry, Feature
from trainwright.html_views.numbers import counted, number, percent
from trainwright.html_views.shares import Shares, largest_difference, shares_of
from trainwright.html_views.text import EMPTY_STRING, cut, visible

MOST_ZEROS = 0.5
LARGE_SHARE_DIFFERENCE = 0.1
LARGE_MEAN_SHIFT = 0.25

# In standard errors: by chance one comparison in some hundreds is this far out.
_BY_CHANCE = 3.0
_LONGEST_VALUE = 24

# What programs write for a value that is not there; compared without regard to case.
_MISSING_MARKERS = frozenset(
    ["#n/a", "#na", "(null)", "-", "--", "<na>", "?", "\\n", "missing", "n.a.", "n/a", "na", "nan"]
    + ["nil", "none", "null"]
)
# From this part on, of the values or of the different ones, strings are taken for numbers.
_MOST_NUMBERS = 0.8
_FEWEST_NUMBERS = 5

_SHOWN = 3

_Columns = Sequence[tuple[str, Shares]]


def feature_warnings(feature: Feature) -> list[str]:
    """The warnings of a feature, those of single splits first.

    Example: `["zeros are 92.1% of train", "the mean shifts from 1 in train to 7 in eval"]`
    """
    return [*_in_columns(feature), *_text_warnings(feature), *_between_columns(feature)]


def _in_columns(feature: Feature) -> Iterator[str]:
    lacking = [
        column
        for column, entry in zip(feature.columns, feature.entries, strict=True)
        if entry is None and column.num_examples and not column.is_slice
    ]
    if lacking:
        yield f"not in {_names(lacking)}"
    entries = [entry for entry in feature.present if entry.column.num_examples]
    without = [entry for entry in entries if _has_no_values(entry)]
    if without:
        yield f"no values in {_entry_names(without)}"
    zeros = [entry for entry in entries if _zeros(entry) > MOST_ZEROS]
    if zeros:
        parts = [f"{percent(_zeros(entry))} of {entry.column.name}" for entry in zeros]
        yield f"zeros are {', '.join(parts)}"
    for entry in entries:
        for count, what in _bad_values(entry):
            yield f"{counted(count, 'value')} {what} in {entry.column.name}"
    infinite = [entry for entry in entries if _is_infinite(entry)]
    if infinite:
        yield f"infinite values in {_entry_names(infinite)}"


def _has_no_values(entry: Entry) -> bool:
    return not entry.common.num_non_missing or entry.absent_fraction == 1.0


def _zeros(entry: Entry) -> float:
    if entry.kind != "numeric" or not entry.num_values:
        return 0.0
    return float(entry.statistics.num_stats.num_zeros / entry.num_values)


def _bad_values(entry: Entry) -> Iterator[tuple[int, str]]:
    if entry.kind == "numeric":
        histograms = entry.statistics.num_stats.histograms
        nan = max((int(histogram.num_nan) for histogram in histograms), default=0)
        if nan:
            yield nan, "NaN"
    invalid = int(entry.statistics.string_stats.invalid_utf8_count)
    if invalid:
        yield invalid, "not UTF-8"


def _is_infinite(entry: Entry) -> bool:
    numbers = entry.statistics.num_stats
    return entry.kind == "numeric" and (math.isinf(numbers.min) or math.isinf(numbers.max))


def _between_columns(feature: Feature) -> Iterator[str]:
    """Compares the first split with each of the others; slices differ on purpose."""
    if len(feature.type_names) > 1:
        yield "types differ: " + ", ".join(
            f"{entry.type_name} in {entry.column.name}" for entry in feature.present
        )
    whole = [entry for entry in feature.present if not entry.column.is_slice]
    for other in whole[1:]:
        yield from _differences(whole[0], other)


def _differences(first: Entry, other: Entry) -> Iterator[str]:
    names = first.column.name, other.column.name
    absent = first.absent_fraction, other.absent_fraction
    examples = first.num_examples, other.num_examples
    if _is_far(absent[0], absent[1], examples[0], examples[1]):
        yield f"missing in {percent(absent[0])} of {names[0]}, {percent(absent[1])} of {names[1]}"
    if _mean_shifts(first, other):
        means = [number(entry.statistics.num_stats.mean) for entry in (first, other)]
        yield f"the mean shifts from {means[0]} in {names[0]} to {means[1]} in {names[1]}"
    yield from _share_difference(first, other)


def _mean_shifts(first: Entry, other: Entry) -> bool:
    if first.kind != "numeric" or other.kind != "numeric":
        return False
    if not first.num_values or not other.num_values:
        return False
    one, two = first.statistics.num_stats, other.statistics.num_stats
    shift, spread = abs(one.mean - two.mean), max(one.std_dev, two.std_dev)
    error = math.hypot(
        one.std_dev / math.sqrt(first.num_values), two.std_dev / math.sqrt(other.num_values)
    )
    # Comparisons with NaN are false: then there is nothing to compare.
    return bool(shift > LARGE_MEAN_SHIFT * spread and shift > _BY_CHANCE * error)


def _share_difference(first: Entry, other: Entry) -> Iterator[str]:
    one, two = shares_of(first), shares_of(other)
    if one is None or two is None:
        return
    found = largest_difference(one, two)
    if found and _is_far(found.first, found.second, one.num_values, two.num_values):
        yield (
            f"“{visible(cut(found.value, _LONGEST_VALUE))}” is {percent(found.first)} of "
            f"{first.column.name}, {percent(found.second)} of {other.column.name}"
        )


def _is_far(first: float, second: float, first_count: int, second_count: int) -> bool:
    """Whether two parts of the whole differ by much, and by more than chance."""
    if not first_count or not second_count:
        return False
    distance = abs(first - second)
    mean = (first * first_count + second * second_count) / (first_count + second_count)
    spread = max(mean * (1 - mean), 0.0)
    error = math.sqrt(spread * (1 / first_count + 1 / second_count))
    return distance > LARGE_SHARE_DIFFERENCE and distance > _BY_CHANCE * error


def _entry_names(entries: Sequence[Entry]) -> str:
    return _names([entry.column for entry in entries])


def _names(columns: Sequence[Column]) -> str:
    names = [column.name for column in columns]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _text_warnings(feature: Feature) -> Iterator[str]:
    """What the strings of a feature suggest: numbers, NA, stray spaces, nothing at all.

    Such values are read as they are, so a person has to see them; each warning has the part that
    they are of each split.

    Example: `["“NA” is 3.1% of train: if it stands for a missing value, leave the cell empty"]`
    """
    whole = [entry for entry in feature.present if not entry.column.is_slice]
    found = [(entry.column.name, shares_of(entry)) for entry in whole]
    columns = [(name, shares) for name, shares in found if shares is not None]
    values = list(dict.fromkeys(value for _, shares in columns for value in shares.by_value))
    words = [value for value in values if not _is_number(value)]
    markers = [value for value in words if value.strip().casefold() in _MISSING_MARKERS]
    empty = [name for name, shares in columns if shares.is_complete and not any(shares.by_value)]
    if empty:
        yield (
            f"only empty strings in {', '.join(empty)}: if they stand for missing values, leave "
            "them out in the source"
        )
    if values and not words:
        yield (
            "numbers, stored as text: store them as numbers in the source, or convert them in "
            "preprocessing_fn, unless they are names such as postal codes"
        )
    elif _are_numbers(columns, values, words, markers):
        yield (
            f"numbers but for {_quoted(words)} ({_parts(columns, words)}), which make the feature "
            "text: leave such cells empty in the source, or replace them in preprocessing_fn"
        )
    elif markers:
        yield (
            f"{_quoted(markers)} is a value like others ({_parts(columns, markers)}): if it stands "
            "for a missing value, leave the cell empty in the source"
        )
    spaced = [value for value in values if value != value.strip()]
    if spaced:
        yield (
            f"spaces at the ends of {_quoted(spaced)} ({_parts(columns, spaced)}): they make "
            "another value; remove them in the source"
        )


def _are_numbers(
    columns: _Columns, values: Sequence[str], words: Sequence[str], markers: Sequence[str]
) -> bool:
    numbers = len(values) - len(words)
    if not numbers or not words:
        return False
    # The statistics name the most frequent values only. Of many different numbers that is a small
    # part of all, so the different ones count as well.
    are_most = all(
        1 - sum(shares.by_value.get(word, 0.0) for word in words) >= _MOST_NUMBERS
        for _, shares in columns
        if shares.is_complete
    ) and any(shares.is_complete for _, shares in columns)
    are_most_different = numbers >= max(_FEWEST_NUMBERS, _MOST_NUMBERS * len(values))
    return are_most or are_most_different or len(markers) == len(words)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    # A word that Python takes for a number, and people take for a missing one.
    return text.strip().casefold() not in _MISSING_MARKERS


def _quoted(values: Sequence[str]) -> str:
    shown = [
        f"“{visible(cut(value, _LONGEST_VALUE)) or EMPTY_STRING}”" for value in values[:_SHOWN]
    ]
    more = f" and {len(values) - _SHOWN} more" if len(values) > _SHOWN else ""
    return ", ".join(shown) + more


def _parts(columns: _Columns, values: Sequence[str]) -> str:
    """The share of each split that these values are."""
    parts = [
        f"{percent(sum(shares.by_value.get(value, 0.0) for value in values))} of {name}"
        for name, shares in columns
    ]
    return ", ".join(parts)
