"""RequestedMetric: a metric as an EvalConfig asks for it, with its arguments."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from trainwright.evaluation.metrics.metric import Metric, Plot
from trainwright.evaluation.metrics.scope import Scope


@dataclass(frozen=True, kw_only=True)
class RequestedMetric(abc.ABC):
    """A metric class: its fields are the arguments that a MetricConfig may give.

    Args:
        name: What the metric is called in the results.
    """

    # Whether it says something about a choice of classes; if not it is computed once, of all.
    has_sub_keys: ClassVar[bool] = True
    # Whether its values are numbers, of which there are averages.
    is_numeric: ClassVar[bool] = True

    name: str

    @abc.abstractmethod
    def at(self, scope: Scope) -> Sequence[Metric | Plot]:
        """What is computed of it for one scope; several things if it has several numbers.

        Raises:
            ValueError: If it cannot be computed there.
        """


@dataclass(frozen=True)
class MetricClass:
    """What a class name of an EvalConfig stands for.

    Args:
        request: Whose fields are the arguments.
        default_name: What it is called unless the config names it.
        fixed: The arguments that make it this class among those of one `request`.
        ignored: Arguments that Keras writes and that change nothing, with the values allowed.
    """

    request: type[RequestedMetric]
    default_name: str
    fixed: Mapping[str, object] = field(default_factory=dict)
    ignored: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
