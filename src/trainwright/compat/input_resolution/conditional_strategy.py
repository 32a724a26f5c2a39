"""ConditionalStrategy: the inputs themselves, if conditions hold for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainwright.compat.compiler.placeholder_expressions import (
    ResolutionContext,
    resolve_placeholder_expression,
)
from trainwright.compat.orchestration.execution_info import ExecutionInfo
from trainwright.dsl.input_resolution.exceptions import SkipSignal
from trainwright.dsl.resolver_strategy import Artifacts, ResolverStrategy
from trainwright.proto.orchestration import placeholder_pb2


class ConditionalStrategy(ResolverStrategy):
    """Skips the node unless all predicates hold. Compiled pipelines have it; `Cond` is for users.

    Args:
        predicates: Encoded placeholders that give booleans.
    """

    def __init__(self, predicates: Sequence[placeholder_pb2.PlaceholderExpression]) -> None:
        self._predicates = predicates

    def resolve_artifacts(self, metadata_handle: Any, input_dict: Artifacts) -> Artifacts | None:
        for predicate in self._predicates:
            holds = evaluate_predicate(predicate, input_dict)
            if not isinstance(holds, bool):
                raise ValueError("Predicate evaluates to a non-boolean result.")
            if not holds:
                raise SkipSignal("Predicate evaluates to False.")
        return input_dict


def evaluate_predicate(
    expression: placeholder_pb2.PlaceholderExpression, input_dict: Artifacts
) -> Any:
    """What an encoded placeholder gives for these inputs."""
    context = ResolutionContext(exec_info=ExecutionInfo(input_dict=input_dict))
    return resolve_placeholder_expression(expression, context)
