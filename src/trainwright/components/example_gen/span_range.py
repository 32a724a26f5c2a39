"""Span ranges: the spans that an ExampleGen may take, by its `range_config`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trainwright.components.example_gen.split_config import parse_config
from trainwright.proto import range_config_pb2

RangeLike = range_config_pb2.RangeConfig | Mapping[str, Any] | str


@dataclass(frozen=True, kw_only=True)
class SpanRange:
    """The spans to choose the latest from: all, one, or all from one on."""

    only: int | None = None
    lowest: int | None = None

    def allows(self, span: int) -> bool:
        if self.only is not None:
            return span == self.only
        return self.lowest is None or span >= self.lowest

    def __str__(self) -> str:
        if self.only is not None:
            return f"span {self.only}"
        return "any span" if self.lowest is None else f"span {self.lowest} or later"


def make_range_config(given: RangeLike | None) -> range_config_pb2.RangeConfig | None:
    """The range config, checked; None allows every span."""
    if given is None:
        return None
    config = parse_config(given, range_config_pb2.RangeConfig())
    make_span_range(config)
    return config


def make_span_range(config: range_config_pb2.RangeConfig) -> SpanRange:
    """What a range config allows; an ExampleGen takes one span.

    Raises:
        ValueError: if the config is for several spans, or for none.

    >>> config = range_config_pb2.RangeConfig()
    >>> config.rolling_range.num_spans = 1
    >>> str(make_span_range(config))
    'any span'
    """
    if config.HasField("static_range"):
        start = config.static_range.start_span_number
        end = config.static_range.end_span_number
        if start != end:
            raise ValueError(
                "For ExampleGen, start and end span numbers for RangeConfig.StaticRange must be "
                f"equal, because an ExampleGen takes one span. Got {start} and {end}."
            )
        return SpanRange(only=start)
    if not config.HasField("rolling_range"):
        raise ValueError(
            "Only static_range and rolling_range are supported. The range_config has neither; "
            "expected for example {'static_range': {'start_span_number': 3, 'end_span_number': 3}}."
        )
    rolling = config.rolling_range
    if rolling.num_spans != 1:
        raise ValueError(
            "ExampleGen only support single span for RangeConfig.RollingRange. Its num_spans must "
            f"be 1, got {rolling.num_spans}."
        )
    return SpanRange(lowest=rolling.start_span_number or None)
