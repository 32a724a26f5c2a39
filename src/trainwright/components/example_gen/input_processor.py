"""Input processors: what an ExampleGen's driver asks for the span, the version and the input.

A source of one's own, such as a table with a partition for each day, is a subclass of
`InputProcessor` that a driver returns from `get_input_processor`.
"""

from __future__ import annotations

import abc
import datetime
from collections.abc import Iterable

from trainwright.components.example_gen.input_files import (
    InputFiles,
    check_each_split_has_files,
    check_input_base,
    check_patterns,
    find_input_files,
    fingerprint,
)
from trainwright.components.example_gen.span_patterns import SpanPattern
from trainwright.components.example_gen.span_range import SpanRange, make_span_range
from trainwright.proto import example_gen_pb2, range_config_pb2

# Placeholders in queries: the seconds in which the day of a span begins and ends, and its date.
SPAN_BEGIN_TIMESTAMP = "@span_begin_timestamp"
SPAN_END_TIMESTAMP = "@span_end_timestamp"
SPAN_YYYYMMDD_UTC = "@span_yyyymmdd_utc"

UNIX_EPOCH_DATE_UTC = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)

InputSplit = example_gen_pb2.Input.Split


def get_query_for_span(pattern: str, span: int) -> str:
    """A query with the day of a span in it; spans are days since 1970-01-01 in UTC.

    >>> get_query_for_span("SELECT * FROM t WHERE day = @span_yyyymmdd_utc", 2)
    "SELECT * FROM t WHERE day = '19700103'"
    """
    begin = UNIX_EPOCH_DATE_UTC + datetime.timedelta(days=span)
    end = begin + datetime.timedelta(days=1)
    query = pattern.replace(SPAN_BEGIN_TIMESTAMP, str(int(begin.timestamp())))
    query = query.replace(SPAN_END_TIMESTAMP, str(int(end.timestamp())))
    return query.replace(SPAN_YYYYMMDD_UTC, begin.strftime("'%Y%m%d'"))


def has_span_placeholder(query: str) -> bool:
    """Whether a query depends on the span."""
    return any(
        placeholder in query
        for placeholder in (SPAN_BEGIN_TIMESTAMP, SPAN_END_TIMESTAMP, SPAN_YYYYMMDD_UTC)
    )


class InputProcessor(abc.ABC):
    """Finds the span and the version to read.

    Args:
        splits: The input splits, with placeholders in their patterns.
        range_config: Which span to take: one (`static_range`), or the latest (`rolling_range`).

    Raises:
        ValueError: if the range is for several spans, or has a start that cannot be kept.
    """

    def __init__(
        self,
        splits: Iterable[InputSplit],
        range_config: range_config_pb2.RangeConfig | None = None,
    ) -> None:
        self._splits = list(splits)
        self._range_config = range_config
        self._spans = None if range_config is None else make_span_range(range_config)
        self._check_range(self._spans)

    def _check_range(self, spans: SpanRange | None) -> None:
        # get_latest_span knows nothing of a start, so one could only be ignored.
        if spans is not None and spans.lowest is not None:
            raise ValueError(
                "RangeConfig.rolling_range.start_span_number is not supported by "
                f"{type(self).__name__}: leave it out, or name one span with static_range."
            )

    def resolve_span_and_version(self) -> tuple[int, int | None]:
        """The span to read (0 if there are none) and its version (None if there are none)."""
        span = 0
        if self._spans is not None:
            span = self.get_latest_span() if self._spans.only is None else self._spans.only
        return span, self.get_latest_version(span)

    @abc.abstractmethod
    def get_pattern_for_span_version(self, pattern: str, span: int, version: int | None) -> str:
        """A split's pattern with span and version filled in."""

    @abc.abstractmethod
    def get_latest_span(self) -> int:
        """The span that `rolling_range` stands for."""

    def get_latest_version(self, span: int) -> int | None:
        """The version of a span to read; None where there are no versions."""
        return None

    def get_input_fingerprint(self, span: int, version: int | None) -> str | None:
        """What changes when the input does; the cache goes by it. None if that is not known."""
        return None


class FileBasedInputProcessor(InputProcessor):
    """Finds the files of each split, with `{SPAN}`, `{VERSION}` or a date in their paths.

    Args:
        input_base_uri: The directory of the files.
        splits: The input splits.
        range_config: Which span to take; the latest by default.
    """

    def __init__(
        self,
        input_base_uri: str,
        splits: Iterable[InputSplit],
        range_config: range_config_pb2.RangeConfig | None = None,
    ) -> None:
        super().__init__(splits, range_config)
        self._input_base_uri = input_base_uri
        self._config = example_gen_pb2.Input(splits=self._splits)
        self._found: InputFiles | None = None
        check_patterns(self._config, self._spans)

    def _check_range(self, spans: SpanRange | None) -> None:
        """Every range of one span can be kept, those with a start as well."""

    @property
    def input_files(self) -> InputFiles:
        """The files, looked for once.

        Raises:
            MissingInputError: if there is no span to choose.
        """
        if self._found is None:
            self._found = find_input_files(self._input_base_uri, self._config, self._spans)
        return self._found

    def check_input_files(self) -> None:
        """Refuses an absent or unreadable directory and splits without files.

        Raises:
            MissingInputError: if something is not there.
            ValueError: if the directory cannot be read.
        """
        check_input_base(self._input_base_uri)
        found = self.input_files
        check_each_split_has_files(self._input_base_uri, found.config, found.files)

    def resolve_span_and_version(self) -> tuple[int, int | None]:
        return self.input_files.span, self.input_files.version

    def get_pattern_for_span_version(self, pattern: str, span: int, version: int | None) -> str:
        found = self._found
        if found is not None and (found.span, found.version) == (span, version):
            # As it is written in the paths, where 1 may be 01 though no width is given.
            for given, filled in zip(self._config.splits, found.config.splits, strict=True):
                if given.pattern == pattern:
                    return filled.pattern
        return SpanPattern.parse(pattern).fill_numbers(span, version)

    def get_latest_span(self) -> int:
        return self.input_files.span

    def get_latest_version(self, span: int) -> int | None:
        return self.input_files.version

    def get_input_fingerprint(self, span: int, version: int | None) -> str | None:
        return fingerprint(self.input_files.files)


class QueryBasedInputProcessor(InputProcessor):
    """Fills the day of a span into queries."""

    def get_pattern_for_span_version(self, pattern: str, span: int, version: int | None) -> str:
        return get_query_for_span(pattern, span)

    def get_latest_span(self) -> int:
        raise NotImplementedError(
            "For QueryBasedExampleGen, latest Span is not supported, please use "
            "RangeConfig.StaticRange. A driver with an InputProcessor of your own may know it."
        )
