"""What can be wrong with a metric of an EvalConfig."""

from __future__ import annotations


class UnknownMetricError(ValueError):
    """No metric has this class name, or none that Trainwright computes."""
