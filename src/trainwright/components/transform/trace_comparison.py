"""TraceComparison: notices a function that does not do the same each time it is traced."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import tensorflow as tf
from tensorflow_transform import graph_context

from trainwright.components.transform.user_lines import line_of_operation


class TraceComparison:
    """Compares traces that should be equal: those with the same results of analyzers put in.

    tf.Transform notices when analyzers come in another order. A number that changes it puts into
    the graph, as it was in the last trace, and applies it to what was computed in the first.
    """

    def __init__(self) -> None:
        self._traces: dict[frozenset[str], list[tuple[Any, ...]]] = {}
        # Where two traces part, as " at features.py line 12" or "" where no line is known; None
        # as long as they do not.
        self.difference: str | None = None

    def add(self, operations: Sequence[Any]) -> None:
        """Takes the operations that a call of the function made, within the call's context."""
        evaluated = graph_context.TFGraphContext.get_evaluated_replacements() or {}
        trace = [_features(operation) for operation in operations]
        earlier = self._traces.setdefault(frozenset(evaluated), trace)
        if self.difference is not None or earlier == trace:
            return
        steps = zip_longest(operations, earlier, trace)
        operation = next(operation for operation, one, other in steps if one != other)
        self.difference = line_of_operation(operation) if operation is not None else ""


def _features(operation: Any) -> tuple[Any, ...]:
    """What makes an operation another one. Strings may be paths, which differ in any case."""
    if operation.type == "Const" and operation.get_attr("dtype") != tf.string:
        return operation.type, operation.get_attr("value").SerializeToString()
    return (operation.type,)
