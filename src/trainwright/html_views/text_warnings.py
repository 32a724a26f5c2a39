"""What the texts of a feature suggest: numbers, NA, stray spaces, nothing at all.

Such values are read as they are, so a person has to see them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trainwright.html_views.features import Feature
from trainwright.html_views.numbers import percent
from trainwright.html_views.shares import Shares, shares_of
from trainwright.html_views.text import EMPTY_STRING, cut, visible

# What programs write for a value that is not there; compared without regard to case.
MISSING_MARKERS = frozenset(
    ["#n/a", "#na", "(null)", "-", "--", "<na>", "?", "\\n", "missing", "n.a.", "n/a", "na", "nan"]
    + ["nil", "none", "null"]
)
# From this part on, of the values or of the different ones, texts are taken for numbers.
_MOST_NUMBERS = 0.8
_FEWEST_NUMBERS = 5

_SHOWN = 3
_LONGEST_VALUE = 24

_Columns = Sequence[tuple[str, Shares]]


def text_warnings(feature: Feature) -> Iterator[str]:
    """Warnings about values of a feature, each with the part that they are of each split.

    Example: `["“NA” is 3.1% of train: if it stands for a missing value, leave the cell empty"]`
    """
    whole = [entry for entry in feature.present if not entry.column.is_slice]
    found = [(entry.column.name, shares_of(entry)) for entry in whole]
    columns = [(name, shares) for name, shares in found if shares is not None]
    values = list(dict.fromkeys(value for _, shares in columns for value in shares.by_value))
    words = [value for value in values if not _is_number(value)]
    markers = [value for value in words if value.strip().casefold() in MISSING_MARKERS]
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
    return text.strip().casefold() not in MISSING_MARKERS


def _quoted(values: Sequence[str]) -> str:
    shown = [
        f"“{visible(cut(value, _LONGEST_VALUE)) or EMPTY_STRING}”" for value in values[:_SHOWN]
    ]
    more = f" and {len(values) - _SHOWN} more" if len(values) > _SHOWN else ""
    return ", ".join(shown) + more


def _parts(columns: _Columns, values: Sequence[str]) -> str:
    """Which part of each split these values are."""
    parts = [
        f"{percent(sum(shares.by_value.get(value, 0.0) for value in values))} of {name}"
        for name, shares in columns
    ]
    return ", ".join(parts)
