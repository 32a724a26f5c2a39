"""`trainwright.dsl.strategies.span_range_strategy` under TFX's path."""

from trainwright.dsl.strategies.span_range_strategy import SpanRangeStrategy as SpanRangeStrategy
