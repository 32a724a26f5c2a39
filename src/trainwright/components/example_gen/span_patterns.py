"""Spans, versions and dates in the patterns of input splits.

A pattern like `day-{SPAN}/v{VERSION}/*` stands for the files of one span, by default the latest, in
its latest version. `{YYYY}`, `{MM}` and `{DD}` name the span by its date: spans are then the days
since 1970-01-01.
"""

from __future__ import annotations

import datetime
import glob
import itertools
import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from trainwright._paths import MissingInputError, check_not_special
from trainwright.components.example_gen.span_range import SpanRange
from trainwright.storage import uris
from trainwright.storage.objects import list_tree
from trainwright.storage.uris import is_supported

_PLACEHOLDER = re.compile(r"\{(SPAN|VERSION)(?::(.*?))?\}|\{(YYYY|MM|DD)\}")
_DATE_DIGITS = {"YYYY": 4, "MM": 2, "DD": 2}
_EPOCH = datetime.date(1970, 1, 1)


@dataclass(frozen=True, kw_only=True)
class SpanPattern:
    """A pattern and the placeholders in it; making one checks that they fit together.

    >>> SpanPattern.parse("day-{SPAN:3}/*").widths
    {'SPAN': 3}
    """

    text: str
    widths: dict[str, int | None]

    @classmethod
    def parse(cls, text: str) -> SpanPattern:
        """Raises ValueError if the placeholders of a pattern contradict each other."""
        widths: dict[str, int | None] = {}
        for match in _PLACEHOLDER.finditer(text):
            name = match[1] or match[3]
            if name in widths:
                raise ValueError(_repeated(text, name))
            widths[name] = _DATE_DIGITS.get(name) or _width(text, name, match[2])
        pattern = cls(text=text, widths=widths)
        pattern._check()
        return pattern

    @property
    def has_span(self) -> bool:
        return "SPAN" in self.widths

    @property
    def has_date(self) -> bool:
        return "YYYY" in self.widths

    @property
    def has_version(self) -> bool:
        return "VERSION" in self.widths

    @property
    def chooses_span(self) -> bool:
        return self.has_span or self.has_date

    def fill(self, tokens: dict[str, str]) -> str:
        """The pattern with the placeholders replaced by what stands in file names."""
        return _PLACEHOLDER.sub(lambda match: tokens.get(match[1] or match[3], match[0]), self.text)

    def fill_numbers(
        self, span: int, version: int | None, only: Collection[str] | None = None
    ) -> str:
        """The pattern with the placeholders, or `only` some of them, replaced by numbers.

        Raises:
            ValueError: if a number has more digits than the placeholder has room for.

        >>> SpanPattern.parse("day-{SPAN:3}/v{VERSION}/*").fill_numbers(7, 2)
        'day-007/v2/*'
        """
        numbers: dict[str, int | None] = {"SPAN": span, "VERSION": version}
        if self.has_date:
            numbers.update(zip(_DATE_DIGITS, span_number_to_date(span), strict=True))
        return self.fill(
            {
                name: self._spell_number(name, numbers[name])
                for name in self.widths
                if only is None or name in only
            }
        )

    def as_glob(self) -> str:
        return _PLACEHOLDER.sub("*", self.text)

    def as_regex(self, digit: str = "[0-9]") -> re.Pattern[str]:
        """Matches the paths that the glob finds, with the digits of each placeholder in a group."""
        parts = []
        end = 0
        for match in _PLACEHOLDER.finditer(self.text):
            name = match[1] or match[3]
            width = self.widths[name]
            digits = f"{digit}+" if width is None else f"{digit}{{{width}}}"
            parts += [glob_to_regex(self.text[end : match.start()]), f"(?P<{name}>{digits})"]
            end = match.end()
        return re.compile("".join([*parts, glob_to_regex(self.text[end:])]), re.DOTALL)

    def _spell_number(self, name: str, number: int | None) -> str:
        if number is None:
            raise ValueError(
                f"The pattern {self.text} has {{{name}}}, but no {name.lower()} is given."
            )
        width = self.widths[name] or 0
        if 0 < width < len(str(number)):
            raise ValueError(
                f"Spec width is less than number of digits in spec: ({width}, {number}) in "
                f"{self.text}"
            )
        return str(number).zfill(width)

    def _check(self) -> None:
        dates = [name for name in _DATE_DIGITS if name in self.widths]
        if dates and self.has_span:
            raise ValueError(
                "Either span spec or date specs must be specified exclusively in "
                f"{self.text}: one of them names the span, so leave out the other."
            )
        if dates and len(dates) != len(_DATE_DIGITS):
            raise ValueError(_partial_date(self.text))
        if self.has_version and not self.chooses_span:
            raise ValueError(
                f"Version spec provided, but Span or Date spec is not present in {self.text}: a "
                "version is one of a span, so add {SPAN}, or {YYYY}, {MM} and {DD}."
            )


@dataclass(frozen=True, kw_only=True)
class ChosenSpan:
    """What a pattern stands for: its span and version, and the pattern with both filled in."""

    span: int
    version: int | None
    pattern: str


def choose_span(input_base: str, split: str, pattern: SpanPattern, spans: SpanRange) -> ChosenSpan:
    """Finds the latest span of a pattern that a range allows, and its latest version.

    Raises:
        MissingInputError: if no file matches.
        ValueError: if a file's name has no number where the pattern has a placeholder.
    """
    found = dict(_candidates(input_base, split, pattern))
    allowed = [key for key in found if spans.allows(key[0])]
    if not allowed:
        there = ", ".join(str(span) for span in sorted({span for span, _ in found})) or "none"
        raise MissingInputError(
            f"Cannot find matching for split {split} based on {pattern.text}: no file of {spans} "
            f"matches {os.path.join(input_base, pattern.text)!r}. Spans found: {there}."
        )
    span, version = max(allowed)
    return ChosenSpan(
        span=span,
        version=version if pattern.has_version else None,
        pattern=pattern.fill(found[span, version]),
    )


def date_to_span_number(year: int, month: int, day: int) -> int:
    """The span of a date: the days since 1970-01-01.

    >>> date_to_span_number(1970, 1, 3)
    2
    """
    return (datetime.date(year, month, day) - _EPOCH).days


def span_number_to_date(span: int) -> tuple[int, int, int]:
    """Year, month and day of a span that is a date.

    >>> span_number_to_date(2)
    (1970, 1, 3)
    """
    date = _EPOCH + datetime.timedelta(days=span)
    return date.year, date.month, date.day


def _candidates(
    input_base: str, split: str, pattern: SpanPattern
) -> Iterator[tuple[tuple[int, int], dict[str, str]]]:
    """Span and version of each file, and how they are written in its path."""
    written: dict[tuple[int, int], dict[str, str]] = {}
    regex = pattern.as_regex()
    for path in matching_files(input_base, pattern.as_glob()):
        relative = _relative(path, input_base)
        match = regex.fullmatch(relative)
        if match is None:
            raise ValueError(_unnumbered(path, relative, split, pattern))
        tokens = match.groupdict()
        key = (_span(path, tokens), int(tokens.get("VERSION", 0)))
        if written.setdefault(key, tokens) != tokens:
            raise ValueError(
                f"Span {key[0]} of split {split!r} is there twice, as {_spell(written[key])} and "
                f"as {_spell(tokens)} in {path}. Give numbers a fixed width, as in {{SPAN:3}}, or "
                "remove one of them."
            )
    yield from written.items()


def matching_files(input_base: str, pattern: str) -> list[str]:
    """The files under a directory that match a glob, sorted; hidden files do not count.

    Raises:
        ValueError: if a link that leads nowhere, a named pipe or the like matches: it would
            silently be left out, or be read for ever.
        StorageError: if the directory is in an object store that cannot be asked.
    """
    if is_supported(input_base):
        return _matching_objects(input_base, pattern)
    found = sorted(glob.glob(os.path.join(glob.escape(input_base), pattern), recursive=True))
    visible = [path for path in found if not os.path.basename(path).startswith(".")]
    for path in visible:
        check_not_special(path, f"The pattern {pattern!r} matches a special file:")
    return [path for path in visible if os.path.isfile(path)]


def _matching_objects(input_base: str, pattern: str) -> list[str]:
    """Likewise the objects; only what the pattern's first directories leave is listed."""
    steps = os.path.normpath(pattern).split("/")
    fixed = list(itertools.takewhile(lambda step: not glob.has_magic(step), steps[:-1]))
    regex = re.compile(glob_to_regex("/".join(steps)), re.DOTALL)
    found = []
    for facts in list_tree(uris.join(input_base, *fixed)):
        relative = uris.relative(facts.uri, input_base)
        hidden = any(step.startswith(".") for step in relative.split("/")[len(fixed) :])
        if regex.fullmatch(relative) and not hidden:
            found.append(uris.join(input_base, relative))
    return found


def _relative(path: str, input_base: str) -> str:
    if is_supported(path):
        return uris.relative(path, input_base)
    return os.path.relpath(path, input_base)


def _span(path: str, tokens: dict[str, str]) -> int:
    if "SPAN" in tokens:
        return int(tokens["SPAN"])
    year, month, day = (int(tokens[name]) for name in _DATE_DIGITS)
    try:
        return date_to_span_number(year, month, day)
    except ValueError as error:
        raise ValueError(
            f"Retrieved date is invalid for file: {path}. It has {year:04d}-{month:02d}-{day:02d} "
            f"in it: {error}. Rename or move the file."
        ) from None


def _width(text: str, name: str, width: str | None) -> int | None:
    if width is None:
        return None
    if not re.fullmatch("[0-9]+", width) or int(width) < 1:
        raise ValueError(
            f"Width modifier in {name.lower()} spec is not a positive integer: {text}. Expected "
            f"something like {{{name}:3}}, got the width {width!r}."
        )
    return int(width)


def _repeated(text: str, name: str) -> str:
    return (
        _partial_date(text) if name in _DATE_DIGITS else f"Only one {{{name}}} is allowed in {text}"
    )


def _partial_date(text: str) -> str:
    return f"Exactly one of each date spec ({{YYYY}}, {{MM}}, {{DD}}) is required in {text}"


def _unnumbered(path: str, relative: str, split: str, pattern: SpanPattern) -> str:
    expected = ", ".join(
        f"{{{name}}} is {'digits' if width is None else f'{width} digits'}"
        for name, width in pattern.widths.items()
    )
    return (
        f"{_misfit(path, relative, pattern)}: the file has no number where the pattern "
        f"{pattern.text!r} of input split {split!r} has a placeholder ({expected}). Rename or move "
        "the file, or change the pattern."
    )


def _misfit(path: str, relative: str, pattern: SpanPattern) -> str:
    """What TFX says of a path that has something else than digits, or too few characters."""
    match = pattern.as_regex(digit=".").fullmatch(relative)
    if match is None:
        return f"Glob pattern does not match regex pattern for {path}"
    wrong = next(name for name, token in match.groupdict().items() if not token.isdecimal())
    if wrong in _DATE_DIGITS:
        return f"Cannot find span number using date from {path} based on {pattern.text}"
    return f"Cannot find {wrong.lower()} number from {path} based on {pattern.text}"


def _spell(tokens: dict[str, str]) -> str:
    return " ".join(f"{name}={text}" for name, text in tokens.items())


def glob_to_regex(text: str) -> str:
    """The regular expression of a glob, in which `**/` stands for any directories or none."""
    parts = []
    position = 0
    while position < len(text):
        if text.startswith("**/", position):
            parts.append("(?:.*/)?")
            position += 3
        elif text.startswith("**", position):
            parts.append(".*")
            position += 2
        elif match := re.compile(r"\[(!?)(\]?[^\]]*)\]").match(text, position):
            characters = match[2].replace("\\", "\\\\").replace("^", "\\^")
            parts.append(f"[{'^' if match[1] else ''}{characters}]")
            position = match.end()
        else:
            character = text[position]
            parts.append({"*": "[^/]*", "?": "[^/]"}.get(character) or re.escape(character))
            position += 1
    return "".join(parts)
